"""Exports from the menu: dialogs, files and messages."""

import csv
import sys
import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QWidget,
)

from attnviewer import tasks, train
from attnviewer.compute import Learned, Spec
from attnviewer.compute.engine import storing
from attnviewer.document import Document, SetCells, Snapshot, spec_edit
from attnviewer.io import load
from attnviewer.io.export import Choice, Computation, export
from attnviewer.ui.export import Exporter
from attnviewer.ui.export import exporter as exporter_module
from attnviewer.ui.files.folder_dialog import FolderDialog
from attnviewer.ui.frame.work_line import WorkLine
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work import worker as worker_module

SPEC = Spec(n_heads=2, scale=1.0, causal=True)


class Desk:
    """A workbench with its exporter, and dialogs that answer by themselves."""

    def __init__(self, qtbot, monkeypatch, appearance):
        self.window = QWidget()
        qtbot.addWidget(self.window)
        weights = {name: np.eye(4) for name in ("W_Q", "W_K", "W_V")}
        x = [[1, 2, 3, 4], [5, 6, 7, 8]]
        document = Document("Two tokens", ["the", "cat"], {"X": x, **weights}, SPEC)
        self.workbench = Workbench(document, self.window)
        self.notice = NoticeBar(self.window)
        step_view = StepView(self.workbench, appearance, self.window)
        self.exporter = Exporter(self.workbench, step_view, self.notice, self.window)
        self.workbench.engine.failed.connect(self.notice.refuse)
        self.answer = ""
        self.proposed = []
        monkeypatch.setattr(QFileDialog, "getSaveFileName", self._ask_file)
        monkeypatch.setattr(FolderDialog, "ask", self._ask_folder)

    def _ask_file(self, parent, title, place, patterns):
        self.proposed.append(place)
        return str(self.answer), patterns

    def _ask_folder(self, parent, title, place):
        self.proposed.append(place)
        return str(self.answer)

    def edit_first_cell(self, value):
        edit = SetCells("edit", "X", 0, 0, np.array([[value]]))
        self.workbench.edits.submit(edit)

    def export_step(self, path):
        self.answer = path
        self.exporter.export_step()
        self.exporter.finish()

    def export_all(self, folder):
        self.answer = folder
        self.exporter.export_all()
        self.exporter.finish()

    @property
    def refused(self):
        return bool(self.notice.text) and self.notice.property("error")


@pytest.fixture
def desk(qtbot, monkeypatch, appearance):
    desk = Desk(qtbot, monkeypatch, appearance)
    yield desk
    desk.workbench.close()


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def numbers(rows):
    return [[float(cell) for cell in row] for row in rows]


def labelled(path):
    return numbers(row[1:] for row in read(path)[1:])


def test_a_step_is_written_with_the_newest_edit_in_it(desk, tmp_path):
    desk.workbench.selection.choose_step("scores")
    desk.edit_first_cell(10.0)
    desk.export_step(tmp_path / "scores.csv")
    # Head 0 has the first two columns: 10·10 + 2·2, 10·5 + 2·6, 5·5 + 6·6.
    assert labelled(tmp_path / "scores.csv") == [[104.0, 62.0], [62.0, 61.0]]
    assert str(tmp_path / "scores.csv") in desk.notice.text
    assert not desk.refused


def test_all_steps_are_written_with_the_newest_edit_in_them(desk, tmp_path):
    desk.edit_first_cell(10.0)
    desk.export_all(tmp_path / "out")
    assert labelled(tmp_path / "out" / "X.csv")[0] == [10.0, 2.0, 3.0, 4.0]
    scores = labelled(tmp_path / "out" / "scores.head0.csv")
    assert scores == [[104.0, 62.0], [62.0, 61.0]]
    written = len(list((tmp_path / "out").iterdir()))
    assert desk.notice.text.startswith(f"{written} files written to")


