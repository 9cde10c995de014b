"""The manual's window: contents, page and search field."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl, Slot
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeySequence,
    QShortcut,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QDialog,
    QSplitter,
    QTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.manual.browser import ManualBrowser
from attnviewer.ui.manual.contents import Contents
from attnviewer.ui.manual.hits import PageTexts
from attnviewer.ui.manual.pages import manual_pages
from attnviewer.ui.manual.search import SearchField
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.tool_bar import ToolBar

WIDTH, HEIGHT, CONTENTS = 62, 44, 14
"""In line heights."""
_GEOMETRY = "manual/geometry"


class ManualWindow(QDialog):
    """Shows the manual in a window of its own."""

    def __init__(self, appearance: Appearance, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self.setObjectName("manual")
        self.setWindowTitle(self.tr("Manual — attnviewer"))
        self._appearance = appearance
        pages = manual_pages()
        self._paths = [page.path for page in pages]
        self.text = ManualBrowser(appearance, self)
        self.contents = Contents(pages, self)
        self.search = SearchField(PageTexts(pages, self), self)
        split = QSplitter(self)
        split.setChildrenCollapsible(False)
        split.addWidget(self.contents)
        split.addWidget(self.text)
        split.setStretchFactor(1, 1)
        line = self.fontMetrics().height()
        split.setSizes([CONTENTS * line, (WIDTH - CONTENTS) * line])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._build_bar())
        layout.addWidget(split, 1)
        self._add_key(QKeySequence.StandardKey.Find, self._start_search)
        self._add_key("Ctrl+W", self.close)
        self.contents.chosen.connect(self.text.setSource)
        self.text.sourceChanged.connect(self._on_source_changed)
        self.search.moved.connect(self._show_hit)
        self._appearance.changed.connect(self._mark)
        self._open(0)
        self.text.setFocus()
        # Qt would limit the initial size to two thirds of the screen.
        self.resize(self.sizeHint())
        geometry = own_settings().value(_GEOMETRY)
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        room = self.screen().availableSize() - QSize(2 * line, 4 * line)
        return QSize(WIDTH * line, HEIGHT * line).boundedTo(room)

    def come_forward(self) -> None:
        """Show the window in front, with the focus."""
        self.show()
        self.raise_()
        self.activateWindow()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        own_settings().setValue(_GEOMETRY, self.saveGeometry())

    def _build_bar(self) -> ToolBar:
        bar, text, search = ToolBar(self), self.text, self.search
        back = self._button("back", "←", self.tr("Back"), "Alt+Left", text.backward)
        forward = self._button(
            "forward", "→", self.tr("Forward"), "Alt+Right", text.forward
        )
        for button, available in (
            (back, text.backwardAvailable),
            (forward, text.forwardAvailable),
        ):
            button.setEnabled(False)
            available.connect(button.setEnabled)
        title = self.tr("Previous match")
        previous = self._button("previous", "↑", title, "Shift+F3", search.previous)
        next_ = self._button("next", "↓", self.tr("Next match"), "F3", search.next)
        for widget in (back, forward, search, search.count, previous, next_):
            bar.addWidget(widget)
        return bar

    def _button(
        self, name: str, symbol: str, title: str, keys: str, does: Callable[[], object]
    ) -> QToolButton:
        button = symbol_button(f"manual.{name}", symbol, title, self)
        button.setToolTip(f"{title} ({keys})")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(does)
        self._add_key(keys, does)
        return button

    def _add_key(
        self, keys: str | QKeySequence.StandardKey, does: Callable[[], object]
    ) -> None:
        QShortcut(QKeySequence(keys), self).activated.connect(does)

    @Slot()
    def _start_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _open(self, page: int) -> None:
        self.text.setSource(QUrl.fromLocalFile(str(self._paths[page])))

    @Slot(QUrl)
    def _on_source_changed(self, url: QUrl) -> None:
        """Select the current page in the contents, and mark its hits."""
        self.search.page = self._paths.index(Path(url.toLocalFile()))
        self.contents.show_url(url)
        self._mark()

    @Slot()
    def _show_hit(self) -> None:
        hit = self.search.hit
        if hit is not None:
            if hit.page != self.search.page:
                self._open(hit.page)
            self.text.setTextCursor(self._cursor(hit.start, hit.start))
            self.text.ensureCursorVisible()
        self._mark()

    @Slot()
    def _mark(self) -> None:
        """Highlight the hits in the page."""
        theme = self._appearance.theme
        marks = []
        for hit in self.search.hits:
            if hit.page == self.search.page:
                now = hit == self.search.hit
                mark = QTextEdit.ExtraSelection()
                look = QTextCharFormat()
                look.setBackground(QColor(theme.fill if now else theme.selected))
                look.setForeground(QColor(theme.on_fill if now else theme.text))
                mark.format = look
                mark.cursor = self._cursor(hit.start, hit.end)
                marks.append(mark)
        self.text.setExtraSelections(marks)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.text.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor
