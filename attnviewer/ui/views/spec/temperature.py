"""The temperature: a slider with its number; all numbers follow while it is dragged."""

import math

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from attnviewer.compute import NORMALIZERS, Spec
from attnviewer.document import exact_text, parse_number
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.views.spec.spec_choices import SpecChoices
from attnviewer.ui.widgets.number_slider import NumberSlider
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect

_tr = translate_in("Temperature")

HOTTEST = 20.0
"""The right end; its inverse is at the left, and 1 in the middle."""
_END = 1000
_STEP, _PAGE = 20, 100
_DIGITS = 3
_WIDEST = "0.0000"
"""The widest number in the field; longer ones are rounded."""
_LINES = 7
"""Length of the slider, in lines of text."""


class TemperatureControl(QWidget):
    """A logarithmic slider with its number, which edit the document's temperature.

    A double click resets the temperature to 1. Typed numbers may exceed the ends of the
    slider.

    Parameters
    ----------
    edits : EditStack
        Where the edits go.
    reason : ReasonBubble
        Says why a temperature was refused.
    name : str
        The object name; those of slider and number begin with it.
    parent : QWidget
        The Qt parent.
    """

    def __init__(
        self, edits: EditStack, reason: ReasonBubble, name: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._edits, self._reason = edits, reason
        self._choices = SpecChoices(edits, reason, self)
        self.slider = _Slider(self)
        self.slider.setObjectName(f"{name}.slider")
        self.slider.setAccessibleName(self.tr("Temperature"))
        self.slider.valueChanged.connect(self._on_moved)
        self.slider.reset.connect(self._reset)
        self.number = _Number(self)
        self.number.setObjectName(f"{name}.number")
        self.number.setAccessibleName(self.tr("Temperature as a number"))
        self.number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.number.editingFinished.connect(self._on_typed)
        # Only for a place that has no caption of its own, see `fit`.
        self.caption = QLabel(self.tr("Temperature"), self)
        self.caption.setObjectName(f"{name}.caption")
        self.caption.setProperty("muted", True)
        self.caption.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.caption)
        layout.addWidget(self.slider)
        layout.addWidget(self.number)
        self._temperature = 1.0
        self._effective: bool | None = None
        self.show_spec(edits.document.spec)

    def show_spec(self, spec: Spec) -> None:
        """Show the temperature of a spec."""
        self._show(spec.temperature)
        cancels = NORMALIZERS[spec.normalizer].cancels_temperature
        self._set_effective(effective=not cancels)

    def fit(self, width: int) -> None:
        """Show the caption if it fits a width beside slider and number."""
        parts = (self.caption, self.slider, self.number)
        wide = sum(part.sizeHint().width() for part in parts)
        layout = self.layout()
        assert layout is not None
        self.caption.setVisible(wide + 2 * layout.spacing() <= width)

    def _show(self, temperature: float) -> None:
        before, self._temperature = self._temperature, temperature
        self.slider.show_number(temperature)
        text = _text(temperature)
        if text != self.number.text():  # otherwise it would be painted for each edit
            self.number.setText(text)
        if temperature != before:
            self._describe()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        shown = self.number if self.slider.isHidden() else self.slider
        shown.setFocus(event.reason())

    def _set_effective(self, *, effective: bool) -> None:
        """Enable the temperature only if it affects the weights."""
        if effective == self._effective:
            return
        self._effective = effective
        for control in (self.slider, self.number):
            control.setEnabled(effective)
        self._describe()

    def _describe(self) -> None:
        """Tell all digits of the temperature, and its effect."""
        if self._effective:
            tip = self.tr(
                "The scores are divided by the temperature, {}: below 1, the weights "
                "of softmax are sharper; above 1, more even. Double-click the slider "
                "to reset it to 1."
            ).format(exact_text(self._temperature))
        else:
            tip = self.tr(
                "This normaliser gives the same weights at every "
                "temperature. Choose another one, such as softmax, to see "
                "an effect."
            )
        for control in (self.slider, self.number):
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
            self._reason.say(str(error), global_rect(self))

    def _choose(self, temperature: float, gesture: object) -> None:
        if temperature == self._temperature:
            self._show(temperature)
            return
        label = self.tr("Set temperature to {}").format(exact_text(temperature))
        rect = global_rect(self)
        if not self._choices.change(label, rect, gesture, temperature=temperature):
            self.show_spec(self._edits.document.spec)


class _Number(QLineEdit):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(_WIDEST) + 12
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class _Slider(NumberSlider):
    """A slider that groups moves into gestures: a drag, or a held key."""

    reset = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(_temperature_at, _position_of, _spoken, parent)
        self.setRange(-_END, _END)
        self.setSingleStep(_STEP)
        self.setPageStep(_PAGE)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
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


def _position_of(temperature: float) -> int:
    value = round(_END * math.log(temperature) / math.log(HOTTEST))
    return max(-_END, min(_END, value))


def _text(temperature: float) -> str:
    """Return the number as it fits in the field, rounded only if it must be."""
    exact = (f"{temperature:.2f}", exact_text(temperature))
    rounded = [significant_number(temperature, digits) for digits in (4, 3, 2, 1)]
    texts = [text for text in exact if float(text) == temperature] + rounded
    return next(text for text in texts if len(text) <= len(_WIDEST))


def _spoken(temperature: float) -> str:
    """Return a temperature with what it does, for screen readers."""
    text = _text(temperature)
    if temperature < 1:
        return _tr("{0}, sharper weights").format(text)
    if temperature > 1:
        return _tr("{0}, more even weights").format(text)
    return _tr("{0}, no effect").format(text)
