"""The transport controls of a training run."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.widgets.play_button import PlayButton
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.wheel_filter import WheelFilter


class TrainingTransport(QWidget):
    """Plays, pauses and steps a run, and goes to any of its steps.

    Attributes
    ----------
    toggled, stepped, ended, renewed : Signal
        Play or pause, one step, all that is left, and a new run are wanted.
    moved : Signal
        The step that the user goes to.
    """

    toggled = Signal()
    stepped = Signal()
    ended = Signal()
    renewed = Signal()
    moved = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("training.transport")
        texts = self.tr("▶ Play"), self.tr("❚❚ Pause")
        self.play = PlayButton(self, texts)
        self.play.setObjectName("training.play")
        self.play.setToolTip(self.tr("Train step by step, and watch (Space)"))
        self.play.clicked.connect(self.toggled)
        self._first = symbol_button(
            "training.first", "|‹", self.tr("Back to before the first step"), self
        )
        self._first.clicked.connect(self._go_to_first)
        self._back = symbol_button("training.back", "‹", self.tr("One step back"), self)
        self._back.clicked.connect(self._go_back)
        step = symbol_button("training.step", "›", self.tr("One step"), self)
        step.clicked.connect(self.stepped)
        end = symbol_button(
            "training.end", "›|", self.tr("Train to the end at once"), self
        )
        end.clicked.connect(self.ended)
        self._new = symbol_button(
            "training.new", "⟳", self.tr("A new run, from the present numbers"), self
        )
        self._new.clicked.connect(self.renewed)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setObjectName("training.slider")
        self.slider.setAccessibleName(self.tr("Step of the run"))
        WheelFilter(self.slider)
        self.slider.valueChanged.connect(self.moved)
        self._place = QLabel(self)
        self._place.setObjectName("training.place")
        buttons = QHBoxLayout()
        buttons.setSpacing(2)
        buttons.addWidget(self.play)
        for button in (self._first, self._back, step, end, self._new):
            buttons.addWidget(button)
        buttons.addStretch(1)
        along = QHBoxLayout()
        along.setSpacing(8)
        along.addWidget(self.slider, 1)
        along.addWidget(self._place)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(buttons)
        layout.addLayout(along)
        self.show_playing(playing=False)
        self.show_place(None, 0)

    def show_playing(self, *, playing: bool) -> None:
        """Show what the button does."""
        self.play.show_playing(playing=playing)
        self.play.setAccessibleName(self.tr("Pause") if playing else self.tr("Play"))
        set_styled(self.play, "playing", playing)

    def show_place(self, index: int | None, steps: int) -> None:
        """Show which step the document shows; None if it shows none."""
        self.slider.blockSignals(True)
        self.slider.setRange(0, steps)
        self.slider.setValue(index or 0)
        self.slider.blockSignals(False)
        self.slider.setEnabled(index is not None)
        self._place.setText(f"{'–' if index is None else index} / {steps}")
        self._place.setVisible(steps > 0)
        for button in (self._first, self._back):
            button.setEnabled(bool(index))
        self._new.setEnabled(steps > 0)

    @Slot()
    def _go_to_first(self) -> None:
        self.moved.emit(0)

    @Slot()
    def _go_back(self) -> None:
        self.moved.emit(self.slider.value() - 1)
