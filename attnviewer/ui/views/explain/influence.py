"""Gradients of a cell, and uses of an input cell, as lines with links."""

from collections.abc import Sequence

from attnviewer.compute import Axis, Cell, Trace, Use
from attnviewer.document import Labels, cell_name, distinct_label
from attnviewer.ui.paint.math import (
    Atom,
    Line,
    Node,
    Part,
    Value,
    filled,
    flat,
    in_columns,
    prose,
    typeset_name,
)
from attnviewer.ui.paint.math.tex import SPACE
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.numbers import signed_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("influence")

DECIMALS = 3
"""Of a gradient."""


def gradient_text(gradient: float) -> str:
    """Format a gradient, such as ``+0.868``, always with its sign."""
    return signed_number(gradient, DECIMALS)


def strongest_line(named: Sequence[tuple[str, Cell, float]], theme: Theme) -> Line:
    """Return inputs with their gradients, one below the other."""
    parts: list[Part] = []
    for text, cell, gradient in named:
        parts += [typeset_name(text, theme, cell), Value(gradient_text(gradient))]
    return filled(theme, *parts, arrange=in_columns("lr"))


def strongest_text(named: Sequence[tuple[str, Cell, float]]) -> str:
    """Return the same as plain text for a screen reader."""
    return ", ".join(f"{name} {gradient_text(gradient)}" for name, _, gradient in named)


def named(
    trace: Trace, labels: Labels, found: Sequence[tuple[Cell, float]]
) -> list[tuple[str, Cell, float]]:
    """Return cells with their names."""
    return [
        (cell_name(trace.stages[cell.step], labels, cell.index, token_label), *item)
        for item in found
        for cell in item[:1]
    ]


def uses_line(
    uses: Sequence[Use], trace: Trace, labels: Labels, target: Cell | None, theme: Theme
) -> Node:
    """Return the steps that an input cell affects, each as a link to a cell there."""
    parts: list[Node] = [prose(_tr("used by"), theme.muted), SPACE]
    for place, use in enumerate(uses):
        parts += [SPACE, Atom("·"), SPACE] if place else []
        cell = _cell_of(use, trace, target)
        color = theme.color_of(cell.step) or ""
        parts.append(prose(use_text(use, trace, labels), color, cell))
    return flat(*parts)


def use_text(use: Use, trace: Trace, labels: Labels) -> str:
    """Describe the part of a step that an input cell affects: ``column 2 of Q``."""
    rows, columns = trace.stages[use.step].axes
    step = use.step
    if use.heads is not None and len(use.heads) == 1 and trace.n_heads(step) > 1:
        step = f"{step} H{use.heads[0]}"
    pattern = {
        (True, True): _tr("cell {row}, {column} of {step}"),
        (True, False): _tr("row {row} of {step}"),
        (False, True): _tr("column {column} of {step}"),
        (False, False): "{step}",
    }[_is_one(use.rows), _is_one(use.columns)]
    return pattern.format(
        row=_label(rows, labels, use.rows),
        column=_label(columns, labels, use.columns),
        step=step,
    )


def _cell_of(use: Use, trace: Trace, target: Cell | None) -> Cell:
    """Return a cell of the affected part, near the selected cell if possible."""
    *heads, n_rows, n_columns = trace.shape(use.step)
    selected = (0, 0) if target is None else target.index[-2:]
    row, column = (
        indices[0] if indices else min(position, count - 1)
        for indices, position, count in zip(
            (use.rows, use.columns), selected, (n_rows, n_columns), strict=True
        )
    )
    lead = (use.heads[0] if use.heads else 0,) if heads else ()
    return Cell(use.step, (*lead, row, column))


def _label(axis: Axis, labels: Labels, indices: tuple[int, ...] | None) -> str:
    return distinct_label(axis, labels, indices[0], token_label) if indices else ""


def _is_one(indices: tuple[int, ...] | None) -> bool:
    return indices is not None and len(indices) == 1
