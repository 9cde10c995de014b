"""Walks as animations: their frames, and recording them."""

import itertools
import sys

import numpy as np
import pytest
from PIL import Image, ImageChops
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLabel,
    QProgressDialog,
    QPushButton,
)

from attnviewer.document import SetCells
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.pictures.gif import MissingPillowError
from attnviewer.ui.pictures.walk_dialog import WalkDialog
from attnviewer.ui.pictures.walk_frames import WalkFrames, spread
from attnviewer.ui.pictures.walk_saving import save_walk, walk_snapshot

LEFT = Qt.MouseButton.LeftButton
COLUMNS, TOKENS = 3, 4
ROW = 3 * COLUMNS + 3 * TOKENS + COLUMNS
"""Cells of one query: of Q, K and V; of scores, scaled and weights; of the output."""
SCOPES = {"step": TOKENS * TOKENS, "row": ROW, "steps": TOKENS * ROW}


def write(window, tmp_path, **options):
    path = tmp_path / "walk.gif"
    save_walk(window.workbench, path, LIGHT, **options)
    return Image.open(path)


def frames_of(gif):
    frames = []
    for number in range(gif.n_frames):
        gif.seek(number)
        frames.append(gif.convert("RGB"))
    return frames


def check_there_is_a_frame_for_every_cell_and_it_plays_for_ever(window, tmp_path):
    for scope in ("step", "steps"):
        size = (480, 300) if scope == "step" else (320, 240)
        with write(window, tmp_path, pace=500, scope=scope, size=size) as gif:
            assert gif.n_frames == SCOPES[scope]
            assert gif.info["loop"] == 0
            assert gif.info["duration"] == 500
            assert gif.size == size


def check_every_frame_of_a_row_is_another_one_in_flat_colours(window, tmp_path):
    """Compares the drawn frames with those of the file, in the cells."""
    selection = window.workbench.selection
    before = selection.step, selection.cell
    with write(window, tmp_path) as gif:
        assert gif.size == (960, 600)
        kept = frames_of(gif)
        comment = gif.info["comment"].decode()
    assert (selection.step, selection.cell) == before
    assert len(kept) == SCOPES["row"]
    for one, next_ in itertools.pairwise(kept):
        assert ImageChops.difference(one, next_).getbbox() is not None
    for part in ("variant: self", "scale: 1/sqrt(d_k)", "causal: no", "(attnviewer "):
        assert part in comment
    move = 3 * COLUMNS  # the first of the scores
    frames = WalkFrames(walk_snapshot(window.workbench), LIGHT, QSize(960, 600))
    assert_flat(frames.frame(move), np.asarray(kept[move]).astype(int))


def assert_flat(drawn, kept):
    """Assert that what is of one colour in a drawn frame is so in the file."""
    colors = set()
    for x, y in itertools.product(range(300, 700, 47), range(100, 560, 31)):
        patch = drawn.copy(x, y, 8, 8)
        color = patch.pixelColor(0, 0)
        if any(patch.pixelColor(i, j) != color for i in range(8) for j in range(8)):
            continue
        colors.add(color.name())
        patch = kept[y : y + 8, x : x + 8].reshape(-1, 3)
        assert (patch == patch[0]).all()
        assert np.abs(patch[0] - (color.red(), color.green(), color.blue())).max() <= 6
    assert len(colors) > 4


def check_a_frame_shows_the_cells_up_to_its_own_and_larger_ones_the_same_enlarged(
    window,
):
    snapshot = walk_snapshot(window.workbench, "step")
    frames = WalkFrames(snapshot, LIGHT, QSize(960, 600))
    seen = [frames.place(move) for move in frames.moves]
    assert seen == [("weights", row, column) for row in range(4) for column in range(4)]
    later = colour_count(frames.frame(0), LIGHT.border)
    assert later > 2 * colour_count(frames.frame(2), LIGHT.border) > 0
    assert colour_count(frames.frame(3), LIGHT.border) < later / 20

    snapshot = walk_snapshot(window.workbench, "step")
    small = WalkFrames(snapshot, LIGHT, QSize(960, 600)).frame(5)
    large = WalkFrames(snapshot, LIGHT, QSize(1920, 1200)).frame(5)
    reduced = large.scaled(
        small.size(), mode=Qt.TransformationMode.SmoothTransformation
    ).convertToFormat(small.format())
    one, two = (
        np.frombuffer(image.constBits(), np.uint8).astype(int)
        for image in (small, reduced)
    )
    assert np.mean(np.abs(one - two) > 40) < 0.02


def test_a_walk_has_a_frame_for_every_cell_up_to_its_own(window, tmp_path):
    check_a_frame_shows_the_cells_up_to_its_own_and_larger_ones_the_same_enlarged(
        window
    )
    check_there_is_a_frame_for_every_cell_and_it_plays_for_ever(window, tmp_path)
    check_every_frame_of_a_row_is_another_one_in_flat_colours(window, tmp_path)


def colour_count(image, name):
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, 2::-1]
    return int((pixels == [*bytes.fromhex(name[1:])]).all(axis=1).sum())


@pytest.mark.parametrize(("n_moves", "most"), [(1, 3), (3, 3), (4, 3), (1000, 7)])
def test_long_walks_show_evenly_spread_moves_with_both_ends(n_moves, most):
    moves = list(spread(n_moves, most))
    assert len(moves) == min(n_moves, most)
    assert moves[0] == 0
    assert moves[-1] == n_moves - 1
    gaps = np.diff(moves)
    assert not gaps.size or gaps.max() - gaps.min() <= 1


