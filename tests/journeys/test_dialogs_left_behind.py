"""The document changes while a dialog about it is open."""

from itertools import product

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QDialog

from attnviewer.document.sequences import remove_tokens
from tests.menus import action_of


def trigger(window, name):
    action_of(window, name).trigger()


def undo(window):
    window.workbench.edits.undo()


def remove(window):
    edits = window.workbench.edits
    edits.submit(remove_tokens(edits.document, "X", 0, 3, "Remove"))


def switch(window):
    trigger(window, "example.two-heads")


def test_a_dialog_goes_when_the_document_changes_under_it(window):
    names = "token.sentence", "dimensions", "fill", "draw_all"
    for name, change in product(names, (undo, remove, switch)):
        trigger(window, "example.four-words")
        table = window.inputs.table("W_Q")
        table.setFocus()
        table.setCurrentIndex(table.model().index(2, 2))
        trigger(window, "variant.3")
        document = window.document
        before = document.revision
        trigger(window, name)
        (dialog,) = window.findChildren(QDialog)
        assert dialog.isVisible(), name
        change(window)
        assert not dialog.isVisible(), name
        assert document.revision == before + (change is not switch)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert not window.findChildren(QDialog), name
