"""What is said of A and B side by side, in words."""

from PySide6.QtCore import QCoreApplication

from attnviewer.compute import HeadStatistics
from attnviewer.ui.numbers import format_number, number_or_dash, signed_number
from attnviewer.ui.selection import Position
from attnviewer.ui.step.content import StepContent
from attnviewer.ui.step.difference.content import Sides
from attnviewer.ui.step.heads.statistics import CONTEXT, STATISTICS

DECIMALS = 4
TOLD = "entropy", "first_share", "previous_share", "diagonal_share", "distance"
"""What is said of the heads of A and B."""


def both_statistics(before: HeadStatistics, after: HeadStatistics) -> str:
    """Say what a head of A and one of B amount to: ``entropy 1.52 → 1.61 bit``."""
    texts = [_tr("A → B, means over the queries:")]
    for name in TOLD:
        statistic = STATISTICS[name]
        factor, decimals = (100, 0) if statistic.percent else (1, 2)
        numbers = [
            number_or_dash(factor * getattr(side, name).item(), decimals)
            for side in (before, after)
        ]
        words, unit = (
            QCoreApplication.translate(CONTEXT, str(text))
            for text in (statistic.words, statistic.unit)
        )
        texts.append(words.format(unit.format(" → ".join(numbers))))
    return " · ".join(texts).replace(": · ", ": ")


def both_numbers(sides: Sides, before: Position | None, after: Position | None) -> str:
    """Say what A and B have in a cell, each in its own; None for one that is not."""
    told, numbers = [], []
    for name, content, cell in zip("AB", sides, (before, after), strict=True):
        rows, columns = content.shape
        if cell is not None and cell[0] < rows and cell[1] < columns:
            numbers.append(content.value(*cell))
            told.append(f"{name}: {_in_cell(content, cell, numbers[-1])}")
        elif before is not None or after is not None:
            told.append(_tr("{side}: has no such cell").format(side=name))
    if len(numbers) == 2:
        change = signed_number(numbers[1] - numbers[0], DECIMALS)
        told.append(f"B − A: {change}")
    return " · ".join(told)


def _in_cell(content: StepContent, cell: Position, number: float) -> str:
    row, column = content.row_labels[cell[0]], content.column_labels[cell[1]]
    return _tr("{row}, {column} {number}").format(
        row=row, column=column, number=format_number(number, DECIMALS)
    )


def _tr(text: str) -> str:
    return QCoreApplication.translate("Difference", text)
