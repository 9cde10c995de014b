"""An overlay on pictures that are outdated."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel, QWidget

from attnviewer.ui.state.building import Build
from attnviewer.ui.state.engine import Engine

PATIENCE = 100
"""Milliseconds before the mark appears, so that it does not flicker."""
_MARGIN = 8


class OutdatedMark(QLabel):
    """Says that the picture below waits for an edit that is being computed.

    The picture stays. After a second, the mark shows the progress.
    """

    def __init__(self, engine: Engine, widget: QWidget) -> None:
        super().__init__(widget.parentWidget())
        self.setObjectName("step.behind")
        self.setTextFormat(Qt.TextFormat.PlainText)
        # Clicks go to the picture.
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._engine, self._widget = engine, widget
        self._soon = QTimer(self, singleShot=True, interval=PATIENCE)
        self._soon.timeout.connect(self._appear)
        widget.installEventFilter(self)
        engine.delayed.connect(self._on_delayed)
        engine.worker.progressed.connect(self._on_progressed)
        for ended in (engine.computed, engine.failed, engine.cancelled):
            ended.connect(self._rest)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._move_to_corner()
        return super().eventFilter(watched, event)

    @Slot()
    def _on_delayed(self) -> None:
        if self._engine.is_behind and self.isHidden() and not self._soon.isActive():
            self._soon.start()

    @Slot(object)
    def _on_progressed(self, build: Build) -> None:
        if not self.isHidden():
            self._say(self.tr("computing… {0} %").format(round(100 * build.share)))

    @Slot()
    def _rest(self) -> None:
        if not self._engine.is_behind:
            self._soon.stop()
            self.hide()

    @Slot()
    def _appear(self) -> None:
        self._say(self.tr("computing…"))
        self.show()
        self.raise_()

    def _say(self, text: str) -> None:
        self.setText(text)
        self.adjustSize()
        self._move_to_corner()

    def _move_to_corner(self) -> None:
        corner = self._widget.geometry().bottomRight()
        beside, above = self.width() + _MARGIN, self.height() + _MARGIN
        self.move(corner.x() - beside, corner.y() - above)