def test_what_no_one_could_watch_or_write_is_refused_and_pillow_named(
    window, tmp_path, qtbot, monkeypatch
):
    for options, reason in [
        ({"size": (100, 600)}, "from 320x240 to 1920x1200"),
        ({"size": (800, 6000)}, "from 320x240 to 1920x1200"),
        ({"pace": 19}, "from 20 to 10000 milliseconds"),
        ({"pace": 10_001}, "from 20 to 10000 milliseconds"),
    ]:
        with pytest.raises(ValueError, match=reason):
            write(window, tmp_path, **options)
        assert not list(tmp_path.iterdir())

    save(window, monkeypatch, tmp_path / "gone" / "walk.gif")
    qtbot.waitUntil(lambda: "There is no folder" in window.notice.text, timeout=20_000)

    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    action(window, "action.gif").trigger()
    assert window.notice.text == (
        "Animated GIFs need Pillow, which is not installed: "
        'pip install "attnviewer[gif]"'
    )
    with pytest.raises(MissingPillowError):
        save_walk(window.workbench, tmp_path / "walk.gif", LIGHT)


# The dialog and the recording.


def action(window, name):
    return next(a for a in window.findChildren(object) if a.objectName() == name)


def open_dialog(window) -> WalkDialog:
    action(window, "action.gif").trigger()
    return window.findChildren(WalkDialog)[-1]


def save(window, monkeypatch, path) -> None:
    dialog = open_dialog(window)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.mouseClick(dialog.findChild(QPushButton, "walk_dialog.save"), LEFT)


def check_a_walk_is_recorded_while_the_window_goes_on(
    window, qtbot, tmp_path, monkeypatch
):
    save(window, monkeypatch, tmp_path / "walk")
    assert window.findChild(QProgressDialog) is not None
    qtbot.waitUntil(lambda: "written" in window.notice.text, timeout=20_000)
    assert (
        window.notice.text
        == f"{tmp_path / 'walk.gif'} written, {TOKENS * TOKENS} frames"
    )
    with Image.open(tmp_path / "walk.gif") as gif:
        assert gif.n_frames == TOKENS * TOKENS


def check_a_recording_can_be_given_up_and_other_numbers_end_it(
    window, qtbot, tmp_path, monkeypatch
):
    save(window, monkeypatch, tmp_path / "walk.gif")
    cancel = window.findChild(QProgressDialog).findChild(QPushButton)
    QTest.mouseClick(cancel, LEFT)
    qtbot.waitUntil(lambda: window.notice.text == "The recording was cancelled.")
    assert not list(tmp_path.iterdir())

    save(window, monkeypatch, tmp_path / "walk.gif")
    edit = SetCells("edit", "X", 0, 0, np.array([[5.0]]))
    window.workbench.edits.submit(edit)
    qtbot.waitUntil(lambda: "numbers have changed" in window.notice.text)
    assert not list(tmp_path.iterdir())


def test_a_recording_whose_progress_is_dismissed_is_given_up(
    window, qtbot, tmp_path, monkeypatch
):
    save(window, monkeypatch, tmp_path / "walk.gif")
    window.findChild(QProgressDialog).reject()
    qtbot.waitUntil(lambda: window.notice.text == "The recording was cancelled.")
    assert not list(tmp_path.iterdir())


def test_a_window_that_is_closed_meanwhile_leaves_nothing_behind(
    window, tmp_path, monkeypatch
):
    save(window, monkeypatch, tmp_path / "walk.gif")
    window.close()
    assert not list(tmp_path.iterdir())


def check_the_dialog_tells_what_is_played_and_keeps_what_it_has_not_asked_about(
    window, tmp_path, monkeypatch
):
    dialog = open_dialog(window)
    scope = dialog.findChild(QComboBox, "walk_dialog.scope")
    about = dialog.findChild(QLabel, "walk_dialog.about")
    texts = [scope.itemText(index) for index in range(scope.count())]
    assert texts == [
        "This step: Attention weights",
        "All steps of one query: “word 1”",
        "All steps of all queries",
    ]
    for index, cells in enumerate(SCOPES.values()):
        scope.setCurrentIndex(index)
        assert f" {cells} cells." in about.text()
    dialog.reject()

    (tmp_path / "walk.gif").write_text("somebody's")
    save(window, monkeypatch, tmp_path / "walk")
    dialog = window.findChildren(WalkDialog)[-1]
    reason = dialog.findChild(QLabel, "walk_dialog.reason")
    assert reason.isVisible()
    assert reason.text().endswith("was not overwritten.")
    assert (tmp_path / "walk.gif").read_text() == "somebody's"
    dialog.reject()


def test_a_walk_is_told_of_recorded_or_given_up_while_the_window_goes_on(
    window, qtbot, tmp_path, monkeypatch
):
    check_a_recording_can_be_given_up_and_other_numbers_end_it(
        window, qtbot, tmp_path, monkeypatch
    )
    check_a_walk_is_recorded_while_the_window_goes_on(
        window, qtbot, tmp_path, monkeypatch
    )
    check_the_dialog_tells_what_is_played_and_keeps_what_it_has_not_asked_about(
        window, tmp_path, monkeypatch
    )
