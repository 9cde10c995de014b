"""The dialog of all formats, opened and used as a user would."""

import csv

import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QLabel,
    QListWidget,
    QPushButton,
)

from attnviewer.document import Document
from attnviewer.document.token_groups import TokenGroup
from attnviewer.io.export import FORMATS
from attnviewer.ui.export.dialog import ExportDialog
from attnviewer.ui.files.folder_dialog import FolderDialog
from attnviewer.ui.state.selection import Marked
from tests.documents import FOUR_WORDS
from tests.mnemonics import mnemonics_of

LEFT = Qt.MouseButton.LeftButton
KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


@pytest.fixture
def answers(monkeypatch, tmp_path):
    """The answers of file dialogs; None for a cancelled one."""
    asked = []

    def ask_file(parent, title, place, patterns):
        asked.append(place)
        name = place.replace("\\", "/").rpartition("/")[2]
        return str(tmp_path / name), patterns

    def ask_folder(parent, title, place):
        asked.append(place)
        return str(tmp_path)

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask_file)
    monkeypatch.setattr(FolderDialog, "ask", ask_folder)
    return asked


def open_dialog(window) -> ExportDialog:
    QTest.keyClick(window, Qt.Key.Key_E, KEYS)
    return window.findChildren(ExportDialog)[-1]


def choose_format(dialog, name) -> None:
    formats = dialog.findChild(QListWidget, "export.formats")
    QTest.keyClick(formats, Qt.Key.Key_Home)
    for _ in range(list(FORMATS).index(name)):
        QTest.keyClick(formats, Qt.Key.Key_Down)


def click(dialog, name) -> None:
    button = dialog.findChild(QAbstractButton, f"export.{name}")
    assert button.isEnabled()
    QTest.mouseClick(button, LEFT, pos=button.rect().center() / 4)


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


def go(dialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Return)


def test_all_steps_go_to_a_folder_in_the_format_that_is_chosen(
    open_window, qtbot, answers, tmp_path
):
    window = open_window("example:four-words")
    dialog = open_dialog(window)
    choose_format(dialog, "tsv")
    assert "tabs" in dialog.findChild(QLabel, "export.hint").text()
    go(dialog)
    qtbot.waitUntil(lambda: "12 files written" in window.notice.text)
    x = read(tmp_path / "X.tsv")
    assert [[float(text) for text in row[1:]] for row in x[1:]] == (
        window.document.matrix("X").tolist()
    )


def test_one_head_of_the_open_step_goes_to_one_file(
    open_window, qtbot, answers, tmp_path
):
    window = open_window("example:two-heads")
    window.workbench.selection.choose_head(1)
    dialog = open_dialog(window)
    choose_format(dialog, "csv")
    click(dialog, "step_head")
    click(dialog, "headers")
    go(dialog)
    qtbot.waitUntil(lambda: "written" in window.notice.text)
    want = window.document.compute()["weights"][1]
    written = np.loadtxt(tmp_path / "weights.head1.csv", delimiter=",")
    assert written.tolist() == want.tolist()


def test_a_byte_order_mark_is_written_for_excel_and_remembered(
    open_window, qtbot, answers, tmp_path
):
    window = open_window("example:four-words")
    dialog = open_dialog(window)
    mark = dialog.findChild(QAbstractButton, "export.bom")
    choose_format(dialog, "npz")
    assert not mark.isEnabled()
    choose_format(dialog, "csv")
    click(dialog, "step")
    click(dialog, "bom")
    go(dialog)
    qtbot.waitUntil(lambda: "written" in window.notice.text)
    content = (tmp_path / "weights.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf,")
    # in the dialog, and for tables exported without it
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    dialog = open_dialog(window)
    assert dialog.findChild(QAbstractButton, "export.bom").isChecked()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    for path in tmp_path.glob("*.csv"):
        path.unlink()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: (tmp_path / "weights.index.csv").exists())
    assert (tmp_path / "weights.csv").read_bytes() == content


@pytest.mark.parametrize("live", [False, True])
def test_a_workbook_has_live_formulas_if_they_are_wanted(
    open_window, qtbot, answers, tmp_path, live
):
    window = open_window("example:four-words")
    dialog = open_dialog(window)
    formulas = dialog.findChild(QAbstractButton, "export.formulas")
    choose_format(dialog, "csv")
    assert not formulas.isEnabled()
    choose_format(dialog, "xlsx")
    if live:
        click(dialog, "formulas")
    go(dialog)
    qtbot.waitUntil(lambda: "written" in window.notice.text)
    (path,) = tmp_path.glob("*.xlsx")
    cell = openpyxl.load_workbook(path)["weights"]["B2"]
    assert cell.data_type == ("f" if live else "n")


