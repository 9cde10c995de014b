"""Widgets that stand beside a heatmap with the same rows."""

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.step_content import DisplayedStep


@dataclass(frozen=True, slots=True)
class SharedRows:
    """The places of the rows of a heatmap, in pixels.

    Parameters
    ----------
    top, height : float
        The place of what is in sight of them.
    row : float
        The height of one.
    above : float
        The height of those that are scrolled away.
    """

    top: float
    height: float
    row: float
    above: float


class RowCompanion(QWidget):
    """A widget between the cells of a heatmap and its colour bar, as high as all of it.

    Not an ABC: its metaclass does not combine with that of Qt classes.
    """

    def wanted_for(self, step: str) -> bool:
        """Return whether it has anything to show of a step."""
        raise NotImplementedError

    def least_width(self) -> float:
        """Return the width below which it shows nothing readable."""
        raise NotImplementedError

    def show_step(self, shown: DisplayedStep) -> None:
        """Show the step that the heatmap shows, as soon as it is visible."""
        raise NotImplementedError

    def forget(self) -> None:
        """Let go of the numbers."""
        raise NotImplementedError

    def share_rows(self, rows: SharedRows) -> None:
        """Follow the rows of the heatmap."""
        raise NotImplementedError
