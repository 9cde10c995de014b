"""Pinned cells look pinned in every view and theme, and others do not."""

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton

from attnviewer import Pin
from attnviewer.compute import HeadLocation
from attnviewer.document import Replace
from attnviewer.document.pins import add_pins, remove_pins
from attnviewer.io import load
from attnviewer.ui.paint.theme import THEMES
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.views.step.lines.pin_marks import marked_places
from tests.ui.paint.contrast import contrast
from tests.ui.views.step.editing import on_screen, settle

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
PINNED = (1, 2)
STEPS = {"light": ["Q", "scores"], "dark": ["weights"], "contrast": ["output"]}


def pin(window, *pins):
    window.workbench.edits.submit(add_pins(window.document, pins, "Pin"))
    window.workbench.engine.catch_up()
    settle()


def unpin(window):
    everything = range(len(window.document.pins))
    window.workbench.edits.submit(remove_pins(window.document, everything, "Unpin"))
    window.workbench.engine.catch_up()
    settle()


def open_step(window, view, step="scores"):
    window.workbench.selection.choose_cell(step, None)
    window.step_view.set_view(view)
    settle()
    return window.step_view.page


def pixels(image: QImage):
    """Return the bytes of each pixel: (height, width, 4)."""
    image = image.convertToFormat(QImage.Format.Format_ARGB32)
    shape = image.height(), image.width(), 4
    return np.frombuffer(image.constBits(), np.uint8).reshape(shape).copy()


def shot(widget) -> QImage:
    return widget.grab().toImage()


def is_marked(image: QImage, cell: QRect) -> bool:
    """Return whether one upper corner of a cell looks unlike the other one."""
    side = min(cell.width(), cell.height())
    inward = min(5, round(0.1 * side))
    inward += 1 if side < 24 else 2
    left = cell.topLeft() + QPoint(inward, inward)
    right = cell.topRight() + QPoint(-inward, inward)
    ratio = contrast(image.pixelColor(left), image.pixelColor(right))
    assert ratio < 1.6 or ratio >= 3
    return ratio >= 3


def marked_cells(image, rect_of, shape):
    return {
        (row, column)
        for row, column in np.ndindex(shape)
        if is_marked(image, rect_of((row, column)))
    }


def test_every_view_marks_pinned_cells_alone_and_the_heatmap_in_each_theme(
    window, appearance
):
    views = {
        "light": [check_how, check_strip],
        "dark": [check_table, check_lines],
        "contrast": [check_how, check_lines],
    }
    for theme in THEMES:
        appearance.choose(theme)
        for check in views[theme]:
            window.workbench.open(load("example:four-words"))
            check(window)
        check_heatmap(window, STEPS[theme])
    window.workbench.open(load("example:two-heads"))
    check_cards_of_heads(window)


def check_heatmap(window, steps):
    window.workbench.open(load("example:four-words"))
    for step in steps:
        heatmap = open_step(window, "heatmap", step)
        shape = window.workbench.engine.current.trace.matrix_shape(step)

        def marked(heatmap=heatmap, shape=shape):
            image = shot(heatmap.viewport())
            return marked_cells(image, lambda c: heatmap.cell_rect(c).toRect(), shape)

        assert marked() == set(), step
        pin(window, Pin(step, 1, 2, 0.25), Pin(step, 3, range(2), 0.1, how="add"))
        assert marked() == {(1, 2), (3, 0), (3, 1)}, step
        unpin(window)
        assert marked() == set(), step
        pin(window, Pin(step, 1, 2, 0.25, enabled=False))
        assert marked() == set(), step
        unpin(window)


def test_a_pin_that_changes_no_number_is_on_the_screen_at_once(window):
    heatmap = open_step(window, "heatmap")
    number = float(window.workbench.engine.current.trace["scores"][PINNED])
    cell = heatmap.cell_rect(PINNED).toRect()
    before = on_screen(heatmap)
    pin(window, Pin("scores", *PINNED, number))
    rows, columns = np.nonzero((on_screen(heatmap) != before).any(axis=2))
    assert len(rows) >= 40
    changed = QRect(
        QPoint(int(columns.min()), int(rows.min())),
        QPoint(int(columns.max()), int(rows.max())),
    )
    assert cell.adjusted(0, 0, -cell.width() // 2, -cell.height() // 2).contains(
        changed
    )
    window.workbench.edits.undo()
    settle()
    assert np.array_equal(on_screen(heatmap), before)
    check_cells_of_a_few_pixels(window)


def check_cells_of_a_few_pixels(window):
    """Cells of a few pixels have no marks until they are zoomed in."""
    tokens = tuple(f"word {k}" for k in range(400))
    matrices = {"X": np.zeros((400, window.document.matrix("X").shape[1]))}
    window.workbench.edits.submit(Replace("Many", tokens=tokens, matrices=matrices))
    window.workbench.engine.catch_up()
    heatmap = open_step(window, "heatmap")
    before = shot(heatmap.viewport())
    pin(window, Pin("scores", range(400), range(400), 0.0))
    assert heatmap.cell_rect((0, 0)).width() < 6
    assert shot(heatmap.viewport()) == before
    heatmap.box.setRange(xRange=(0, 8), yRange=(0, 8), padding=0)
    settle()
    assert is_marked(shot(heatmap.viewport()), heatmap.cell_rect((2, 2)).toRect())


