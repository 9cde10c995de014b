"""The temperature slider; the numbers follow while it is dragged."""

import math

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QSlider, QWidget

from attnviewer.document import exact_text, parse_number
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.widgets.wheel_filter import WheelFilter

HOTTEST = 20.0
"""The right end; its inverse is at the left, and 1 in the middle."""
_END = 1000
_STEP, _PAGE = 20, 100
_DIGITS = 3
_LINES = 7
"""Length of the slider, in lines of text."""


class TemperatureBox(QWidget):
    """A logarithmic slider with its number.

    A double click resets the temperature to 1. Typed numbers may exceed the ends of the
    slider.

    Attributes
    ----------
    chosen : Signal
        Carries a temperature, and its gesture.
    refused : Signal
        Carries why a text is not a temperature.
    """

    chosen = Signal(float, object)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = _Slider(self)
        self.slider.setObjectName("spec.temperature.slider")
        self.slider.setAccessibleName(self.tr("Temperature"))
        self.slider.valueChanged.connect(self._on_moved)
        self.slider.reset.connect(self._reset)
        self.number = _Number(self)
        self.number.setObjectName("spec.temperature.number")
        self.number.setAccessibleName(self.tr("Temperature as a number"))
        self.number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.number.editingFinished.connect(self._on_typed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.slider)
        layout.addWidget(self.number)
        self._temperature = 1.0
        self._effective: bool | None = None
        self.set_temperature(1.0)
        self.set_effective(effective=True)

    def set_temperature(self, temperature: float) -> None:
        """Show a temperature."""
        self._temperature = temperature
        # If the slider already represents it, it stays under the pointer.
        if _temperature_at(self.slider.value()) != temperature:
            blocker = QSignalBlocker(self.slider)
            self.slider.setValue(_slider_value(temperature))
            blocker.unblock()
        text = _text(temperature)
        if text != self.number.text():  # otherwise it would be painted for each edit
            self.number.setText(text)
        # Its own value is only its position.
        self.slider.setAccessibleDescription(text)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        shown = self.number if self.slider.isHidden() else self.slider
        shown.setFocus(event.reason())

    def set_effective(self, *, effective: bool) -> None:
        """Enable the temperature only if it affects the weights."""
        if effective == self._effective:
            return
        self._effective = effective
        tip = self.tr(
            "The scores are divided by the temperature: below 1, "
            "attention is sharper; above 1, more even. Double-click the"
            " slider to reset it to 1."
        )
        if not effective:
            tip = self.tr(
                "This normaliser gives the same weights at every "
                "temperature. Choose another one, such as softmax, to see "
                "an effect."
            )
        for control in (self.slider, self.number):
            control.setEnabled(effective)
            control.setToolTip(tip)

    @Slot(int)
    def _on_moved(self, index: int) -> None:
        self._choose(_temperature_at(index), self.slider.gesture)

    @Slot()
    def _reset(self) -> None:
        self._choose(1.0, self.slider.gesture)

    @Slot()
    def _on_typed(self) -> None:
        if self.number.text() == _text(self._temperature):
            return
        try:
            self._choose(parse_number(self.number.text()), object())
        except ValueError as error:
            self.number.setText(_text(self._temperature))
            self.refused.emit(str(error))

    def _choose(self, temperature: float, gesture: object) -> None:
        if temperature != self._temperature:
            self.chosen.emit(temperature, gesture)
        else:
            self.set_temperature(temperature)


class _Number(QLineEdit):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance("0.0000") + 12
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class _Slider(QSlider):
    """A slider that groups moves into gestures: a drag, or a held key."""

    reset = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setRange(-_END, _END)
        self.setSingleStep(_STEP)
        self.setPageStep(_PAGE)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        WheelFilter(self)
        self.gesture = object()

    def sizeHint(self) -> QSize:
        length = _LINES * usual_line(self.font())
        return QSize(length, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.gesture = object()
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The same gesture as its first press, which may have moved the slider.
        self.reset.emit()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self.gesture = object()
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.gesture = object()
        super().wheelEvent(event)


def _temperature_at(index: int) -> float:
    # Snap to 1.
    if abs(index) < _STEP:
        return 1.0
    return float(f"{HOTTEST ** (index / _END):.{_DIGITS}g}")


def _slider_value(temperature: float) -> int:
    value = round(_END * math.log(temperature) / math.log(HOTTEST))
    return max(-_END, min(_END, value))


def _text(temperature: float) -> str:
    two_decimals = f"{temperature:.2f}"
    return (
        two_decimals if float(two_decimals) == temperature else exact_text(temperature)
    )
