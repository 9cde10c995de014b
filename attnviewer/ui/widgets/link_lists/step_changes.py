"""The change of each step, or of each layer, as rows of links."""

from collections.abc import Sequence
from dataclasses import dataclass

from attnviewer.ui.widgets.link_lists.rows import Cell, Row

UNCHANGED, UNKNOWN = "=", "—"
"""The signs for no change, and for an unknown one."""


@dataclass(frozen=True, slots=True)
class StepChange:
    """The change of a step.

    Parameters
    ----------
    step : str
        The step, or a layer.
    text : str
        Its largest change, or what there is to say instead.
    tip : str
        The same in a sentence.
    share : float
        Its largest change in comparison with that of all steps, 0 to 1.
    """

    step: str
    text: str
    tip: str
    share: float


def step_rows(changes: Sequence[StepChange], open_step: str) -> list[Row]:
    """Return a row for each step: its name, and its largest change with a bar.

    Parameters
    ----------
    changes : sequence of StepChange
        The steps in the order of the computation.
    open_step : str
        Which of them is open.
    """
    return [_row(change, bold=change.step == open_step) for change in changes]


def _row(change: StepChange, *, bold: bool) -> Row:
    step, tip, share = change.step, change.tip, change.share
    name = Cell(step, tip, color="link" if share else "muted", bold=bold)
    by = Cell(change.text, tip, share, "text" if share else "muted", bold)
    return Row(step, (name, by))
