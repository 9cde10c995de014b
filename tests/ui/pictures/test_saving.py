"""Pictures of the view: what the files contain, and what they omit."""

import itertools
import re
import zlib
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QToolButton

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.io import FileError
from attnviewer.ui.paint.theme import LIGHT
from attnviewer.ui.pictures.saving import save_view
from attnviewer.ui.pictures.shown_panel import has_figure, shown_panel
from attnviewer.ui.pictures.style import PAPER, Style
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.views import VIEWS

SVG = "{http://www.w3.org/2000/svg}"
WEIGHTS = (
    *("0.2361", "0.0074", "0.7491", "0.0074"),
    *("0.4548", "0.0452", "0.4548", "0.0452"),
    *("0.2393", "0.0007", "0.7592", "0.0007"),
    *("0.0900", "0.0028", "0.9057", "0.0016"),
)
"""The weights of notebook 000, the source of the first example."""
VIRIDIS_OF_1 = "#fde725"
SCREEN = Style(scale=1.0)
ON_PAPER = Style(scale=1.0, theme=PAPER)


@pytest.fixture
def view(qtbot, appearance):
    """Return a function that shows a document alone in a window."""
    shown = []

    def show(document, name="heatmap", size=(776, 466)):
        workbench = Workbench(document)
        step_view = StepView(workbench, appearance)
        shown.append((step_view, workbench))
        qtbot.addWidget(step_view)
        step_view.resize(*size)
        step_view.set_view(name)
        with qtbot.waitExposed(step_view):
            step_view.show()
        return step_view

    yield show
    for step_view, workbench in shown:
        step_view.close()
        workbench.close()
        workbench.deleteLater()


def sequence(n, **spec):
    """Return tokens that each attend mostly to themselves."""
    tokens = [f"t{k}" for k in range(n)]
    one_hot = 9 * np.eye(n)
    matrices = dict.fromkeys(("W_Q", "W_K", "W_V"), np.eye(n))
    return Document("A sequence", tokens, {"X": one_hot, **matrices}, Spec(**spec))


def open_view(window, name):
    window.step_view.set_view(name)
    QCoreApplication.processEvents()  # so that everything is laid out


def png(step_view, tmp_path, style=SCREEN):
    save_view(step_view, tmp_path / "view.png", style)
    return QImage(str(tmp_path / "view.png"))


def svg(step_view, tmp_path, style=SCREEN):
    save_view(step_view, tmp_path / "view.svg", style)
    return ET.parse(tmp_path / "view.svg").getroot()


def pdf(step_view, tmp_path, style=SCREEN):
    save_view(step_view, tmp_path / "view.pdf", style)
    return (tmp_path / "view.pdf").read_bytes()


def labels_of(root):
    return [path.get("aria-label") for path in root.iter(f"{SVG}path")]


def pixels(image):
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    array = np.frombuffer(image.constBits(), np.uint8)
    shape = image.height(), image.width(), 4
    return array.reshape(shape)[..., :3].astype(int)


def cell_center(step_view, cell):
    heatmap = step_view.heatmap
    middle = heatmap.cell_rect(cell).center()
    return QPointF(middle.x(), middle.y())


# Drawing.


def check_an_svg_of_four_words_has_shapes_numbers_and_no_image(window, tmp_path):
    open_view(window, "heatmap")
    root = svg(window.step_view, tmp_path)
    assert not list(root.iter(f"{SVG}image"))
    assert not list(root.iter(f"{SVG}text"))
    grounds = {group.get("fill") for group in root.iter(f"{SVG}g")}
    assert {"#5cc863", "#c0df25"} <= grounds  # viridis at 0.7491 and 0.9057

    open_view(window, "heatmap")
    labels = labels_of(svg(window.step_view, tmp_path))
    assert [label for label in labels if label in WEIGHTS] == list(WEIGHTS)
    assert {"word 1", "word 2", "word 3", "word 4"} <= set(labels)

    open_view(window, "lines")
    root = svg(window.step_view, tmp_path)
    curves = [p for p in root.iter(f"{SVG}path") if "C" in p.get("d", "")]
    inked = {
        group.get("stroke")
        for group in root.iter(f"{SVG}g")
        if any(path in curves for path in group)
    }
    assert {LIGHT.muted, LIGHT.accent} <= inked


