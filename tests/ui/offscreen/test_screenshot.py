import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QFontInfo, QImage
from PySide6.QtWidgets import QLineEdit, QSpinBox, QToolBar, QWidget

from attnviewer.io import FileError
from attnviewer.sources import ModelSource
from attnviewer.ui.offscreen.screenshot import save_screenshot
from attnviewer.ui.offscreen.window import ScreenshotOptions, offscreen_window
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.window.main_window import MainWindow
from attnviewer.views import VIEWS
from tests.models.checkpoints import write_gpt2

SOURCE = "example:four-words"
SMALL = (960, 600)


def picture(tmp_path, **options):
    path = tmp_path / "window.png"
    save_screenshot(SOURCE, path, **options)
    image = QImage(str(path))
    assert not image.isNull()
    return image


def test_the_picture_has_the_size_and_the_theme_that_were_asked_for(
    appearance, tmp_path
):
    for size, theme in (((320, 240), LIGHT), ((1366, 768), DARK)):
        image = picture(tmp_path, size=size, theme=theme.name)
        assert (image.width(), image.height()) == size
        if size[0] >= 1366:
            corner = image.pixelColor(image.width() // 2, image.height() - 40)
            assert corner.name() == theme.stage


def test_larger_texts_are_larger_everywhere(appearance):
    def sizes(percent):
        options = ScreenshotOptions(SOURCE, text_size=percent)
        with offscreen_window(options) as window:
            shown = {w.objectName(): w for w in window.findChildren(QWidget)}
            names = "step.tabs", "spec.variant", "spec.heads", "export", "title"
            parts = window.menuBar(), *(shown[name] for name in names)
            return [QFontInfo(part.font()).pixelSize() for part in parts]

    assert sizes(200) == [2 * size for size in sizes(100)]


def test_another_step_view_or_cell_makes_another_picture_and_the_same_the_same(
    appearance, tmp_path
):
    pictures = [
        picture(tmp_path, size=SMALL),
        picture(tmp_path, size=SMALL, step="scores"),
        picture(tmp_path, size=SMALL, view="table"),
        picture(tmp_path, size=SMALL, cell=(3, 3)),
    ]
    for i, one in enumerate(pictures):
        assert all(one != other for other in pictures[i + 1 :])
    assert picture(tmp_path, size=SMALL, cell=(3, 3)) == pictures[-1]


def test_another_baseline_makes_another_picture_of_the_difference(appearance, tmp_path):
    pictures = [
        picture(tmp_path, size=SMALL, view="difference", **baseline)
        for baseline in (
            {},
            {"baseline": "example:four-words-rerun"},
            {"baseline": "example:journey"},
        )
    ]
    for i, one in enumerate(pictures):
        assert all(one != other for other in pictures[i + 1 :])


def test_what_is_not_there_is_named_and_writes_nothing(appearance, tmp_path):
    path = tmp_path / "window.png"
    for options, told in (
        ({"step": "masked"}, "must"),
        ({"cell": (4, 0)}, "must"),
        ({"view": "no"}, r"must be one of how, .*on_picture\. Got 'no'"),
    ):
        with pytest.raises(ValueError, match=told):
            save_screenshot(SOURCE, path, size=SMALL, **options)
    with pytest.raises(FileError, match=r"nowhere\.json"):
        save_screenshot(SOURCE, path, baseline=str(tmp_path / "nowhere.json"))
    assert not path.exists()


def test_an_unwritable_place_is_told_and_no_window_stays(appearance, tmp_path):
    with pytest.raises(FileError, match="no folder"):
        save_screenshot(SOURCE, tmp_path / "nowhere" / "window.png")


def test_a_window_on_a_model_opens_as_on_a_screen_with_all_layers(appearance, tmp_path):
    model = ModelSource(write_gpt2(tmp_path / "tiny"), (3, 1, 4, 1, 5), 1, 2)
    with offscreen_window(ScreenshotOptions(model)) as window:
        bar = window.findChild(QToolBar, "model.bar")
        shown = [
            bar.findChild(QSpinBox, f"model.{n}").text() for n in ("layer", "head")
        ]
        assert shown == ["L1", "H2"]
        assert bar.findChild(QLineEdit, "model.sentence").text() == "3 1 4 1 5"
        assert bar.isVisible()
        assert window.document.title == "tiny · L1"
        assert window.step_view.view == "heatmap"
        assert window.workbench.selection.head == 2
        assert window.workbench.model.heads is not None
        assert not window.notice.isVisible()
        assert window.findChild(QWidget, "atlas.maps").is_drawn
        # The strongest weight of this head, neither on the first key nor on itself.
        weights = window.document.compute()["weights"][2].copy()  # (5, 5)
        weights[:, 0] = 0
        np.fill_diagonal(weights, 0)
        strongest = np.unravel_index(weights.argmax(), weights.shape)
        assert window.workbench.selection.cell == strongest


def test_of_long_texts_all_is_told_of_every_head(appearance, tmp_path):
    folder = write_gpt2(tmp_path / "long", n_positions=512, n_layer=1)
    model = ModelSource(folder, tuple(k % 48 for k in range(512)))
    with offscreen_window(ScreenshotOptions(model, view="heads")) as window:
        cards = window.step_view.heads.heads.wall.cards
        assert len(cards) == 4
        assert all("bit" in card.accessibleName() for card in cards)


class ShownWindows(QObject):
    """Notes the kinds of all windows that are shown, if only for a moment."""

    def __init__(self, qapp):
        super().__init__(qapp)
        self.kinds = set()

    def eventFilter(self, watched, event):
        shown = event.type() == QEvent.Type.Show
        if shown and isinstance(watched, QWidget) and watched.isWindow():
            self.kinds.add(type(watched))
        return False


def test_a_folder_is_drawn_as_a_model(appearance, qapp, tmp_path):
    folder, path = write_gpt2(tmp_path / "tiny"), tmp_path / "window.png"
    windows = ShownWindows(qapp)
    qapp.installEventFilter(windows)
    save_screenshot(str(folder), path, size=SMALL)
    qapp.removeEventFilter(windows)
    assert windows.kinds == {MainWindow}
    by_folder = path.read_bytes()
    save_screenshot(ModelSource(folder), path, size=SMALL)
    assert path.read_bytes() == by_folder
    with pytest.raises(FileError, match="It is a folder, not a file"):
        save_screenshot(str(folder), path, assign="X=a")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="always has a display")
