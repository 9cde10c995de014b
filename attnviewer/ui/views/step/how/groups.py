"""The parts of a row's normalisation: scores, what the rule makes of them, shares."""

from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.expression import Number
from attnviewer.compute.number_text import rounded
from attnviewer.compute.walk.parts import name_of
from attnviewer.compute.walk.rule_row import RuleRow
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.how.bar_titles import rule_of
from attnviewer.ui.views.step.how.subject import Subject

_tr = translate_in("How")

WHOLE = 1e-5
"""How far from 1 shares may add up, also in single precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The bars of one part of the rule.

    Parameters
    ----------
    title : str
        What they are.
    note : str
        A number of the row that belongs to them; "" for none.
    values : ndarray, shape (keys,)
        Their heights.
    is_weights : bool
        Whether they are the weights, which have the colours of these.
    in_percent : bool
        Whether they are shares of a whole, as those of sigmoid are not.
    rule : str
        How they are computed, in symbols; "" for none.
    replaces_scores : bool
        Whether they are the scores that the rule begins with, if not the first ones.
    """

    title: str
    note: str
    values: Array
    is_weights: bool = False
    in_percent: bool = False
    rule: str = ""
    replaces_scores: bool = False


def groups_of(subject: Subject, row: int) -> list[Group]:
    """Return what the normaliser makes of a row, part by part.

    Nothing without one, or where the scores or the weights are withheld, as each
    follows from the parts, or a mistake is asked for.
    """
    normalize = subject.normalize
    if normalize is None:
        return []
    source = normalize.inputs[0]
    if not (subject.works_out and subject.tells(source, normalize.name)):
        return []
    index = (*subject.trace.matrix_index(normalize.name, subject.head), row)
    normalizer = normalize.normalizer_at(subject.trace, index)
    rows = slice(row, row + 1)
    scores = subject.trace.window(source, rows, head=subject.head)[0]  # (n_k,)
    weights = subject.trace.window(normalize.name, rows, head=subject.head)[0]  # (n_k,)
    temperature = 1.0 if normalizer.cancels_temperature else normalizer.temperature
    with np.errstate(all="ignore"):
        divided = scores / temperature
    worked = RuleRow(
        normalizer.rule,
        divided,
        lambda key: Number(float(divided[key])),
        signed=normalizer.signed,
    )
    groups = [Group(step_title(source), "", scores)]
    if temperature != 1.0:
        over = _tr("{scores} / temperature {temperature:g}")
        title = over.format(scores=step_title(source), temperature=temperature)
        groups.append(Group(title, "", divided, replaces_scores=True))
    for part, kind in worked.parts.items():
        values = worked.arrays(part)
        if (
            values.size == scores.size
            and scores.size > 1
            and kind in ("exponentials", "terms")
        ):
            name = _tr("Exponentials") if kind == "exponentials" else _tr("Terms")
            groups.append(Group(name, "", values, rule=rule_of(part)))
        else:
            last, number = groups[-1], float(values[0])
            # A sum of 0 has 1 for its value, which is divided by.
            if number == 1 and not last.values.any():
                number *= bool(worked.written_part(part, None))
            note = f"{name_of(part, kind)} = {rounded(number, 4)}"
            joined = f"{last.note}   {note}".strip()
            groups[-1] = replace(last, note=joined)
    note = f"Σ = {rounded(_total(weights), 4)}"
    title, shares = step_title(normalize.name), are_shares(weights)
    groups.append(Group(title, note, weights, is_weights=True, in_percent=shares))
    return groups


def are_shares(row: Array) -> bool:
    """Return whether a row of weights, shape (n_k,), are shares of a whole."""
    return bool(row.min() >= 0 and abs(float(row.sum()) - 1) <= WHOLE)


def _total(weights: Array) -> float:
    """Return the sum of a row, free of what rounding made of an integer."""
    total = float(weights.sum())
    nearest, eps = float(np.rint(total)), float(np.finfo(weights.dtype).eps)
    return nearest if abs(total - nearest) <= weights.size * eps else total
