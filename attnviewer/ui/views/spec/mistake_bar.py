"""The line that says that the open document computes with a mistake."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QMainWindow, QToolBar, QToolButton

from attnviewer.document import EditError
from attnviewer.document.mistakes import set_mistakes
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.notice import NoticeBar


class MistakeBar(QToolBar):
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
        self._remove.setText(self.tr("Remove"))
        self._remove.setToolTip(self.tr("Compute as it should be; Undo brings it back"))
        self._remove.setAccessibleName(self.tr("Remove the mistake"))
        self._remove.clicked.connect(self._on_remove)
        self.addWidget(self._label)
        self.addWidget(self._remove)
        self._titles: list[str] = []
        workbench.engine.computed.connect(self._show)
        self._show()

    def setVisible(self, visible: bool) -> None:
        # restoreState() would show the bar even without a mistake.
        super().setVisible(visible and bool(self._titles))

    @Slot()
    def _show(self) -> None:
        # Of the computation, which may not tell of it yet.
        mistakes = self._workbench.engine.current.trace.spec.mistakes
        titles = [slip.title for slip in mistakes]
        if titles != self._titles or self.isHidden() == bool(titles):
            self._titles = titles
            text = self.tr("Computes with a mistake: {titles}")
            self._label.setText(text.format(titles="; ".join(titles)))
            self.setVisible(True)

    @Slot()
    def _on_remove(self) -> None:
        label = self.tr("Remove the mistake")
        try:
            edit = set_mistakes(self._workbench.document, (), label)
            self._workbench.edits.submit(edit)
        except EditError as error:
            self._notice.refuse(str(error))
