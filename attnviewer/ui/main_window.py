"""The window, which can be in sight before what fills it has been loaded."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QMainWindow

from attnviewer.ui.theme import Appearance

# What fills the window is imported as it is filled: it takes longer than the window.
if TYPE_CHECKING:
    from collections.abc import Callable

    from attnviewer.document import Document
    from attnviewer.ui.interior import Interior


class MainWindow(QMainWindow):
    """A window that is empty at first, and then holds a workbench and its views.

    Parameters
    ----------
    appearance : Appearance
        The theme in force.

    Attributes
    ----------
    confirm_close : callable or None
        Asked with the window and the titles of changed documents before the window
        closes; None closes without asking.
    seen_empty : Signal
        The window has been painted and waits to be filled.
    closing : Signal
        The window is about to close, and nothing keeps it from that.
    """

    seen_empty = Signal()
    closing = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setWindowTitle("attnviewer")
        self.setMinimumSize(QSize(960, 600))
        self.resize(1600, 1000)
        self.appearance = appearance
        self.confirm_close: Callable[[MainWindow, list[str]], bool] | None = None
        self._interior: Interior | None = None

    def announce(self, name: str) -> None:
        """Say what the window will be filled with."""
        label = QLabel(self.tr("Opening {name} …").format(name=name), self)
        label.setObjectName("opening")
        label.setProperty("muted", True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCentralWidget(label)

    def fill(self, document: "Document") -> None:
        """Put a workbench on a document into the window, and the views on it."""
        from attnviewer.ui.interior import Interior

        within = Interior(self, document)
        self.workbench = within.workbench
        self.flow, self.step_view = within.flow, within.step_view
        self.inputs, self.spec_bar = within.inputs, within.spec_bar
        self.explain, self.docks = within.explain, within.docks
        self.notice, self.reason = within.notice, within.reason
        self.status, self.work = within.status, within.work
        self.last_edit, self.opener = within.last_edit, within.opener
        self.presentation, self.tour = within.presentation, within.tour
        self._interior = within
        if self.isVisible():
            within.show()

    def settle(self) -> None:
        """Give all that is in the window its room, before any of it is painted."""
        if self._interior is not None:
            self._interior.settle()
            # In two rounds, as what is fitted is laid out anew.
            for _ in range(2):
                self._interior.fit()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    @property
    def is_filled(self) -> bool:
        """Whether there is a workbench in the window."""
        return self._interior is not None

    @property
    def document(self) -> "Document":
        """The open document."""
        return self.workbench.document

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._interior is None:
            self.seen_empty.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._interior is not None:
            self._interior.settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._interior is not None:
            self._interior.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._interior is not None and not self._leave(self._interior):
            event.ignore()
        else:
            super().closeEvent(event)

    def _leave(self, interior: "Interior") -> bool:
        """Let go of everything, unless the person wants to keep a changed document."""
        changed = interior.changed_documents()
        if changed and self.confirm_close and not self.confirm_close(self, changed):
            return False
        interior.presentation.leave()
        self.closing.emit()
        interior.release()
        return True