def test_weights_are_exported_with_groups_folded_as_in_the_window_or_by_token(
    open_window, qtbot, answers, tmp_path
):
    window = open_window("example:four-words")
    groups = (TokenGroup("a and b", 0, 2),)
    window.workbench.open(Document("Four", "abcd", FOUR_WORDS, groups=groups))
    window.workbench.selection.choose_step("weights")
    window.findChild(QAction, "action.groups.fold").trigger()
    weights = window.document.compute()["weights"]

    def exported(folded):
        path = tmp_path / "weights.tsv"
        path.unlink(missing_ok=True)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        dialog = open_dialog(window)
        choose_format(dialog, "tsv")
        click(dialog, "step")
        if not folded:
            click(dialog, "folds")
        go(dialog)
        qtbot.waitUntil(path.exists)
        qtbot.waitUntil(lambda: "written" in window.notice.text)
        window.notice.dismiss()
        head, *rows = read(path)
        numbers = [[float(text) for text in row[1:]] for row in rows]
        return head[1:], [row[0] for row in rows], np.array(numbers)

    head, names, numbers = exported(folded=True)
    assert head == names == ["a and b", "c", "d"]
    sums = np.add.reduceat(weights, [0, 2, 3], axis=1)
    np.testing.assert_allclose(numbers[0], sums[:2].mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(numbers[1:], sums[2:], rtol=1e-12)
    head, names, numbers = exported(folded=False)
    assert head == names == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(numbers, weights)


def test_marked_rows_that_lie_side_by_side_are_a_selection(
    open_window, qtbot, answers, tmp_path
):
    window = open_window("example:four-words")
    window.workbench.selection.mark(Marked(rows=frozenset({1, 2})))
    dialog = open_dialog(window)
    choose_format(dialog, "tsv")
    click(dialog, "cells")
    go(dialog)
    qtbot.waitUntil(lambda: "written" in window.notice.text)
    rows = read(tmp_path / "weights.tsv")
    assert [row[0] for row in rows] == ["", "word 2", "word 3"]
    want = window.document.compute()["weights"][1:3]
    assert [[float(t) for t in row[1:]] for row in rows[1:]] == want.tolist()


def test_cells_selected_in_the_table_are_a_selection(
    open_window, qtbot, answers, tmp_path
):
    window = open_window("example:four-words")
    QTest.keyClick(window, Qt.Key.Key_5, Qt.KeyboardModifier.ControlModifier)
    table = window.step_view.table
    window.workbench.selection.choose_cell("weights", (0, 1))
    table.setFocus()
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(table, Qt.Key.Key_Down, shift)
    QTest.keyClick(table, Qt.Key.Key_Right, shift)
    dialog = open_dialog(window)
    assert "2×2 cells of weights" in (
        dialog.findChild(QAbstractButton, "export.cells").text()
    )
    choose_format(dialog, "tsv")
    click(dialog, "cells")
    go(dialog)
    qtbot.waitUntil(lambda: "written" in window.notice.text)
    want = window.document.compute()["weights"][:2, 1:3]
    rows = read(tmp_path / "weights.tsv")
    assert [[float(t) for t in row[1:]] for row in rows[1:]] == want.tolist()


def test_what_is_no_block_cannot_be_chosen_and_says_what_could(open_window):
    window = open_window("example:four-words")
    for rows in [set(), {0, 2}]:
        window.workbench.selection.mark(Marked(rows=frozenset(rows)))
        dialog = open_dialog(window)
        cells = dialog.findChild(QAbstractButton, "export.cells")
        assert not cells.isEnabled()
        hint = dialog.findChild(QLabel, "export.way_to_select")
        assert "adjacent" in hint.text()
        assert cells.accessibleDescription() == hint.text()
        # Twice as large it still fits the smallest screen.
        assert dialog.minimumSizeHint().width() < 1366 / 2
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_the_format_is_remembered_and_escape_exports_nothing(
    open_window, qtbot, answers
):
    window = open_window("example:four-words")
    dialog = open_dialog(window)
    choose_format(dialog, "tsv")
    go(dialog)
    qtbot.waitUntil(lambda: "written" in window.notice.text)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    dialog = open_dialog(window)
    formats = dialog.findChild(QListWidget, "export.formats")
    assert formats.currentRow() == list(FORMATS).index("tsv")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert len(answers) == 1


def test_the_button_has_the_default_and_every_part_a_name(open_window):
    window = open_window("example:two-heads")
    dialog = open_dialog(window)
    assert dialog.findChild(QPushButton, "export.go").isDefault()
    assert dialog.findChild(QListWidget, "export.formats").accessibleName() == "Format"
    texts = [b.text().replace("&", "") for b in dialog.findChildren(QAbstractButton)]
    assert "The open step, weights" in texts
    assert "The open step, weights, head 1 only" in texts
    scopes = ("all", "step", "head", "step_head", "cells")
    assert {f"export.{name}" for name in scopes} < mnemonics_of(dialog).keys()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
