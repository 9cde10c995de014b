"""A list of documents with check boxes, with their contents and last edits."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from attnviewer.document import VARIANT_TITLES, Document
from attnviewer.one_line import one_line
from attnviewer.ui.state.edit_commands import Changes
from attnviewer.ui.text.tokens import how_many_tokens, token_line
from attnviewer.ui.widgets.tool_tips import plain_tip

_CHARACTERS = 132
"""Width of a dialog with such a list, in characters."""
_WORDS = 12
"""Most tokens that a summary names."""
_LINES = 3, 10
"""Fewest and most rows that are visible."""
_DAY = 24 * 60 * 60
_WIDEST = (0, 44, 30, 0, 20)
"""Most characters of each column; 0 for those that are never elided here: the first
takes the remaining width, and a time must be whole."""


@dataclass(frozen=True, slots=True)
class ListedDocument:
    """One row of the list.

    Parameters
    ----------
    title : str
        The document's title.
    content : str
        A summary of it, see `summary_of`.
    change : str
        The last edit, and the number of edits.
    time : datetime or None
        The time of the last edit.
    file : str or None
        The path of its file; None without one.
    data : object
        The object that the row represents.
    """

    title: str
    content: str
    change: str
    time: datetime | None
    file: str | None
    data: object


class Checklist(QTreeWidget):
    """Documents with check boxes; all are checked at first.

    Parameters
    ----------
    rows : iterable of ListedDocument
        The documents.
    name : str
        The object name.
    parent : QWidget
        The dialog.

    Attributes
    ----------
    checked_changed : Signal
        The set of checked rows has changed.
    """

    checked_changed = Signal()

    def __init__(
        self, rows: Iterable[ListedDocument], name: str, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(self.tr("Documents"))
        self.ensurePolished()  # rows keep the height that they have at first
        self.setHeaderLabels(
            [
                self.tr("Document"),
                self.tr("Content"),
                self.tr("Last edit"),
                self.tr("Time"),
                self.tr("File"),
            ]
        )
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header, modes = self.header(), QHeaderView.ResizeMode
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, modes.Stretch)
        for column in range(1, len(_WIDEST)):
            header.setSectionResizeMode(column, modes.ResizeToContents)
        for row in rows:
            self._add(row)
        if items := self._items():
            self.setCurrentItem(items[0])
        least, most = _LINES
        lines = min(max(self.topLevelItemCount(), least), most) + 1  # plus the header
        self.setMinimumHeight(lines * 2 * self.fontMetrics().height())
        self.itemChanged.connect(self.checked_changed)

    @property
    def checked(self) -> list[object]:
        """The data of the checked rows, in order."""
        return [_data(item) for item in self._items() if _is_checked(item)]

    @property
    def unchecked(self) -> list[object]:
        """The data of the unchecked rows, in order."""
        return [_data(item) for item in self._items() if not _is_checked(item)]

    def take_checked(self) -> list[object]:
        """Remove the checked rows from the list, and return their data."""
        taken = [item for item in self._items() if _is_checked(item)]
        for item in taken:
            self.takeTopLevelItem(self.indexOfTopLevelItem(item))
        self.checked_changed.emit()
        return [_data(item) for item in taken]

    def _items(self) -> list[QTreeWidgetItem]:
        items = map(self.topLevelItem, range(self.topLevelItemCount()))
        return [item for item in items if item is not None]

    def _add(self, row: ListedDocument) -> None:
        name = one_line(Path(row.file).name) if row.file else "—"
        texts = [row.title, row.content, row.change, _when(row.time), name]
        metrics, modes = self.fontMetrics(), Qt.TextElideMode
        # File names often differ only at the end.
        elide = (modes.ElideRight,) * 4 + (modes.ElideMiddle,)
        elided = [
            metrics.elidedText(text, mode, widest * metrics.averageCharWidth())
            if widest
            else text
            for text, mode, widest in zip(texts, elide, _WIDEST, strict=True)
        ]
        item = QTreeWidgetItem(self, elided)
        item.setData(0, Qt.ItemDataRole.UserRole, row.data)
        item.setCheckState(0, Qt.CheckState.Checked)
        for column, text in enumerate([*texts[:3], _date(row.time), row.file or ""]):
            item.setToolTip(column, plain_tip(text))


def usual_width(dialog: QWidget) -> int:
    """Return the width of a dialog with such a list, which the screen has room for."""
    metrics, room = dialog.fontMetrics(), dialog.screen().availableSize().width()
    return min(_CHARACTERS * metrics.averageCharWidth(), room - 2 * metrics.height())


def summary_of(document: Document) -> str:
    """Return what distinguishes documents of the same title: tokens and variant."""
    tokens = document.tokens
    words = [token_line(token) for token in tokens[:_WORDS]]
    if len(tokens) > _WORDS:
        words.append("…")
    variant, count = VARIANT_TITLES[document.spec.variant], how_many_tokens(len(tokens))
    return f"{count}: {' '.join(words)} · {variant}"


def change_text(changes: Changes) -> str:
    """Describe the last edit and the number of edits."""
    if not changes.count:
        return ""
    if changes.count == 1:
        return changes.label
    text = QCoreApplication.translate("Checklist", "{label} ({count} edits)")
    return text.format(label=changes.label, count=changes.count)


def _data(item: QTreeWidgetItem) -> object:
    return item.data(0, Qt.ItemDataRole.UserRole)


def _is_checked(item: QTreeWidgetItem) -> bool:
    return item.checkState(0) == Qt.CheckState.Checked


def _when(time: datetime | None) -> str:
    """Return how long ago a time of the last day was, and earlier times as dates."""
    if time is None:
        return ""
    ago = (datetime.now(UTC) - time).total_seconds()
    units = (
        (60, 1, QCoreApplication.translate("Checklist", "{count} s ago")),
        (60 * 60, 60, QCoreApplication.translate("Checklist", "{count} min ago")),
        (_DAY, 60 * 60, QCoreApplication.translate("Checklist", "{count} h ago")),
    )
    for limit, unit, text in units:
        if 0 <= ago < limit:
            return text.format(count=int(ago // unit))
    return _date(time)


def _date(time: datetime | None) -> str:
    if time is None:
        return ""
    local = QDateTime.fromSecsSinceEpoch(int(time.timestamp()))
    return QLocale().toString(local, QLocale.FormatType.ShortFormat)
