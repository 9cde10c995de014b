"""The dialog that fills cells, with real keys."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)

from attnviewer.compute import Spec
from attnviewer.document import Document, Region, SetCells
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.views.inputs.fills.dialog import FillDialog
from tests.mnemonics import mnemonics_of

Key = Qt.Key
CONTROL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
FILL, DRAW_ALL = Key.Key_F, Key.Key_R
FIRST_CELL = Region(0, 0, 1, 1)
press = QTest.keyClick

# np.random.seed(42), then np.random.randint(3, size=(3, 3)) three times.
PRINTED = {
    "W_Q": [[2, 0, 2], [2, 0, 0], [2, 1, 2]],
    "W_K": [[2, 2, 2], [0, 2, 1], [0, 1, 1]],
    "W_V": [[1, 1, 0], [0, 1, 1], [0, 0, 0]],
}


@pytest.fixture
def four_words():
    """Four words whose weights are still to be drawn."""
    matrices = {name: np.full((3, 3), 9.0) for name in PRINTED}
    matrices["X"] = np.array([[1.0, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]])
    return Document("Four words", ["a", "b", "c", "d"], matrices, Spec())


class Dialog:
    """The open dialog, and hands that type into it."""

    def __init__(self, bench, dialog):
        self.bench, self.widget = bench, dialog

    def child(self, name) -> QWidget:
        found = self.widget.findChild(QWidget, f"fill.{name}")
        assert found is not None, name
        return found

    def type(self, name, text):
        line = self.child(name)
        assert isinstance(line, QLineEdit)
        assert line.isVisible()
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)

    def choose(self, title):
        """Go to an entry of the list of fills by its keys."""
        box = self.child("what")
        assert isinstance(box, QComboBox)
        box.setFocus()
        press(box, Key.Key_Home)
        while box.currentText() != title:
            before = box.currentIndex()
            press(box, Key.Key_Down)
            assert box.currentIndex() > before, title

    def enter(self):
        press(QApplication.focusWidget(), Key.Key_Return)

    def text(self, name):
        label = self.child(name)
        assert isinstance(label, QLabel | QAbstractButton)
        return label.text().replace("&", "")

    @property
    def preview(self):
        return self.text("preview")

    @property
    def reason(self):
        return self.text("reason")


@pytest.fixture
def ask_in():
    """Make, for a panel, what opens the dialog by keys for a selection."""
    benches = []

    def prepare(bench):
        benches.append(bench)
        bench.window.addActions(bench.panel.fills.menu.actions())

        def open_(keys, name="W_Q", block=FIRST_CELL):
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            bench.window.activateWindow()
            QApplication.processEvents()
            table = bench.at(name, block.row, block.column)
            table.select_block(block)
            press(table, keys, CONTROL_SHIFT)
            (dialog,) = bench.window.findChildren(FillDialog)
            dialog.activateWindow()
            QApplication.processEvents()
            return Dialog(bench, dialog)

        return open_

    yield prepare
    for bench in benches:
        for dialog in bench.window.findChildren(FillDialog):
            dialog.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def ask(bench, ask_in):
    return ask_in(bench)


def weights(bench):
    return {name: bench.document.matrix(name).tolist() for name in PRINTED}


def test_seed_42_drawn_one_after_the_other_gives_the_notebooks_matrices(bench, ask):
    before = weights(bench)
    dialog = ask(FILL, "W_Q")
    assert not dialog.child("continue").isVisible()
    dialog.choose("Random integers")
    dialog.type("integers.high", "3")
    dialog.type("seed", "42")
    dialog.enter()
    assert not dialog.widget.isVisible()
    dialog = ask(FILL, "W_K")
    press(dialog.child("continue"), Key.Key_Space)
    assert not dialog.child("seed").isEnabled()
    dialog.child("what").setFocus()
    dialog.enter()
    dialog = ask(FILL, "W_V")
    assert dialog.text("continue") == "Continue the random stream of seed 42"
    assert dialog.child("continue").isChecked()  # remembered
    dialog.enter()
    assert weights(bench) == PRINTED
    (recipe,) = bench.document.recipes
    assert (recipe.seed, recipe.generator) == (42, "legacy")
    assert [draw.matrix for draw in recipe.draws] == ["W_Q", "W_K", "W_V"]
    assert bench.edits.undoText() == "Draw W_V: randint 0–2, seed 42"
    for _ in range(3):
        bench.edits.undo()
    assert weights(bench) == before
    assert bench.document.recipes == ()
    for _ in range(3):
        bench.edits.redo()
    assert weights(bench) == PRINTED
    assert bench.document.recipes == (recipe,)


def test_all_weights_are_drawn_at_once_as_one_step(bench, ask):
    before = weights(bench)
    dialog = ask(DRAW_ALL)
    names = [dialog.text(f"into.{number}") for number in range(4)]
    assert names == ["W_Q, 3×3", "W_K, 3×3", "W_V, 3×3", "X, 4×3"]
    dialog.type("integers.high", "3")
    dialog.type("seed", "42")
    assert dialog.preview.splitlines() == [
        "W_Q =    W_K =    W_V =",
        " 2 0 2    2 2 2    1 1 0",
        " 2 0 0    0 2 1    0 1 1",
        " 2 1 2    0 1 1    0 0 0",
    ]
    dialog.enter()
    assert weights(bench) == PRINTED
    assert bench.edits.count() == 1
    assert bench.edits.undoText() == "Draw W_Q, W_K, W_V: randint 0–2, seed 42"
    bench.edits.undo()
    assert weights(bench) == before
    bench.edits.redo()
    assert weights(bench) == PRINTED


def test_matrices_are_left_out_by_space_and_none_at_all_is_refused(bench, ask):
    dialog = ask(DRAW_ALL)
    for number in range(3):
        press(dialog.child(f"into.{number}"), Key.Key_Space)
    assert dialog.reason == "Check at least one matrix."
    dialog.child("what").setFocus()
    dialog.enter()
    assert dialog.widget.isVisible()
    assert bench.edits.count() == 0
    press(dialog.child("into.3"), Key.Key_Space)
    assert dialog.reason == ""
    dialog.choose("Random uniform")
    dialog.type("seed", "123")
    dialog.enter()
    # np.random.seed(123); np.random.rand(): NumPy's first number.
    assert bench.document.matrix("X")[0, 0] == 0.6964691855978616
    assert bench.edits.undoText() == "Draw X: uniform 0–1, seed 123"


def test_numpys_default_generator_is_chosen_by_keys(bench, ask):
    dialog = ask(FILL)
    dialog.choose("Random integers")
    dialog.child("generator").setFocus()
    press(dialog.child("generator"), Key.Key_Down)
    dialog.enter()
    # What NumPy's default generator gives for seed 42, as recorded.
    assert weights(bench)["W_Q"] == [[0, 2, 1], [1, 1, 2], [0, 2, 0]]
    assert bench.document.recipes[0].generator == "default"


def test_a_selection_is_filled_or_by_choice_the_whole_matrix(bench, ask):
    block = Region(1, 0, 2, 2)
    dialog = ask(FILL, "W_Q", block)
    assert dialog.text("into.0") == "The selection: W_Q, rows 1–2, columns 0–1"
    assert dialog.text("into.1") == "The whole of W_Q, 3×3"
    dialog.choose("Identity")
    dialog.enter()
    assert weights(bench)["W_Q"] == [[9, 9, 9], [1, 0, 9], [0, 1, 9]]
    text = "Fill W_Q, rows 1–2, columns 0–1 with the identity"
    assert bench.edits.undoText() == text
    assert bench.edits.cursor.selection == InputSelection("W_Q", block)
    dialog = ask(FILL, "W_Q", block)
    dialog.child("into.0").setFocus()
    press(dialog.child("into.0"), Key.Key_Down)
    dialog.enter()
    assert weights(bench)["W_Q"] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert bench.edits.undoText() == "Fill W_Q with the identity"


def test_one_cell_alone_stands_for_its_matrix_and_the_dialog_says_so(bench, ask):
    dialog = ask(FILL, "X", Region(2, 1, 1, 1))
    texts = [dialog.text("into.0"), dialog.text("into.1")]
    assert texts == [
        "The whole of X, 4×3, as only one cell is selected",
        "The selection: X[2, 1]",
    ]
    dialog.choose("One number")
    dialog.type("constant.value", "-0.25")
    dialog.enter()
    assert (bench.document.matrix("X") == -0.25).all()
    assert bench.edits.undoText() == "Fill X with -0.25"


def test_numbers_are_typed_as_into_cells_arithmetic_included(bench, ask):
    dialog = ask(FILL, "X")
    dialog.choose("One number")
    dialog.type("constant.value", "-1/4")
    assert dialog.preview.splitlines()[1].split() == ["−0.25"] * 3
    dialog.enter()
    assert (bench.document.matrix("X") == -0.25).all()


@pytest.mark.parametrize(
    ("title", "typed", "want", "label"),
    [
        ("Zeros", {}, [[0, 0], [0, 0]], "Fill W_Q with zeros"),
        ("Ones", {}, [[1, 1], [1, 1]], "Fill W_Q with ones"),
        ("One-hot rows", {}, [[1, 0], [0, 1]], "Fill W_Q with one-hot rows"),
        ("Negate", {}, [[-1.5, 2], [-3, 0]], "Negate W_Q"),
        ("Transpose", {}, [[1.5, 3], [-2, 0]], "Transpose W_Q"),
        ("Scale", {"scale.factor": "-2"}, [[-3, 4], [-6, 0]], "Scale W_Q by -2"),
        (
            "Round",
            {"round.decimals": "0"},
            [[2, -2], [3, 0]],
            "Round W_Q to 0 decimals",
        ),
        (
            "Random normal",
            {"normal.mean": "3", "normal.deviation": "0", "seed": "1"},
            [[3, 3], [3, 3]],
            "Draw W_Q: normal 3 ± 0, seed 1",
        ),
    ],
)
def test_every_fill_is_chosen_by_keys_and_named_for_undo(
    open_bench, ask_in, title, typed, want, label
):
    weights = {f"W_{n}": [[1.5, -2.0], [3.0, 0.0]] for n in "QKV"}
    small = Document("Small", ["a"], {"X": [[1.0, 2.0]], **weights}, Spec())
    bench = open_bench(small)
    dialog = ask_in(bench)(FILL)
    dialog.choose(title)
    for name, text in typed.items():
        dialog.type(name, text)
    dialog.enter()
    assert small.matrix("W_Q").tolist() == want
    assert bench.edits.undoText() == label
    bench.edits.undo()
    assert small.matrix("W_Q").tolist() == weights["W_Q"]


def test_xavier_and_orthogonal_ask_for_nothing_but_the_seed(bench, ask):
    dialog = ask(FILL, "W_Q", Region(0, 0, 2, 3))
    dialog.choose("Random Xavier (Glorot)")
    visible = [
        line.objectName()
        for line in dialog.widget.findChildren(QLineEdit)
        if line.isVisible()
    ]
    assert visible == ["fill.seed"]
    dialog.enter()
    # The fans are those of the whole matrix: √(6 / (3 + 3)) = 1.
    assert bench.edits.undoText().endswith(": Xavier ±1, seed 42")
    dialog = ask(FILL, "W_K")
    dialog.choose("Random orthogonal")
    dialog.enter()
    drawn = bench.document.matrix("W_K")
    np.testing.assert_allclose(drawn.T @ drawn, np.eye(3), atol=1e-14)


@pytest.mark.parametrize(
    ("title", "name", "text", "reason"),
    [
        ("One number", "constant.value", "abc", "“abc” is not a number."),
        (
            "Round",
            "round.decimals",
            "1.5",
            "The 'decimals' must be a whole number. Got 1.5 instead.",
        ),
        (
            "Round",
            "round.decimals",
            "16",
            "The 'decimals' must be a whole number from 0 to 15. Got 16 instead.",
        ),
        (
            "Random integers",
            "integers.high",
            "0",
            "The 'high' must be above the 'low', 0. Got 0 instead.",
        ),
        (
            "Random normal",
            "normal.deviation",
            "-1",
            "The 'deviation' must be at least 0. Got -1 instead.",
        ),
        (
            "Random uniform",
            "seed",
            "4294967296",
            "The 'seed' must be a whole number from 0 to 4294967295. "
            "Got 4294967296 instead.",
        ),
        (
            "Scale",
            "scale.factor",
            "1e308",
            "The 'factor' must keep every number within about ±1.8e308. "
            "Got 1e+308 instead.",
        ),
    ],
)
def test_a_wrong_number_is_told_in_place_and_nothing_is_lost(
    bench, ask, title, name, text, reason
):
    dialog = ask(FILL)
    dialog.choose(title)
    dialog.type(name, text)
    assert dialog.reason == reason
    assert dialog.preview == ""
    dialog.enter()
    assert dialog.widget.isVisible()
    assert dialog.child(name).text() == text
    assert bench.edits.count() == 0
    press(dialog.child(name), Key.Key_Escape)
    assert not dialog.widget.isVisible()
    assert bench.edits.count() == 0


def test_a_reason_takes_the_place_of_the_preview_and_no_more_room(bench, ask):
    dialog = ask(FILL)
    dialog.choose("Random integers")
    assert dialog.child("preview").isVisible()
    assert not dialog.child("reason").isVisible()
    height = dialog.widget.sizeHint().height()
    dialog.type("integers.high", "-5")
    assert dialog.child("reason").isVisible()
    assert not dialog.child("preview").isVisible()
    assert dialog.widget.sizeHint().height() == height
    dialog.type("integers.high", "5")
    assert dialog.child("preview").isVisible()
    assert not dialog.child("reason").isVisible()


def test_the_line_that_cannot_be_read_is_marked_until_it_can(bench, ask):
    dialog = ask(FILL)
    dialog.choose("Random integers")
    dialog.type("integers.low", "x")
    assert dialog.child("integers.low").property("invalid") is True
    assert not dialog.child("integers.high").property("invalid")
    dialog.child("what").setFocus()
    dialog.enter()
    assert QApplication.focusWidget() is dialog.child("integers.low")
    dialog.type("integers.low", "1")
    assert dialog.child("integers.low").property("invalid") is False


def test_what_was_typed_is_there_again_the_next_time(bench, ask):
    dialog = ask(FILL)
    dialog.choose("Random uniform")
    dialog.type("uniform.low", "-0.5")
    dialog.type("uniform.high", "0.5")
    dialog.type("seed", "7")
    dialog.enter()
    dialog = ask(DRAW_ALL)
    assert dialog.child("what").currentText() == "Random uniform"
    lines = ("uniform.low", "uniform.high", "seed")
    assert [dialog.child(n).text() for n in lines] == ["-0.5", "0.5", "7"]


def test_what_another_kind_of_dialog_does_not_ask_for_is_remembered_too(bench, ask):
    dialog = ask(FILL)
    dialog.choose("One number")
    dialog.type("constant.value", "7")
    dialog.enter()
    ask(DRAW_ALL).enter()
    dialog = ask(FILL)
    dialog.choose("One number")
    assert dialog.child("constant.value").text() == "7"


@pytest.fixture
def masked():
    """Two words with a bias on their scores and a mask."""
    return Document(
        "Masked",
        ["a", "b"],
        {"X": np.eye(2), "bias": np.zeros((2, 2)), "mask": np.ones((2, 2), bool)},
        Spec(projected=False, bias=True, mask=True),
    )


def test_minus_infinity_fills_a_bias_and_nothing_else(open_bench, masked, ask_in):
    bench = open_bench(masked)
    ask = ask_in(bench)
    dialog = ask(FILL, "bias", Region(0, 1, 1, 1))
    dialog.choose("One number")
    dialog.type("constant.value", "-inf")
    dialog.child("into.1").click()
    assert dialog.preview == "bias =\n −∞"
    dialog.enter()
    assert bench.document.matrix("bias").tolist() == [[0, -np.inf], [0, 0]]
    assert bench.edits.undoText() == "Fill bias[0, 1] with -inf"
    dialog = ask(FILL, "X")
    assert dialog.child("constant.value").text() == "-inf"
    dialog.enter()
    assert dialog.reason == "The number must be finite. Got -inf instead."
    assert bench.document.matrix("X").tolist() == [[1, 0], [0, 1]]
    dialog = ask(FILL, "bias")
    dialog.choose("Scale")
    dialog.type("scale.factor", "-inf")
    dialog.enter()
    assert dialog.reason == "The number must be finite. Got -inf instead."


def test_a_mask_is_offered_only_what_it_can_be_filled_with(open_bench, masked, ask_in):
    bench = open_bench(masked)
    dialog = ask_in(bench)(FILL, "mask")
    box = dialog.child("what")
    titles = [box.itemText(selection) for selection in range(box.count())]
    assert titles == [
        "Zeros",
        "Ones",
        "Identity",
        "One-hot rows",
        "Negate",
        "Transpose",
    ]
    for title in titles:
        dialog.choose(title)
        assert dialog.reason == ""
        assert dialog.preview.startswith("mask =")
    dialog.choose("Identity")
    dialog.enter()
    assert bench.document.matrix("mask").tolist() == [[True, False], [False, True]]


def test_a_fill_that_changes_nothing_says_so_and_makes_no_step(bench, ask):
    bench.edits.submit(SetCells("Set", "W_Q", 0, 0, np.eye(3)))
    dialog = ask(FILL)
    dialog.choose("Identity")
    assert dialog.preview.endswith("\nThe cells already hold this.")
    dialog.enter()
    assert not dialog.widget.isVisible()
    assert bench.edits.count() == 1


def test_large_matrices_are_filled_without_a_picture(open_bench, ask_in):
    large = Document("L", ["a"] * 300, {"X": np.ones((300, 300))}, Spec(projected=0))
    bench = open_bench(large)
    dialog = ask_in(bench)(FILL, "X")
    dialog.choose("Negate")
    assert dialog.preview == "Too many cells for a preview."
    dialog.enter()
    assert (large.matrix("X") == -1).all()


def test_the_picture_shows_the_first_cells_and_that_there_are_more(open_bench, ask_in):
    wide = Document("W", ["a"] * 9, {"X": np.ones((9, 9))}, Spec(projected=False))
    bench = open_bench(wide)
    dialog = ask_in(bench)(FILL, "X")
    dialog.choose("Identity")
    assert dialog.preview == (
        "X =\n 1 0 0 0 0 0 …\n 0 1 0 0 0 0 …\n 0 0 1 0 0 0 …\n 0 0 0 1 0 0 …\n …"
    )


def visited_by_tab():
    visited = []
    while QApplication.focusWidget().objectName() not in visited:
        visited.append(QApplication.focusWidget().objectName())
        press(QApplication.focusWidget(), Key.Key_Tab)
    return visited


def test_every_control_has_a_name_and_is_reached_by_tab_and_by_alt(bench, ask, qtbot):
    dialog = ask(FILL, "W_Q", Region(0, 0, 2, 2))
    dialog.choose("Random integers")
    reached = visited_by_tab()
    assert reached == [
        "fill.what",
        "fill.integers.low",
        "fill.integers.high",
        "fill.seed",
        "fill.generator",
        "fill.into.0",
        "fill.fill",
        "fill.close",
    ]
    for name in reached:
        control = dialog.widget.findChild(QWidget, name)
        named = isinstance(control, QAbstractButton) and control.text()
        assert named or control.accessibleName(), name
    letters = mnemonics_of(dialog.widget).keys()
    assert letters == {*reached, "fill.into.1"} - {"fill.close"}
    press(dialog.widget, Key.Key_L, Qt.KeyboardModifier.AltModifier)
    assert QApplication.focusWidget() is dialog.child("integers.low")
    for title in ("One number", "Scale", "Round", "Random normal", "Random uniform"):
        dialog.choose(title)
        assert len(mnemonics_of(dialog.widget)) > 3, title
    dialog.widget.reject()

    together = ask(DRAW_ALL)
    boxes = [name for name in visited_by_tab() if name.startswith("fill.into")]
    assert boxes == [f"fill.into.{n}" for n in range(4)]
    press(together.widget, Key.Key_K, Qt.KeyboardModifier.AltModifier)
    assert {*boxes[:3]} < mnemonics_of(together.widget).keys()
    qtbot.waitUntil(lambda: not together.child("into.1").isChecked())
    assert together.child("into.0").isChecked()
