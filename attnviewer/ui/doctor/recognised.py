"""The list of a file's arrays, with the recognised step of each."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from attnviewer.document.array_roles.names import named

if TYPE_CHECKING:
    from attnviewer.doctor.case import Case
    from attnviewer.doctor.reading import CaseArrays

NAME, SHAPE, READ, AXES = range(4)


class RecognisedList(QTreeWidget):
    """Lists inputs, and what an implementation gave.

    Parameters
    ----------
    arrays : CaseArrays
        The arrays of a file.
    parent : QWidget
        The dialog.
    """

    def __init__(self, arrays: "CaseArrays", parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("check.recognised")
        self.setAccessibleName(self.tr("Arrays, and what they are read to be"))
        self.setHeaderLabels(
            [
                self.tr("Array"),
                self.tr("Shape"),
                self.tr("Read as"),
                self.tr("Order of axes"),
            ]
        )
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setTabKeyNavigation(False)
        self.setUniformRowHeights(True)
        self._mine: dict[str, QTreeWidgetItem] = {}
        given = self._group(self.tr("Inputs"))
        for name, array in arrays.inputs.items():
            known = named(name)
            item = _row(given, name, array.shape)
            item.setText(READ, known.role if known is not None else "—")
        mine = self._group(self.tr("What your code gave"))
        for name, array in arrays.mine.items():
            self._mine[name] = _row(mine, name, array.shape)
        self.expandAll()
        header = self.header()
        for column in (NAME, SHAPE, READ):
            mode = QHeaderView.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        header.setStretchLastSection(True)

    def show_case(self, case: "Case | None") -> None:
        """Show which step each array is; None where they fit no reading."""
        for item in self._mine.values():
            item.setText(READ, "—" if case is None else self.tr("left out"))
            item.setText(AXES, "")
        if case is None:
            return
        for step, origin in case.origins.items():
            item = self._mine[origin.name]
            item.setText(READ, step)
            item.setText(AXES, origin.axes)

    def _group(self, title: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self, [title])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setFirstColumnSpanned(True)
        font = item.font(NAME)
        font.setBold(True)
        item.setFont(NAME, font)
        return item


def _row(group: QTreeWidgetItem, name: str, shape: tuple[int, ...]) -> QTreeWidgetItem:
    return QTreeWidgetItem(group, [name, "×".join(map(str, shape)) or "1"])