def check_a_pdf_of_four_words_embeds_its_fonts_and_what_it_says_can_be_found(
    window, tmp_path
):
    open_view(window, "heatmap")
    content = pdf(window.step_view, tmp_path)
    assert b"/FontFile" in content
    assert re.search(rb"/Subtype\s*/Image", content) is None

    information = information_of(pdf(window.step_view, tmp_path))
    assert information["Title"].endswith(" — weights")
    assert all(part in information["Subject"] for part in STATED)
    assert "variant: self" in information["Keywords"]

    content = pdf(window.step_view, tmp_path)
    before = int(re.findall(rb"/Prev (\d+)", content)[-1])
    assert content[before:].startswith(b"xref")
    streams = re.findall(rb"stream\n(.*?)\nendstream", content, re.DOTALL)
    unpacked = []
    for stream in streams:
        try:
            unpacked.append(zlib.decompress(stream))
        except zlib.error:
            continue
    assert any(b" re\n" in stream or b" re " in stream for stream in unpacked)


def check_a_table_and_lines_are_shapes_and_numbers_sharper_at_a_larger_scale(
    window, tmp_path
):
    for name in ("lines", "table"):
        window.step_view.set_view(name)
        assert not list(svg(window.step_view, tmp_path).iter(f"{SVG}image"))
        content = pdf(window.step_view, tmp_path)
        assert re.search(rb"/Subtype\s*/Image", content) is None

    """Upscaled pixels would come in blocks of four by four."""
    open_view(window, "heatmap")
    image = pixels(png(window.step_view, tmp_path, Style(scale=4.0)))
    center = 4 * cell_center(window.step_view, (0, 1))
    y, x = int(center.y()) // 4 * 4, int(center.x()) // 4 * 4
    number = image[y - 32 : y + 32, x - 80 : x + 80]
    blocks = number.reshape(16, 4, 40, 4, 3)
    assert (blocks.max(axis=(1, 3)) - blocks.min(axis=(1, 3))).max() > 100


def check_cells_have_the_colours_of_the_screen_in_every_format(window, tmp_path):
    open_view(window, "heatmap")
    screen = window.step_view.heatmap.grab().toImage()
    image = png(window.step_view, tmp_path)
    for row in range(4):
        for column in range(4):
            # Beside the number, and inside the frame of a selected cell.
            place = window.step_view.heatmap.cell_rect((row, column)).topLeft()
            spot = (place + QPointF(9, 9)).toPoint()
            assert image.pixelColor(spot) == screen.pixelColor(spot)

    open_view(window, "heatmap")
    image = png(window.step_view, tmp_path)
    save_view(window.step_view, tmp_path / "view.svg", Style())
    drawn = QImage(image.size(), QImage.Format.Format_RGB32)
    painter = QPainter(drawn)
    QSvgRenderer(str(tmp_path / "view.svg")).render(painter)
    painter.end()
    away = np.abs(pixels(image) - pixels(drawn)).max(axis=2)
    assert np.mean(away > 64) < 0.02


def test_what_is_on_the_screen_is_in_files_as_shapes_numbers_and_colours(
    window, tmp_path
):
    check_an_svg_of_four_words_has_shapes_numbers_and_no_image(window, tmp_path)
    check_a_pdf_of_four_words_embeds_its_fonts_and_what_it_says_can_be_found(
        window, tmp_path
    )
    check_a_table_and_lines_are_shapes_and_numbers_sharper_at_a_larger_scale(
        window, tmp_path
    )
    check_cells_have_the_colours_of_the_screen_in_every_format(window, tmp_path)


def test_neighbouring_cells_reach_below_one_another(view, tmp_path):
    """Otherwise the background would show between cells without separators."""
    root = svg(view(sequence(60)), tmp_path)
    hot = [g for g in root.iter(f"{SVG}g") if g.get("fill") == VIRIDIS_OF_1]
    spans = []
    for group in hot:
        for path in group.findall(f"{SVG}path"):
            xs = [float(x) for x in re.findall(r"[ML]([\d.]+),", path.get("d"))]
            spans.append((min(xs), max(xs)))
    # Without the strip of the colour bar; the last cell has no neighbour.
    cells = [span for span in spans if span[0] in range(59) and span[1] < span[0] + 9]
    assert len(cells) == 59
    assert all(1 < right - left < 1.5 for left, right in cells)


