"""The table of contents of the manual."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from attnviewer.ui.manual.pages import Page, slug

_URL = Qt.ItemDataRole.UserRole


class Contents(QTreeWidget):
    """Lists the pages, each with its headings; `chosen` carries the target."""

    chosen = Signal(QUrl)

    def __init__(self, pages: Sequence[Page], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("manual.contents")
        self.setAccessibleName(self.tr("Contents"))
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self._items: dict[tuple[str, str], QTreeWidgetItem] = {}
        for page in pages:
            item = self._add(QTreeWidgetItem(self, [page.title]), page)
            for heading in page.headings:
                self._add(QTreeWidgetItem(item, [heading]), page, slug(heading))
        self.currentItemChanged.connect(self._choose)
        # A click on the current item scrolls back to it.
        self.itemClicked.connect(self._choose)

    def show_url(self, url: QUrl) -> None:
        """Select the item of a page, or of a heading in it."""
        path = url.toLocalFile()
        page = self._items[path, ""]
        self.blockSignals(True)
        self.setCurrentItem(self._items.get((path, url.fragment()), page))
        page.setExpanded(True)
        self.blockSignals(False)

    def _add(
        self, item: QTreeWidgetItem, page: Page, fragment: str = ""
    ) -> QTreeWidgetItem:
        url = QUrl.fromLocalFile(str(page.path))
        self._items[url.toLocalFile(), fragment] = item
        url.setFragment(fragment)
        item.setData(0, _URL, url)
        return item

    @Slot(QTreeWidgetItem)
    def _choose(self, item: QTreeWidgetItem) -> None:
        self.chosen.emit(item.data(0, _URL))
