"""A proposal as rows of text: its targets, the changed numbers, the side effects."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from attnviewer.document import cell_name
from attnviewer.goal_seek import Proposal
from attnviewer.goal_seek.free_numbers import TEMPERATURE
from attnviewer.goal_seek.problem import TOLERANCE
from attnviewer.goal_seek.targets import cell_text, row_text
from attnviewer.ui.goal_seek.cell_reference import CellReference
from attnviewer.ui.goal_seek.seeker import Question
from attnviewer.ui.goal_seek.target_entry import TargetEntry
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.link_lists.rows import Cell, Row

MOST = 100
"""The most changes, and the most side effects, that are listed."""
DIGITS, FEW_DIGITS = 6, 2
"""Significant digits of numbers, and of what a target is missed by."""
SIGNS = {"=": "=", "<=": "≤", ">=": "≥"}

_tr = translate_in("ChangeRows")


@dataclass(frozen=True, slots=True)
class InputCell:
    """A number of an input that changes.

    Parameters
    ----------
    name : str
        The input, or ``temperature``.
    row, column : int
        The cell; 0 and 0 for the temperature.
    """

    name: str
    row: int
    column: int


def name_of(asked: TargetEntry, computed: Computed) -> str:
    """Return what a target is about: a cell, or a statistic of a row."""
    if asked.quantity == "cell":
        return asked.reference.name(computed)
    texts = {
        "entropy": _tr("entropy of {row}"),
        "effective_keys": _tr("effective keys of {row}"),
        "sum": _tr("sum of {row}"),
    }
    return texts[asked.quantity].format(row=asked.reference.row_name(computed))


def wanted_text(asked: TargetEntry, computed: Computed) -> str:
    """Return relation and value of a target: ``≥ 0.8``."""
    value = asked.value
    text = value.name(computed) if isinstance(value, CellReference) else _short(value)
    return f"{SIGNS[asked.relation]} {text}"


def reason_in_names(
    reason: str, question: Question, asked: Sequence[TargetEntry], computed: Computed
) -> str:
    """Return a reason with the names of the window in place of positions."""
    names: dict[str, str] = {}
    for each, target in zip(asked, question.targets, strict=True):
        names[target.place] = name_of(each, computed)
        row = row_text(target.step, target.row, target.head)
        names[row] = each.reference.row_name(computed)
        if isinstance(each.value, CellReference):
            other = cell_text(each.value.cell(computed.trace))
            names[other] = each.value.name(computed)
    # The longest first, as one may be a prefix of another.
    for place in sorted(names, key=len, reverse=True):
        reason = reason.replace(place, names[place])
    return reason


def target_rows(
    asked: Sequence[TargetEntry], proposal: Proposal, computed: Computed
) -> list[Row]:
    """Return a row for each target: what, how much, now, then, and by how much missed.

    Parameters
    ----------
    asked : sequence of TargetEntry
        The targets.
    proposal : Proposal
        The answer.
    computed : Computed
        The present numbers.
    """
    rows = []
    for number, (each, off) in enumerate(zip(asked, proposal.residuals, strict=True)):
        name, wanted = name_of(each, computed), wanted_text(each, computed)
        now, then = (_short(each.number(t)) for t in (computed.trace, proposal.result))
        met = abs(off) <= TOLERANCE
        missed = _tr("met") if met else significant_number(float(off), FEW_DIGITS)
        tip = _tr("{name} {wanted}: from {now} to {then}, off by {off}").format(
            name=name,
            wanted=wanted,
            now=now,
            then=then,
            off=significant_number(float(off), FEW_DIGITS),
        )
        texts = name, wanted, now, then, missed
        rows.append(Row(number, tuple(Cell(text, tip) for text in texts)))
    return rows


def changed_cells(proposal: Proposal) -> list[tuple[InputCell, float]]:
    """Return the numbers that change most, with their changes, largest first."""
    found: list[tuple[InputCell, float]] = []
    for name, change in proposal.changes.items():
        flat = np.atleast_2d(change).ravel()
        moved = np.flatnonzero(flat)
        largest = moved[np.argsort(-np.abs(flat[moved]), kind="stable")][:MOST]
        width = np.atleast_2d(change).shape[1]
        for k in largest.tolist():
            found.append((InputCell(name, *divmod(k, width)), float(flat[k])))
    return sorted(found, key=lambda pair: -abs(pair[1]))[:MOST]


def change_rows(
    proposal: Proposal, question: Question, computed: Computed
) -> list[Row]:
    """Return a row for each of the numbers that change most, largest first."""
    cells = changed_cells(proposal)
    most = max((abs(change) for _, change in cells), default=1.0)
    rows = []
    for cell, change in cells:
        if cell.name == TEMPERATURE:
            name, old = cell.name, question.copied.spec.temperature
        else:
            stage, index = computed.trace.stages[cell.name], (cell.row, cell.column)
            name = cell_name(stage, computed.labels, index, token_label)
            old = float(question.copied.matrices[cell.name][index])
        rows.append(_change_row(cell, name, old, change, most))
    return rows


def effect_rows(proposal: Proposal, computed: Computed) -> list[Row]:
    """Return a row for each side effect: the weight that changes most of a query."""
    effects = proposal.side_effects[:MOST]
    most = max((abs(effect.change) for effect in effects), default=1.0)
    weights = proposal.result.pipeline.weights
    several = proposal.result.n_query_heads > 1
    rows = []
    for effect in effects:
        head = effect.head if several else None
        reference = CellReference(weights, effect.row, effect.column, head)
        new = proposal.result.value(reference.cell(proposal.result))
        name, old = reference.name(computed), new - effect.change
        rows.append(_change_row(reference, name, old, effect.change, most))
    return rows


def _change_row(key: object, name: str, old: float, change: float, most: float) -> Row:
    before, after, by = _short(old), _short(old + change), _short(change)
    signed = f"+{by}" if change > 0 else by
    tip = _tr("{name}: from {old} to {new}, {change}").format(
        name=name, old=before, new=after, change=signed
    )
    return Row(
        key,
        (
            Cell(name, tip, color="link" if name != TEMPERATURE else "text"),
            Cell(f"{before} → {after}", tip),
            Cell(signed, tip, abs(change) / most),
        ),
    )


def _short(number: float) -> str:
    return significant_number(number, DIGITS)
