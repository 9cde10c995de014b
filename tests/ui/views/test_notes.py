"""The notes of a document by themselves."""

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from attnviewer.ui.views.notes import NotesArea

TEXT = "Each word is a query, and looks at every other word, which is a key. " * 12


def test_notes_that_fit_again_have_no_scroll_bar(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    notes = NotesArea(window)
    layout.addWidget(notes)
    layout.addStretch()
    notes.set_text(TEXT)
    window.show()
    for width in range(240, 480, 16):  # in some, a scroll bar takes a line more
        window.resize(width, 800)
        for free in (0, 800):
            notes.set_free(free)
            QApplication.processEvents()
            assert (notes.verticalScrollBar().maximum() == 0) is bool(free), width
