"""Figures as files: live text, exact sizes, embedded fonts, metadata."""

import re
import zlib
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFontDatabase, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from attnviewer import load_example
from attnviewer.io.export import Computation
from attnviewer.ui.figures.composing import compose
from attnviewer.ui.figures.files import WRITERS, encoded
from attnviewer.ui.figures.painting import image_of
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.style import FigureStyle, millimetres_of
from attnviewer.ui.figures.typeface import typeface
from tests.ui.figures.measuring import SENTENCE, computation, matrices

SVG = "{http://www.w3.org/2000/svg}"
OWN = "{https://attnviewer/ns#}"
DC = "{http://purl.org/dc/elements/1.1/}"


@pytest.fixture
def panel():
    return Panel(Computation.of(load_example("two-heads")), head=1)


def svg(panel, **style):
    return ET.fromstring(encoded([panel], FigureStyle(85.0, **style), "svg"))


def png(panel, **style):
    return QImage.fromData(encoded([panel], FigureStyle(85.0, **style), "png"))


def strings(root):
    return [text.text for text in root.iter(f"{SVG}text")]


def test_an_svg_has_each_token_as_text_that_can_be_searched():
    found = strings(svg(Panel(computation(16))))
    for word in SENTENCE:
        assert found.count(word) == 2 * SENTENCE.count(word)


def test_an_svg_is_measured_in_points(panel):
    root = svg(panel)
    assert root.get("width") == "85.0000mm"
    width, height = map(float, root.get("viewBox").split()[2:])
    assert width == pytest.approx(85 / 25.4 * 72, abs=1e-3)
    assert float(root.get("height").removesuffix("mm")) == pytest.approx(
        height / 72 * 25.4, abs=1e-3
    )
    sizes = {float(text.get("font-size")) for text in root.iter(f"{SVG}text")}
    assert min(sizes) >= 6


def test_an_svg_of_outlines_has_no_text_but_says_what_it_outlines(panel):
    live, outlined = svg(panel), svg(panel, outlines=True)
    assert not strings(outlined)
    labels = [path.get("aria-label") for path in outlined.iter(f"{SVG}path")]
    assert sorted(filter(None, labels)) == sorted(strings(live))


@pytest.mark.parametrize("outlines", [False, True])
@pytest.mark.parametrize("view", ["heatmap", "lines", "heads", "table"])
def test_an_svg_looks_as_the_image_does(view, outlines):
    panel = Panel(Computation.of(load_example("two-heads")), view=view)
    style = FigureStyle(85.0, caption=True, outlines=outlines)
    figure = compose([panel], style)
    # Fine enough that small letters, rasterised, are not lighter than their outlines.
    image = image_of(figure, 576)
    drawn = QImage(image.size(), QImage.Format.Format_RGB32)
    drawn.fill(QColor("#ffffff"))
    painter = QPainter(drawn)
    # Otherwise texts would take the features of the application's font.
    painter.setFont(typeface("sans").font(10))
    QSvgRenderer(as_browsers_read(encoded([panel], style, "svg"))).render(painter)
    painter.end()
    one, other = (blurred(each) for each in (image, drawn))
    assert np.abs(one - other).mean() < 2
    assert (np.abs(one - other) > 64).mean() < 0.002


def as_browsers_read(content):
    """Return an SVG whose texts Qt's renderer draws as browsers do.

    It takes one family, not a list with fallbacks, and rounds the widths of letters to
    units, which texts of 6 units would show.
    """
    root, times = ET.fromstring(content), 64
    for text in root.iter(f"{SVG}text"):
        place = f"translate({text.get('x')} {text.get('y')})"
        turn = re.match(r"rotate\((\S+) ", text.get("transform", ""))
        turned = f"rotate({turn[1]})" if turn else ""
        text.set("transform", f"{place} {turned} scale({1 / times})")
        text.set("x", "0")
        text.set("y", "0")
        text.set("font-size", str(times * float(text.get("font-size"))))
        text.set("font-family", text.get("font-family").split(",")[0].strip("'"))
    return ET.tostring(root)


