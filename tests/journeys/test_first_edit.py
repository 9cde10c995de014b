"""A person opens the window, edits, looks, undoes and exports, by keys and mouse."""

import csv

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QWidget

from attnviewer.ui.files.folder_dialog import FolderDialog

# Independent of the code under test: notebook 000 in plain Python.
X = [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]]
W_Q = [[2, 0, 2], [2, 0, 0], [2, 1, 2]]
W_K = [[2, 2, 2], [0, 2, 1], [0, 1, 1]]


def weights_by_hand(w_q):
    from math import exp, sqrt

    def times(a, b):
        return [
            [
                sum(p * q for p, q in zip(r, c, strict=True))
                for c in zip(*b, strict=True)
            ]
            for r in a
        ]

    queries, keys = times(X, w_q), times(X, W_K)
    rows = []
    for query in queries:
        scores = [
            sum(a * b for a, b in zip(query, key, strict=True)) / sqrt(3)
            for key in keys
        ]
        total = sum(exp(score) for score in scores)
        rows.append([exp(score) / total for score in scores])
    return np.array(rows)


def type_into(qtbot, window, name, row, column, text, end=Qt.Key.Key_Return):
    """Click a cell and type, as a person does."""
    table = window.findChild(QTableView, f"table.{name}")
    place = table.visualRect(table.model().index(row, column)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClicks(table, text[0])
    editor = table.viewport().findChild(QLineEdit)
    qtbot.keyClicks(editor, text[1:])
    qtbot.keyClick(editor, end)


def heatmap_picture(window):
    window.workbench.engine.flush()
    return window.findChild(QWidget, "step.heatmap").grab().toImage()


def export_all(qtbot, window):
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(window, "e", keys)
    qtbot.waitUntil(lambda: window.notice.text != "")  # how it ended


def exported(path):
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return np.array([[float(cell) for cell in row[1:]] for row in rows[1:]])


def test_typing_into_a_weight_changes_picture_and_export_and_undo_restores_both(
    qtbot, window, tmp_path, monkeypatch
):
    document = window.document
    type_into(qtbot, window, "W_K", 1, 1, "1,5")
    reason = window.findChild(QWidget, "reason")
    assert reason.isVisible()
    assert "1.5" in reason.text()
    editor = window.findChild(QTableView, "table.W_K").viewport().findChild(QLineEdit)
    assert editor.text() == "1,5"
    assert document.revision == 0
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert not window.isWindowModified()

    assert not window.isWindowModified()
    type_into(qtbot, window, "X", 1, 0, "3")
    assert window.isWindowModified()
    qtbot.keyClick(window, "z", Qt.KeyboardModifier.ControlModifier)
    assert not window.isWindowModified()

    monkeypatch.setattr(FolderDialog, "ask", lambda *_: str(tmp_path / "out"))
    window.step_view.set_view("heatmap")
    window.findChild(QTableView, "table.W_Q").setFocus()  # its frame is no number
    before = heatmap_picture(window)

    type_into(qtbot, window, "W_Q", 0, 2, "-1.5")
    after = heatmap_picture(window)
    assert after != before
    edited = [[2, 0, -1.5], *W_Q[1:]]
    export_all(qtbot, window)
    assert exported(tmp_path / "out" / "W_Q.csv")[0, 2] == -1.5
    np.testing.assert_allclose(
        exported(tmp_path / "out" / "weights.csv"), weights_by_hand(edited), atol=1e-14
    )

    dismiss = window.findChild(QWidget, "notice.dismiss")
    assert "written" in window.notice.text
    qtbot.mouseClick(dismiss, Qt.MouseButton.LeftButton)
    qtbot.keyClick(window, "z", Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: heatmap_picture(window) == before)
    export_all(qtbot, window)
    np.testing.assert_allclose(
        exported(tmp_path / "out" / "weights.csv"), weights_by_hand(W_Q), atol=1e-14
    )


def heads_go_where_they_can_a_mask_adds_its_step_and_the_time_is_told(qtbot, window):
    heads = window.findChild(QWidget, "spec.heads")
    heads.setFocus()
    heads.selectAll()
    qtbot.keyClicks(heads, "2")
    qtbot.keyClick(heads, Qt.Key.Key_Return)
    reason = window.findChild(QWidget, "reason")
    assert "divisible by n_heads = 2" in reason.text()
    assert heads.value() == 1
    assert window.document.spec.n_heads == 1

    heads = window.findChild(QWidget, "spec.heads")
    heads.setFocus()
    qtbot.keyClick(heads, Qt.Key.Key_Up)
    assert window.document.spec.n_heads == 3
    window.workbench.engine.flush()
    assert window.workbench.engine.current.trace.shape("weights") == (3, 4, 4)
    qtbot.keyClick(window, "z", Qt.KeyboardModifier.ControlModifier)
    assert heads.value() == 1

    mask = window.findChild(QWidget, "spec.mask")
    mask.setFocus()
    qtbot.keyClick(mask, Qt.Key.Key_Down)
    window.workbench.engine.flush()
    assert "masked" in window.workbench.engine.current.trace
    assert window.findChild(QWidget, "flow.masked") is not None

    type_into(qtbot, window, "W_V", 0, 0, "4")
    speed = window.findChild(QWidget, "status.speed")
    qtbot.waitUntil(lambda: "ms" in speed.text())


def what_cannot_be_opened_or_written_is_told_and_a_changed_document_kept(
    qtbot, window, tmp_path, monkeypatch
):
    told = window.findChild(QLabel, "status.cell")
    assert told.text().startswith("weights[word 1, word 3] = 0.749130385544688")
    window.workbench.selection.hover("weights", (3, 0))
    assert told.text().startswith("weights[word 4, word 1] = 0.0899501753541974")
    window.workbench.selection.hover("weights", None)
    assert told.text().startswith("weights[word 1, word 3] = ")

    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setattr(FolderDialog, "ask", lambda *_: str(blocked))
    export_all(qtbot, window)
    assert str(blocked) in window.notice.text
    assert blocked.read_text() == "in the way"
    assert not window.isWindowModified()

    before = window.document
    window.opener.open_example("nope")
    assert "nope" in window.notice.text
    assert window.document is before

    type_into(qtbot, window, "X", 0, 0, "8")
    changed = window.document
    window.opener.open_example("journey")
    assert window.document.tokens[0] == "your"
    assert window.workbench.set_aside == [changed]
    assert "kept" in window.notice.text
    window.opener.reopen(changed)
    assert window.document.matrix("X")[0, 0] == 8.0
    assert window.isWindowModified()


def test_what_cannot_be_is_told_heads_go_where_they_can_and_a_mask_adds_its_step(
    qtbot, window, tmp_path, monkeypatch
):
    what_cannot_be_opened_or_written_is_told_and_a_changed_document_kept(
        qtbot, window, tmp_path, monkeypatch
    )
    window.opener.open_example("four-words")
    heads_go_where_they_can_a_mask_adds_its_step_and_the_time_is_told(qtbot, window)
