"""The model of the mask: which query sees which key."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, Qt

from attnviewer.compute import Array, Axis
from attnviewer.document import (
    MASK,
    Change,
    Document,
    Edit,
    Labels,
    Region,
    distinct_label,
    exact_text,
)
from attnviewer.document.labels import axis_label
from attnviewer.document.masks import paint, paint_cells, visibility
from attnviewer.document.text.blocks import Block, block_text, parse_block
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.tokens import token_label, token_line
from attnviewer.ui.views.inputs.cells.model import CellModel, Values
from attnviewer.ui.views.inputs.mask.stroke import Cell, Stroke
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    DISPLAY,
    EDIT,
    TOOL_TIP,
    ModelIndex,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

SEES_NOTHING = "∅"
"""The prefix of the name of a query that sees no key."""

_VISIBLE, _HIDDEN = "1", "0"
_ROOT = QModelIndex()
# Cells are painted, never edited as text.
_PAINTABLE = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemNeverHasChildren
)


class MaskModel(CellModel):
    """The keys that each query sees, by all rules and the custom mask together.

    As text a visible cell is 1 and a hidden one 0.
    """

    def __init__(
        self, document: Document, edits: EditStack, parent: QObject | None = None
    ) -> None:
        super().__init__(document, edits, parent)
        self.reload()

    def reload(self) -> None:
        self._visibility = visibility(self._document)
        self._labels = self._document.labels

    def follow(self, change: Change) -> None:
        if change.matrix is None:
            self._follow_replacement()
        elif change.matrix == MASK and self._document.spec.mask:
            assert change.region is not None
            self._emit(change.region)

    def _follow_replacement(self) -> None:
        labels = self._document.labels
        if [len(tokens) for tokens in labels] != list(self._visibility.shape):
            self.beginResetModel()
            self.reload()
            self.endResetModel()
            return
        renamed = labels != self._labels
        self.reload()
        self._emit(Region(0, 0, self.rowCount(), self.columnCount()))
        if renamed:
            last = self.columnCount() - 1
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)

    def _emit(self, region: Region) -> None:
        self.emit_cells(region)
        rows = region.rows
        # A row's name shows whether it sees any key.
        self.headerDataChanged.emit(Qt.Orientation.Vertical, rows.start, rows.stop - 1)

    # ---------------------------------------------------------------- reading

    def rowCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else self._visibility.shape[0]

    def columnCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else self._visibility.shape[1]

    def flags(self, index: ModelIndex) -> Qt.ItemFlag:
        return _PAINTABLE if index.isValid() else Qt.ItemFlag.NoItemFlags

    @property
    def labels(self) -> Labels:
        """The labels of queries and keys."""
        return self._labels

    def is_visible(self, row: int, column: int) -> bool:
        """Return whether a query sees a key."""
        cell = slice(row, row + 1), slice(column, column + 1)
        return bool(self._visibility.window(*cell)[0, 0])

    def hidden_count(self) -> int:
        """Return how many cells are hidden."""
        rows, columns = self._visibility.shape
        return rows * columns - self._visibility.count()

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if not index.isValid():
            return None
        if role in (DISPLAY, EDIT):
            return self.exact_text(index.row(), index.column())
        if role == TOOL_TIP:
            return plain_tip(self.sentence(index.row(), index.column()))
        if role == ACCESSIBLE_TEXT:
            return self.sentence(index.row(), index.column())
        return None

    def sentence(self, row: int, column: int) -> str:
        """Return a sentence about a cell, with the reason if the key is hidden."""
        query = self._name("queries", row)
        key = self._name("keys", column)
        reasons = self._visibility.reasons(row, column)
        if not reasons:
            text = self.tr("{query} may look at {key}")
            return text.format(query=query, key=key)
        why = self.tr(" and ").join(
            QCoreApplication.translate("Masks", reason) for reason in reasons
        )
        return self.tr("{query} does not see {key}: {why}").format(
            query=query, key=key, why=why
        )

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = DISPLAY
    ) -> object:
        axis: Axis = "queries" if orientation == Qt.Orientation.Vertical else "keys"
        if role == DISPLAY:
            label = token_line(axis_label(axis, self._labels, section))
            alone = axis == "queries" and not self._visibility.seen_by(section)
            return f"{SEES_NOTHING} {label}" if alone else label
        if role == TOOL_TIP:
            return plain_tip(self._header_sentence(axis, section))
        if role == ACCESSIBLE_TEXT:
            return self._header_sentence(axis, section)
        return None

    def _header_sentence(self, axis: Axis, section: int) -> str:
        name = self._name(axis, section)
        if axis == "keys":
            return name
        seen = self._visibility.seen_by(section)
        if not seen:
            text = self.tr("{query} sees no key: all its weights are 0")
            return text.format(query=name)
        return self.tr("{query} sees {seen} of {count} keys").format(
            query=name, seen=seen, count=self.columnCount()
        )

    def _name(self, axis: Axis, index: int) -> str:
        return distinct_label(axis, self._labels, index, token_label)

    def exact_text(self, row: int, column: int) -> str:
        return _VISIBLE if self.is_visible(row, column) else _HIDDEN

    def block_text(self, block: Region) -> str:
        return block_text(self._visibility.window(block.rows, block.columns))

    def read_block(self, text: str) -> Block:
        block = parse_block(text)
        wrong = block.values[(block.values != 0) & (block.values != 1)]
        if len(wrong):
            raise ValueError(
                self.tr(
                    "A mask has 1 where the query may look and 0 where it may not. "
                    "Got {number} instead."
                ).format(number=exact_text(float(wrong[0])))
            )
        return replace(block, values=block.values == 1, names=())

    # ---------------------------------------------------------------- writing

    def read(self, text: str) -> bool:
        typed = text.strip()
        if typed not in (_VISIBLE, _HIDDEN):
            reason = self.tr("Type 1 where the query may look and 0 where it may not.")
            raise ValueError(reason)
        return typed == _VISIBLE

    def values(self, block: Region) -> Values:
        return self._visibility.window(block.rows, block.columns)

    def write_blocks(
        self,
        label: str,
        blocks: Sequence[tuple[Region, Values]],
        then: InputSelection | None = None,
    ) -> None:
        gesture = object()
        for block, values in blocks:
            edit = paint(self._document, block, values, label)
            self._submit(edit, gesture=gesture, then=then)

    def write(self, row: int, column: int, text: str) -> None:
        self.paint(Region(row, column, 1, 1), visible=self.read(text))

    def clear_blocks(self, blocks: Sequence[Region]) -> None:
        hidden = [(b, np.zeros((b.height, b.width), np.bool_)) for b in blocks]
        changed = sum(int(self.values(block).sum()) for block in blocks)
        self.write_blocks(self._label(False, changed), hidden)

    def paste(self, selection: InputSelection, values: Array) -> None:
        label = self.tr("Paste into mask")
        self.write_blocks(label, [(selection.block, values)], then=selection)

    def paint(self, block: Region, *, visible: bool) -> None:
        """Show or hide the cells of a block."""
        present = self._visibility.window(block.rows, block.columns)
        changed = int(np.count_nonzero(present != visible))
        label = self._label(visible, changed)
        self._submit(paint(self._document, block, visible, label))

    def paint_stroke(self, stroke: Stroke, cells: Collection[Cell]) -> None:
        """Paint more cells of a stroke; a stroke is one step of undo."""
        changed = [c for c in cells if self.is_visible(*c) is not stroke.visible]
        if changed:
            stroke.painted.update(changed)
            label = self._label(stroke.visible, len(stroke.painted))
            edit = paint_cells(self._document, changed, stroke.visible, label)
            self._submit(edit, gesture=stroke)

    def _submit(
        self,
        edit: Edit | None,
        *,
        gesture: object | None = None,
        then: InputSelection | None = None,
    ) -> None:
        if edit is not None:
            self._edits.submit(edit, gesture=gesture, then=then)

    def _label(self, visible: bool, count: int) -> str:
        if count == 1:
            return (
                self.tr("Paint mask: show 1 cell")
                if visible
                else self.tr("Paint mask: hide 1 cell")
            )
        text = (
            self.tr("Paint mask: show {count} cells")
            if visible
            else self.tr("Paint mask: hide {count} cells")
        )
        return text.format(count=count)
