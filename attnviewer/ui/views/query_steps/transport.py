"""The transport controls of the walk."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSlider,
    QWidget,
)

from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.views.query_steps.player import NORMAL, SPEEDS, WalkPlayer
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.play_button import PlayButton
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.wheel_filter import WheelFilter


class Transport(QWidget):
    """Plays, pauses and steps the walk.

    Attributes
    ----------
    speed : QComboBox
        The speed, the last of the controls.
    unshifted : QCheckBox
        Skips the subtraction of the maximum; placed by the widget with the phases.
    """

    def __init__(self, player: WalkPlayer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("walk.transport")
        self._player = player
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._query_label = QLabel(self.tr("Query"), self)
        self._query = QComboBox(self)
        self._query.setObjectName("walk.query")
        name_control(self._query, self.tr("Query"))
        self._query.activated.connect(player.set_query)
        self._queries: tuple[str, ...] = ()
        layout.addWidget(self._query_label)
        layout.addWidget(self._query)
        self._earlier = (
            symbol_button("walk.first", "|‹", self.tr("To the start"), self),
            symbol_button("walk.back", "‹", self.tr("Previous number"), self),
        )
        self._play = PlayButton(self)
        self._play.setObjectName("walk.play")
        self._later = (
            symbol_button("walk.next", "›", self.tr("Next number"), self),
            symbol_button("walk.last", "›|", self.tr("To the end"), self),
        )
        buttons = (*self._earlier, self._play, *self._later)
        slots = self._first, self._back, player.toggle, self._next, self._last
        for button, slot in zip(buttons, slots, strict=True):
            button.clicked.connect(slot)
            layout.addWidget(button)
        self._show_playing(playing=False)
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setObjectName("walk.slider")
        self.slider.setAccessibleName(self.tr("Position in the walk"))
        self.slider.valueChanged.connect(self._on_slider)
        self._position_label = QLabel(self)
        self._position_label.setObjectName("walk.place")
        self.speed = QComboBox(self)
        self.speed.setObjectName("walk.speed")
        name_control(self.speed, self.tr("Speed"))
        self.speed.setToolTip(self.tr("Speed"))
        self.speed.addItems([f"{significant_number(s, 3)} ×" for s in SPEEDS])
        self.speed.setCurrentIndex(NORMAL)
        self.speed.activated.connect(player.set_speed)
        self.unshifted = QCheckBox(self.tr("without subtracting the row maximum"))
        self.unshifted.setObjectName("walk.unshifted")
        self.unshifted.toggled.connect(self._on_unshifted)
        for control in (self._query, self.slider, self.speed):
            WheelFilter(control)
        layout.addWidget(self.slider, 1)
        layout.addWidget(self._position_label)
        layout.addWidget(self.speed)
        player.playing_changed.connect(self._show_playing)

    def show_walk(self, queries: tuple[str, ...]) -> None:
        """Show the state of the walk.

        Parameters
        ----------
        queries : tuple of str
            The tokens that can be chosen.
        """
        player = self._player
        if player.walk is None:
            return
        count = len(player.walk)
        if queries != self._queries:
            self._queries = queries
            self._query.clear()
            self._query.addItems(queries)
        self._query.setCurrentIndex(player.query)
        self.slider.blockSignals(True)
        self.slider.setRange(0, count - 1)
        self.slider.setValue(player.number)
        self.slider.blockSignals(False)
        self._position_label.setText(
            self.tr("{number} of {count}").format(number=player.number, count=count - 1)
        )
        has_softmax = player.walk.exponentials is not None
        self.unshifted.setEnabled(has_softmax)
        self.unshifted.setToolTip(
            ""
            if has_softmax
            else self.tr(
                "This normaliser takes no exponentials of scores less the row maximum."
            )
        )
        for button in self._earlier:
            button.setEnabled(player.number > 0)
        for button in self._later:
            button.setEnabled(player.number < count - 1)

    @Slot()
    def _first(self) -> None:
        self._player.go(0)

    @Slot()
    def _back(self) -> None:
        self._player.pause()
        self._player.go(self._player.number - 1)

    @Slot()
    def _next(self) -> None:
        self._player.pause()
        self._player.go(self._player.number + 1)

    @Slot()
    def _last(self) -> None:
        if self._player.walk is not None:
            self._player.go(len(self._player.walk) - 1)

    @Slot(bool)
    def _show_playing(self, playing: bool) -> None:
        self._play.show_playing(playing=playing)
        title = self.tr("Pause") if playing else self.tr("Play")
        self._play.setToolTip(title)
        self._play.setAccessibleName(title)

    @Slot(int)
    def _on_slider(self, number: int) -> None:
        self._player.go(number)

    @Slot(bool)
    def _on_unshifted(self, unshifted: bool) -> None:
        self._player.set_shifted(not unshifted)
