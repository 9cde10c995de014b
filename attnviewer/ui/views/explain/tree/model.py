"""The model of the derivation tree, worked out lazily."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
)

from attnviewer.compute.notation import plain_text
from attnviewer.document import Derivation, Worked
from attnviewer.ui.paint.formulas.worked_lines import line_pieces
from attnviewer.ui.widgets.item_roles import ACCESSIBLE_TEXT, DISPLAY, ModelIndex

_Path = tuple[int, ...]
_ROOT = QModelIndex()


class DerivationModel(QAbstractItemModel):
    """The operands of a number; those of a row are worked out when it is expanded."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._root: Worked | None = None
        self._derivation: Derivation | None = None
        # A QModelIndex holds one integer: the index of its path in this list.
        self._paths: list[_Path] = []
        self._numbers: dict[_Path, int] = {}

    @property
    def root(self) -> Worked | None:
        """The root, which the tree itself does not show."""
        return self._root

    def show(self, root: Worked | None, derivation: Derivation | None) -> bool:
        """Show the operands of another number.

        Returns
        -------
        bool
            Whether there are other rows now, all of them collapsed.
        """
        before, self._derivation = self._root, derivation
        if before is not None and root is not None and root.alike(before):
            self._root = root
            self._emit_changed(_ROOT)
            return False
        self.beginResetModel()
        self._root = root
        self._paths.clear()
        self._numbers.clear()
        self.endResetModel()
        return True

    def follow(self, derivation: Derivation) -> None:
        """Work further rows out from newer steps."""
        self._derivation = derivation

    def forget(self) -> None:
        """Drop what further rows would be worked out from."""
        self._derivation = None

    def worked(self, index: ModelIndex) -> Worked:
        """Return the number of a row."""
        return self._at(self._paths[index.internalId()])

    def depth(self, index: ModelIndex) -> int:
        """Return the number of ancestors of a row."""
        return len(self._paths[index.internalId()]) - 1

    # Not in Qt's fetchMore, which is also called for rows nobody looks at.
    def open(self, index: ModelIndex) -> None:
        """Work out the children of a row."""
        worked = self.worked(index)
        if not worked.below and self._derivation is not None:
            below = self._derivation.below(worked)
            self.beginInsertRows(index, 0, len(below) - 1)
            worked.below = below
            worked.opened = True
            self.endInsertRows()

    def close(self, index: ModelIndex) -> None:
        """Drop the children of a row."""
        worked = self.worked(index)
        if worked.below:
            self.beginRemoveRows(index, 0, len(worked.below) - 1)
            worked.below = []
            worked.opened = False
            self.endRemoveRows()

    # ---------------------------------------------------------------- reading

    def index(self, row: int, column: int, parent: ModelIndex = _ROOT) -> QModelIndex:
        above = self._path(parent)
        rows = 0 if self._root is None else len(self._at(above).below)
        if column or not 0 <= row < rows:
            return QModelIndex()
        path = (*above, row)
        number = self._numbers.setdefault(path, len(self._paths))
        if number == len(self._paths):
            self._paths.append(path)
        return self.createIndex(row, column, number)

    def parent(self, index: ModelIndex = _ROOT) -> QModelIndex:  # type: ignore[override]
        path = self._path(index)[:-1]
        if not path:
            return QModelIndex()
        return self.createIndex(path[-1], 0, self._numbers[path])

    def rowCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if self._root is None else len(self._at(self._path(parent)).below)

    def columnCount(self, parent: ModelIndex = _ROOT) -> int:
        return 1

    def hasChildren(self, parent: ModelIndex = _ROOT) -> bool:
        if self._root is None:
            return False
        return bool(self._at(self._path(parent)).cells)

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if role in (DISPLAY, ACCESSIBLE_TEXT) and index.isValid():
            return plain_text(line_pieces(self.worked(index)))
        return None

    def _path(self, index: ModelIndex) -> _Path:
        return self._paths[index.internalId()] if index.isValid() else ()

    def _at(self, path: _Path) -> Worked:
        assert self._root is not None
        worked = self._root
        for row in path:
            worked = worked.below[row]
        return worked

    def _emit_changed(self, parent: QModelIndex) -> None:
        rows = self.rowCount(parent)
        if not rows:
            return
        first, last = self.index(0, 0, parent), self.index(rows - 1, 0, parent)
        self.dataChanged.emit(first, last)
        for row, part in enumerate(self._at(self._path(parent)).below):
            if part.below:
                self._emit_changed(self.index(row, 0, parent))