def blurred(image):
    """Return lightness in blocks of four pixels: edges of letters differ slightly."""
    wide = image.width() // 4 * 4
    grey = image.convertToFormat(QImage.Format.Format_Grayscale8)
    lines = np.frombuffer(grey.constBits(), np.uint8).astype(float)
    lines = lines.reshape(image.height(), grey.bytesPerLine())
    lines = lines[: image.height() // 4 * 4, :wide]
    return lines.reshape(-1, 4, wide // 4, 4).mean(axis=(1, 3))


def test_a_large_matrix_is_one_image_inside():
    root = svg(Panel(computation(100)))
    (image,) = root.iter(f"{SVG}image")
    href = image.get("{http://www.w3.org/1999/xlink}href")
    assert href.startswith("data:image/png;base64,")
    assert "pixelated" in image.get("style")


@pytest.mark.parametrize("width", [60, 85, 90.5, 114, 174])
def test_a_pdf_is_exactly_as_wide_as_asked_for(panel, width):
    content = encoded([panel], FigureStyle(width), "pdf")
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    assert float(box[1]) / 72 * 25.4 == pytest.approx(width, abs=1e-6)
    # Its table of offsets still holds.
    start = int(re.findall(rb"startxref\s+(\d+)", content)[0])
    assert content[start:].startswith(b"xref")


def test_a_pdf_embeds_its_fonts_and_has_no_image(panel):
    content = encoded([panel], FigureStyle(caption=True), "pdf")
    # One family where a machine has no serif font for the caption.
    families = {typeface(name).family for name in ("sans", "serif")}
    assert len(re.findall(rb"/FontFile\d? ", content)) == len(families)
    assert b"/Subtype /Image" not in content
    streams = []
    for stream in re.findall(rb"stream\n(.*?)\nendstream", content, re.DOTALL):
        try:
            streams.append(zlib.decompress(stream))
        except zlib.error:
            continue
    assert any(b" Tj" in stream or b" TJ" in stream for stream in streams)


@pytest.mark.parametrize("dpi", [72, 300, 600])
def test_a_png_has_its_resolution(panel, dpi):
    image = png(panel, dpi=dpi)
    assert image.width() == round(85 / 25.4 * dpi)
    assert image.dotsPerMeterX() == round(dpi / 0.0254)


def test_every_format_states_the_full_configuration(panel):
    facts = {"causal": "yes", "head": "1", "scale": "1/sqrt(d_k)", "step": "weights"}
    sentence = "Attention weights of head 1 of 2, causal mask, scaled dot product."
    image = png(panel)
    assert {name: image.text(name) for name in facts} == facts
    assert image.text("caption").startswith(sentence)
    root = svg(panel)
    choices = {c.get("name"): c.text for c in root.iter(f"{OWN}choice")}
    assert facts.items() <= choices.items()
    assert choices["caption"].startswith(sentence)
    (title,) = root.iter(f"{DC}title")
    assert title.text == "Two heads with a causal mask — weights"
    content = encoded([panel], FigureStyle(), "pdf")
    entries = dict(re.findall(rb"/(\w+) <FEFF([0-9A-F]*)>", content))
    keywords = bytes.fromhex(entries[b"Keywords"].decode()).decode("utf-16-be")
    for name, text in facts.items():
        assert f"{name}: {text}" in keywords


@pytest.mark.parametrize("caption", [True, "of \x1b\udc80 \ufffe"])
def test_no_character_that_xml_forbids_gets_into_a_file(caption):
    odd = ("\x1bcat\n", "\ud800", "\ufffe", "\0")
    made = computation(4, labels=(odd, odd), title="\x1b of \udc80\uffff")
    panel = Panel(made, cell=(0, 1), place="layer 2 of \x1b\udc80")
    style = FigureStyle(caption=caption)
    for name in (*WRITERS, "svg of outlines"):
        chosen = replace(style, outlines=name not in WRITERS)
        content = encoded([panel], chosen, name.split()[0])
        if name.startswith("svg"):
            root = ET.fromstring(content)
            (title,) = root.iter(f"{DC}title")
            assert title.text == "� of �� — weights"


def test_panels_of_a_figure_are_lettered_in_it_and_in_its_metadata(panel):
    other = Panel(panel.computation, "scores", head=0)
    content = encoded([panel, other], FigureStyle(174.0, caption=True), "svg")
    root = ET.fromstring(content)
    found = strings(root)
    assert [t for t in found if re.fullmatch(r"\([a-z]\)", t)] == ["(a)", "(b)"]
    names = {c.get("name"): c.text for c in root.iter(f"{OWN}choice")}
    assert (names["a step"], names["b step"]) == ("weights", "scores")
    caption = " ".join(found)
    assert "(a) Attention weights of head 1 of 2, causal mask, scaled dot" in caption
    assert "(b) Scores of head 0 of 2, dot product." in caption


def test_panels_stand_below_each_other_where_they_do_not_fit_beside():
    panels = [Panel(computation(20)), Panel(computation(20))]

    def lefts(width):
        figure = compose(panels, FigureStyle(width))
        return {round(cells.x) for cells in matrices(figure)}

    assert len(lefts(85.0)) == 1
    assert len(lefts(174.0)) == 2


def test_light_on_dark_has_a_dark_ground_and_light_texts(panel):
    root = svg(panel, dark=True)
    ground = QColor(next(root.iter(f"{SVG}rect")).get("fill"))
    query = next(t for t in root.iter(f"{SVG}text") if t.text == "Query")
    assert ground.lightness() < 64 < 192 < QColor(query.get("fill")).lightness()


def sans_family():
    """Return a family of fonts without serifs that is installed here."""
    latin = QFontDatabase.families(QFontDatabase.WritingSystem.Latin)
    public = (name for name in latin if not QFontDatabase.isPrivateFamily(name))
    return next(name for name in public if typeface(name).generic == "sans")


def test_a_font_can_be_chosen_by_its_name_in_any_case(panel):
    family = sans_family()
    root = svg(panel, font=family.upper())
    families = {text.get("font-family") for text in root.iter(f"{SVG}text")}
    assert families == {f"'{family}', Helvetica, Arial, sans-serif"}
    installed = QFontDatabase.families()
    has_serif = any(
        name.endswith(" Serif") and "Sans" not in name for name in installed
    )
    assert (typeface("serif").family != typeface("sans").family) == has_serif


def test_a_font_that_is_not_installed_is_refused_with_the_nearest(panel):
    family = sans_family()
    with pytest.raises(ValueError, match=f"^The 'font' must be .*{re.escape(family)}"):
        svg(panel, font=f"{family}x")


@pytest.mark.parametrize(
    ("text", "millimetres"),
    [("85mm", 85), ("8.5 cm", 85), ("3.5in", 88.9), ("241pt", 85.02), (90, 90)],
)
def test_widths_have_units(text, millimetres):
    assert millimetres_of(text) == pytest.approx(millimetres, abs=0.01)


@pytest.mark.parametrize("text", ["", "wide", "39mm", "501", "nan", "-85mm", "85em"])
def test_widths_beyond_any_paper_are_refused(text):
    with pytest.raises(ValueError, match="must be from 40 to 500 mm"):
        millimetres_of(text)


def test_what_cannot_be_written_is_refused(panel):
    with pytest.raises(ValueError, match="'format' must be one of png, svg, pdf"):
        encoded([panel], FigureStyle(), "jpg")
    with pytest.raises(ValueError, match="at most 16384 pixels"):
        encoded([panel], FigureStyle(500.0, dpi=2400), "png")
    with pytest.raises(ValueError, match="at least one panel"):
        encoded([], FigureStyle(), "svg")


@pytest.mark.parametrize("format", WRITERS)
def test_a_figure_is_the_same_every_time_but_for_the_date(panel, format):
    first, second = (encoded([panel], FigureStyle(), format) for _ in range(2))
    dated = (
        rb"D:\d+|\[ ?<.*?>|<[0-9a-f-]{32,}>|uuid:[0-9a-f-]+|\d{4}-\d\d-\d\dT[\d:+-]+"
    )
    assert re.sub(dated, b"", first) == re.sub(dated, b"", second)