def check_how(window):
    page = open_step(window, "how", "scores")
    pin(window, Pin("scores", 0, 2, 1.0), Pin("Q", 0, 1, 1.0), Pin("K", 2, 0, 1.0))
    sheets = {sheet.step: sheet for sheet in page.stage.drawing.sheets}
    image = shot(page.stage)
    for step, drawn in (("scores", (0, 2)), ("Q", (0, 1)), ("K", (0, 2))):
        sheet = sheets[step]  # K is drawn transposed
        marked = marked_cells(
            image, lambda c, s=sheet: s.cell_rect(*c).toRect(), sheet.shape
        )
        assert marked == {drawn}
    unpin(window)
    for sheet in page.stage.drawing.sheets:
        assert sheet.pinned is None


def check_cards_of_heads(window):
    page = open_step(window, "heads", "scores")
    pin(window, Pin("scores", *PINNED, 4.0, head=1))
    marked = []
    for head in range(2):
        card = page.heads.wall.card_of(HeadLocation(None, head))
        image = shot(card)
        marked.append(
            marked_cells(
                image,
                lambda c, card=card: card.grid.cell_rect(c).translated(card.corner),
                card.grid.shape,
            )
        )
    assert marked == [set(), {PINNED}]


def check_strip(window):
    open_step(window, "heatmap", "V")
    card = window.findChild(FlowCard, "flow.scores")
    cell = card.grid.cell_rect(PINNED).translated(card.corner)
    assert not is_marked(shot(card), cell)
    assert "pinned" not in card.accessibleName()
    before = shot(card)
    number = float(window.workbench.engine.current.trace["scores"][PINNED])
    pin(window, Pin("scores", *PINNED, number))
    after = shot(card)
    assert is_marked(after, cell)
    assert card.accessibleName().split(", ")[2] == "pinned"
    assert "pinned" in card.toolTip()
    changed = (pixels(after) != pixels(before)).any(axis=2)  # (height, width)
    grid = QRect(card.corner, card.grid.size)
    outside = [
        (x, y) for y, x in np.argwhere(changed).tolist() if not grid.contains(x, y)
    ]
    # A badge across the upper left corner of the card, which hides no cell.
    assert 15 <= len(outside) <= 80
    assert all(x < card.corner.x() + 6 for x, _ in outside)
    window.workbench.edits.undo()
    settle()
    assert shot(card) == before
    pin(window, Pin("scores", *PINNED, 4.0, enabled=False))
    assert "pinned" not in card.accessibleName()
    assert not is_marked(shot(card), cell)


def check_table(window):
    table = open_step(window, "table")
    computed = window.workbench.engine.current.trace["scores"][0, 2]
    assert computed == 10
    pin(window, Pin("scores", 0, 2, 5.0))
    model = table.model()

    def marked():
        image = shot(table.viewport())
        return marked_cells(image, lambda c: table.visualRect(model.index(*c)), (4, 4))

    assert marked() == {(0, 2)}
    table.setCurrentIndex(model.index(0, 2))  # on the ground of a selected cell
    settle()
    assert (0, 2) in marked()
    here, other = model.index(0, 2), model.index(0, 1)
    assert here.data(Qt.ItemDataRole.ToolTipRole) == "Pinned to 5.0 (computed 10.0)"
    spoken = here.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.endswith(": 5.0, pinned (computed 10.0)")
    assert "inned" not in other.data(Qt.ItemDataRole.ToolTipRole)
    assert "inned" not in other.data(Qt.ItemDataRole.AccessibleTextRole)


def check_lines(window):
    picture = open_step(window, "lines", "weights").picture
    picture.grab()
    assert marked_places(picture.drawing) == []
    pin(window, Pin("weights", 3, 0, 0.6), Pin("weights", 3, 1, 0.4))
    image = shot(picture.viewport())
    places = marked_places(picture.drawing)
    arrangement = picture.arrangement()
    assert len(places) == 2
    for place in places:
        middle = QPoint(round(place.x()), round(place.y() + picture.top))
        assert image.pixelColor(middle).name() == window.appearance.theme.text
        beside = image.pixelColor(middle + QPoint(6, 0))
        assert contrast(image.pixelColor(middle), beside) >= 3
        assert arrangement.left < place.x() < arrangement.right
    # Another line may cross one of them at its mark.
    down = QPoint(0, round(picture.top))
    assert {picture.line_at(place + down) for place in places} & {(3, 0), (3, 1)}


def test_a_pinned_cell_is_told_of_and_compared_with_what_was_computed(window):
    heatmap = open_step(window, "heatmap")
    pin(window, Pin("scores", 0, 2, 5.0))
    line = window.findChild(QLabel, "status.cell")
    window.workbench.selection.choose_cell("scores", (0, 2))
    settle()
    assert line.text() == "scores[word 1, word 3] = 5.0, pinned (computed 10.0)"
    assert "5.0, pinned (computed 10.0)" in heatmap.accessibleDescription()
    window.workbench.selection.choose_cell("scores", (0, 1))
    settle()
    assert "pinned" not in line.text()
    assert "pinned" not in heatmap.accessibleDescription()
    window.workbench.selection.hover("scores", (0, 2))  # as the strip and the heatmap
    assert line.text() == "scores[word 1, word 3] = 5.0, pinned (computed 10.0)"
    check_comparison_with_the_state_without_pins(window)


def check_comparison_with_the_state_without_pins(window):
    window.docks.open_panel("pins")
    button = window.findChild(QPushButton, "pins.compare")
    assert button.isEnabled()
    unpin(window)
    assert not button.isEnabled()
    pin(window, Pin("scores", 0, 2, 5.0))
    assert button.isEnabled()
    settle()
    assert button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    page = window.step_view.page
    assert page is window.step_view.difference
    assert page.findChild(QComboBox, "difference.reference").currentText() == (
        "without pins"
    )
    page.finish()
    settle()
    assert page.summary.text() == "1 of 16 cells differ, by at most 5."
