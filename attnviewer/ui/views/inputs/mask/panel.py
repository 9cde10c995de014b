"""The mask among the inputs: its choice and its cells."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.document import MASK, Change, Document
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.concepts import step_concept, what_is
from attnviewer.ui.views.inputs.mask.box import MaskBox
from attnviewer.ui.views.inputs.mask.model import MaskModel
from attnviewer.ui.views.inputs.mask.table import MaskTable
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.widgets.tool_tips import plain_tip


class MaskPanel(QWidget):
    """The mask of a document, chosen by name or painted.

    Attributes
    ----------
    tables : list of MaskTable
        The one table.
    """

    def __init__(
        self,
        document: Document,
        edits: EditStack,
        reason: ReasonBubble,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"matrix.{MASK}")
        self._document = document
        self._box = MaskBox(edits, reason, self)
        self._model = MaskModel(document, edits, self)
        grid = QFrame(self)
        grid.setObjectName("grid")
        table = MaskTable(self._model, reason, grid)
        table.setAccessibleName(self.tr("mask, queries down, keys across"))
        self.tables = [table]
        inside = QHBoxLayout(grid)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(table)
        name = QLabel(MASK, self)
        name.setProperty("part", "none")
        name.setToolTip(plain_tip(step_concept(MASK).tip))
        self.setWhatsThis(what_is(MASK, step_concept(MASK)))
        self._count = QLabel(self)
        self._count.setObjectName("mask.count")
        self._count.setProperty("muted", True)
        caption = ElidedLabel("caption.mask", Qt.TextElideMode.ElideRight)
        caption.setProperty("muted", False)
        caption.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        caption.setText(self.tr("who sees whom"))
        title = QHBoxLayout()
        title.setSpacing(4)
        title.addWidget(name)
        title.addWidget(caption, 1)
        title.addWidget(self._count)
        row = QHBoxLayout()
        row.addWidget(grid)
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addLayout(title)
        layout.addWidget(self._box)
        layout.addLayout(row)
        self._show()

    @property
    def controls(self) -> list[QWidget]:
        """The Tab stops before the table."""
        return self._box.controls

    def follow(self, change: Change) -> None:
        """Pass a change of the document on to the table."""
        self._model.follow(change)
        if change.matrix in (None, MASK):
            self._show()

    def set_document(self, document: Document) -> None:
        """Show the mask of another document."""
        self._document = document
        self._model.set_document(document)
        self._show()

    def _show(self) -> None:
        self._box.show_document(self._document)
        cells = self._model.rowCount() * self._model.columnCount()
        text = self.tr("{hidden:,} hidden of {cells:,}")
        self._count.setText(text.format(hidden=self._model.hidden_count(), cells=cells))
