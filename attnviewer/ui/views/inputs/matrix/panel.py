"""One matrix of the inputs: its title and its table."""

from dataclasses import replace

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.compute import Spec, build_stages
from attnviewer.document import Change, Document
from attnviewer.document.rows import SequenceName
from attnviewer.ui.paint.theme import part_of
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.concepts import concept_within, what_is
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.views.inputs.fills.buttons import FillButtons
from attnviewer.ui.views.inputs.fills.commands import FillCommands
from attnviewer.ui.views.inputs.matrix.headings import TOKEN_CHARACTERS
from attnviewer.ui.views.inputs.matrix.model import MatrixModel
from attnviewer.ui.views.inputs.matrix.operand_table import OperandTable
from attnviewer.ui.views.inputs.matrix.table import MatrixTable
from attnviewer.ui.views.inputs.tokens.drag import TokenDrag
from attnviewer.ui.views.inputs.tokens.edits import (
    bears_tokens,
    sequence_at,
    token_table,
)
from attnviewer.ui.views.inputs.tokens.find_bar import FindBar
from attnviewer.ui.views.inputs.tokens.model import TokensModel
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.name_label import NameLabel
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.widgets.tool_tips import plain_tip


class MatrixPanel(QWidget):
    """A matrix as a table below its title; a sequence with its tokens beside it.

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
        self._reason = reason
        self._model = MatrixModel(document, edits, name, self)
        self._edits = edits
        self._tokens: TokensModel | None = None
        self._find_bar: FindBar | None = None
        self._shape = QLabel(self)
        self._shape.setProperty("muted", True)
        self._grid = QFrame(self)
        self._grid.setObjectName("grid")
        # Tokens are on the left of their rows in every language, like the tables.
        self._grid.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        grid = QHBoxLayout(self._grid)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)

        table: CellTable = MatrixTable(self._model, reason, self._grid)
        table.setAccessibleName(f"{name} {caption}")
        if name.startswith("b_"):
            table.horizontalHeader().hide()  # the same as that of the weights above
            table.fit()
        self.tables = [table]
        sequence = sequence_at(document, name)
        if sequence is not None and bears_tokens(document, name):
            self._tokens = TokensModel(document, edits, self, sequence=sequence)
            tokens = self._token_table(self._tokens, sequence, table, reason)
            TokenDrag(tokens, edits, sequence)
            self.tables.insert(0, tokens)
            # A matrix may have a horizontal scroll bar; the tokens end above it.
            grid.addWidget(self.tables[0], 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(table)

        self._name = NameLabel(name, self)
        self._name.setProperty("part", part_of(name) or "none")
        self._explained: Spec | None = None
        title = QHBoxLayout()
        title.setSpacing(4)
        title.addWidget(self._name)
        title.addWidget(self._caption_label(name, caption))
        title.addStretch()
        title.addWidget(self._shape)
        self._fills = FillButtons(fills, name, self)
        title.addWidget(self._fills)
        row = QHBoxLayout()
        row.addWidget(self._grid)
        row.addStretch()
        self._layout = layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(5)
        layout.addLayout(title)
        layout.addLayout(row)
        self._show_shape()
        self._explain()
        self._fills.show_draw(document)

    @property
    def bears_tokens(self) -> bool:
        """Whether tokens are shown beside the matrix."""
        return self._tokens is not None

    @property
    def controls(self) -> list[QWidget]:
        """The Tab stops before the tables."""
        return [] if self._find_bar is None else self._find_bar.controls

    def find_bar(self) -> FindBar | None:
        """Return what finds tokens of the sequence, made when it is first wanted."""
        if self._find_bar is None and self._tokens is not None:
            sequence, table = self._tokens.sequence, self.tables[-1]
            self._find_bar = FindBar(self._edits, sequence, table, self)
            self._layout.insertWidget(1, self._find_bar)
        return self._find_bar

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit_tokens()
        return done

    def _fit_tokens(self) -> None:
        """Give the tokens the width that the numbers leave, as far as needed."""
        if self._tokens is None:
            return
        tokens, numbers = self.tables
        room = tokens.digits_in(self.width() - numbers.maximumWidth() - 2)
        wanted = max(self._tokens.longest_text, TOKEN_CHARACTERS)
        tokens.set_characters(min(max(int(room), TOKEN_CHARACTERS), wanted))

    def another_table(self, parent: QWidget) -> OperandTable:
        """Return another table of the matrix, with the selection of the first."""
        table = OperandTable(self._model, self._reason, parent)
        table.setAccessibleName(self.tables[-1].accessibleName())
        table.setSelectionModel(self.tables[-1].selectionModel())
        return table

    def follow(self, change: Change) -> None:
        """Pass a change of the document on to the tables."""
        self._model.follow(change)
        self._fills.show_draw(self._document)
        self._show_shape()
        self._explain()
        if self._tokens is not None:
            self._tokens.follow(change)
            self._fit_tokens()
        if self._find_bar is not None and change.matrix is None:
            self._find_bar.refresh()

    def set_document(self, document: Document) -> None:
        """Show the matrix of another document."""
        self._document = document
        self._model.set_document(document)
        self._fills.show_draw(document)
        self._show_shape()
        self._explain()
        if self._tokens is not None:
            self._tokens.set_document(document)
            self._fit_tokens()
        if self._find_bar is not None:
            self._find_bar.refresh()

    def _show_shape(self) -> None:
        shape = f"{self._model.rowCount():,}×{self._model.columnCount():,}"
        self._shape.setText(shape)

    def _caption(self, name: str) -> str:
        return {
            "X": self.tr("embeddings"),
            "context": self.tr("embeddings"),
            "W_Q": self.tr("query weights"),
            "W_K": self.tr("key weights"),
            "W_V": self.tr("value weights"),
            "W_G": self.tr("gate weights"),
            "W_O": self.tr("output weights"),
            "Q": self.tr("queries"),
            "K": self.tr("keys"),
            "S": self.tr("given scores or weights"),
            "V": self.tr("values"),
            "P": self.tr("position table"),
            "position_ids": self.tr("positions along the axes"),
            "R": self.tr("relative positions"),
            "W_QR": self.tr("relative query weights"),
            "W_KR": self.tr("relative key weights"),
            "b_QR": self.tr("relative query bias"),
            "b_KR": self.tr("relative key bias"),
            "w": self.tr("score weights"),
            "w_q": self.tr("score weights of queries"),
            "w_k": self.tr("score weights of keys"),
            "v": self.tr("score vector"),
            "extra_keys": self.tr("added to the keys"),
            "extra_values": self.tr("added to the values"),
            "bias": self.tr("added to the scores"),
            "gain_Q": self.tr("gain of the query norm"),
            "shift_Q": self.tr("shift of the query norm"),
            "gain_K": self.tr("gain of the key norm"),
            "shift_K": self.tr("shift of the key norm"),
            "relative_bias": self.tr("added by distance: a row for each bucket"),
            "b_Q": self.tr("query bias"),
            "b_K": self.tr("key bias"),
            "b_V": self.tr("value bias"),
            "b_O": self.tr("output bias"),
            "sinks": self.tr("scores of the sinks"),
        }[name]

    def _explain(self) -> None:
        """Tell in the tool tip what is computed from the matrix in this variant."""
        if self._document.spec is self._explained:
            return
        self._explained = self._document.spec
        # A lesson may ask for the mistake.
        spec = replace(self._document.spec, mistakes=(), pins=())
        shapes = {name: a.shape for name, a in self._document.matrices.items()}
        stages = {stage.name: stage for stage in build_stages(spec, shapes)}
        concept = concept_within(self._name.text(), stages)
        self._name.setToolTip(plain_tip(concept.tip))
        self.setWhatsThis(what_is(self._name.text(), concept))

    def _caption_label(self, name: str, caption: str) -> QLabel:
        # It may shrink, as the description of a draw beside it may be long.
        label = ElidedLabel(f"caption.{name}", Qt.TextElideMode.ElideRight)
        label.setProperty("muted", False)
        label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        label.setText(caption)
        return label

    def _token_table(
        self,
        model: TokensModel,
        sequence: SequenceName,
        beside: CellTable,
        reason: ReasonBubble,
    ) -> CellTable:
        name = token_table(self._document, sequence)
        table = CellTable(model, reason, name, TOKEN_CHARACTERS, self._grid)
        titles = {
            "context": self.tr("Tokens of the second sequence"),
            "K": self.tr("Tokens of the keys and values"),
        }
        table.setAccessibleName(titles.get(sequence, self.tr("Tokens")))
        table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        beside.headings_above.before = table.headings_above
        for one, other in ((table, beside), (beside, table)):
            one.verticalHeader().hide()
            one.fit()
            one.verticalScrollBar().valueChanged.connect(
                other.verticalScrollBar().setValue
            )
        return table
