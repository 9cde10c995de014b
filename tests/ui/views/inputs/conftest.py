"""A panel in a window of its own, and hands that type into it."""

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QVBoxLayout, QWidget

from attnviewer.document import Document
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.inputs import InputsPanel
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.widgets.cell_editor import CellEditor
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.reason import ReasonBubble
from tests import documents


@pytest.fixture
def four_words():
    return documents.four_words()


@dataclass
class Bench:
    """The panel in a window, beside a button that can take the focus."""

    window: QWidget
    panel: InputsPanel
    edits: EditStack
    reason: ReasonBubble
    elsewhere: QPushButton
    notice: NoticeBar

    @property
    def document(self) -> Document:
        return self.edits.document

    def table(self, name: str) -> CellTable:
        return self.panel.findChild(CellTable, f"table.{name}")

    def has_table(self, name: str) -> bool:
        # Tables that were taken away live on until the event loop deletes them.
        table = self.table(name)
        return table is not None and table.isVisible()

    def at(self, name: str, row: int, column: int = 0) -> CellTable:
        table = self.table(name)
        table.setFocus()
        table.setCurrentIndex(table.model().index(row, column))
        return table

    def current(self, name: str) -> tuple[int, int]:
        index = self.table(name).currentIndex()
        return index.row(), index.column()

    def editor(self, name: str) -> CellEditor | None:
        editors = self.table(name).viewport().findChildren(QLineEdit)
        editors = [editor for editor in editors if editor.isVisible()]
        assert len(editors) < 2
        return editors[0] if editors else None

    def type_into(self, name: str, row: int, column: int, text: str) -> CellEditor:
        """Replace a cell's text, the editor left open."""
        QTest.keyClicks(self.at(name, row, column), text[0])
        editor = self.editor(name)
        QTest.keyClicks(editor, text[1:])
        return editor

    def enter(self, name: str, row: int, column: int, text: str) -> None:
        editor = self.type_into(name, row, column, text)
        QTest.keyClick(editor, Qt.Key.Key_Return)


@pytest.fixture
def open_bench(qtbot, appearance, make_edits):
    panels = []

    def open_(document: Document) -> Bench:
        window = QWidget()
        qtbot.addWidget(window)
        window.resize(340, 900)
        edits = make_edits(document, window)
        reason = ReasonBubble(window)
        panel = InputsPanel(edits, reason, window)
        panels.append(panel)
        elsewhere = QPushButton("elsewhere", window)
        notice = NoticeBar(window)
        panel.clipboard.notified.connect(notice.show_message)
        panel.clipboard.offered.connect(notice.offer)
        panel.clipboard.withdrawn.connect(notice.withdraw)
        layout = QVBoxLayout(window)
        layout.addWidget(notice)
        layout.addWidget(panel)
        layout.addWidget(elsewhere)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        QApplication.processEvents()
        return Bench(window, panel, edits, reason, elsewhere, notice)

    yield open_
    for panel in panels:
        panel.release()


@pytest.fixture
def bench(open_bench, four_words):
    return open_bench(four_words)
