"""The region that is repainted after an edit, of the shapes of a picture."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

from attnviewer.document import SetCells
from attnviewer.io import load
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.views.step.how.drawing import Bars, Drawing, Text
from attnviewer.ui.views.step.how.painting import DrawingPainter
from attnviewer.ui.views.step.how.repainting import changed_region

SIZE = 1000, 660
BARS = Bars(
    np.array([[100.0 * k, 50.0, 20.0, 30.0 + k] for k in range(4)]),
    ("0.25", "0.5", "", "1"),
    12.0,
    1,
    np.full((4, 3), 90, np.uint8),
)


def pixels(drawing, exposed=None, below=None):
    """Return an image of a picture, or with a part of it painted on another one."""
    image = QImage(*SIZE, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.stage))
    if below is not None:
        image = below.copy()
    painter = QPainter(image)
    if exposed is not None:
        painter.setClipRegion(exposed)
        painter.fillRect(image.rect(), QColor(LIGHT.stage))
    shown = DrawingPainter(painter, LIGHT, QGuiApplication.font())
    shown.paint(drawing, exposed=exposed)
    painter.end()
    return image


@pytest.mark.parametrize(
    "change",
    [
        {"rects": np.vstack([BARS.rects[:3], [300.0, 40.0, 20.0, 43.0]])},
        {"labels": (*BARS.labels[:3], "0.9")},
        {"colors": np.array([[90] * 3] * 3 + [[10] * 3], np.uint8)},
    ],
)
def test_a_bar_that_changes_is_repainted_alone(change):
    before = Drawing((BARS,), frozenset())
    after = Drawing((replace(BARS, **change),), frozenset())
    region = changed_region(before, after)
    assert region is not None
    assert region.contains(QPoint(310, 60))
    assert not any(region.contains(QPoint(100 * k + 10, 60)) for k in range(3))


def test_equal_bars_are_not_repainted_and_others_lit_are_all():
    before, same = (Drawing((replace(BARS),), frozenset()) for _ in range(2))
    assert changed_region(before, same).isEmpty()
    other = Drawing((replace(BARS, lit=2),), frozenset())
    region = changed_region(before, other)
    assert all(region.contains(QPoint(100 * k + 10, 60)) for k in range(4))


def test_a_new_note_of_bars_does_not_repaint_their_title(drawn):
    document = load("example:four-words")
    before, _ = drawn(document, "weights", (0, 2))
    document.apply(SetCells("", "W_Q", 0, 0, np.array([[0.37]])))
    after, _ = drawn(document, "weights", (0, 2))
    region = changed_region(before, after)
    texts = [shape for shape in after.shapes if isinstance(shape, Text)]
    titles = [text for text in texts if text.text.startswith("Exponentials")]
    assert titles
    # Their last row of pixels may be the first one of a bar's number.
    inside = [text.rect.adjusted(0, 0, 0, -1).toAlignedRect() for text in titles]
    assert not any(region.intersects(rect) for rect in inside)


@pytest.mark.parametrize("step", ["weights", "scores", "output", "Q"])
@pytest.mark.parametrize("example", ["four-words", "two-heads"])
def test_what_an_edit_repaints_is_what_painting_anew_shows(drawn, example, step):
    document = load(f"example:{example}")
    rng = np.random.default_rng(3)
    before, _ = drawn(document, step, (1, 1))
    image = pixels(before)
    for matrix in ("X", "W_Q", "W_K", "W_V"):
        value = rng.uniform(-2, 2, (1, 1)).round(3)
        document.apply(SetCells("", matrix, 1, 0, value))
        after, _ = drawn(document, step, (1, 1))
        region = changed_region(before, after)
        image = pixels(after, region, image)
        assert image == pixels(after), matrix
        before = after