def test_tables_say_how_their_numbers_were_trained(desk, tmp_path):
    document = desk.workbench.document
    run = train(document, tasks.copy_previous(), free=["W_Q"], steps=4)
    desk.workbench.edits.submit(run.edit(3))
    desk.export_all(tmp_path / "trained")
    names, *files = read(tmp_path / "trained" / "index.csv")
    said = {row[names.index("training")] for row in files}
    assert said == {document.training.words(document.matrices)}
    desk.workbench.edits.undo()
    desk.export_all(tmp_path / "before")
    assert "training" not in read(tmp_path / "before" / "index.csv")[0]


def test_the_chosen_head_is_written(desk, tmp_path):
    desk.workbench.selection.choose_step("scores")
    desk.workbench.selection.choose_head(1)
    desk.export_step(tmp_path / "scores.csv")
    # The last two columns: 3·3 + 4·4, 3·7 + 4·8, 7·7 + 8·8.
    assert labelled(tmp_path / "scores.csv") == [[25.0, 53.0], [53.0, 113.0]]
    assert desk.proposed[0].endswith("scores.head1.csv")


def test_a_step_without_heads_is_written_whichever_head_is_chosen(desk, tmp_path):
    desk.workbench.selection.choose_step("X")
    desk.workbench.selection.choose_head(1)
    desk.export_step(tmp_path / "X.csv")
    assert labelled(tmp_path / "X.csv") == [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]
    assert desk.proposed[0].endswith("X.csv")


def test_token_names_are_written_only_if_they_are_asked_for(desk, tmp_path):
    desk.workbench.selection.choose_step("scores")
    desk.export_step(tmp_path / "named.csv")
    named = read(tmp_path / "named.csv")
    assert [row[0] for row in named[1:]] == ["the", "cat"]
    assert named[0][1:] == ["the", "cat"]
    desk.exporter.with_headers.setChecked(False)
    desk.export_step(tmp_path / "bare.csv")
    assert numbers(read(tmp_path / "bare.csv")) == [[5.0, 17.0], [17.0, 61.0]]
    desk.export_all(tmp_path / "out")
    bare = numbers(read(tmp_path / "out" / "scores.head0.csv"))
    assert bare == [[5.0, 17.0], [17.0, 61.0]]