def test_without_a_display_a_picture_is_drawn_and_the_ways_on_are_named(
    tmp_path, monkeypatch
):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("QT_SCALE_FACTOR", "1.5")  # which makes no larger picture
    done = subprocess.run(
        [sys.executable, "-m", "attnviewer"], capture_output=True, text=True, check=True
    )
    first = done.stdout.splitlines()[0]
    assert first.startswith("There is no display")
    image = QImage(first.rpartition(": ")[2])
    assert image.width() == 1600
    assert "xvfb-run" in done.stdout
    assert " export`" in done.stdout


def test_the_readmes_pictures_show_every_view_in_both_themes(
    appearance, tmp_path, monkeypatch
):
    script = str(Path(__file__).resolve().parents[3] / "scripts" / "screenshots.py")
    monkeypatch.setattr(sys, "argv", [script, "lines", "--to", str(tmp_path / "new")])
    pictures = runpy.run_path(script, run_name="__main__")["PICTURES"]
    shown = {name for name, view in VIEWS.items() if not view.of_grid}
    assert {picture.view for picture in pictures.values()} == shown
    drawn = {path.name: QImage(str(path)) for path in (tmp_path / "new").iterdir()}
    assert set(drawn) == {"lines.png", "lines-dark.png"}
    for name, theme in (("lines.png", LIGHT), ("lines-dark.png", DARK)):
        image = drawn[name]
        assert (image.width(), image.height()) == (1366, 854)
        assert image.pixelColor(800, 818).name() == theme.window


SHARP = """
import sys
from PySide6.QtWidgets import QApplication
from attnviewer.ui.window.app import create_window

window = create_window("example:two-heads")
window.resize(1366, 768)
window.show()
for _ in range(3):
    QApplication.processEvents()
picture = window.grab()
assert picture.devicePixelRatio() == 2
picture.save(sys.argv[1])
window.close()
"""


def test_a_screen_of_two_pixels_for_one_is_drawn_in_its_own_pixels(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("QT_SCALE_FACTOR", "2")
    path = tmp_path / "sharp.png"
    subprocess.run([sys.executable, "-c", SHARP, path], check=True)
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    assert (image.width(), image.height()) == (2 * 1366, 2 * 768)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)
    for place in (
        QRect(20, 60, 380, 100),  # the bar, with its symbols
        QRect(900, 180, 700, 260),  # the flow's numbers and pictures
        QRect(900, 640, 700, 600),  # the heatmap with its labels
    ):
        top, left = place.top(), place.left()
        part = pixels[top : top + place.height(), left : left + place.width(), :3]
        # Upscaled pixels would come in squares of four.
        squares = [part[y::2, x::2] for y in (0, 1) for x in (0, 1)]
        torn = (np.ptp(squares, axis=0) > 0).any(axis=-1).sum()
        assert torn > place.width() * place.height() / 4 / 50, place
