"""Presentation mode: large text and few controls, for a projector."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from shiboken6 import isValid

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.widgets.docks import Docks, Widths
from attnviewer.ui.widgets.notice import NoticeBar

HINT_MS = 6000
UNBOUNDED = 16_777_215
"""QWIDGETSIZE_MAX, which PySide does not export."""


@dataclass(frozen=True, slots=True)
class _WindowState:
    """The window's state before the presentation."""

    layout: object
    widths: Widths
    window: Qt.WindowState
    visible_widgets: tuple[QWidget, ...]
    focus: QWidget | None


class Presentation(QObject):
    """Fills the screen with the flow and the step; Escape restores the window.

    Shortcuts and menus still work: Alt and a letter opens a menu although the menu bar
    is hidden, and docks can be shown by their keys.

    Attributes
    ----------
    action : QAction
        Checked during a presentation.
    """

    def __init__(
        self,
        window: QMainWindow,
        docks: Docks,
        hidden_widgets: Sequence[QWidget],
        centre: QWidget,
        appearance: Appearance,
        notice: NoticeBar,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._docks = docks
        self._hidden_widgets = hidden_widgets
        self._centre = centre
        self._appearance = appearance
        self._notice = notice
        self._previous_state: _WindowState | None = None
        self.action = QAction(self.tr("Presentati&on"), window)
        self.action.setObjectName("action.presentation")
        self.action.setShortcut("F11")
        self.action.setCheckable(True)
        self.action.toggled.connect(self._toggle)
        self._timer = QTimer(self, singleShot=True, interval=HINT_MS)
        self._timer.timeout.connect(self._drop_hint)

    def leave(self) -> None:
        """End the presentation, if there is one."""
        self.action.setChecked(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The focus widget comes first: only keys that it ignores arrive here.
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
        ):
            self.leave()
            return True
        return super().eventFilter(watched, event)

    @Slot(bool)
    def _toggle(self, on: bool) -> None:
        if on:
            self._enter()
        else:
            self._restore()

    def _enter(self) -> None:
        window = self._window
        self._previous_state = _WindowState(
            self._docks.layout_state(),
            self._docks.widths(),
            window.windowState(),
            tuple(widget for widget in self._hidden_widgets if not widget.isHidden()),
            QApplication.focusWidget(),
        )
        for widget in (*self._docks.all, *self._hidden_widgets):
            widget.hide()
        # Hiding the menu bar would disable its shortcuts.
        window.menuBar().setMaximumHeight(0)
        self._appearance.magnify(on=True)
        window.setWindowState(window.windowState() | Qt.WindowState.WindowFullScreen)
        self._centre.setFocus(Qt.FocusReason.OtherFocusReason)
        window.installEventFilter(self)
        # Over the strip: the picture reaches down to the lower edge.
        self._notice.keep_to_top(top=True)
        self._notice.show_message(self._hint())
        self._timer.start()

    def _restore(self) -> None:
        previous, self._previous_state = self._previous_state, None
        assert previous is not None
        self._window.removeEventFilter(self)
        self._drop_hint()
        self._notice.keep_to_top(top=False)
        self._window.setWindowState(previous.window)
        self._appearance.magnify(on=False)
        self._window.menuBar().setMaximumHeight(UNBOUNDED)
        for widget in previous.visible_widgets:
            widget.show()
        self._docks.restore(previous.layout)
        self._docks.restore_widths(previous.widths)
        if previous.focus is not None and isValid(previous.focus):
            previous.focus.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hint(self) -> str:
        return self.tr(
            "Press Escape or F11 to end the presentation, F8 for the inputs, F9 for "
            "the explanation. In How, Space plays the computation."
        )

    @Slot()
    def _drop_hint(self) -> None:
        self._timer.stop()
        if self._notice.text == self._hint():
            self._notice.dismiss()
