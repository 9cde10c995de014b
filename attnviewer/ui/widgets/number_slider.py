"""A slider whose position stands for a number, on a scale of its own."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAccessibleInterface
from PySide6.QtWidgets import QSlider, QWidget

from attnviewer.ui.widgets.accessible import DescribedSlider
from attnviewer.ui.widgets.wheel_filter import WheelFilter


class NumberSlider(QSlider):
    """Moves between numbers; others than those at its positions can be shown, too.

    Parameters
    ----------
    number_at : callable
        Returns the number at a position.
    position_of : callable
        Returns the nearest position to a number, which may be beyond the ends.
    text_of : callable
        Returns a number with what it means, for screen readers.
    parent : QWidget
        The Qt parent.
    """

    def __init__(
        self,
        number_at: Callable[[int], float],
        position_of: Callable[[float], int],
        text_of: Callable[[float], str],
        parent: QWidget,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.number_at = number_at
        self._position_of = position_of
        self._text_of = text_of
        self._number = number_at(0)
        WheelFilter(self)

    @property
    def number(self) -> float:
        """The number that is shown."""
        return self._number

    @property
    def ends(self) -> tuple[float, float]:
        """The numbers at its ends."""
        return self.number_at(self.minimum()), self.number_at(self.maximum())

    @property
    def number_text(self) -> str:
        """The number and its meaning."""
        return self._text_of(self._number)

    def show_number(self, number: float) -> None:
        """Show a number, without a signal."""
        self._number = number
        # A handle whose place already means this number stays under the pointer.
        if self.number_at(self.value()) != number:
            with QSignalBlocker(self):
                self.setValue(self._position_of(number))

    def choose_number(self, number: float) -> None:
        """Move to a number, as a person would."""
        self.setValue(self._position_of(number))

    def described(self) -> QAccessibleInterface:
        """Return its description for screen readers: the number, not the position."""
        return DescribedSlider(self)
