"""Every text of the window goes through Qt's translation, whatever a person opens."""

import re

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QPushButton,
    QTabBar,
    QTableView,
    QWidget,
)

from tests.menus import action_of, open_all
from tests.models.checkpoints import write_gpt2

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

OPEN, CLOSE = "⟦", "⟧"
TEXTS = ["text", "title", "toolTip", "placeholderText", "windowTitle"]
TEXTS += ["accessibleName", "accessibleDescription", "prefix", "suffix"]
# Names of matrices, dimensions and dtypes are the field's own in every language.
NAMES = re.compile(
    r"(W_[QKVO]|b_[QKVO]|[XPHLn]|context|bias|mask|tokens|d_\w+|n_\w+|[HL]\d|L\d H\d|"
    r"1/√d_k|float64|attnviewer)"
)
# What compute and documents say: formulas, steps, examples' titles and notes.
SAID_BELOW = (
    *("flow.", "step.hint", "explain.", "action.example.", "notes", "fill.preview"),
    *("title", "step.how", "atlas.location", "seek.target.name"),
)


class Wrapping(QTranslator):
    def isEmpty(self):
        return False

    def translate(self, context, text, disambiguation=None, n=-1):
        return f"{OPEN}{text}{CLOSE}"


@pytest.fixture
def window(qapp, appearance, open_window):
    translator = Wrapping()
    qapp.installTranslator(translator)
    yield open_window("example:two-heads")
    qapp.removeTranslator(translator)


def do(window, *names):
    for name in names:
        action_of(window, name).trigger()
        QApplication.processEvents()


def texts_of(thing):
    for name in TEXTS:
        read = getattr(thing, name, None)
        if callable(read) and not isinstance(thing, QTabBar):
            yield str(read())
    if isinstance(thing, QComboBox):
        yield from (thing.itemText(n) for n in range(thing.count()))
    if isinstance(thing, QTabBar):
        yield from (thing.tabText(n) for n in range(thing.count()))


def untranslated(window):
    """Return the texts of the window that have not been through translation."""
    things = [*window.findChildren(QWidget), *window.findChildren(QAction)]
    found = []
    for thing in things:
        name = thing.objectName()
        if name.startswith(SAID_BELOW) or isinstance(thing, QTableView):
            continue
        for text in texts_of(thing):
            # Fields of one sentence have a part of it on each of their sides.
            if OPEN not in text and CLOSE not in text and not NAMES.fullmatch(text):
                found += [(name, text)] if re.search(r"[^\W\d]", text) else []
    return [(name, text) for name, text in found if not text.startswith("Ctrl+")]


def test_a_window_as_it_opens_with_all_its_inputs_and_the_names_of_edits(window):
    open_all(window)
    assert untranslated(window) == []
    do(window, "variant.3", "bias", "bias.all", "positions.2", "token.find")
    window.notice.offer("⟦News⟧", [])
    assert untranslated(window) == []
    do(window, "token.add", "token.remove")
    window.inputs.table("W_Q").setFocus()
    window.inputs.table("W_Q").selectAll()
    do(window, "fill.ones", "cut", "paste", "fill.negate")
    stack = window.workbench.edits.activeStack()
    names = [stack.text(number) for number in range(stack.count())]
    assert len(names) >= 7
    assert [name for name in names if OPEN not in name] == []


def check_every_dialog(window):
    window.inputs.table("W_Q").setFocus()
    window.inputs.table("W_Q").selectAll()
    for name in ("fill", "draw_all", "dimensions", "token.sentence", "keys", "about"):
        do(window, name)
        dialog = QApplication.activeModalWidget()
        assert dialog.windowTitle().startswith(OPEN), name
        assert untranslated(dialog) == [], name
        dialog.reject()


def check_goal_seek_with_its_proposal(window, qtbot):
    do(window, "edit.seek")
    dialog = window.findChild(QDialog, "seek")
    assert dialog.windowTitle().startswith(OPEN)
    assert untranslated(window) == []
    number = dialog.findChild(QLineEdit, "seek.target.value")
    number.setText("0.8")
    QTest.keyClick(number, Qt.Key.Key_Return)
    proposed = dialog.findChild(QPushButton, "seek.apply").isVisible
    qtbot.waitUntil(proposed, timeout=20_000)  # on a busy machine
    assert untranslated(window) == []
    dialog.reject()


def check_a_window_with_a_model_that_is_changed_and_compared(window, qtbot, tmp_path):
    model = window.workbench.model
    for change in (
        lambda: model.open(write_gpt2(tmp_path / "⟦little⟧")),
        lambda: model.put_back(window.document),
        lambda: model.compare("4 5 6", stays=True),
    ):
        with qtbot.waitSignal(model.completed):
            change()
        QApplication.processEvents()
        assert untranslated(window) == []


def test_dialogs_goal_seek_and_a_model(window, qtbot, tmp_path):
    check_every_dialog(window)
    check_goal_seek_with_its_proposal(window, qtbot)
    check_a_window_with_a_model_that_is_changed_and_compared(window, qtbot, tmp_path)
