"""The main window, which can be shown before its contents are loaded."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QMainWindow

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.window.application import ICON

# The contents are imported when needed: loading them takes longer than the window.
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from attnviewer.document import Document
    from attnviewer.ui.frame.frame import Feature, Frame
    from attnviewer.ui.window.contents import Contents

    _F = TypeVar("_F", bound=Feature)


class MainWindow(QMainWindow):
    """A window that is empty at first, and then holds a workbench and its views.

    The step can be shown before the other views: it is what people want to see.

    Parameters
    ----------
    appearance : Appearance
        The theme in force.

    Attributes
    ----------
    confirm_close : callable or None
        Asked with the window and the changed documents before the window
        closes; None closes without asking.
    seen_empty : Signal
        The empty window has been painted and can be filled.
    closing : Signal
        The window is about to close; nothing can prevent it any more.
    """

    seen_empty = Signal()
    closing = Signal()

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.setObjectName("window")
        self.setWindowTitle("attnviewer")
        # An application that is not ours has an icon of its own.
        self.setWindowIcon(QIcon(str(ICON)))
        self.setMinimumSize(QSize(960, 600))
        self.resize(1600, 1000)
        self.appearance = appearance
        self.confirm_close: Callable[[MainWindow, list[Document]], bool] | None = None
        self._begun = False
        self._contents: Contents | None = None

    def announce(self, name: str) -> None:
        """Show what is being opened."""
        label = ElidedLabel("opening")
        label.setText(self.tr("Opening {name}…").format(name=name))
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setCentralWidget(label)

    def fill(self, document: "Document") -> None:
        """Fill the window with a workbench on a document, and its views."""
        self.begin(document)
        self.complete()

    def begin(self, document: "Document", step_rect: QRect | None = None) -> None:
        """Open a document with only its step in the window.

        Parameters
        ----------
        document : Document
            The document to open.
        step_rect : QRect, optional
            Where to show the step right away; by default it waits for the rest.
        """
        from attnviewer.ui.state.workbench import Workbench
        from attnviewer.ui.views.step import StepView

        self.workbench = Workbench(document, self)
        self.step_view = StepView(self.workbench, self.appearance, self)
        self._begun = True
        if step_rect is not None:
            self.step_view.show()
            # After show(): only then are the widths of its texts known.
            self.step_view.setGeometry(step_rect)
            self.step_view.open_page()
            self.step_view.setFocus(Qt.FocusReason.OtherFocusReason)

    def complete(self) -> None:
        """Put the other views and the bars around the step."""
        from attnviewer.ui.window.contents import Contents

        self._contents = contents = Contents(
            self, self.workbench, self.step_view, self.appearance
        )
        for name, value in contents.offered():
            setattr(self, name, value)
        if self.isVisible():
            contents.frame.show()

    @property
    def frame(self) -> "Frame":
        """The frame that the features of the complete window share."""
        assert self._contents is not None
        return self._contents.frame

    def feature(self, kind: "type[_F]") -> "_F":
        """Return a feature of the complete window."""
        return self.frame.feature(kind)

    def add(self, kind: "type[_F]") -> "_F":
        """Add a feature that not every window has to the complete window."""
        return self.frame.build(kind)

    def settle(self) -> None:
        """Lay out everything in the window at once."""
        if self._contents is not None:
            self._contents.settle()
            # Two passes, as fitting changes the layout.
            for _ in range(2):
                self._contents.fit()
                QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    @property
    def is_filled(self) -> bool:
        """Whether the window is complete."""
        return self._contents is not None

    @property
    def document(self) -> "Document":
        """The open document."""
        return self.workbench.document

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._begun:
            self.seen_empty.emit()

    def setVisible(self, visible: bool) -> None:
        if visible and self._contents is not None and not self.isVisible():
            self._contents.prepare()
        super().setVisible(visible)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._contents is not None:
            self._contents.settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._contents is not None:
            self._contents.fit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._contents is not None:
            event.ignore()  # also if asking fails
            if not self._may_close(self._contents):
                return
            event.accept()
            self.closing.emit()
            self._contents.release()
        if self._begun:
            self.workbench.close()
        super().closeEvent(event)

    def _may_close(self, contents: "Contents") -> bool:
        """Ask about changed documents; return whether the window may close."""
        changed = contents.changed_documents()
        ask = self.confirm_close
        return not changed or ask is None or ask(self, changed)
