"""The ribbon above the step: what one token of a model's sentence attends to."""

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Trace, telling_key
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.colors import cell_colors
from attnviewer.ui.paint.step_content import DisplayedStep, StepContent, content_of
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.links import linked
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.sentence_ribbon.chips import Row, TokenChips
from attnviewer.ui.widgets.elided_label import ElidedLabel

LINES = 2
"""Lines of tokens in sight at first; more of them scroll."""


class SentenceRibbon(QWidget):
    """Shows one row of the chosen head's weights behind the words of the sentence.

    It is visible only while the document is from the open model.

    Attributes
    ----------
    edit_wanted : Signal
        The user wants to edit the sentence.
    """

    edit_wanted = Signal()

    def __init__(
        self,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("ribbon")
        self.setAccessibleName(self.tr("Sentence"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workbench, self._appearance = workbench, appearance
        self._content: StepContent | None = None
        self._trace: Trace | None = None
        self._lines = LINES
        self._told = QLabel(self)
        self._told.setObjectName("ribbon.query")
        self._told.setTextFormat(Qt.TextFormat.PlainText)
        self._hint = ElidedLabel("ribbon.hint", Qt.TextElideMode.ElideRight)
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        self._hint.setAlignment(left)
        policy = QSizePolicy.Policy
        self._hint.setSizePolicy(policy.Ignored, policy.Preferred)
        self.edit = QToolButton(self)
        self.edit.setObjectName("ribbon.edit")
        self.edit.clicked.connect(self.edit_wanted)
        self.chips = TokenChips()
        self._area = QScrollArea(self)
        self._area.setObjectName("ribbon.scroll")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(self.chips)
        heading = QHBoxLayout()
        heading.setSpacing(5)
        heading.addWidget(self._told)
        heading.addWidget(self._hint, 1)
        heading.addWidget(self.edit)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 6)
        column.setSpacing(4)
        column.addLayout(heading)
        column.addWidget(self._area)
        # Words run as the matrices do.
        self._area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.setFocusProxy(self.chips)
        self.chips.hovered.connect(self._on_hovered)
        self.chips.chosen.connect(self._on_chosen)
        self.chips.arranged.connect(self._fit)
        selection, model = workbench.selection, workbench.model
        workbench.engine.computed.connect(self._refresh)
        workbench.opened.connect(self._refresh)
        workbench.looks.changed.connect(self._refresh)
        model.changed.connect(self._refresh)
        appearance.changed.connect(self._refresh)
        selection.head_changed.connect(self._refresh)
        selection.step_changed.connect(self._show_row)
        selection.cell_changed.connect(self._show_row)
        selection.hover_changed.connect(self._show_row)
        self.hide()

    def show_lines(self, count: int) -> None:
        """Have at most so many lines in sight."""
        if count != self._lines:
            self._lines = count
            self._fit()

    def mark_cached(self, tokens: range) -> None:
        """Mark tokens whose keys and values an earlier step has computed."""
        self.chips.set_cached(tokens)

    def choose_token(self, token: int) -> None:
        """Show what a token attends to."""
        self._on_chosen(token)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    @Slot()
    def _refresh(self) -> None:
        """Show the chosen head's weights over the newest sentence."""
        if self._workbench.link is None:
            self._content = self._trace = None
            self.hide()
            return
        computed = self._workbench.engine.current
        head = present_head(computed.trace, self._workbench.selection.head)
        look = self._workbench.looks.of(STEP_OF_ALL)
        theme = self._appearance.theme
        shown = DisplayedStep(computed, STEP_OF_ALL, head, look, theme)
        self._content, self._trace = content_of(shown), computed.trace
        self._show_edit()
        self._show_row()
        self.show()

    def _show_edit(self) -> None:
        if self._of_patches:
            self.edit.setText(self.tr("Change image"))
            self.edit.setToolTip(self.tr("Run the model over another image"))
        else:
            self.edit.setText(self.tr("Edit sentence"))
            self.edit.setToolTip(self.tr("Run the model over another sentence"))

    @property
    def _of_patches(self) -> bool:
        """Whether the tokens are patches of an image rather than words."""
        link = self._workbench.link
        return link is not None and link.run.encoded.picture is not None

    @property
    def _query(self) -> int | None:
        """The query under the pointer, or else that of the selected cell."""
        # Not the engine's: a cell may be chosen before the ribbon shows its trace.
        trace, selection = self._trace, self._workbench.selection
        if trace is None:
            return None
        for step, cell in (selection.hovered, (selection.step, selection.cell)):
            if cell is not None and step in trace:
                rows = linked(trace, step, cell, STEP_OF_ALL).rows
                if rows and rows[0] < trace.shape(STEP_OF_ALL)[-2]:
                    return rows[0]
        return None

    @property
    def _crosses(self) -> bool:
        """Whether the words are keys only, as the queries are another sequence."""
        content, trace = self._content, self._trace
        assert content is not None
        assert trace is not None
        return trace.spec.context or content.row_labels != content.column_labels

    @Slot()
    def _show_row(self) -> None:
        content = self._content
        if content is None:
            return
        query, selection = self._query, self._workbench.selection
        tokens = content.column_labels
        if query is None:
            self.chips.show_row(tokens, None, self._appearance.theme)
            self._told.clear()
            self._hint.setText(self._hint_without_query())
            return
        here = slice(query, query + 1)
        weights = content.matrix.window(here)  # (1, n)
        hidden = content.matrix.hidden(here)  # (1, n) or None
        theme = self._appearance.theme
        colors = cell_colors(weights, content.scale, theme, hidden)
        cell = selection.cell if selection.step == STEP_OF_ALL else None
        key = cell[1] if cell is not None and cell[0] == query else None
        token, chip = content.row_labels[query], None if self._crosses else query
        masked = None if hidden is None else hidden[0]
        row = Row(token, chip, key, weights[0], colors[0], masked)
        self.chips.show_row(tokens, row, theme)
        self._bring_into_sight(row.chip)
        self._told.setText(token_label(token))
        self._hint.setText(self._hint_after_query())

    def _hint_without_query(self) -> str:
        if self._crosses:
            return self.tr("Select a query to see which of these words it attends to.")
        if self._of_patches:
            return self.tr("Point at a patch to see what it attends to.")
        return self.tr("Point at a word to see what it attends to.")

    def _hint_after_query(self) -> str:
        if self._crosses:
            return self.tr(
                "attends to the coloured words of the other sequence. Click on one to "
                "select its weight."
            )
        if self._of_patches:
            return self.tr(
                "attends to the coloured patches. Point at another patch to see what "
                "that one attends to."
            )
        return self.tr(
            "attends to the coloured words. Point at another word to see what that one "
            "attends to."
        )

    @Slot(object)
    def _on_hovered(self, token: int | None) -> None:
        cell = None if token is None else self._cell_of(token)
        self._workbench.selection.hover(STEP_OF_ALL, cell)

    @Slot(int)
    def _on_chosen(self, token: int) -> None:
        cell = self._cell_of(token)
        if cell is not None:
            self._workbench.selection.choose_cell(STEP_OF_ALL, cell)
            self._bring_into_sight(token)

    def _bring_into_sight(self, token: int | None) -> None:
        if token is None:
            return
        place, margin = (
            self.chips.place_of(token).center(),
            self.chips.height_of(1) // 2,
        )
        self._area.ensureVisible(place.x(), place.y(), 0, margin)

    def _cell_of(self, token: int) -> Position | None:
        """Return the cell that a chip chooses.

        It is a query's strongest weight that tells something, or its strongest. In
        cross-attention it is that of the key, in the row that is shown.
        """
        content = self._content
        if content is None or token not in range(len(content.column_labels)):
            return None
        if self._crosses:
            return None if self._query is None else (self._query, token)
        row = content.matrix.window(slice(token, token + 1))[0]  # (n,)
        key = telling_key(row, content.column_labels, token)
        return token, int(np.argmax(np.nan_to_num(row))) if key is None else key

    @Slot()
    def _fit(self) -> None:
        """Wrap the words to the width, and be as high as the lines in sight."""
        room = self._area.maximumViewportSize().width()
        self.chips.set_width(room)
        if self.chips.arrangement.lines > self._lines:
            bar = self._area.verticalScrollBar().sizeHint().width()
            self.chips.set_width(room - bar)
        self.chips.resize(self.chips.sizeHint())
        self._area.setFixedHeight(self.chips.height_of(self._lines))
        if self.chips.row is not None:
            self._bring_into_sight(self.chips.row.chip)