def test_cells_beyond_the_stated_number_are_an_image_inside(view, tmp_path):
    few, many = view(sequence(128)), view(sequence(129))
    assert not list(svg(few, tmp_path).iter(f"{SVG}image"))
    assert len(list(svg(many, tmp_path).iter(f"{SVG}image"))) == 1


def test_an_image_inside_is_not_blurred_by_compression(view, tmp_path):
    content = pdf(view(sequence(129)), tmp_path)
    (image,) = re.findall(rb"<<(?:(?!>>).)*?/Subtype\s*/Image.*?>>", content, re.DOTALL)
    assert b"DCTDecode" not in image
    assert b"FlateDecode" in image


def test_masked_cells_are_flat_and_outlined_alone(view, tmp_path):
    step_view = view(sequence(4, causal=True))
    outlines = [
        [float(x) for x in re.findall(r"\d+\.?\d*", path.get("d"))]
        for group in svg(step_view, tmp_path).iter(f"{SVG}g")
        if group.get("stroke") == LIGHT.border and group.get("fill") == "none"
        for path in group.findall(f"{SVG}path")
    ]
    # Left, top, right and bottom: the first and the third corner of each.
    drawn = [(*corners[:2], *corners[4:6]) for corners in outlines]
    rect = step_view.heatmap.cell_rect
    masked = [rect((row, key)) for row in range(4) for key in range(row + 1, 4)]
    assert len(drawn) == len(masked) == 6
    for outline, cell in zip(drawn, masked, strict=True):
        assert outline == pytest.approx(cell.getCoords(), abs=1)
    image = png(step_view, tmp_path)
    for cell in masked:
        spot = (cell.topLeft() + QPointF(9, 9)).toPoint()
        assert image.pixelColor(spot) == QColor(LIGHT.sunken)


def test_cards_of_large_heads_are_drawn_before_they_are_in_a_picture(view, tmp_path):
    """On the screen they are drawn some event-loop iterations later."""
    step_view = view(sequence(300, n_heads=2), "heads")
    root = svg(step_view, tmp_path, ON_PAPER)
    images = [float(image.get("width")) for image in root.iter(f"{SVG}image")]
    assert sum(width > 100 for width in images) == 2  # besides icons


# What only the screen shows.


def test_the_selected_cell_is_framed_and_neither_keys_nor_pointer_are_told(
    window, tmp_path
):
    for name in VIEWS:
        open_view(window, name)
        page = window.step_view.page
        window.inputs.setFocus(Qt.FocusReason.TabFocusReason)
        without = png(window.step_view, tmp_path)
        page.setFocus(Qt.FocusReason.TabFocusReason)
        assert page.isAncestorOf(window.focusWidget()) or window.focusWidget() is page
        assert png(window.step_view, tmp_path) == without, name

    open_view(window, "heatmap")
    without = png(window.step_view, tmp_path)
    heatmap = window.step_view.heatmap
    middle = heatmap.cell_rect((2, 1)).center().toPoint()
    QTest.mouseMove(heatmap.viewport(), middle)
    assert window.workbench.selection.hovered == ("weights", (2, 1))
    assert png(window.step_view, tmp_path) == without

    open_view(window, "heatmap")
    first = png(window.step_view, tmp_path)
    window.workbench.selection.choose_cell("weights", (3, 0))
    other = png(window.step_view, tmp_path)
    corner = window.step_view.heatmap.cell_rect((3, 0)).topLeft().toPoint()
    around = QRect(corner - QPoint(3, 3), QSize(7, 7))
    assert other.copy(around) != first.copy(around)


