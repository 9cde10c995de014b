"""The window, which can be in sight before what fills it has been loaded."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow

from attnviewer.ui.elided_label import ElidedLabel
from attnviewer.ui.theme import Appearance

# What fills the window is imported as it is filled: it takes longer than the window.
if TYPE_CHECKING:
    from collections.abc import Callable

    from attnviewer.document import Document
    from attnviewer.ui.interior import Interior


class MainWindow(QMainWindow):
    """A window that is empty at first, and then holds a workbench and its views.

    The step comes before the other views, if need be: it is what people come to see.

    Parameters
    ----------
    appearance : Appearance
        The theme in force.

    Attributes
    ----------
    confirm_close : callable or None
        Asked with the window and the changed documents before the window
        closes; None closes without asking.
    step_place : QRect or None
        Where the step was in the window that closes, if that is known.
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
        self.confirm_close: Callable[[MainWindow, list[Document]], bool] | None = None
        self.step_place: QRect | None = None
        self._begun = False
        self._interior: Interior | None = None

    def announce(self, name: str) -> None:
        """Say what the window will be filled with."""
        label = ElidedLabel("opening")
        label.setText(self.tr("Opening {name} …").format(name=name))
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCentralWidget(label)

    def fill(self, document: "Document") -> None:
        """Put a workbench on a document into the window, and the views on it."""
        self.begin(document)
        self.complete()

    def begin(self, document: "Document", place: QRect | None = None) -> None:
        """Open a document, with nothing but its step in the window.

        Parameters
        ----------
        document : Document
            What is opened.
        place : QRect, optional
            Where the step is shown already; without, it waits for all the others.
        """
        from attnviewer.ui.step import StepView
        from attnviewer.ui.workbench import Workbench

        self.workbench = Workbench(document, self)
        self.step_view = StepView(self.workbench, self.appearance, self)
        self._begun = True
        if place is not None:
            self.step_view.show()
            # Afterwards, as only what is shown knows what room its texts take.
            self.step_view.setGeometry(place)
            self.step_view.open_page()
            self.step_view.setFocus(Qt.FocusReason.OtherFocusReason)

    def complete(self) -> None:
        """Put the other views and the bars around the step."""
        from attnviewer.ui.interior import Interior

        within = Interior(self, self.workbench, self.step_view)
        self.flow, self.inputs, self.explain = (
            within.flow,
            within.inputs,
            within.explain,
        )
        self.spec_bar, self.docks = within.spec_bar, within.docks
        self.notice, self.reason = within.notice, within.reason
        self.status, self.work = within.status, within.work
        self.last_edit, self.opener = within.last_edit, within.opener
        self.importer = within.importer
        self.saver, self.origins = within.saver, within.origins
        self.reloader = within.reloader
        self.presentation, self.tour = within.presentation, within.tour
        self._interior = within
        if self.isVisible():
            within.show()

    def settle(self) -> None:
        """Give all that is in the window its room at once."""
        if self._interior is not None:
            self._interior.settle()
            # In two rounds, as what is fitted is laid out anew.
            for _ in range(2):
                self._interior.fit()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    @property
    def is_filled(self) -> bool:
        """Whether the window is complete."""
        return self._interior is not None

    @property
    def document(self) -> "Document":
        """The open document."""
        return self.workbench.document

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._begun:
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
        if self._interior is not None:
            event.ignore()  # also if it fails to ask what may be lost
            if not self._may_leave(self._interior):
                return
            event.accept()
            self._leave(self._interior)
        if self._begun:
            self.workbench.close()
        super().closeEvent(event)

    def _may_leave(self, interior: "Interior") -> bool:
        """Ask what becomes of changed documents; return whether none is to stay."""
        changed = interior.changed_documents()
        ask = self.confirm_close
        return not changed or ask is None or ask(self, changed)

    def _leave(self, interior: "Interior") -> None:
        """Let go of everything."""
        # A presentation leaves it where it will not be.
        if not interior.presentation.action.isChecked():
            step = self.step_view
            self.step_place = QRect(step.mapTo(self, QPoint()), step.size())
        interior.presentation.leave()
        self.closing.emit()
        interior.release()
