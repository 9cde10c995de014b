"""The texts about A and B side by side."""

from attnviewer.compute import HeadStatistics
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.head_statistics import in_words, number_of, with_unit
from attnviewer.ui.text.numbers import format_number, signed_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.step.difference.content import Sides

_tr = translate_in("Difference")

DECIMALS = 4
TOLD = "entropy", "first_share", "previous_share", "distance"
"""The statistics of the heads of A and B."""


def both_statistics(before: HeadStatistics, after: HeadStatistics) -> str:
    """Describe a head of A and one of B: ``entropy 1.52 → 1.61 bit``."""
    texts = []
    for name in TOLD:
        one, other = (getattr(side, name).item() for side in (before, after))
        numbers = f"{number_of(name, one)} → {with_unit(name, other)}"
        texts.append(in_words(name, numbers))
    return _tr("A → B, means over the queries: {means}").format(means=" · ".join(texts))


def both_numbers(sides: Sides, before: Position | None, after: Position | None) -> str:
    """Describe a cell of A and one of B; None for a missing cell."""
    texts, numbers = [], []
    for name, content, cell in zip("AB", sides[:2], (before, after), strict=True):
        shown = _shown(content, cell)
        if shown is not None:
            numbers.append(content.value(*shown))
            texts.append(f"{name}: {_in_cell(content, shown, numbers[-1])}")
        elif before is not None or after is not None:
            texts.append(_tr("{side}: has no such cell").format(side=name))
    if len(numbers) == 2:
        change = numbers[1] - numbers[0]
        if abs(change) <= sides.tolerance:
            change = 0.0
        texts.append(f"B − A: {signed_number(change, DECIMALS)}")
    return " · ".join(texts)


def _shown(content: StepContent, cell: Position | None) -> Position | None:
    """Return the cell that shows one of the step; None if there is none."""
    folding, (rows, columns) = content.folding, content.shape
    if folding is not None:
        rows, columns = folding.rows[-1][1], folding.columns[-1][1]
    if cell is None or cell[0] >= rows or cell[1] >= columns:
        return None
    return FoldedLines(folding).shown(cell)


def _in_cell(content: StepContent, cell: Position, number: float) -> str:
    row, column = content.row_labels[cell[0]], content.column_labels[cell[1]]
    return _tr("{row}, {column} {number}").format(
        row=row, column=column, number=format_number(number, DECIMALS)
    )