def test_scroll_bars_stay_away(view, tmp_path):
    step_view = view(sequence(80), "table")
    bar = step_view.table.verticalScrollBar()
    assert bar.isVisible()
    image = png(step_view, tmp_path)
    corner = bar.mapTo(step_view.table, QPoint(bar.width() // 2, bar.height() // 2))
    ground = {image.pixelColor(corner + QPoint(0, y)).name() for y in range(-60, 60)}
    assert ground <= {LIGHT.surface, LIGHT.border, "#5f6b7a", *_greys(image, corner)}
    assert bar.isVisible()


def _greys(image, corner):
    """Return the colours of the letters where the bar was."""
    colors = (image.pixelColor(corner + QPoint(0, y)) for y in range(-60, 60))
    return {c.name() for c in colors if c != QColor(LIGHT.window)}


def check_the_window_is_afterwards_as_it_was(window, tmp_path):
    window.appearance.choose("dark")
    kinds = itertools.cycle(("png", "svg", "pdf"))
    for name in VIEWS:
        open_view(window, name)
        before, size = window.grab().toImage(), window.step_view.page.size()
        for style in (ON_PAPER, Style(theme=PAPER, size=(500, 400))):
            save_view(window.step_view, tmp_path / f"view.{next(kinds)}", style)
            assert window.step_view.page.size() == size, name
            assert window.grab().toImage() == before, name


def check_the_zoom_is_in_the_picture_and_stays(window, tmp_path):
    open_view(window, "heatmap")
    box = window.step_view.heatmap.box
    whole = png(window.step_view, tmp_path)
    box.scaleBy((0.5, 0.5), center=(0, 0))
    sight = box.sight
    assert png(window.step_view, tmp_path, ON_PAPER) != whole
    assert labels_of(svg(window.step_view, tmp_path)).count("0.7592") == 0
    assert box.sight == sight


def test_rows_that_are_cut_at_the_edge_stay_away_from_shapes(view, tmp_path):
    """They would reach below the table, as widgets clip only raster images."""
    step_view = view(sequence(80), "table", (776, 473))
    table = step_view.table
    row = table.rowHeight(0)
    # In a picture there is no scroll bar.
    room = table.viewport().height() + table.horizontalScrollBar().height()
    step_view.resize(776, 473 + row // 2 - room % row)  # cuts off half a row
    QApplication.processEvents()
    last, size = room // row, table.size()
    labels = set(labels_of(svg(step_view, tmp_path)))
    assert f"t{last - 1}" in labels
    assert not {f"t{last}", f"t{last + 1}"} & labels
    assert table.size() == size


# Paper.


def check_paper_is_white_with_dark_labels_whatever_the_theme(window, tmp_path):
    window.appearance.choose("dark")
    for name in VIEWS:
        open_view(window, name)
        dark = png(window.step_view, tmp_path)
        corner = dark.pixelColor(dark.width() - 2, dark.height() - 2)
        assert corner.lightness() < 40, name
        paper = png(window.step_view, tmp_path, ON_PAPER)
        assert paper.pixelColor(2, paper.height() - 2) == QColor("#ffffff"), name

    window.appearance.choose("dark")
    open_view(window, "heatmap")
    labels = svg(window.step_view, tmp_path, ON_PAPER)
    inks = {
        path.get("fill")
        for path in labels.iter(f"{SVG}path")
        if path.get("aria-label") == "word 2"
    }
    assert inks == {LIGHT.text}


def test_paper_is_white_whatever_the_theme_and_the_window_is_as_it_was(
    window, tmp_path
):
    check_paper_is_white_with_dark_labels_whatever_the_theme(window, tmp_path)
    check_the_window_is_afterwards_as_it_was(window, tmp_path)


# Metadata.

STATED = ("variant: self", "scale: 1/sqrt(d_k)", "causal: no", "(attnviewer ")


def check_a_png_and_an_svg_state_how_they_were_computed_in_the_size_that_is_asked_for(
    window, tmp_path
):
    image = png(window.step_view, tmp_path)
    assert image.text("variant") == "self"
    assert image.text("scale") == "1/sqrt(d_k)"
    assert image.text("step") == "weights"
    assert all(part in image.text("Description") for part in STATED)

    root = svg(window.step_view, tmp_path)
    assert root.find(f"{SVG}title").text.endswith(" — weights")
    assert all(part in root.find(f"{SVG}desc").text for part in STATED)

    size = window.step_view.page.size()
    for scale in (1.0, 2.0, 4.0):
        image = png(window.step_view, tmp_path, Style(scale=scale))
        assert image.size() == size * scale


def test_a_picture_of_one_head_says_which_and_one_of_all_heads_does_not(
    open_window, tmp_path
):
    window = open_window("example:two-heads", (1366, 768))
    open_view(window, "heatmap")
    window.workbench.selection.choose_head(1)
    image = png(window.step_view, tmp_path)
    assert image.text("head") == "1"
    assert image.text("Description").endswith("; weights of head 1, heatmap")
    window.step_view.set_view("heads")
    assert png(window.step_view, tmp_path).text("head") == ""
    check_lines_are_of_the_weights_and_of_whose_heads(window, tmp_path)
    check_heads_in_one_map_have_a_figure(window)


def check_lines_are_of_the_weights_and_of_whose_heads(window, tmp_path):
    window.workbench.selection.choose_step("scores")
    open_view(window, "lines")
    image = png(window.step_view, tmp_path)
    assert (image.text("step"), image.text("head")) == ("weights", "1")
    assert image.text("Title").endswith(" — weights")
    overlay = window.findChild(QComboBox, "step.lines.overlay")
    QTest.keyClick(overlay, Qt.Key.Key_Down)
    image = png(window.step_view, tmp_path)
    assert (image.text("step"), image.text("head")) == ("weights", "")
    assert drawn_heads(window) == ((0, 1), True)
    QTest.keyClick(overlay, Qt.Key.Key_Down)
    assert drawn_heads(window) == ((0, 1), False)
    for head, left in ((0, (1,)), (1, None)):
        switch = window.findChild(QToolButton, f"step.lines.head.{head}")
        QTest.mouseClick(switch, Qt.MouseButton.LeftButton)
        if left is not None:
            assert drawn_heads(window) == (left, False)
    assert not has_figure(window.step_view)  # there is no line


def drawn_heads(window):
    """Return the heads that a figure of the view has lines of, and whether in hues."""
    assert has_figure(window.step_view)
    panel = shown_panel(window.step_view, window.workbench, PAPER)
    return panel.heads, panel.hues


def check_heads_in_one_map_have_a_figure(window):
    open_view(window, "heads")
    assert has_figure(window.step_view)
    QTest.keyClick(window.findChild(QComboBox, "heads.combination"), Qt.Key.Key_Down)
    assert has_figure(window.step_view)  # all heads are still there
    large = window.findChild(QPushButton, "heads.large")
    QTest.mouseClick(large, Qt.MouseButton.LeftButton)
    panel = shown_panel(window.step_view, window.workbench, PAPER)
    assert (panel.view, panel.combination, panel.heads) == ("heatmap", "mean", (0, 1))
    window.step_view.set_view("lines")
    assert shown_panel(window.step_view, window.workbench, PAPER).combination is None


def information_of(content):
    """Find a PDF's document information from the end of the file, as readers do."""
    start = int(re.search(rb"startxref\s+(\d+)\s+%%EOF\s*\Z", content)[1])
    number = int(re.search(rb"/Info (\d+) 0 R", content[start:])[1])
    table = re.match(rb"xref\s+(\d+) 1\s+(\d{10}) 00000 n", content[start:])
    assert int(table[1]) == number
    entry = content[int(table[2]) :]
    assert entry.startswith(b"%d 0 obj" % number)
    found = re.findall(rb"/(\w+) <FEFF([0-9A-F]*)>", entry[: entry.index(b"endobj")])
    return {k.decode(): bytes.fromhex(v.decode()).decode("utf-16-be") for k, v in found}


# Refusals and the clipboard.


def check_what_cannot_be_saved_is_refused_and_all_stays(window, tmp_path):
    with pytest.raises(ValueError, match=r"must end in one of \.png, \.svg, \.pdf"):
        save_view(window.step_view, tmp_path / "view.jpg")

    with pytest.raises(ValueError, match="at most 16384 pixels"):
        png(window.step_view, tmp_path, Style(scale=30.0))
    assert not list(tmp_path.iterdir())

    before = window.grab().toImage()
    with pytest.raises(FileError, match="There is no folder"):
        save_view(window.step_view, tmp_path / "gone" / "view.png", ON_PAPER)
    assert window.grab().toImage() == before


def test_pictures_are_refused_or_have_the_size_the_zoom_and_the_facts_that_are_wanted(
    window, tmp_path
):
    check_what_cannot_be_saved_is_refused_and_all_stays(window, tmp_path)
    check_a_png_and_an_svg_state_how_they_were_computed_in_the_size_that_is_asked_for(
        window, tmp_path
    )
    check_the_zoom_is_in_the_picture_and_stays(window, tmp_path)
