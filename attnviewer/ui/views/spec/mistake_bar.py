"""The line that says that the open document computes with a mistake."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QMainWindow, QToolButton

from attnviewer.document import Change, EditError
from attnviewer.document.mistakes import set_mistakes
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.presentable_bar import PresentableBar


class MistakeBar(PresentableBar):
    """Names the mistakes that the open document computes with, and removes them.

    Hidden while it computes as it should.
    """

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._workbench, self._notice = workbench, notice
        self.setWindowTitle(self.tr("Mistake"))
        self.setObjectName("mistake")
        self.setMovable(False)
        right = Qt.TextElideMode.ElideRight
        self._label = ElidedLabel("mistake.title", right)
        self._label.setProperty("muted", False)
        self._label.setAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self._remove = QToolButton(self)
        self._remove.setObjectName("mistake.remove")
        self._remove.setText(self.tr("Remove the mistake"))
        self._remove.setToolTip(self.tr("Compute without it; Undo brings it back"))
        self._remove.clicked.connect(self._on_remove)
        self.addWidget(self._label)
        self.addWidget(self._remove)
        self._document = workbench.document
        workbench.opened.connect(self._follow)
        workbench.engine.computed.connect(self._show)
        self._follow()

    def setVisible(self, visible: bool) -> None:
        # restoreState() would show the bar even without a mistake.
        revealed = not self._workbench.engine.veil.mistakes
        super().setVisible(visible and revealed and bool(self._document.spec.mistakes))

    def release(self) -> None:
        """Stop listening to the document."""
        self._document.changed.disconnect(self._on_changed, missing_ok=True)

    @Slot()
    def _follow(self) -> None:
        self.release()
        self._document = self._workbench.document
        self._document.changed.connect(self._on_changed)
        self._show()

    def _on_changed(self, change: Change) -> None:
        if change.matrix is None:
            self._show()

    @Slot()
    def _show(self) -> None:
        titles = [slip.title for slip in self._document.spec.mistakes]
        text = self.tr("Computes with a mistake: {titles}")
        self._label.setText(text.format(titles="; ".join(titles)))
        self.setVisible(True)

    @Slot()
    def _on_remove(self) -> None:
        label = self.tr("Remove the mistake")
        try:
            self._workbench.edits.submit(set_mistakes(self._document, (), label))
        except EditError as error:
            self._notice.refuse(str(error))
