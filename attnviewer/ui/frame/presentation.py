"""Presentation: large texts and little around them, for a projector."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from attnviewer.ui.paint.theme import Appearance
from attnviewer.ui.widgets.docks import Docks, Widths
from attnviewer.ui.widgets.notice import NoticeBar

HINT_MS = 6000
UNBOUNDED = 16_777_215
"""Qt's own limit of a widget's height."""


@dataclass(frozen=True, slots=True)
class _Before:
    """How the window was before the presentation."""

    layout: object
    widths: Widths
    window: Qt.WindowState
    shown: tuple[QWidget, ...]
    focus: QWidget | None


class Presentation(QObject):
    """Fills the screen with the flow and the step; Escape puts all back as it was.

    Keys and menus stay: Alt and a letter opens a menu although its bar is out of
    sight, and a dock can be shown by its keys.

    Attributes
    ----------
    action : QAction
        Checked while it lasts.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Docks,
        around: Sequence[QWidget],
        centre: QWidget,
        appearance: Appearance,
        notice: NoticeBar,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._docks = docks
        self._around = around
        self._centre = centre
        self._appearance = appearance
        self._notice = notice
        self._before: _Before | None = None
        self.action = QAction(self.tr("Presentati&on"), window)
        self.action.setObjectName("action.presentation")
        self.action.setShortcut("F11")
        self.action.setCheckable(True)
        self.action.toggled.connect(self._turn)
        self._timer = QTimer(self, singleShot=True, interval=HINT_MS)
        self._timer.timeout.connect(self._drop_hint)

    def leave(self) -> None:
        """Put everything back, if there is a presentation."""
        self.action.setChecked(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # What has the keys comes first: only a key that it leaves arrives here.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
        ):
            self.leave()
            return True
        return super().eventFilter(watched, event)

    @Slot(bool)
    def _turn(self, on: bool) -> None:
        if on:
            self._enter()
        else:
            self._put_back()

    def _enter(self) -> None:
        window = self._window
        self._before = _Before(
            self._docks.layout_state(),
            self._docks.widths(),
            window.windowState(),
            tuple(widget for widget in self._around if not widget.isHidden()),
            QApplication.focusWidget(),
        )
        for widget in (*self._docks.all, *self._around):
            widget.hide()
        # A bar that is hidden would take its keys along.
        window.menuBar().setMaximumHeight(0)
        self._appearance.magnify(on=True)
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        self._centre.setFocus(Qt.FocusReason.OtherFocusReason)
        window.installEventFilter(self)
        self._notice.tell(self._hint())
        self._timer.start()

    def _put_back(self) -> None:
        before, self._before = self._before, None
        assert before is not None
        self._window.removeEventFilter(self)
        self._drop_hint()
        self._window.setWindowState(before.window)
        self._appearance.magnify(on=False)
        self._window.menuBar().setMaximumHeight(UNBOUNDED)
        for widget in before.shown:
            widget.show()
        self._docks.restore(before.layout)
        self._docks.restore_widths(before.widths)
        if before.focus is not None and isValid(before.focus):
            before.focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hint(self) -> str:
        return self.tr(
            "Escape or F11 ends the presentation. F8 shows the inputs, F9 explains."
        )

    @Slot()
    def _drop_hint(self) -> None:
        self._timer.stop()
        if self._notice.text == self._hint():
            self._notice.dismiss()
