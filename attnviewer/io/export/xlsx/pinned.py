"""The weights of a row with pins, as formulas."""

from collections.abc import Sequence

from attnviewer.compute import Index, Stage
from attnviewer.io.export.xlsx.formulas import LONGEST, FormulaText, with_pins
from attnviewer.io.export.xlsx.layout import OutsideWorkbookError


def pinned_weights(
    stage: Stage, row: Index, formulas: Sequence[str], values: Sequence[float]
) -> list[FormulaText]:
    """Return the formulas of a row of weights after its pins.

    Parameters
    ----------
    stage : Stage
        The stage.
    row : tuple of int
        The row, with the head and the batch item before.
    formulas : sequence of str
        Those of the computed weights.
    values : sequence of float
        The weights with their pins.

    Raises
    ------
    OutsideWorkbookError
        If a formula would be too long.
    """
    if stage.pins is None:
        return list(formulas)
    held = [bool(stage.pins.at((*row, key))) for key in range(len(formulas))]
    shown = [with_pins(stage, (*row, key), text) for key, text in enumerate(formulas)]
    if stage.pins.shares_row(row):
        pinned = [
            repr(value) if text is None else text
            for text, value, is_held in zip(shown, values, held, strict=True)
            if is_held
        ]
        others = [
            text for text, is_held in zip(formulas, held, strict=True) if not is_held
        ]
        factor = f"(1-({_sum(pinned)}))/({_sum(others)})"
        shown = [
            text if is_held else f"({text})*{factor}"
            for text, is_held in zip(shown, held, strict=True)
        ]
    if any(text is not None and len(text) > LONGEST for text in shown):
        raise OutsideWorkbookError(f"they would have more than {LONGEST:,} characters")
    return shown


def _sum(texts: Sequence[str]) -> str:
    return "+".join(f"({text})" for text in texts)
