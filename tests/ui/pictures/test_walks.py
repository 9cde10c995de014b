"""Walks as animations: their frames, and recording them."""

import itertools
import sys

import numpy as np
import pytest
from PIL import Image, ImageChops
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
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
MOVES = 3 * 3 + 4 + 4 + 1 + 4 + 1 + 4 + 4
"""Three columns of Q, K and V each; of four keys: scores, scaled, maximum,
exponentials, sum, weights, output."""


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


def test_there_is_a_frame_for_every_move_and_it_plays_for_ever(window, tmp_path):
    with write(window, tmp_path, pace=500) as gif:
        assert gif.n_frames == MOVES
        assert gif.info["loop"] == 0
        assert gif.info["duration"] == 500
        assert gif.size == (800, 600)


def test_every_frame_is_another_one(window, tmp_path):
    with write(window, tmp_path) as gif:
        frames = frames_of(gif)
    for one, next_ in itertools.pairwise(frames):
        assert ImageChops.difference(one, next_).getbbox() is not None


def test_the_file_states_how_it_was_computed(window, tmp_path):
    with write(window, tmp_path) as gif:
        comment = gif.info["comment"].decode()
    for part in ("variant: self", "scale: 1/sqrt(d_k)", "causal: no", "(attnviewer "):
        assert part in comment


def test_flat_colours_are_not_dithered(window, tmp_path):
    """Compares the drawn frames with those of the file, in the cells."""
    frames = WalkFrames(walk_snapshot(window.workbench), LIGHT, QSize(800, 600))
    drawn = frames.frame(0)
    frames.close()
    with write(window, tmp_path) as gif:
        kept = np.asarray(frames_of(gif)[0]).astype(int)
    for x, y in ((100, 90), (220, 90), (330, 90), (100, 320), (330, 430)):
        color = drawn.pixelColor(x, y)
        patch = kept[y : y + 8, x : x + 8].reshape(-1, 3)
        assert (patch == patch[0]).all()
        assert np.abs(patch[0] - (color.red(), color.green(), color.blue())).max() <= 6


def test_the_selection_of_the_window_stays(window, tmp_path):
    selection = window.workbench.selection
    before = selection.step, selection.cell
    write(window, tmp_path).close()
    assert (selection.step, selection.cell) == before


@pytest.mark.parametrize(("n_moves", "most"), [(1, 3), (3, 3), (4, 3), (1000, 7)])
def test_long_walks_show_evenly_spread_moves_with_both_ends(n_moves, most):
    moves = list(spread(n_moves, most))
    assert len(moves) == min(n_moves, most)
    assert moves[0] == 0
    assert moves[-1] == n_moves - 1
    gaps = np.diff(moves)
    assert not gaps.size or gaps.max() - gaps.min() <= 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"size": (100, 600)}, "from 320x240 to 1920x1200"),
        ({"size": (800, 6000)}, "from 320x240 to 1920x1200"),
        ({"pace": 19}, "from 20 to 10000 milliseconds"),
        ({"pace": 10_001}, "from 20 to 10000 milliseconds"),
    ],
)
def test_what_no_one_could_watch_is_refused(window, tmp_path, options, reason):
    with pytest.raises(ValueError, match=reason):
        write(window, tmp_path, **options)
    assert not list(tmp_path.iterdir())


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


def test_a_walk_is_recorded_while_the_window_goes_on(
    window, qtbot, tmp_path, monkeypatch
):
    save(window, monkeypatch, tmp_path / "walk")
    assert window.findChild(QProgressDialog) is not None
    qtbot.waitUntil(lambda: "written" in window.notice.text, timeout=20_000)
    assert window.notice.text == f"{tmp_path / 'walk.gif'} written, {MOVES} frames"
    with Image.open(tmp_path / "walk.gif") as gif:
        assert gif.n_frames == MOVES


def test_a_walk_that_the_dialog_has_not_asked_about_is_kept(
    window, tmp_path, monkeypatch
):
    (tmp_path / "walk.gif").write_text("somebody's")
    save(window, monkeypatch, tmp_path / "walk")
    dialog = window.findChildren(WalkDialog)[-1]
    reason = dialog.findChild(QLabel, "walk_dialog.reason")
    assert reason.isVisible()
    assert reason.text().endswith("was not overwritten.")
    assert (tmp_path / "walk.gif").read_text() == "somebody's"
    dialog.reject()


def test_a_recording_can_be_given_up(window, qtbot, tmp_path, monkeypatch):
    save(window, monkeypatch, tmp_path / "walk.gif")
    cancel = window.findChild(QProgressDialog).findChild(QPushButton)
    QTest.mouseClick(cancel, LEFT)
    qtbot.waitUntil(lambda: window.notice.text == "The recording was cancelled.")
    assert not list(tmp_path.iterdir())


def test_other_numbers_end_a_recording(window, qtbot, tmp_path, monkeypatch):
    save(window, monkeypatch, tmp_path / "walk.gif")
    edit = SetCells("edit", "X", 0, 0, np.array([[5.0]]))
    window.workbench.edits.submit(edit)
    qtbot.waitUntil(lambda: "numbers have changed" in window.notice.text)
    assert not list(tmp_path.iterdir())


def test_a_window_that_is_closed_meanwhile_leaves_nothing_behind(
    window, tmp_path, monkeypatch
):
    save(window, monkeypatch, tmp_path / "walk.gif")
    window.close()
    assert not list(tmp_path.iterdir())


def test_a_walk_that_cannot_be_written_is_refused(window, qtbot, tmp_path, monkeypatch):
    save(window, monkeypatch, tmp_path / "gone" / "walk.gif")
    qtbot.waitUntil(lambda: "There is no folder" in window.notice.text, timeout=20_000)


def test_the_dialog_tells_whose_walk_it_is_and_how_long(window):
    dialog = open_dialog(window)
    about = dialog.findChild(QLabel, "walk_dialog.about").text()
    assert "“word 1”" in about
    assert f"{MOVES} moves" in about
    dialog.reject()


def test_without_pillow_it_is_told_how_to_get_it(window, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    action(window, "action.gif").trigger()
    assert window.notice.text == (
        "Moving pictures need Pillow, which is not installed: "
        'pip install "attnviewer[gif]"'
    )
    with pytest.raises(MissingPillowError):
        save_walk(window.workbench, tmp_path / "walk.gif", LIGHT)
