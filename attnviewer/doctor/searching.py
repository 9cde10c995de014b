"""The search for mistakes that explain a case."""

from dataclasses import dataclass, replace

from attnviewer.compute.progress import Counted, Progress
from attnviewer.doctor.case import Case
from attnviewer.doctor.confirming import confirmed
from attnviewer.doctor.explaining import (
    Explained,
    explained,
    explained_at_once,
)
from attnviewer.doctor.hypotheses import Hypothesis
from attnviewer.doctor.precision import Precision
from attnviewer.doctor.reducing import reduced
from attnviewer.doctor.surveying import same, survey
from attnviewer.doctor.walking import Deviation

USUAL = 400
"""The hypotheses of a usual diagnosis."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a search found.

    Parameters
    ----------
    deviations : tuple of Deviation
        The steps that do not follow from those before them, with what explains each.
    harmless : tuple of str
        Ids of mistakes that were made and leave weights and output as they are.
    unseen : tuple of str
        Ids of mistakes that these inputs could not show.
    first_different : str or None
        The first step that is not the right one.
    precision : Precision
        In which the implementation computes.
    """

    deviations: tuple[Deviation, ...]
    harmless: tuple[str, ...]
    unseen: tuple[str, ...]
    first_different: str | None
    precision: Precision


def search(case: Case, progress: Progress | None = None) -> Outcome:
    """Return what explains an implementation's numbers.

    Large cases are first reduced to some of their queries; what explains these is then
    confirmed on all numbers. If it does not hold there, what remains are mistakes that
    mix queries.

    Parameters
    ----------
    case : Case
        What is compared.
    progress : callable, optional
        Called with the completed fraction; may raise to abort.
    """
    checked = Counted(progress, USUAL)
    small = reduced(case)
    if small is None:
        found = explained(case, survey(case, checked), checked)
        return _sorted_out(case, found)
    return _sorted_out(case, _of_large(case, small, checked))


def _of_large(case: Case, small: Case, checked: Counted) -> Explained:
    surveyed = survey(small, checked)
    quick = explained_at_once(small.hasty(), surveyed, checked)
    found = quick and confirmed(case, quick)
    if found is not None:
        return found
    whole = case.mixing_queries()
    all_rows = survey(whole, checked, small)
    mixing = explained_at_once(whole, all_rows, checked)
    if mixing is not None:
        return replace(mixing, unseen=surveyed.unseen)
    found = confirmed(case, explained(small, surveyed, checked))
    return found or explained(whole, all_rows, checked)


def _sorted_out(case: Case, found: Explained) -> Outcome:
    """Separate mistakes that change the result from those that do not."""
    case = case.assuming(found.precision)
    kept, harmless = [], list[str]()
    for deviation in found.deviations:
        best = deviation.explanations[0] if deviation.explanations else ()
        if best and _changes_nothing(case, best[-1]):
            ids = [h.id for one in deviation.explanations for h in one]
            harmless += [i for i in ids if i not in harmless]
        else:
            kept.append(deviation)
    first = kept[0].step if kept else None
    return Outcome(tuple(kept), tuple(harmless), found.unseen, first, found.precision)


def _changes_nothing(case: Case, hypothesis: Hypothesis) -> bool:
    """Return whether a mistake leaves weights and output as they are."""
    numbers = case.evaluation(hypothesis.plan)
    return all(same(case, numbers, name) for name in ("weights", "output"))
