"""The list model of a role's combo box of arrays."""

from collections.abc import Mapping

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
)

from attnviewer.ui.import_.texts import array_text
from attnviewer.ui.widgets.item_roles import DISPLAY, TOOL_TIP, ModelIndex
from attnviewer.ui.widgets.tool_tips import plain_tip

_ROOT = QModelIndex()


class ArrayList(QAbstractListModel):
    """An empty choice, then every array; texts are formatted on demand."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], parent: QObject) -> None:
        super().__init__(parent)
        self._nothing = self.tr("none")
        self._names = tuple(shapes)
        self._shapes = shapes

    def name(self, row: int) -> str | None:
        """Return the array of a row; None for the first row."""
        return self._names[row - 1] if row > 0 else None

    def row(self, name: str | None) -> int:
        """Return the row of an array; the first row for None."""
        return 0 if name is None else self._names.index(name) + 1

    @property
    def longest(self) -> str:
        """The longest text in the list."""
        names = sorted(self._names, key=len)[-1:]
        return max([self._nothing, *map(self._text, names)], key=len)

    def rowCount(self, parent: ModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._names) + 1

    def data(self, index: ModelIndex, role: int = DISPLAY) -> object:
        if not index.isValid() or role not in (DISPLAY, TOOL_TIP):
            return None
        name = self.name(index.row())
        text = self._nothing if name is None else self._text(name)
        return plain_tip(text) if role == TOOL_TIP else text

    def _text(self, name: str) -> str:
        return array_text(name, self._shapes[name])
