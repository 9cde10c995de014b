"""A number on a logarithmic slider, and in a box."""

import math
from functools import lru_cache

from PySide6.QtCore import QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.number_slider import NumberSlider
from attnviewer.ui.widgets.wheel_filter import WheelFilter

BY_ONE = 16
"""Up to which number the slider moves by one; from there on four steps double it."""


class CountRow(QWidget):
    """Chooses a whole number; the box also takes those between the slider's steps.

    Parameters
    ----------
    name : str
        The object name; those of slider and box begin with it.
    title : str
        What is counted.
    fewest : int
        The smallest number.
    parent : QWidget
        The Qt parent.

    Attributes
    ----------
    changed : Signal
        Another number, which the user has chosen.
    """

    changed = Signal(int)

    def __init__(self, name: str, title: str, fewest: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._fewest, self._most = fewest, fewest
        self.slider = NumberSlider(self._at, self._position_of, _text, self)
        self.slider.setObjectName(f"{name}.slider")
        self.slider.setAccessibleName(title)
        self.slider.setPageStep(4)
        self.box = number_field(self)
        self.box.setObjectName(f"{name}.box")
        self.box.setAccessibleName(title)
        self.box.setGroupSeparatorShown(True)
        WheelFilter(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.slider, 1)
        row.addWidget(self.box)
        self.slider.valueChanged.connect(self._on_moved)
        self.box.valueChanged.connect(self._on_typed)

    def show_count(self, count: int, most: int) -> None:
        """Show a number, out of so many, without a signal."""
        self._most = most
        with QSignalBlocker(self.slider), QSignalBlocker(self.box):
            self.slider.setRange(0, len(steps(self._fewest, most)) - 1)
            self.box.setRange(self._fewest, most)
            self.box.setValue(count)
        self.slider.show_number(count)

    def _at(self, position: int) -> int:
        return steps(self._fewest, self._most)[position]

    def _position_of(self, number: float) -> int:
        every = steps(self._fewest, self._most)
        return min(range(len(every)), key=lambda place: abs(every[place] - number))

    @Slot(int)
    def _on_moved(self, position: int) -> None:
        self.changed.emit(self._at(position))

    @Slot(int)
    def _on_typed(self, number: int) -> None:
        self.changed.emit(number)


@lru_cache(maxsize=8)
def steps(fewest: int, most: int) -> tuple[int, ...]:
    """Return the numbers at the positions of the slider."""
    few = range(fewest, min(BY_ONE, most) + 1)
    doublings = math.log2(max(most, BY_ONE) / BY_ONE)
    many = (round(BY_ONE * 2 ** (n / 4)) for n in range(1, int(4 * doublings) + 1))
    return tuple(sorted({*few, *many, most}))


def _text(number: float) -> str:
    return f"{number:,.0f}"