def test_a_cancelled_dialog_writes_nothing_and_tells_nothing(
    desk, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    desk.export_step("")
    desk.export_all("")
    assert len(desk.proposed) == 2
    assert list(tmp_path.iterdir()) == []
    assert desk.notice.text == ""


def test_a_step_that_an_edit_has_taken_away_gives_way_to_the_weights(desk, tmp_path):
    desk.workbench.selection.choose_step("masked")
    document = desk.workbench.document
    unmasked = Spec(n_heads=2, scale=1.0)
    desk.workbench.edits.submit(spec_edit(document, unmasked, "No mask"))
    desk.export_step(tmp_path / "step.csv")
    assert desk.proposed[0].endswith("weights.head0.csv")
    # e⁵ and e¹⁷ over their sum: without the mask the first query sees both keys.
    first = 1 / (1 + np.exp(12))
    np.testing.assert_allclose(
        labelled(tmp_path / "step.csv")[0], [first, 1 - first], rtol=1e-12
    )


def test_a_file_that_cannot_be_written_is_told(desk, tmp_path):
    path = tmp_path / "nowhere" / "weights.csv"
    desk.export_step(path)
    assert desk.refused
    assert str(path) in desk.notice.text
    assert not path.parent.exists()


def test_a_file_that_the_dialog_has_not_asked_about_is_kept(desk, tmp_path):
    (tmp_path / "v1.2.csv").write_text("somebody's")
    desk.export_step(tmp_path / "v1.2")
    assert (tmp_path / "v1.2.csv").read_text() == "somebody's"
    assert desk.refused
    assert "It already exists and was not overwritten." in desk.notice.text


def test_a_folder_that_cannot_be_written_is_told(desk, tmp_path):
    path = tmp_path / "file"
    path.write_text("in the way")
    desk.export_all(path)
    assert desk.refused
    assert str(path) in desk.notice.text
    assert path.read_text() == "in the way"


def test_the_next_dialog_begins_where_the_last_export_went(desk, tmp_path):
    (tmp_path / "a").mkdir()
    desk.export_step(tmp_path / "a" / "weights.csv")
    desk.export_all(tmp_path / "b")
    # A failed export offers no folder.
    desk.export_step(tmp_path / "nowhere" / "weights.csv")
    desk.export_all("")
    started = [desk.proposed[1], desk.proposed[3]]
    assert started == [str(tmp_path / "a"), str(tmp_path / "b")]


@pytest.mark.parametrize("way", ["export_step", "export_all"])
def test_what_memory_is_too_small_for_is_told_and_nothing_written(
    desk, monkeypatch, tmp_path, way
):
    def run_out_of_memory(*_):
        raise MemoryError

    monkeypatch.setattr(Snapshot, "compute", run_out_of_memory)
    getattr(desk, way)(tmp_path / "out.csv")
    assert desk.refused
    assert "memory" in desk.notice.text
    assert list(tmp_path.iterdir()) == []


def test_an_export_is_written_beside_the_window_as_it_was_asked_for(
    desk, monkeypatch, qtbot, tmp_path
):
    begun, go_on = threading.Event(), threading.Event()
    compute = Snapshot.compute

    def wait(*arguments):
        begun.set()
        assert go_on.wait(10)
        return compute(*arguments)

    monkeypatch.setattr(Snapshot, "compute", wait)
    desk.workbench.selection.choose_step("scores")
    desk.answer = tmp_path / "scores.csv"
    desk.exporter.export_step()
    assert begun.wait(10)
    desk.edit_first_cell(10.0)  # the window stays responsive
    assert not desk.answer.exists()
    go_on.set()
    qtbot.waitUntil(lambda: "written" in desk.notice.text)
    # 1·1 + 2·2, 1·5 + 2·6, 5·5 + 6·6: before the edit.
    assert labelled(desk.answer) == [[5.0, 17.0], [17.0, 61.0]]


def test_what_takes_long_is_told_and_can_be_cancelled(
    desk, monkeypatch, qtbot, tmp_path
):
    go_on = threading.Event()
    compute = Snapshot.compute

    def wait(*arguments):
        assert go_on.wait(10)
        return compute(*arguments)

    monkeypatch.setattr(worker_module, "PATIENCE", 0.0)
    monkeypatch.setattr(Snapshot, "compute", wait)
    status = QWidget(desk.window)
    work = WorkLine(desk.workbench.engine, desk.notice, status)
    work.follow(desk.exporter)
    desk.answer = tmp_path / "weights.csv"
    desk.exporter.export_step()
    qtbot.waitUntil(lambda: work.text.text() == "writing “weights.csv”…")
    work.cancel.click()
    go_on.set()
    desk.exporter.finish()
    assert desk.notice.text == "“weights.csv” was only partly written."
    assert list(tmp_path.iterdir()) == []
    assert work.isHidden()


def test_a_step_of_a_long_document_is_written_without_the_steps_after_it(
    desk, monkeypatch, tmp_path
):
    def attend(*_):
        raise AssertionError

    monkeypatch.setattr(storing, "MOST_STORED", 0)
    monkeypatch.setattr(sys.modules["attnviewer.compute.run"], "attend", attend)
    desk.workbench.selection.choose_step("scores")
    desk.answer = tmp_path / "scores.csv"
    desk.exporter.export_step()
    desk.exporter.finish()
    # The first two numbers of each token: their products.
    scores = [row[1:] for row in read(desk.answer)[1:]]
    assert numbers(scores) == [[5, 17], [17, 61]]


def test_single_precision_that_a_person_chose_is_what_is_written(desk, tmp_path):
    desk.workbench.engine.choose_precision("float32")
    desk.edit_first_cell(0.1)
    desk.workbench.selection.choose_step("X")
    desk.export_step(tmp_path / "X.csv")
    assert np.float32(labelled(tmp_path / "X.csv")[0][0]) == np.float32(0.1)
    heading, row = read(tmp_path / "X.index.csv")
    assert row[heading.index("numbers")] == "float32"


def test_a_name_without_an_ending_gets_that_of_the_format(desk, tmp_path):
    desk.export_step(tmp_path / "mine.v2")
    assert {path.name for path in tmp_path.iterdir()} == {
        "mine.v2.csv",
        "mine.v2.index.csv",
    }


def test_the_open_step_is_copied_with_its_labels(desk):
    desk.workbench.selection.choose_step("scores")
    desk.exporter.copy_step()
    copied = QGuiApplication.clipboard().text().splitlines()
    assert [line.split("\t") for line in copied] == [
        ["", "the", "cat"],
        ["the", "5.0", "17.0"],
        ["cat", "17.0", "61.0"],
    ]
    assert desk.notice.text == "scores.head0 copied"


def test_too_many_cells_for_a_clipboard_are_refused(desk, monkeypatch):
    monkeypatch.setattr(exporter_module, "MOST_COPIED", 3)
    QGuiApplication.clipboard().setText("mine")
    desk.exporter.copy_step()
    assert desk.refused
    assert "at most 3 can be copied" in desk.notice.text
    assert QGuiApplication.clipboard().text() == "mine"


def test_a_document_that_is_opened_beside_the_dialog_gives_no_title(
    desk, monkeypatch, tmp_path
):
    def answer(*_):
        other = Document("One", ["a"], {"X": [[2.0]]}, Spec(projected=False))
        desk.workbench.open(other)
        return str(tmp_path)

    monkeypatch.setattr(FolderDialog, "ask", answer)
    desk.exporter.export_all()
    desk.exporter.finish()
    assert labelled(tmp_path / "X.csv")[0] == [1.0, 2.0, 3.0, 4.0]
    heading, *rows = read(tmp_path / "index.csv")
    assert {row[heading.index("title")] for row in rows} == {"Two tokens"}


@pytest.mark.parametrize("by_mouse", [False, True])
def test_the_name_of_a_new_folder_can_be_typed(desk, qtbot, tmp_path, by_mouse):
    dialog = FolderDialog(desk.window, "Export", str(tmp_path))
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    dialog.open()
    wanted = str(tmp_path / "steps")
    qtbot.waitUntil(lambda: dialog.directory().path() == str(tmp_path))
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "steps")
    qtbot.waitUntil(lambda: dialog.selectedFiles() == [wanted])
    if by_mouse:
        box = dialog.findChild(QDialogButtonBox)
        choose = box.button(QDialogButtonBox.StandardButton.Open)
        QTest.mouseClick(choose, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert dialog.result() == FolderDialog.DialogCode.Accepted
    assert dialog.selectedFiles() == [wanted]
    dialog.deleteLater()


def test_the_folder_of_an_export_can_be_shown(desk, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url))
    desk.export_all(tmp_path / "new" / "steps")
    show = desk.notice.findChild(QPushButton, "notice.offer.0")
    assert show.text() == "Show in fo&lder"
    show.click()
    assert [url.toLocalFile() for url in opened] == [str(tmp_path / "new" / "steps")]


def test_news_go_by_themselves_and_refusals_stay(desk, qtbot):
    news = desk.notice.findChild(QTimer, "notice.news")
    news.setInterval(1)
    desk.notice.show_message("Done")
    qtbot.waitUntil(lambda: desk.notice.text == "")
    desk.notice.show_message("Done")
    desk.notice.refuse("Not done")
    assert not news.isActive()
    desk.notice.offer("Shall it be done?", [])
    assert not news.isActive()


def test_a_file_of_the_window_holds_what_one_of_the_command_line_holds(desk, tmp_path):
    example = load("example:four-words")  # whose title and notes tell of other numbers
    inputs = {name: np.eye(2) for name in ("X", "W_Q", "W_K", "W_V")}
    inputs["P"] = np.arange(6.0).reshape(3, 2)  # of one token more
    spec = Spec(positions=Learned())
    changed = Document(example.title, "ab", inputs, spec, notes=example.notes)
    desk.workbench.open(changed)
    desk.answer = tmp_path / "window.json"
    desk.exporter.ask("json", Choice())
    desk.exporter.finish()
    (written,) = export(Computation.of(changed), tmp_path / "line.json", "json")
    assert desk.answer.read_bytes() == written.read_bytes()
