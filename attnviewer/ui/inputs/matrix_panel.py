"""One matrix of the inputs: its title and its table."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.document import Change, Document
from attnviewer.ui.elided_label import ElidedLabel
from attnviewer.ui.inputs.cell_table import CellTable
from attnviewer.ui.inputs.fill_buttons import FillButtons
from attnviewer.ui.inputs.fill_commands import FillCommands
from attnviewer.ui.inputs.headings import TOKEN_CHARACTERS
from attnviewer.ui.inputs.matrix_model import MatrixModel
from attnviewer.ui.inputs.matrix_table import MatrixTable
from attnviewer.ui.inputs.tokens_model import TokensModel
from attnviewer.ui.reason import ReasonBubble
from attnviewer.ui.theme import part_of
from attnviewer.ui.undo import EditStack


class MatrixPanel(QWidget):
    """A matrix as a table below its title; X with the tokens beside it.

    Parameters
    ----------
    document : Document
        What the matrix belongs to.
    edits : EditStack
        Where edits go.
    name : str
        The matrix.
    reason : ReasonBubble
        Where reasons are shown.
    fills : FillCommands
        What the menus beside the title do.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    tables : list of CellTable
        From left to right.
    """

    def __init__(
        self,
        document: Document,
        edits: EditStack,
        name: str,
        reason: ReasonBubble,
        fills: FillCommands,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"matrix.{name}")
        caption = self._caption(name)
        self._document = document
        self._model = MatrixModel(document, edits, name, self)
        self._tokens: TokensModel | None = None
        self._shape = QLabel(self)
        self._shape.setProperty("muted", True)
        self._grid = QFrame(self)
        self._grid.setObjectName("grid")
        grid = QHBoxLayout(self._grid)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)

        table: CellTable = MatrixTable(self._model, reason, self._grid)
        table.setAccessibleName(f"{name} {caption}")
        if name.startswith("b_"):
            table.horizontalHeader().hide()  # the weights above it bear the same
            table.fit()
        self.tables = [table]
        if name == "X":
            self._tokens = TokensModel(document, edits, self)
            self.tables.insert(0, self._token_table(self._tokens, table, reason))
            # X may have a scroll bar below its rows; the tokens' rows end with X's.
            grid.addWidget(self.tables[0], 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(table)

        title = QHBoxLayout()
        title.setSpacing(4)
        title.addWidget(self._title(name))
        title.addWidget(self._caption_label(name, caption))
        title.addStretch()
        title.addWidget(self._shape)
        self._fills = FillButtons(fills, name, self)
        title.addWidget(self._fills)
        row = QHBoxLayout()
        row.addWidget(self._grid)
        row.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addLayout(title)
        layout.addLayout(row)
        self._model.modelReset.connect(self._show_shape)
        self._show_shape()
        self._fills.show_draw(document)

    def follow(self, change: Change) -> None:
        """Pass a change of the document on to the tables."""
        self._model.follow(change)
        self._fills.show_draw(self._document)
        if self._tokens is not None:
            self._tokens.follow(change)

    def set_document(self, document: Document) -> None:
        """Show the matrix of another document."""
        self._document = document
        self._model.set_document(document)
        self._fills.show_draw(document)
        if self._tokens is not None:
            self._tokens.set_document(document)

    @Slot()
    def _show_shape(self) -> None:
        shape = f"{self._model.rowCount()}×{self._model.columnCount()}"
        self._shape.setText(shape)

    def _caption(self, name: str) -> str:
        return {
            "X": self.tr("embeddings"),
            "W_Q": self.tr("query weights"),
            "W_K": self.tr("key weights"),
            "W_V": self.tr("value weights"),
            "W_O": self.tr("output weights"),
            "context": self.tr("second sequence"),
            "P": self.tr("position table"),
            "bias": self.tr("added to the scores"),
            "b_Q": self.tr("query bias"),
            "b_K": self.tr("key bias"),
            "b_V": self.tr("value bias"),
            "b_O": self.tr("output bias"),
        }[name]

    def _title(self, name: str) -> QLabel:
        label = QLabel(name, self)
        label.setProperty("part", part_of(name) or "none")
        return label

    def _caption_label(self, name: str, caption: str) -> QLabel:
        # It gives way, as what is drawn beside it may be long.
        label = ElidedLabel(f"caption.{name}")
        label.setProperty("muted", False)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        label.setText(caption)
        return label

    def _token_table(
        self, model: TokensModel, beside: CellTable, reason: ReasonBubble
    ) -> CellTable:
        table = CellTable(model, reason, "tokens", TOKEN_CHARACTERS, self._grid)
        table.setAccessibleName(self.tr("Tokens"))
        table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for one, other in ((table, beside), (beside, table)):
            one.verticalHeader().hide()
            one.fit()
            one.verticalScrollBar().valueChanged.connect(
                other.verticalScrollBar().setValue
            )
        return table
