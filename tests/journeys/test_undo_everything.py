"""A person does anything in the window, in any order, and undoes and redoes it all."""

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QSpinBox,
    QWidget,
)

from attnviewer.document import MASK
from attnviewer.io.session import save_session
from attnviewer.ui.views.inputs.cells.table import CellTable
from attnviewer.ui.views.inputs.mask.table import MaskTable
from attnviewer.ui.widgets.item_roles import EDIT
from attnviewer.ui.window.app import create_window
from tests.documents import given, given_across, state_of
from tests.wheel import NOTCH, turn_wheel

Key = Qt.Key
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

EXAMPLES = ["four-words", "two-heads", "journey", "narrow-keys"]
MOST_TOKENS = 9
"""The tables stay small enough to be looked at cell by cell."""

ENDS = [Key.Key_Return, Key.Key_Tab, Key.Key_Up, Key.Key_Escape, None]
TEXTS = ["1/3", "-0", "5e-324", "=-pi/4", "7", "2.0", "1.7e308", "0,5", "x+", "two"]
CLIPBOARDS = [
    "8",
    "1\t2\n3\t4",
    "[[1 0 0]\n [0 1 0]]",
    "0.5;1,5\n2;3",
    "new\nnewer\nnewest",
    "1\n0\n1\n0\n1",
    "1 2 3 4 5",
    "",
    "no\tnumber",
]
CELL_KEYS = [
    (Key.Key_Delete, NONE),
    (Key.Key_Backspace, NONE),
    (Key.Key_X, CONTROL),
    (Key.Key_C, CONTROL),
    (Key.Key_V, CONTROL),
    (Key.Key_A, CONTROL),
    (Key.Key_Right, SHIFT),
    (Key.Key_Down, SHIFT),
    (Key.Key_Space, SHIFT),
    (Key.Key_Space, CONTROL),
    (Key.Key_Space, NONE),
    (Key.Key_F2, NONE),
    (Key.Key_Return, NONE),
    (Key.Key_Tab, NONE),
    (Key.Key_Escape, NONE),
    (Key.Key_0, NONE),
    (Key.Key_Up, CONTROL | ALT),
    (Key.Key_Down, CONTROL | ALT | SHIFT),
    (Key.Key_PageDown, CONTROL),
]
TOKEN_KEYS = [
    (Key.Key_I, CONTROL),
    (Key.Key_I, CONTROL | SHIFT),
    (Key.Key_Delete, CONTROL),
    (Key.Key_J, CONTROL),
    (Key.Key_Up, ALT),
    (Key.Key_Down, ALT),
    (Key.Key_F, CONTROL),
    (Key.Key_F3, NONE),
]
BOXES = ["variant", "mask", "scale", "normalizer"]
FILLS = ["Zeros", "Ones", "Identity", "One-hot", "Negate", "Transpose"]

small = st.integers(0, 11)
places = st.tuples(small, small, small)


def settle():
    # What is opened now replaces panels, which are deleted afterwards.
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.processEvents()


def focus():
    return QApplication.focusWidget()


