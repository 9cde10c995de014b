"""The document changes while a dialog about it is open."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QDialog

from attnviewer.document.sequences import remove_tokens


@pytest.fixture
def window(window):
    table = window.inputs.table("W_Q")
    table.setFocus()
    table.setCurrentIndex(table.model().index(2, 2))
    return window


def trigger(window, name):
    window.findChild(QAction, f"action.{name}").trigger()


def undo(window):
    window.workbench.edits.undo()


def remove(window):
    edits = window.workbench.edits
    edits.submit(remove_tokens(edits.document, "X", 0, 3, "Remove"))


def switch(window):
    trigger(window, "example.two-heads")


@pytest.mark.parametrize("change", [undo, remove, switch])
@pytest.mark.parametrize("name", ["token.sentence", "dimensions", "fill", "draw_all"])
def test_a_dialog_goes_when_the_document_changes_under_it(window, name, change):
    trigger(window, "variant.3")
    document = window.document
    before = document.revision
    trigger(window, name)
    (dialog,) = window.findChildren(QDialog)
    assert dialog.isVisible()
    change(window)
    assert not dialog.isVisible()
    assert document.revision == before + (change is not switch)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not window.findChildren(QDialog)
