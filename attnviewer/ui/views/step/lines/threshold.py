"""The least weight that has a line: a slider and its number."""

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from attnviewer.document import exact_text, parse_number
from attnviewer.ui.widgets.number_slider import NumberSlider

_END = 1000
_STEP, _PAGE = 10, 100
_POWER = 3
"""Most of the slider's way is for small thresholds, where most weights are."""
_DIGITS = 3


class ThresholdBox(QWidget):
    """Chooses a threshold from 0 to 1; greater ones can be typed.

    Attributes
    ----------
    chosen : Signal
        The threshold.
    refused : Signal
        Why a text is none.
    """

    chosen = Signal(float)
    refused = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._threshold = 0.0
        self.label = QLabel(self.tr("Show wei&ghts ≥"), self)
        self.label.setProperty("muted", True)
        self.slider = NumberSlider(_threshold_at, _position_of, self._spoken, self)
        self.slider.setObjectName(f"{name}.slider")
        self.slider.setAccessibleName(self.tr("Threshold"))
        self.slider.setRange(0, _END)
        self.slider.setSingleStep(_STEP)
        self.slider.setPageStep(_PAGE)
        self.number = QLineEdit(self)
        self.number.setObjectName(f"{name}.number")
        self.number.setAccessibleName(self.tr("Threshold as a number"))
        self.number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.label.setBuddy(self.slider)
        tip = self.tr(
            "Weights smaller in size than this are not drawn. The default is half of "
            "an even share."
        )
        for control in (self.slider, self.number):
            control.setToolTip(tip)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.label)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self.number)
        self.slider.valueChanged.connect(self._on_moved)
        self.number.editingFinished.connect(self._on_typed)
        self.set_threshold(0.0)
        self._fit()

    @property
    def threshold(self) -> float:
        """The threshold."""
        return self._threshold

    def set_threshold(self, threshold: float) -> None:
        """Show a threshold."""
        self._threshold = threshold
        self.slider.show_number(threshold)
        self.number.setText(exact_text(threshold))

    def longest(self) -> int:
        """Return the width with the slider as long as it may be."""
        slider = self.slider
        return (
            self.sizeHint().width() - slider.sizeHint().width() + slider.maximumWidth()
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        letter = self.fontMetrics().horizontalAdvance("0")
        self.slider.setMinimumWidth(6 * letter)
        self.slider.setMaximumWidth(24 * letter)
        self.number.setFixedWidth(8 * letter)

    @Slot(int)
    def _on_moved(self, slider_value: int) -> None:
        self._choose(_threshold_at(slider_value))

    @Slot()
    def _on_typed(self) -> None:
        if self.number.text() == exact_text(self._threshold):
            return
        try:
            threshold = parse_number(self.number.text())
        except ValueError as error:
            self._refuse(str(error))
            return
        if threshold < 0:
            self._refuse(
                self.tr(
                    "The threshold must not be negative. Got {text} instead."
                ).format(text=self.number.text())
            )
            return
        self._choose(threshold)

    def _spoken(self, threshold: float) -> str:
        return self.tr("weights of at least {0}").format(exact_text(threshold))

    def _refuse(self, reason: str) -> None:
        self.number.setText(exact_text(self._threshold))
        self.refused.emit(reason)

    def _choose(self, threshold: float) -> None:
        before = self._threshold
        self.set_threshold(threshold)
        if threshold != before:
            self.chosen.emit(threshold)


def _threshold_at(slider_value: int) -> float:
    return float(f"{(slider_value / _END) ** _POWER:.{_DIGITS}g}")


def _position_of(threshold: float) -> int:
    share: float = min(max(threshold, 0.0), 1.0) ** (1 / _POWER)
    return round(_END * share)
