"""Figures as SVG: measured in points, with texts that can be edited and searched."""

import base64
import io
from xml.etree import ElementTree as ET

import numpy as np
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QImageWriter, QPainterPath, QTransform

from attnviewer.ui.figures.composing import Figure
from attnviewer.ui.figures.elements import DASH, Cells, Stroke, Text
from attnviewer.ui.figures.notes import Notes
from attnviewer.ui.figures.painting import path_of
from attnviewer.ui.figures.path_data import path_data
from attnviewer.ui.figures.runs import MOST_SHAPES, rectangles
from attnviewer.ui.figures.style import MM_PER_INCH, POINTS_PER_INCH
from attnviewer.ui.figures.typeface import Typeface
from attnviewer.ui.paint.miniature.image import cell_image

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
DC = "http://purl.org/dc/elements/1.1/"
OWN = "https://attnviewer/ns#"
_FALLBACKS = {
    "sans": "Helvetica, Arial, sans-serif",
    "serif": "'Times New Roman', Times, serif",
}
_SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}


def svg_of(figure: Figure, notes: Notes) -> bytes:
    """Return a figure as SVG, with its notes as metadata."""
    for prefix, name in (("", SVG), ("xlink", XLINK), ("rdf", RDF), ("dc", DC)):
        ET.register_namespace(prefix, name)
    ET.register_namespace("attnviewer", OWN)
    mm = MM_PER_INCH / POINTS_PER_INCH
    root = ET.Element(
        f"{{{SVG}}}svg",
        {
            "version": "1.1",
            "width": f"{figure.width * mm:.4f}mm",
            "height": f"{figure.height * mm:.4f}mm",
            "viewBox": f"0 0 {_number(figure.width)} {_number(figure.height)}",
        },
    )
    _add(root, "title").text = notes.title
    _add(root, "desc").text = notes.line
    _add_metadata(root, notes)
    theme = figure.style.theme
    ground = {"width": "100%", "height": "100%", "fill": theme.window}
    _add(root, "rect", ground)
    for element in figure.elements:
        if isinstance(element, Cells):
            _add_cells(root, element)
        elif isinstance(element, Stroke):
            _add_stroke(root, element, theme.text)
        else:
            face = figure.faces.caption if element.serif else figure.faces.labels
            add = _add_outline if figure.style.outlines else _add_text
            add(root, element, face, theme.text)
    ET.indent(root, " ", 0)
    stream = io.BytesIO()
    ET.ElementTree(root).write(stream, "UTF-8", xml_declaration=True)
    return stream.getvalue()


def _add_metadata(root: ET.Element, notes: Notes) -> None:
    """Add the notes as RDF, which Inkscape shows and keeps."""
    rdf = ET.SubElement(_add(root, "metadata"), f"{{{RDF}}}RDF")
    about = ET.SubElement(rdf, f"{{{RDF}}}Description", {f"{{{RDF}}}about": ""})
    for name, text in (("title", notes.title), ("description", notes.line)):
        ET.SubElement(about, f"{{{DC}}}{name}").text = text
    for name, text in notes.facts.items():
        ET.SubElement(about, f"{{{OWN}}}choice", {"name": name}).text = text


def _add_cells(root: ET.Element, cells: Cells) -> None:
    rows, columns = cells.colors.shape[:2]
    if rows * columns > MOST_SHAPES:
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        image = cell_image(np.ascontiguousarray(cells.colors), None)
        QImageWriter(buffer, QByteArray(b"png")).write(image)
        encoded = base64.b64encode(bytes(buffer.data().data())).decode()
        place = _box(cells.x, cells.y, cells.width, cells.height)
        href = {f"{{{XLINK}}}href": f"data:image/png;base64,{encoded}"}
        look = {"preserveAspectRatio": "none", "style": "image-rendering:pixelated"}
        _add(root, "image", place | look | href)
        return
    group = _add(root, "g", {"shape-rendering": "crispEdges"})
    for x, y, width, height, color in rectangles(cells):
        _add(group, "rect", _box(x, y, width, height) | {"fill": color})


def _add_stroke(root: ET.Element, stroke: Stroke, ink: str) -> None:
    color = stroke.color or ink
    if stroke.filled:
        path = _add(root, "path", {"fill": color})
    else:
        path = _add(root, "path", {"fill": "none", "stroke": color})
        path.set("stroke-width", _number(stroke.width))
        if stroke.dashed:
            path.set("stroke-dasharray", " ".join(map(_number, DASH)))
    path.set("d", path_data(path_of(stroke)))


def _add_text(root: ET.Element, text: Text, face: Typeface, ink: str) -> None:
    look = {
        "x": _number(text.x),
        "y": _number(text.y),
        "font-family": f"'{face.family}', {_FALLBACKS[face.generic]}",
        "font-size": _number(text.size),
        "fill": text.color or ink,
    }
    if text.anchor != "start":
        look["text-anchor"] = text.anchor
    if text.bold:
        look["font-weight"] = "bold"
    if text.italic:
        look["font-style"] = "italic"
    if text.angle:
        turn = (text.angle, text.x, text.y)
        look["transform"] = f"rotate({' '.join(map(_number, turn))})"
    _add(root, "text", look).text = text.text


def _add_outline(root: ET.Element, text: Text, face: Typeface, ink: str) -> None:
    """Add a text as shapes, with what it says as its label."""
    size = 1000.0
    font = face.font(size, bold=text.bold, italic=text.italic)
    wide = face.width(text.text, size, bold=text.bold, italic=text.italic)
    path = QPainterPath()
    path.addText(-wide * _SHARE[text.anchor], 0, font, text.text)
    if path.isEmpty():  # such as colour emoji, which have no outlines
        if text.text.strip():
            _add_text(root, text, face, ink)
        return
    place = QTransform().translate(text.x, text.y).rotate(text.angle)
    place.scale(text.size / size, text.size / size)
    outline = _add(root, "path", {"fill": text.color or ink})
    outline.set("aria-label", text.text)
    outline.set("d", path_data(place.map(path)))


def _add(
    parent: ET.Element, name: str, attributes: dict[str, str] | None = None
) -> ET.Element:
    return ET.SubElement(parent, f"{{{SVG}}}{name}", attributes or {})


def _box(x: float, y: float, width: float, height: float) -> dict[str, str]:
    numbers = {"x": x, "y": y, "width": width, "height": height}
    return {name: _number(value) for name, value in numbers.items()}


def _number(value: float) -> str:
    return f"{round(value, 4) + 0.0:g}" if abs(value) < 1e5 else f"{value:.4f}"
