"""Importing as a user would: the dialog by keys and mouse, and the ways to open it."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from attnviewer.document import SetCells
from attnviewer.io import load, save_session
from attnviewer.io.export import Computation, export
from attnviewer.io.importing import ImportedFiles
from tests.documents import four_words, state_of
from tests.ui.cut_off_texts import misfits
from tests.ui.dragging import drag_enter

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key
NO_KEYS = Qt.KeyboardModifier.NoModifier
GENERATOR = np.random.default_rng(5)
TOY = {"X": GENERATOR.normal(size=(4, 3)), "W_Q": GENERATOR.normal(size=(2, 3))}
TOY |= {"W_K": GENERATOR.normal(size=(3, 2)), "W_V": GENERATOR.normal(size=(3, 3))}

WIDTHS = {"q": 8, "k": 4, "v": 4}
"""Weights of four query heads that share two key and value heads."""


class Import:
    """The dialog on files, and actions in it."""

    def __init__(self, window, qtbot):
        qtbot.waitUntil(lambda: window.importer.dialog is not None)
        self.window, self.qtbot = window, qtbot
        self.widget = window.importer.dialog

    def combo(self, name) -> QComboBox:
        return self.widget.findChild(QComboBox, f"assign.{name}")

    def spin(self, name) -> QSpinBox:
        return self.widget.findChild(QSpinBox, f"assign.{name}")

    def check(self, name) -> QCheckBox:
        return self.widget.findChild(QCheckBox, f"assign.{name}")

    def text(self, name) -> str:
        return self.widget.findChild(QLabel, f"assign.{name}").text()

    @property
    def title(self) -> QLineEdit:
        return self.widget.findChild(QLineEdit, "assign.title")

    @property
    def open(self) -> QPushButton:
        return self.widget.findChild(QPushButton, "assign.open")

    def choose(self, name, text):
        """Choose the entry that begins with a text, by keyboard."""
        combo = self.combo(name)
        index = next(
            k for k in range(combo.count()) if combo.itemText(k).startswith(text)
        )
        combo.setFocus()
        key = KEY.Key_Down if index > combo.currentIndex() else KEY.Key_Up
        for _ in range(abs(index - combo.currentIndex())):
            QTest.keyClick(combo, key)

    def click(self, name):
        check = self.check(name)
        place = QPoint(8, check.height() // 2)
        QTest.mouseClick(check, LEFT, NO_KEYS, place)

    def accept(self):
        before = self.window.document
        QTest.mouseClick(self.open, LEFT)
        self.qtbot.waitUntil(lambda: self.window.document is not before)
        return self.window.document


@pytest.fixture
def imported(window, qtbot, tmp_path):
    """Return a function that imports arrays from a file."""

    def import_(arrays, name="toy.npz"):
        np.savez(tmp_path / name, **arrays)
        window.importer.import_files([tmp_path / name])
        return Import(window, qtbot)

    yield import_
    if window.importer.dialog is not None:
        window.importer.dialog.reject()


def test_what_does_not_fit_is_told_at_its_row_and_roles_and_slices_are_chosen(imported):
    dialog = imported(TOY)
    dialog.click("W_Q.transposed")
    assert dialog.text("W_Q.reason") == (
        "It has 2 rows; X has 3 columns. Transposed it fits."
    )
    assert not dialog.open.isEnabled()
    assert dialog.text("reason").startswith("W_Q: It has 2 rows")
    assert dialog.text("outcome") == ""
    dialog.check("W_Q.transposed").setFocus()
    QTest.keyClick(dialog.check("W_Q.transposed"), KEY.Key_Space)
    assert dialog.text("W_Q.reason") == ""
    assert dialog.open.isEnabled()

    dialog.widget.reject()
    dialog = imported(TOY)
    dialog.choose("kind", "Attention weights")
    assert "Choose attention weights, or scores." in dialog.text("weights.reason")
    assert not dialog.open.isEnabled()

    dialog.widget.reject()
    dialog = imported({"a": TOY["X"], "b": np.eye(3), "c": 2 * np.eye(3)})
    assert dialog.text("X.reason").startswith("The names do not tell")
    for role, array in (("W_Q", "b"), ("W_K", "c"), ("W_V", "b")):
        dialog.choose(f"{role}.array", array)
    title = dialog.widget.findChild(QLineEdit, "assign.title")
    title.setFocus()
    title.selectAll()
    QTest.keyClicks(title, "Mine")
    dialog.click("causal")
    document = dialog.accept()
    assert document.title == "Mine"
    assert document.spec.causal
    np.testing.assert_array_equal(document.matrix("W_K"), 2 * np.eye(3))

    dialog = imported({"X": np.ones((3, 2, 4))})
    spin = dialog.spin("X.place.0")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "7")
    assert spin.value() <= 2
    assert dialog.open.isEnabled()

    dialog.widget.reject()
    numbers = np.arange(36.0).reshape(12, 3)
    dialog = imported({"X": TOY["X"], "in_proj_weight": numbers[:9], "b_O": numbers})
    dialog.combo("W_K.array").setFocus()
    rows = dialog.text("preview").splitlines()
    # The second three of nine rows, transposed.
    assert [row.split() for row in rows[1:]] == [
        *(["9", "12", "15"], ["10", "13", "16"], ["11", "14", "17"]),
    ]
    dialog.combo("context.array").setFocus()
    assert dialog.text("preview") == "context: nothing"
    dialog.click("W_K.transposed")
    dialog.choose("W_K.third", "third 1")
    dialog.choose("W_K.array", "b_O")
    assert dialog.text("preview").startswith("W_K =")

    dialog.widget.reject()
    stack = GENERATOR.normal(size=(4, 3, 5))
    dialog = imported({"X": stack})
    assert dialog.text("X.shape") == "3×5"
    spin = dialog.spin("X.place.0")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "2")
    assert "1.0000" not in dialog.text("preview")
    dialog.choose("X.part", "[:, i, :]")
    assert dialog.text("X.shape") == "4×5"
    document = dialog.accept()
    np.testing.assert_array_equal(document.matrix("X"), stack[:, 2])


def test_heads_are_suggested_or_asked_for_and_embeddings_made_where_there_are_none(
    imported,
):
    weights = {f"W_{n}": GENERATOR.normal(size=(2, 3, 4)) for n in "QKV"}
    dialog = imported({"X": TOY["X"], **weights})
    assert dialog.combo("W_Q.part").currentText() == "[heads, :, :]"
    assert dialog.spin("heads").value() == 2
    document = dialog.accept()
    expected = np.hstack(list(weights["W_Q"]))
    np.testing.assert_array_equal(document.matrix("W_Q"), expected)
    assert document.spec.n_heads == 2

    layer = {f"attn.{n}_proj.weight": np.ones((w, 8)) for n, w in WIDTHS.items()}
    dialog = imported({"X": np.ones((3, 8)), **layer})
    spin = dialog.spin("heads")
    assert spin.text() == "?"
    assert not dialog.open.isEnabled()
    text = "The file does not tell how many heads there are."
    assert dialog.text("heads.reason") == text
    spin.setFocus()
    QTest.keyClick(spin, KEY.Key_Up)
    assert spin.text() == "1"
    spin.selectAll()
    QTest.keyClicks(spin, "4")
    assert dialog.text("heads.reason") == ""
    assert dialog.accept().spec.kv_heads == 2

    dialog = imported({"X": np.ones((2, 8)), **{f"W_{n}": np.eye(8) for n in "QKV"}})
    spin = dialog.spin("heads")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "3")
    assert dialog.text("heads.reason") == (
        "The 8 columns of W_Q cannot be divided among 3 heads."
    )
    assert not dialog.open.isEnabled()
    QTest.keyClick(spin, KEY.Key_Up)
    assert dialog.text("outcome").endswith("4 heads of 2.")

    dialog.widget.reject()
    dialog = imported(
        {"Q": np.ones((2, 3)), "K": np.ones((5, 3)), "V": np.ones((5, 2))}
    )
    assert not dialog.combo("X.array").isVisible()
    assert dialog.text("outcome") == "2 queries × 3 features, 5 keys, values of 2."
    heights = [dialog.combo(f"{role}.array").y() for role in ("Q", "K", "V", "mask")]
    assert heights == sorted(set(heights))
    dialog.choose("kind", "Embeddings")
    assert dialog.combo("X.array").isVisible()
    assert dialog.text("reason").startswith("X: It is missing")
    dialog.choose("kind", "Queries")
    assert dialog.accept().spec.given

    dialog = imported({f"W_{n}": np.eye(5) for n in "QKV"})
    assert dialog.spin("tokens").isVisible()
    dialog.choose("embedding", "one-hot")
    document = dialog.accept()
    np.testing.assert_array_equal(document.matrix("X"), np.eye(4, 5))


def test_nothing_moves_or_is_cut_off_and_tab_reaches_every_control(imported, window):
    layer = {f"attn.{n}_proj.weight": np.ones((8, 8)) for n in "qkv"}
    dialog = imported({"X": np.ones((3, 8)), **layer})
    causal, row = dialog.check("causal"), dialog.check("W_K.transposed")
    assert dialog.text("heads.reason")
    assert dialog.text("W_Q.reason")
    layout = dialog.widget.layout()
    layout.activate()
    before = [w.mapTo(dialog.widget, QPoint(0, 0)) for w in (causal, row)]
    spin = dialog.spin("heads")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "2")
    dialog.click("W_Q.transposed")
    assert not dialog.text("heads.reason")
    assert not dialog.text("W_Q.reason")
    layout.activate()
    QApplication.sendPostedEvents()
    after = [w.mapTo(dialog.widget, QPoint(0, 0)) for w in (causal, row)]
    assert after == before

    dialog.widget.reject()
    dialog = imported(TOY)
    controls = [
        control
        for kind in (QComboBox, QSpinBox, QCheckBox, QLineEdit)
        for control in dialog.widget.findChildren(kind)
        if control.isVisible() and control.objectName().startswith("assign.")
    ]
    assert all(c.accessibleName() or getattr(c, "text", str)() for c in controls)
    visited = set()
    for _ in range(80):
        QTest.keyClick(QApplication.focusWidget(), KEY.Key_Tab)
        visited.add(QApplication.focusWidget())
    assert {c.objectName() for c in controls if c.isEnabled() and c not in visited} == (
        set()
    )

    dialog.widget.reject()
    for size in [100, 200]:
        window.appearance.set_text_size(size)
        dialog = imported({**TOY, "W_O": GENERATOR.normal(size=(3, 3))})
        dialog.widget.resize(1326, 708)
        QApplication.processEvents()
        buttons = [
            wrong for wrong in misfits(dialog.widget) if "assign.roles" not in wrong
        ]
        assert buttons == []
        dialog.widget.reject()


def test_a_layer_is_chosen_whole_fused_or_of_weights_and_a_mask_as_the_person_says(
    imported, window, qtbot
):
    layers = GENERATOR.random((3, 2, 4, 4))
    dialog = imported({"attentions": layers, "tokens": ["the", "cat", "sat", "."]})
    assert dialog.combo("kind").currentText() == "Attention weights, or scores"
    assert dialog.combo("weights.part").currentText() == "[i, heads, :, :]"
    assert dialog.text("weights.shape") == "4×8"
    assert dialog.text("outcome") == "4 queries × 4 keys, 2 heads, one-hot values."
    dialog.spin("weights.place.0").setFocus()
    QTest.keyClick(dialog.spin("weights.place.0"), KEY.Key_Up)
    document = dialog.accept()
    assert document.compute()["weights"].tolist() == layers[1].tolist()
    assert document.tokens == ("the", "cat", "sat", ".")
    trace = dialog.window.workbench.engine.current.trace
    assert trace["weights"].tolist() == layers[1].tolist()

    arrays = {
        f"layers.{k}.attn.{n}_proj.weight": np.full((3, 3), k + 1.0)
        for k in range(2)
        for n in "qkv"
    }
    dialog = imported({"X": TOY["X"], **arrays})
    assert "2 layers" in dialog.text("block.reason")
    dialog.choose("block", "layers.1")
    assert dialog.text("block.reason") == ""
    dialog.spin("heads").setValue(1)
    assert dialog.accept().matrix("W_K")[0, 0] == 2.0

    fused = GENERATOR.normal(size=(9, 3))
    dialog = imported({"X": TOY["X"], "in_proj_weight": fused})
    assert dialog.combo("W_V.third").currentText() == "third 3 of 3"
    dialog.spin("heads").setValue(1)
    document = dialog.accept()
    np.testing.assert_array_equal(document.matrix("W_V"), fused[6:].T)

    visible = np.tri(4, dtype=bool)
    dialog = imported({"X": TOY["X"], "mask": ~visible})
    assert dialog.check("hides").isChecked()
    assert "1 is read as hidden" in dialog.text("mask.reason")
    dialog.click("hides")
    dialog.click("hides")
    assert dialog.accept().matrix("mask").tolist() == visible.tolist()

    before = window.document
    dialog = imported({"X": TOY["X"], "mask": np.full((4, 4), 2.0)})
    assert dialog.combo("bias.array").currentText() == "mask  (4×4)"
    dialog.choose("bias.array", "none")
    dialog.choose("mask.array", "mask")
    QTest.mouseClick(dialog.open, LEFT)
    qtbot.waitUntil(lambda: dialog.text("reason") != "")
    assert "It must hold 1 where a query may look" in dialog.text("reason")
    assert dialog.open.isEnabled()
    assert window.document is before


def test_a_file_is_imported_again_as_before_or_with_another_layer(
    window, qtbot, imported
):
    window.findChild(QAction, "action.import_again").trigger()
    assert "was not imported" in window.notice.text

    layers = GENERATOR.dirichlet(np.ones(4), size=(3, 2, 4))  # (layers, heads, 4, 4)
    dialog = imported({"weights": layers})
    dialog.title.selectAll()
    QTest.keyClicks(dialog.title, "Mine")
    first = dialog.accept()
    np.testing.assert_array_equal(first.compute()["weights"], layers[0])
    window.findChild(QAction, "action.import_again").trigger()
    again = Import(window, qtbot)
    assert again.title.text() == "Mine"
    place = again.spin("weights.place.0")
    place.setFocus()
    QTest.keyClick(place, KEY.Key_Up)
    QTest.keyClick(place, KEY.Key_Up)
    second = again.accept()
    np.testing.assert_array_equal(second.compute()["weights"], layers[2])
    assert second.title == "Mine"

    dialog = imported({"W_Q": TOY["W_K"], "W_K": TOY["W_K"], "W_V": TOY["W_V"]})
    dialog.click("W_V.transposed")
    dialog.click("causal")
    dialog.choose("embedding", "one-hot")
    tokens = dialog.spin("tokens")
    tokens.setFocus()
    QTest.keyClick(tokens, KEY.Key_Down)
    first = dialog.accept()
    window.findChild(QAction, "action.import_again").trigger()
    again = Import(window, qtbot)
    assert again.check("W_V.transposed").isChecked()
    second = again.accept()
    assert second is not first
    assert state_of(second) == state_of(first)


def test_what_is_suggested_is_opened_with_its_file_and_escape_leaves_all_as_it_is(
    window, imported, tmp_path
):
    before = window.document
    dialog = imported(TOY)
    QTest.keyClick(dialog.widget, KEY.Key_Escape)
    assert window.importer.dialog is None
    assert window.document is before

    dialog = imported(TOY)
    assert dialog.combo("W_Q.array").currentText() == "W_Q  (2×3)"
    assert dialog.check("W_Q.transposed").isChecked()
    assert not dialog.check("W_K.transposed").isChecked()
    assert dialog.text("W_Q.shape") == "3×2"
    assert dialog.text("outcome") == "4 tokens × 3 features, 1 head of 2."
    document = dialog.accept()
    assert document.title == "toy"
    np.testing.assert_array_equal(document.matrix("W_Q"), TOY["W_Q"].T)
    origin = window.origins.origin(document)
    assert isinstance(origin, ImportedFiles)
    assert origin.path == tmp_path / "toy.npz"
    assert window.importer.dialog is None
    assert not window.workbench.modified


def test_files_are_added_their_notices_shown_and_bad_ones_refused(
    window, qtbot, imported, monkeypatch, tmp_path
):
    np.save(tmp_path / "W_Q.npy", TOY["W_Q"])
    dialog = imported({n: TOY[n] for n in ("X", "W_K", "W_V")})
    assert dialog.text("W_Q.reason").startswith("It is missing")
    first = dialog.widget
    dialog.title.setText("My own")
    (tmp_path / "broken.npz").write_bytes(b"PK\3\4 nothing")
    names = [str(tmp_path / "broken.npz")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (names, ""))
    QTest.mouseClick(first.findChild(QPushButton, "assign.more"), LEFT)
    qtbot.waitUntil(lambda: "broken.npz" in dialog.text("reason"))
    assert window.importer.dialog is first
    assert dialog.title.text() == "My own"
    assert not dialog.open.isEnabled()  # W_Q is still missing
    names = [str(tmp_path / "W_Q.npy")]
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: (names, ""))
    QTest.mouseClick(first.findChild(QPushButton, "assign.more"), LEFT)
    qtbot.waitUntil(lambda: window.importer.dialog not in (None, first))
    document = Import(window, qtbot).accept()
    np.testing.assert_array_equal(document.matrix("W_Q"), TOY["W_Q"].T)

    (tmp_path / "sheet.csv").write_text("a;b\n1,5;2\n3;4,25\n")
    window.importer.import_files([tmp_path / "sheet.csv"])
    dialog = Import(window, qtbot)
    assert "Commas were read as decimal points." in dialog.text("notices")
    assert dialog.accept().matrix("X").tolist() == [[1.5, 2], [3, 4.25]]

    before = window.document
    (tmp_path / "bad.npz").write_bytes(b"PK\3\4 nothing")
    window.importer.import_files([tmp_path / "bad.npz"])
    qtbot.waitUntil(lambda: "bad.npz" in window.notice.text)
    assert window.importer.dialog is None
    assert window.document is before


def test_a_file_that_was_written_anew_is_read_once_more_and_suggested_anew(
    window, qtbot, imported, tmp_path
):
    imported(TOY).accept()
    document = window.document
    np.savez(tmp_path / "toy.npz", **{**TOY, "W_Q": np.full((2, 3), 5.0)})
    window.findChild(QAction, "action.reload").trigger()
    qtbot.waitUntil(lambda: document.matrix("W_Q")[0, 0] == 5)
    assert document.matrix("W_Q").shape == (3, 2)
    assert window.document is document

    imported({"weights": np.full((3, 2, 4, 4), 0.25)}).accept()
    np.savez(tmp_path / "toy.npz", weights=np.full((4, 4), 0.25))
    window.findChild(QAction, "action.import_again").trigger()
    again = Import(window, qtbot)
    assert again.accept().spec.n_heads == 1


# -------------------------------------------------------------------- ways to it


def files(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(window, data):
    arguments = Qt.DropAction.CopyAction, data, LEFT, NO_KEYS
    enter = drag_enter(300, 300, data)
    QApplication.sendEvent(window, enter)
    hint = window.findChild(QLabel, "drop.hint")
    text = hint.text() if hint.isVisible() else ""
    if enter.isAccepted():
        QApplication.sendEvent(window, QDropEvent(QPointF(300, 300), *arguments))
    assert not hint.isVisible()
    return text


def test_only_files_are_taken_wherever_they_hover_and_opened_as_they_are_dropped(
    window, tmp_path, qtbot
):
    hint = window.findChild(QLabel, "drop.hint")
    data = files(tmp_path / "toy.npz")
    visible = [w for w in window.findChildren(QWidget) if w.isVisible()]
    assert len(visible) > 100
    for widget in visible:
        QApplication.sendEvent(widget, drag_enter(2, 2, data))
        assert hint.isVisible(), widget
        QApplication.sendEvent(window, QDragLeaveEvent())
        assert not hint.isVisible()

    data = QMimeData()
    data.setText("1 2")
    assert drop(window, data) == ""

    save_session(four_words(), tmp_path / "a.attn")
    np.save(tmp_path / "X.npy", TOY["X"])
    drop(window, files(tmp_path / "X.npy", tmp_path / "a.attn"))
    assert "“a.attn” does not." in window.notice.text
    assert window.notice.property("error")

    np.savez(tmp_path / "toy.npz", **TOY)
    assert drop(window, files(tmp_path / "toy.npz")) == "Drop to open “toy.npz”"
    assert Import(window, qtbot).accept().title == "toy"

    path = Path(__file__).parents[2] / "data" / "printed" / "002.ipynb"
    assert drop(window, files(path)) == "Drop to open “002.ipynb”"
    document = Import(window, qtbot).accept()
    assert document.tokens[:2] == ("your", "journey")
    assert document.matrix("X")[0].tolist() == [0.43, 0.15, 0.89]

    for name, array in TOY.items():
        np.save(tmp_path / f"{name}.npy", array)
    paths = [tmp_path / f"{name}.npy" for name in TOY]
    assert drop(window, files(*paths)) == "Drop to open 4 files together"
    assert Import(window, qtbot).accept().title == "X"

    before = window.document
    save_session(four_words(), tmp_path / "a.attn")
    drop(window, files(tmp_path / "a.attn"))
    qtbot.waitUntil(lambda: window.document is not before)
    assert window.importer.dialog is None


def test_printed_arrays_are_pasted_with_their_names_or_refused_with_the_reason(
    window, monkeypatch, qtbot
):
    # As under the offscreen platform before anything was copied.
    clipboard = QGuiApplication.clipboard()
    monkeypatch.setattr(type(clipboard), "mimeData", lambda *_: None)
    clipboard.setText("")
    window.findChild(QAction, "action.paste_new").trigger()
    assert window.notice.text.startswith("The text to paste is empty")
    assert window.importer.dialog is None

    QGuiApplication.clipboard().setText("once upon a time")
    window.findChild(QAction, "action.paste_new").trigger()
    assert window.notice.property("error")
    assert window.importer.dialog is None

    QGuiApplication.clipboard().setText("Q:\n[[1 2 ... 3]\n [4 5 ... 6]]")
    window.findChild(QAction, "action.paste_new").trigger()
    assert window.notice.property("error")
    assert "np.set_printoptions(threshold=np.inf)" in window.notice.text
    assert window.importer.dialog is None

    QGuiApplication.clipboard().setText(
        "Word embeddings:\n [[1 0 0]\n [0 1 0]]\n"
        "Query weights (W_Q):\n [[2 0]\n [2 0]\n [2 1]]\n"
        "W_K =\narray([[1., 2.],\n       [3., 4.],\n       [5., 6.]])\n"
        "scores:\n [[0. ... 1.]]\n"
        "W_V: tensor([[1, 1],\n        [0, 1],\n        [2, 2]])\n[[9 9]\n [8 8]]\n"
    )
    window.findChild(QAction, "action.paste_new").trigger()
    dialog = Import(window, qtbot)
    notices = dialog.text("notices")
    assert notices.startswith("'scores' was left out. The text leaves numbers out")
    offered = dialog.combo("X.array")
    texts = [offered.itemText(k) for k in range(offered.count())]
    assert any(text.startswith("array 5") for text in texts)
    document = dialog.accept()
    assert document.title == "Pasted"
    assert document.matrix("X").tolist() == [[1, 0, 0], [0, 1, 0]]
    assert document.matrix("W_Q").tolist() == [[2, 0], [2, 0], [2, 1]]
    assert document.matrix("W_K").tolist() == [[1, 2], [3, 4], [5, 6]]
    assert document.matrix("W_V").tolist() == [[1, 1], [0, 1], [2, 2]]


def test_numbers_and_files_are_pasted_outside_of_tables(window, qtbot, tmp_path):
    QGuiApplication.clipboard().setText("7")
    table = window.inputs.table("W_Q")
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClick(table, KEY.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert window.document.matrix("W_Q")[0, 0] == 7
    assert window.importer.dialog is None

    QGuiApplication.clipboard().setText("1\t2\n3\t4")
    window.step_view.setFocus()
    QTest.keyClick(window.focusWidget(), KEY.Key_V, Qt.KeyboardModifier.ControlModifier)
    dialog = Import(window, qtbot)
    more = dialog.widget.findChild(QPushButton, "assign.more")
    assert not more.isVisible()
    document = dialog.accept()
    assert document.matrix("X").tolist() == [[1, 2], [3, 4]]
    assert window.origins.origin(document) is None

    QGuiApplication.clipboard().setText("\ta\tb\nthe\t1\t2\ncat\t3\t4")
    window.findChild(QAction, "action.paste_new").trigger()
    document = Import(window, qtbot).accept()
    assert document.tokens == ("the", "cat")
    assert document.matrix("X").tolist() == [[1, 2], [3, 4]]

    np.savez(tmp_path / "toy.npz", **TOY)
    QGuiApplication.clipboard().setMimeData(files(tmp_path / "toy.npz"))
    window.findChild(QAction, "action.paste_new").trigger()
    assert Import(window, qtbot).accept().title == "toy"


def test_the_menu_leads_to_the_dialog_that_keeps_changes_and_asks_before_much_is_loaded(
    window, qtbot, tmp_path, monkeypatch, imported
):
    np.savez(tmp_path / "toy.npz", **TOY)
    path = str(tmp_path / "toy.npz")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([path], ""))
    for name in ("open", "import"):
        window.findChild(QAction, f"action.{name}").trigger()
        assert Import(window, qtbot).accept().title == "toy"

    edit = SetCells("edit", "X", 0, 0, np.array([[3.0]]))
    window.workbench.edits.submit(edit)
    before = window.document
    imported(TOY).accept()
    assert before in window.opener.set_aside

    dialog = imported({"X": np.ones((2**17 + 1, 1), np.float32)})
    assert "131,073 tokens" in dialog.text("reason")
    assert not dialog.open.isEnabled()
    dialog.click("anyway")
    assert dialog.open.isEnabled()


# -------------------------------------------------------------------------- look


def test_an_export_opens_by_itself_and_import_asks_all_the_same(
    window, qtbot, tmp_path
):
    path = tmp_path / "own.npz"
    own = load("example:two-heads")
    export(Computation.of(own), path, "npz")
    before = window.document
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: window.document is not before)
    assert window.importer.dialog is None
    assert state_of(window.document) == state_of(own)
    assert window.document.title == own.title
    window.importer.import_files([path])
    dialog = Import(window, qtbot)
    assert dialog.combo("W_Q.array").currentText().startswith("W_Q")
    dialog.widget.reject()
    with np.load(path) as file:
        arrays = {name: file[name] for name in file if name != "W_K"}
    np.savez(path, **arrays)
    window.opener.open(str(path))
    qtbot.waitUntil(lambda: "'W_K' matrix must be given" in window.notice.text)
    assert state_of(window.document) == state_of(own)
