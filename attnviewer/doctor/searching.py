"""The search for mistakes that explain a case."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from attnviewer.compute.progress import Counted, Progress
from attnviewer.doctor.case import Case
from attnviewer.doctor.confirming import confirmed, followed
from attnviewer.doctor.effort import Effort
from attnviewer.doctor.explaining import (
    Explained,
    explained,
    explained_at_once,
    step_by_step,
)
from attnviewer.doctor.hypotheses import Hypothesis
from attnviewer.doctor.precision import Precision
from attnviewer.doctor.reducing import first_tokens, last_queries, numbers_of, reduced
from attnviewer.doctor.surveying import step_is_right, survey
from attnviewer.doctor.walking import Deviation

USUAL = 400
"""The hypotheses of a usual diagnosis."""

FEW_NUMBERS = 100_000
"""Numbers of all steps up to which two mistakes are looked for in all of them."""

MOST_WORK, WORK_IN_PARTS = 4e9, 2e8
"""The work that pairs of mistakes may take in all of the numbers, and in parts."""

FEW, FEWEST = 8, 4
"""The first tokens, and the last queries, in which they are looked for otherwise."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a search.

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
    only_some : bool
        Whether some pairs of mistakes were not tried, and steps remain that nothing
        explains.
    """

    deviations: tuple[Deviation, ...]
    harmless: tuple[str, ...]
    unseen: tuple[str, ...]
    first_different: str | None
    precision: Precision
    only_some: bool


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
    found = _at_once(case, checked) if small is None else _of(case, small, checked)
    return _sorted_out(case, found)


def _at_once(case: Case, checked: Counted) -> Explained:
    surveyed = survey(case, checked)
    if numbers_of(case) <= FEW_NUMBERS:
        return explained(case, surveyed, checked, Effort(MOST_WORK))
    first = first_tokens(case, FEW)
    views = [case] if first is None else [first, case]
    found = explained_at_once(case, surveyed, checked, views)
    return found or _in_parts(case, first, surveyed.unseen, checked)


def _of(case: Case, small: Case, checked: Counted) -> Explained:
    """Return what explains a large case, by its last queries first."""
    surveyed = survey(small, checked)
    quick = explained_at_once(small.hasty(), surveyed, checked)
    found = quick and confirmed(case, quick)
    if found is not None:
        return found
    first = first_tokens(case, FEW)
    longer = (first_tokens(case, FEW * times) for times in (4, 16))
    views = [v for v in (first, *longer, last_queries(case, FEWEST)) if v is not None]
    quick = explained_at_once(small, surveyed, checked, views)
    found = quick and confirmed(case, quick)
    if found is not None:
        return found
    whole = case.mixing_queries()
    all_rows = survey(whole, checked, small)
    found = explained_at_once(whole, all_rows, checked)
    if found is not None:
        return replace(found, unseen=surveyed.unseen)
    return _in_parts(case, first, surveyed.unseen, checked)


def _in_parts(
    case: Case, first: Case | None, unseen: tuple[str, ...], checked: Counted
) -> Explained:
    """Return what explains the steps of a case that no single mistake explains.

    It is looked for in the first tokens, where it takes little time, and among single
    mistakes in the last queries.
    """
    best = Explained((), case.precision, unseen)
    for part in _parts(case, first, checked):
        known = tuple(d for d in part.deviations if d.explanations)
        if known and len(known) == len(part.deviations):
            found = confirmed(case, part)
            if found is not None:
                return replace(found, unseen=unseen)
        if len(known) > len(best.deviations):
            best = replace(best, deviations=known)
    return replace(followed(case, best), only_some=True)


def _parts(case: Case, first: Case | None, checked: Counted) -> Iterator[Explained]:
    effort = Effort(WORK_IN_PARTS)
    if first is not None:
        yield step_by_step(first, (), checked, effort)
    last = last_queries(case, FEWEST)
    if last is not None:
        # Of the first tokens, weights tell all only under a causal mask.
        enough = first is not None and case.spec.causal
        view = last.hasty() if enough else last
        yield step_by_step(view, (), checked, effort)


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
    return Outcome(
        tuple(kept),
        tuple(harmless),
        found.unseen,
        first,
        found.precision,
        found.only_some and not all(deviation.explanations for deviation in kept),
    )


def _changes_nothing(case: Case, hypothesis: Hypothesis) -> bool:
    """Return whether a mistake leaves weights and output as they are."""
    numbers = case.evaluation(hypothesis.plan)
    return all(step_is_right(case, numbers, name) for name in ("weights", "output"))