class Person(RuleBasedStateMachine):
    """Somebody at keyboard and mouse, who looks at everything after each action."""

    def __init__(self, sources, caught, log):
        super().__init__()
        self.sources = sources
        self.caught = caught
        self.log = log
        self.window = None

    @initialize(number=st.integers(0, 5))
    def open(self, number):
        source = self.sources[number % len(self.sources)]
        self.window = window = create_window(source)
        self.edits = window.workbench.edits
        window.resize(1366, 768)
        window.show()
        window.activateWindow()
        assert QTest.qWaitForWindowActive(window)
        QTest.keyClick(window, Key.Key_H, CONTROL | SHIFT)  # the history
        self.caught.clear()
        self.read = len(self.log.records)
        self.opened = {}
        self.seen = {}
        self.look()

    # -------------------------------------------------------------- what is there

    @property
    def document(self):
        return self.window.document

    def tables(self):
        return [t for t in self.window.findChildren(CellTable) if t.isVisible()]

    def cell(self, place):
        tables = self.tables()
        table = tables[place[0] % len(tables)]
        model = table.model()
        row, column = place[1] % model.rowCount(), place[2] % model.columnCount()
        index = model.index(row, column)
        table.scrollTo(index)
        return table, table.visualRect(index).center()

    def click(self, place):
        """Click a cell by what selects and changes nothing else."""
        table, where = self.cell(place)
        if isinstance(table, MaskTable):
            table.setFocus()
        else:
            QTest.mouseClick(table.viewport(), LEFT, pos=where)
        return table

    def press(self, key, modifiers=NONE):
        QTest.keyClick(focus() or self.window, key, modifiers)

    def choose(self, *titles):
        """Click through menus, as far as their entries can be chosen."""
        bar = self.window.menuBar()
        actions = bar.actions()
        action = next(a for a in actions if a.text().replace("&", "") == titles[0])
        QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(action).center())
        for title in titles[1:]:
            menu = QApplication.activePopupWidget()
            texts = {a.text().replace("&", ""): a for a in menu.actions()}
            named = [text for text in texts if text.startswith(title)]
            # "Fill" is not "Fill down".
            action = texts[min(named, key=len)] if named else None
            if action is None or not action.isEnabled():
                break
            QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())
            if action.menu() is not None:
                QTest.keyClick(menu, Key.Key_Right)  # at once, not after Qt's delay
        while (menu := QApplication.activePopupWidget()) is not None:
            QTest.keyClick(menu, Key.Key_Escape)
        self.activate(self.dialog_shown() or self.window)

    def activate(self, window):
        window.activateWindow()
        assert QTest.qWaitForWindowActive(window)

    def dialog_shown(self):
        dialogs = (d for d in self.window.findChildren(QDialog) if d.isVisible())
        return next(dialogs, None)

    def dialog(self):
        dialog = self.dialog_shown()
        if dialog is not None:
            self.activate(dialog)
        return dialog

    def leave_dialog(self):
        dialog = self.dialog()
        if dialog is not None:
            QTest.keyClick(dialog, Key.Key_Escape)
        self.activate(self.window)

    # ----------------------------------------------------------------- the inputs

    @rule(place=places, text=st.sampled_from(TEXTS), end=st.sampled_from(ENDS))
    def type_into(self, place, text, end):
        self.click(place)
        for letter in text:
            QTest.keyClicks(focus(), letter)
        if end is not None:
            self.press(end)

    @rule(text=st.sampled_from(TEXTS))
    def type_on(self, text):
        for letter in text:
            QTest.keyClicks(focus() or self.window, letter)

    @rule(place=places, keys=st.lists(st.sampled_from(CELL_KEYS), max_size=4))
    def press_keys_of_cells(self, place, keys):
        self.click(place)
        for key, modifiers in keys:
            self.press(key, modifiers)

    @rule(
        place=places,
        text=st.sampled_from(CLIPBOARDS),
        offer=st.sampled_from([None, 0, 1]),
    )
    def paste(self, place, text, offer):
        self.click(place)
        QGuiApplication.clipboard().setText(text)
        self.press(Key.Key_V, CONTROL)
        self.take_offer(offer)

    def take_offer(self, offer):
        button = self.window.findChild(QPushButton, f"notice.offer.{offer}")
        if button is not None and button.isVisible():
            grows = len(self.document.tokens) < MOST_TOKENS or "fits" in button.text()
            if grows:
                QTest.mouseClick(button, LEFT)

    @rule(place=places, keys=st.lists(st.sampled_from(TOKEN_KEYS), min_size=1))
    def press_keys_of_tokens(self, place, keys):
        self.click(place)
        for key, modifiers in keys[:3]:
            grows = modifiers & CONTROL and key in (Key.Key_I, Key.Key_J)
            if not grows or self.most_tokens() < MOST_TOKENS:
                self.press(key, modifiers)

    def most_tokens(self):
        return max(map(len, self.document.labels))

    @rule(text=st.sampled_from(["w", "word 2", "?"]), back=st.booleans())
    def find(self, text, back):
        self.press(Key.Key_F, CONTROL)
        if focus() is not None and focus().objectName().startswith("find."):
            QTest.keyClicks(focus(), text)
            self.press(Key.Key_Return, SHIFT if back else NONE)
            self.press(Key.Key_Escape)

    @rule(start=small, stop=small)
    def drag_a_token(self, start, stop):
        table = self.window.inputs.table("tokens")
        if table is None or not table.isVisible():
            return
        count = table.model().rowCount()
        self.drag(table, (start % count, 0), (stop % count, 0))

    @rule(start=st.tuples(small, small), stop=st.tuples(small, small))
    def paint_the_mask(self, start, stop):
        if self.window.inputs.table(MASK) is None:
            self.choose_in_the_bar("mask", Key.Key_Down)
        table = self.window.inputs.table(MASK)
        if table is None or not table.isVisible():
            return
        shape = table.model().rowCount(), table.model().columnCount()
        start, stop = (
            tuple(i % n for i, n in zip(c, shape, strict=True)) for c in (start, stop)
        )
        self.drag(table, start, stop)

    @rule(place=places, way=st.sampled_from([-9, 5, 40]), undo=st.booleans())
    def scrub_by_dragging(self, place, way, undo):
        table, where = self.cell(place)
        viewport = table.viewport()
        QTest.mousePress(viewport, LEFT, ALT, where)
        self.move(viewport, where + QPoint(way, 0), ALT)
        if undo:
            self.press(Key.Key_Z, CONTROL)
        self.move(viewport, where + QPoint(2 * way, 0), ALT)
        QTest.mouseRelease(viewport, LEFT, ALT, where)

    def drag(self, table, start, stop):
        viewport, model = table.viewport(), table.model()
        first, last = (table.visualRect(model.index(*c)) for c in (start, stop))
        QTest.mousePress(viewport, LEFT, NONE, first.center())
        self.move(viewport, last.center() + QPoint(0, 4), NONE)
        QTest.mouseRelease(viewport, LEFT, NONE, last.center())

    def move(self, viewport, where, modifiers):
        places = QPointF(where), QPointF(viewport.mapToGlobal(where))
        kind, no = QEvent.Type.MouseMove, Qt.MouseButton.NoButton
        event = QMouseEvent(kind, *places, no, LEFT, modifiers)
        QApplication.sendEvent(viewport, event)

    @rule(
        place=places,
        notches=st.lists(st.sampled_from([-NOTCH, NOTCH]), min_size=1, max_size=4),
        fine=st.booleans(),
    )
    def scrub_by_the_wheel(self, place, notches, fine):
        table, where = self.cell(place)
        for notch in notches:
            held = CONTROL | SHIFT if fine else CONTROL
            turn_wheel(table.viewport(), notch, where, held)

    @rule(fill=st.sampled_from(FILLS))
    def fill_from_the_menu(self, fill):
        self.choose("Edit", "Fill", fill)
        self.leave_dialog()

    @rule(place=places, together=st.booleans(), more=st.booleans())
    def draw(self, place, together, more):
        self.click(place)
        key = Key.Key_R if together else Key.Key_F
        self.press(key, CONTROL | SHIFT)
        dialog = self.dialog()
        if dialog is not None:
            goes_on = dialog.findChild(QAbstractButton, "fill.continue")
            if more and goes_on.isVisible():
                QTest.keyClick(goes_on, Key.Key_Space)
            QTest.keyClick(dialog, Key.Key_Return)
        self.leave_dialog()

    @rule(
        text=st.sampled_from(["to be or not to be", "word 2 word 1", "I?", ""]),
        method=st.integers(0, 2),
        keep=st.booleans(),
    )
    def say_a_sentence(self, text, method, keep):
        self.press(Key.Key_T, CONTROL)
        dialog = self.dialog()
        if dialog is None:
            return
        line = dialog.findChild(QPlainTextEdit, "sentence.text")
        line.selectAll()
        QTest.keyClicks(line, text)
        for _ in range(method):
            QTest.keyClick(dialog.findChild(QWidget, "sentence.method"), Key.Key_Down)
        if not keep:
            QTest.keyClick(dialog.findChild(QWidget, "sentence.keep"), Key.Key_Space)
        QTest.mouseClick(dialog.findChild(QPushButton, "sentence.accept"), LEFT)
        self.leave_dialog()

    # ---------------------------------------------------------------- the choices

    @rule(
        name=st.sampled_from(["d_model", "d_context", "d_k", "d_v", "n_heads"]),
        by=st.sampled_from([-1, 1]),
        random=st.booleans(),
    )
    def resize(self, name, by, random):
        self.press(Key.Key_M, CONTROL | SHIFT)
        dialog = self.dialog()
        if dialog is None:
            return
        spin = dialog.findChild(QSpinBox, f"dimensions.{name}")
        if spin is not None and 1 <= spin.value() + by <= MOST_TOKENS:
            QTest.keyClick(spin, Key.Key_Up if by > 0 else Key.Key_Down)
            if random:
                padding = dialog.findChild(QWidget, "dimensions.padding")
                QTest.keyClick(padding, Key.Key_Down)
            QTest.keyClick(dialog, Key.Key_Return)
        self.leave_dialog()

    @rule(name=st.sampled_from(BOXES), key=st.sampled_from([Key.Key_Up, Key.Key_Down]))
    def choose_in_the_bar(self, name, key):
        box = self.window.findChild(QWidget, f"spec.{name}")
        box.setFocus()
        QTest.keyClick(box, key)

    @rule(key=st.sampled_from([Key.Key_Up, Key.Key_Down, Key.Key_5]))
    def choose_heads(self, key):
        heads = self.window.findChild(QWidget, "spec.heads")
        if heads.isEnabled():
            heads.setFocus()
            heads.selectAll()
            QTest.keyClick(heads, key)

    @rule(
        keys=st.lists(
            st.sampled_from([Key.Key_Left, Key.Key_Right, Key.Key_PageUp]),
            min_size=1,
            max_size=3,
        )
    )
    def slide_the_temperature(self, keys):
        slider = self.window.findChild(QSlider, "spec.temperature.slider")
        slider.setFocus()
        for key in keys:
            QTest.keyClick(slider, key)

    @rule(text=st.sampled_from(["0.5", "3", "-1", "1e999", "1/3"]), end=st.booleans())
    def type_a_temperature(self, text, end):
        line = self.window.findChild(QLineEdit, "spec.temperature.number")
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
        if end:
            QTest.keyClick(line, Key.Key_Return)

    @rule(
        titles=st.sampled_from(
            [
                ("Output projection W_O",),
                ("Added bias",),
                ("Biases", "All"),
                ("Biases", "b_Q"),
                ("Positions", "Sinusoidal"),
                ("Positions", "Learned"),
                ("Positions", "Linear"),
                ("Positions", "None"),
                ("Soft cap", "5"),
                ("Scale", "none"),
                ("Normalise", "Sparsemax"),
                ("Key/value heads", "1"),
                ("Variant", "Cross"),
            ]
        )
    )
    def choose_in_the_menu(self, titles):
        self.choose("Attention", *titles)

    # ---------------------------------------------------------- undo and documents

    @rule(steps=st.integers(1, 4), redo=st.booleans())
    def undo_by_keys(self, steps, redo):
        for _ in range(steps):
            self.press(Key.Key_Z, CONTROL | SHIFT if redo else CONTROL)

    @rule(steps=st.integers(1, 3), name=st.sampled_from(["undo", "redo"]))
    def undo_by_buttons(self, steps, name):
        button = self.window.findChild(QAbstractButton, f"button.{name}")
        for _ in range(steps):
            QTest.mouseClick(button, LEFT)

    @rule(name=st.sampled_from(["Undo", "Redo"]))
    def undo_by_the_menu(self, name):
        self.choose("Edit", name)

    @rule(
        places=st.lists(places, min_size=2, max_size=2),
        text=st.sampled_from(TEXTS),
        name=st.sampled_from(["undo", "redo"]),
    )
    def undo_while_typing(self, places, text, name):
        for place, end in zip(places, (Key.Key_Return, None), strict=True):
            self.type_into((places[0][0], *place[1:]), text, end)
        self.undo_by_buttons(1, name)

    @rule(row=small)
    def click_into_the_history(self, row):
        history = self.window.findChild(QListView, "history.list")
        row = row % history.model().rowCount()
        index = history.model().index(row, 0)
        history.scrollTo(index)
        where = history.visualRect(index).center()
        QTest.mouseClick(history.viewport(), LEFT, pos=where)

    @precondition(lambda self: len(self.opened) < 4)
    @rule(title=st.sampled_from(["Four words", "Your journey", "Two heads"]))
    def open_an_example(self, title):
        self.choose("Examples", title)

    @rule(place=small)
    def go_back_to_a_document(self, place):
        aside = self.window.workbench.set_aside
        if aside:
            title = aside[place % len(aside)].title
            self.choose("File", "Changed documents", title.replace("&", ""))

    # ------------------------------------------------------------------ the looks

    @invariant()
    def everything_agrees(self):
        if self.window is not None:
            self.look()

    def look(self):
        settle()
        assert not self.caught
        assert [str(r) for r in self.log.records[self.read :] if not r.ignored] == []
        self.look_at_the_stack()
        for table in self.window.findChildren(CellTable):
            self.look_at(table)
        engine = self.window.workbench.engine
        engine.flush()
        assert engine.current.revision == self.document.revision
        with np.errstate(all="ignore"):
            expected = self.document.compute()["weights"]
        # An edit followed in place adds up in another order than a fresh pass.
        np.testing.assert_allclose(
            engine.current.trace["weights"], expected, rtol=0, atol=1e-12
        )

    def look_at_the_stack(self):
        document, edits = self.document, self.edits
        now = state_of(document)
        assert now == self.opened.setdefault(document, now) or not edits.isClean()
        assert self.window.isWindowModified() is not edits.isClean()
        stack = edits.activeStack()
        assert edits.isClean() is (stack.index() == 0)
        names = [stack.text(row) for row in range(stack.count())]
        before = self.seen.get(document)
        if before is not None:
            old_index, old_names, old_state = before
            if old_index == stack.index() and old_names == names:
                # What a gesture goes on with may bear the same name.
                merges = names[stack.index() - 1 :][:1]
                assert old_state == now or any("Scrub" in name for name in merges)
        self.seen[document] = stack.index(), names, now

    def look_at(self, table):
        document, model = self.document, table.model()
        cells = [
            [model.index(row, column).data(EDIT) for column in range(n)]
            for n in [model.columnCount()]
            for row in range(model.rowCount())
        ]
        if table.name in ("tokens", "context_tokens"):
            assert cells == [[token] for token in getattr(document, table.name)]
        elif table.name != MASK:
            matrix = document.matrix(table.name)
            assert np.array(cells, dtype=float).tobytes() == matrix.tobytes()

    def walk(self, key):
        """Go to an end of the history by keys; return the states on the way."""
        stack, states = self.edits.activeStack(), [state_of(self.document)]
        forward = bool(key & SHIFT)
        while stack.canRedo() if forward else stack.canUndo():
            QTest.keyClick(self.window, Key.Key_Z, key)
            states.append(state_of(self.document))
        return states

    def teardown(self):
        window = self.window
        if window is None:
            return
        try:
            self.leave_dialog()
            self.undo_and_redo_all()
            for document in window.workbench.set_aside:
                window.opener.reopen(document)
                self.undo_and_redo_all()
        finally:
            for dialog in window.findChildren(QDialog):
                dialog.close()
            window.confirm_close = None
            window.close()
            window.deleteLater()
            settle()

    def undo_and_redo_all(self):
        # What is being typed is taken over, or given up where it is refused.
        for editor in self.window.findChildren(QLineEdit, "cell.editor"):
            if editor.isVisible():
                QTest.keyClick(editor, Key.Key_Return)
                QTest.keyClick(editor, Key.Key_Escape)
        self.window.menuBar().setFocus()
        self.look()
        self.walk(CONTROL | SHIFT)
        self.look()
        last = state_of(self.document)
        back = self.walk(CONTROL)
        self.look()
        assert state_of(self.document) == self.opened[self.document]
        assert not self.window.isWindowModified()
        forth = self.walk(CONTROL | SHIFT)
        self.look()
        assert state_of(self.document) == last
        assert forth == back[::-1]


# The offscreen platform says so of every menu that opens.
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_whatever_is_done_in_the_window_can_be_undone_and_redone(
    qtbot, appearance, qtlog, tmp_path, monkeypatch
):
    # Nobody would ever answer the system's dialog.
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    sources = [f"example:{name}" for name in EXAMPLES]
    for document in (given(), given_across()):
        sources.append(str(tmp_path / f"{document.title}.attn"))
        save_session(document, sources[-1])
    with qtbot.captureExceptions() as caught:
        run_state_machine_as_test(
            lambda: Person(sources, caught, qtlog),
            # Windows are opened too slowly to look for the shortest way to a failure.
            settings=settings(
                max_examples=3, stateful_step_count=42, phases=[Phase.generate]
            ),
        )
