"""Actions on tokens."""

from PySide6.QtCore import QObject, QRect, Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QWidget

from attnviewer.document import EditError, Region, Replace
from attnviewer.document.rearranging import tokens_of
from attnviewer.document.rows import EMBEDDED, SequenceName
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.inputs.dock import InputsPanel
from attnviewer.ui.views.inputs.tokens.edits import (
    add_edit,
    duplicate_edit,
    move_edit,
    remove_edit,
    sequence_at,
    token_table,
)
from attnviewer.ui.views.inputs.tokens.sentence_dialog import SentenceDialog
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, make_action
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.widgets.reason import ReasonBubble, global_rect
from attnviewer.ui.widgets.token_grid_dialog import TokenGridDialog


class TokenCommands(QObject):
    """Actions on the selected tokens, which are the selected rows of their tables.

    Attributes
    ----------
    rows : sequence of QAction or None
        The actions in menu order; None is a separator.
    """

    def __init__(
        self,
        inputs: InputsPanel,
        edits: EditStack,
        reason: ReasonBubble,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._inputs = inputs
        self._edits = edits
        self._reason = reason
        self._window = window
        add, move, find = self._add, self._move, self._find
        on_selected = [
            ActionRow("token.remove", self.tr("&Remove"), self._remove, "Ctrl+Del"),
            ActionRow("token.copy", self.tr("&Duplicate"), self._duplicate, "Ctrl+J"),
            ActionRow("token.up", self.tr("Move &up"), move, "Alt+Up", -1),
            ActionRow("token.down", self.tr("Move d&own"), move, "Alt+Down", 1),
            ActionRow("token.rename", self.tr("Re&name"), self._rename),
            ActionRow(
                "token.copy_named", self.tr("Copy &with names"), self._copy_named
            ),
        ]
        self._on_selected = [make_action(window, row) for row in on_selected]
        for action in self._on_selected:
            # Elsewhere their shortcuts have other uses, such as opening a combo box.
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            inputs.addAction(action)
        below, above = self.tr("&Add below"), self.tr("Add a&bove")
        sentence = ActionRow(
            "token.sentence", self.tr("&Sentence…"), self._ask_sentence, "Ctrl+T"
        )
        grid = ActionRow("token.grid", self.tr("Gr&id…"), self._ask_grid)
        find_rows = [
            ActionRow("token.find", self.tr("&Find…"), self._open_find, "Ctrl+F"),
            ActionRow("token.next", self.tr("Find n&ext"), find, "F3", 1),
            ActionRow("token.back", self.tr("Find &previous"), find, "Shift+F3", -1),
        ]
        self.rows: Rows = [
            make_action(window, ActionRow("token.add", below, add, "Ctrl+I", 1)),
            make_action(
                window, ActionRow("token.above", above, add, "Ctrl+Shift+I", 0)
            ),
            *self._on_selected,
            SEPARATOR,
            make_action(window, sentence),
            make_action(window, grid),
            SEPARATOR,
            *(make_action(window, row) for row in find_rows),
        ]
        edits.cursor.moved.connect(self._follow)
        self._follow(edits.cursor.selection)

    @Slot(object)
    def _follow(self, selection: InputSelection | None) -> None:
        document = self._edits.document
        on_tokens = (
            selection is not None and sequence_at(document, selection.table) is not None
        )
        for action in self._on_selected:
            action.setEnabled(on_tokens)

    # --------------------------------------------------------- what is selected

    def _sequence(self) -> SequenceName:
        selection, document = self._edits.cursor.selection, self._edits.document
        here = None if selection is None else sequence_at(document, selection.table)
        return here or document.rows.tokens[0]

    def _selected(self) -> InputSelection:
        """Return the selected rows; the last one if there are none."""
        # What is being typed is committed first, as a separate edit.
        commit_pending_input()
        selection, document = self._edits.cursor.selection, self._edits.document
        last = len(tokens_of(document, self._sequence())) - 1
        if selection is None or sequence_at(document, selection.table) is None:
            return InputSelection("tokens", Region(last, 0, 1, 1))
        block = selection.block
        row = min(block.row, last)
        height = min(block.height, last + 1 - row)
        return InputSelection(
            selection.table, Region(row, block.column, height, block.width)
        )

    # ------------------------------------------------------------------- edits

    def _add(self, below: int) -> None:
        selection = self._selected()
        at = selection.block.rows.stop if below else selection.block.row
        self._submit(
            add_edit(self._edits.document, self._sequence(), at), selection, at, 1
        )

    def _remove(self, _data: object) -> None:
        selection = self._selected()
        row, count = selection.block.row, selection.block.height
        try:
            edit = remove_edit(self._edits.document, self._sequence(), row, count)
        except EditError as error:
            self._refuse(str(error))
            return
        self._submit(edit, selection, row, 1)

    def _duplicate(self, _data: object) -> None:
        selection = self._selected()
        row, count = selection.block.row, selection.block.height
        edit = duplicate_edit(self._edits.document, self._sequence(), row, count)
        self._submit(edit, selection, row + count, count)

    def _move(self, by: int) -> None:
        selection = self._selected()
        document, sequence = self._edits.document, self._sequence()
        row, count = selection.block.row, selection.block.height
        if 0 <= row + by <= len(tokens_of(document, sequence)) - count:
            edit = move_edit(document, sequence, row, count, row + by)
            self._submit(edit, selection, row + by, count)

    def _submit(
        self, edit: Replace, selection: InputSelection, row: int, count: int
    ) -> None:
        block = Region(row, selection.block.column, count, selection.block.width)
        try:
            self._edits.submit(edit, then=InputSelection(selection.table, block))
        except EditError as error:
            self._refuse(str(error))

    def _refuse(self, reason: str) -> None:
        table = self._inputs.current_table()
        widget = self._inputs if table is None else table.viewport()
        where = global_rect(widget)
        if table is not None:
            cell = table.visualRect(table.currentIndex()).intersected(widget.rect())
            where = QRect(where.topLeft() + cell.topLeft(), cell.size())
        self._reason.say(reason, where)

    def _rename(self, _data: object) -> None:
        row = self._selected().block.row
        name = token_table(self._edits.document, self._sequence())
        table = self._inputs.table(name)
        if table is not None:
            self._edits.cursor.go(InputSelection(name, Region(row, 0, 1, 1)))
            table.setFocus()
            QAbstractItemView.edit(table, table.currentIndex())

    def _copy_named(self, _data: object) -> None:
        table = self._inputs.current_table()
        if table is not None:
            self._inputs.clipboard.copy_with_names(table)

    def _ask_sentence(self, _data: object) -> None:
        commit_pending_input()
        sequence = self._sequence()
        if sequence in EMBEDDED:
            SentenceDialog(self._edits, sequence, self._window).open()
            return
        self._refuse(
            self.tr(
                "There is no X here to turn a sentence into. Rename the "
                "tokens one by one, or paste their names."
            )
        )

    def _ask_grid(self, _data: object) -> None:
        commit_pending_input()
        TokenGridDialog(self._edits, self._window).open()

    # ----------------------------------------------------------------- finding

    def _open_find(self, _data: object) -> None:
        bar = self._inputs.find_bar(self._sequence())
        if bar is not None:
            bar.begin()

    def _find(self, by: int) -> None:
        bar = self._inputs.find_bar(self._sequence())
        if bar is not None:
            bar.go(by)
