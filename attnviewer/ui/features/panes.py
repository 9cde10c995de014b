"""Going from one pane of the window to the next with the keyboard."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.widgets.actions import ActionRow
from attnviewer.ui.widgets.docks import is_behind
from attnviewer.ui.widgets.tab_order import first_stop


class PanesFeature(Feature):
    """Goes to the bars, the docks, the strip of steps and the step in turn.

    Tab stops dozens of times on the way, and does not leave a table.
    """

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        go = self._go
        frame.panel_rows += [
            ActionRow("pane.next", self.tr("Foc&us the next pane"), go, "F6", 1),
            ActionRow(
                "pane.back", self.tr("Focus the pre&vious pane"), go, "Shift+F6", -1
            ),
        ]

    def _go(self, by: int) -> None:
        """Focus the widget that had the focus last in the next pane, or its first."""
        panes = self.frame.panes
        focused = QApplication.focusWidget()
        here = next(
            (n for n, p in enumerate(panes) if _contains(p, focused)), min(-by, 0)
        )
        for step in range(1, len(panes)):
            stop = _stop(panes[(here + by * step) % len(panes)])
            if stop is not None:
                stop.activateWindow()  # that of a floating dock is another one
                stop.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return


def _contains(pane: QWidget, widget: QWidget | None) -> bool:
    return widget is not None and (pane is widget or pane.isAncestorOf(widget))


def _stop(pane: QWidget) -> QWidget | None:
    """Return where to go in a pane; None if it is out of sight or takes no keys."""
    if not pane.isVisible() or (isinstance(pane, QDockWidget) and is_behind(pane)):
        return None
    last = pane.focusWidget()
    if last is not None and last.isVisible():
        return last
    content = pane.widget() if isinstance(pane, QDockWidget) else pane
    return None if content is None else first_stop(content)
