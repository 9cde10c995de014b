"""Every view on screens of several sizes: whole texts, full pages, no twitching."""

from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QHeaderView, QWidget

from attnviewer.io.examples import list_examples
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.views import VIEWS
from tests.wheel import NOTCH, turn_wheel

from .cut_off_texts import misfits

SMALL, USUAL, LARGE = (1366, 768), (1600, 1000), (3840, 2160)
SCREENS = [
    ("contrast", SMALL, 200, "journey"),
    ("dark", LARGE, 100, "narrow-keys"),
]
"""Of what test_cut_off_texts leaves out: themes, and documents of other shapes."""
SQUARE = "four-words", "two-heads", "journey"
"""Examples whose pictures are as high as their pages."""
LEAST_USED = 0.7
"""Share of a page that a picture covers, with all that belongs to it."""
MARGINS = 20
"""Pixels above and below a picture that are never used."""
LEAST_HIGH = 0.8
"""Share of the page's height that a picture takes at the usual text size."""
CONTROL = Qt.KeyboardModifier.ControlModifier


def settle():
    for _ in range(3):
        QApplication.processEvents()


def used(page):
    """Return the shares of a page's width and height between its outermost marks."""
    image = page.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    width, height = image.width(), image.height()
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(height, -1, 4)
    ground = pixels[-8, 8, :3].astype(int)
    marks = np.abs(pixels[..., :3] - ground).max(axis=-1) > 12  # (height, width)
    inside = marks[4:-4, 4:-4]  # without frames
    down, across = (np.flatnonzero(inside.any(axis)) for axis in (1, 0))
    return np.ptp(across) / width, np.ptp(down) / height


def places(window):
    """Return where cards, tables, their columns and the pages' parts are."""
    found = {}
    names = "step.", "flow.", "table.", "spec.", "inputs."
    for widget in window.findChildren(QWidget):
        name = widget.objectName()
        if isinstance(widget, FlowCard) or name.startswith(names):
            found[name] = widget.isVisible(), widget.geometry().getRect()
        if isinstance(widget, QHeaderView):
            sections = tuple(map(widget.sectionSize, range(widget.count())))
            owner = widget.parentWidget().objectName()
            found[owner, widget.orientation().name] = sections
    step_view = window.step_view
    if step_view.view == "heatmap":
        parts = ("box", "rows", "columns", "bar", "statistics")
        for part in parts:
            item = getattr(step_view.heatmap, part)
            found[part] = item.geometry().getRect()
    if step_view.view == "how":
        sheets = step_view.page.findChild(QWidget, "step.how").drawing.sheets
        found["sheets"] = [sheet.rect.getRect() for sheet in sheets]
    return found


def test_texts_are_whole_in_every_view(window, appearance):
    for theme, size, percent, example in SCREENS:
        appearance.choose(theme)
        appearance.set_text_size(percent)
        window.resize(*size)
        window.opener.open(f"example:{example}")
        window.workbench.baseline.pin(window.document)
        for view in VIEWS:
            window.step_view.set_view(view)
            settle()
            assert misfits(window) == [], (theme, view)


def test_heatmaps_and_operations_fill_their_pages_in_every_example(window, appearance):
    for size, percent, turn in [(SMALL, 200, 0), (SMALL, 100, 0), (USUAL, 150, 1)]:
        appearance.set_text_size(percent)
        window.resize(*size)
        examples = [example.id for example in list_examples()]
        # Large texts of the other size have the rest; a look back has the most terms.
        large = percent != 100
        examples = examples[turn::2] if large else [*SQUARE, "look-back"]
        for k, example in enumerate(examples):
            window.opener.open(f"example:{example}")
            # The steps take turns, so that each view shows both at either end of the
            # sizes.
            steps = ("scores", "weights")[:: (-1) ** (k + turn)]
            for view, step in zip(("heatmap", "how"), steps, strict=True):
                window.step_view.set_view(view)
                window.workbench.open_step(step)
                settle()
                assert_filled(window, (view, step, example, size, percent))


def assert_filled(window, case):
    view, _, example, _, percent = case
    page = window.step_view.page
    if view == "how":
        page = page.findChild(QWidget, "step.how")
    across, down = used(page)
    if case == ("how", "scores", "narrow-keys", SMALL, 200):
        # With tall lines, one more row than there is would not fit.
        left = (1 - down) * page.height() - page.drawing.sheets[-1].cell
        assert left < MARGINS or across * down > LEAST_USED, case
    elif case[1:] != ("scores", "look-back", SMALL, 100):
        # Of its 16 terms as many are shown as fit: one more would not.
        assert across * down > LEAST_USED, case
    if example in SQUARE and percent == 100:
        assert down > LEAST_HIGH, case


def test_nothing_moves_while_a_number_is_scrubbed(window):
    table = window.inputs.table("W_Q")
    cell = table.visualRect(table.model().index(0, 2)).center()
    for view in VIEWS:
        window.step_view.set_view(view)
        seen = []
        for notches in (1, 5, -30, 3, 23):
            turn_wheel(table.viewport(), NOTCH * notches, cell, CONTROL)
            window.workbench.engine.flush()
            settle()
            seen.append((float(window.document.matrix("W_Q")[0, 2]), places(window)))
        assert len({value for value, _ in seen}) == len(seen)
        for (_, before), (value, after) in pairwise(seen):
            moved = {name for name in before if before[name] != after.get(name)}
            assert moved == set(), (view, value)
