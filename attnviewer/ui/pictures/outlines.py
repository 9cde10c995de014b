"""SVG with texts as outlines, so that it does not depend on fonts."""

import io
from xml.etree import ElementTree as ET

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QFont, QPainterPath

from attnviewer.ui.figures.path_data import path_data
from attnviewer.ui.figures.style import MM_PER_INCH
from attnviewer.ui.pictures.style import SCREEN_DPI

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
_FONT = ("font-family", "font-size", "font-weight", "font-style")
_UNSCALED = "matrix(1,0,0,1,"


def outlined(svg: bytes, size: QSizeF, title: str, description: str) -> bytes:
    """Return Qt's SVG with texts replaced by outlines, and a description.

    Each outline keeps its text as a label. Characters without outlines, such as colour
    emoji, stay text.

    Parameters
    ----------
    svg : bytes
        As `QSvgGenerator` writes it.
    size : QSizeF
        Width and height in CSS pixels, 96 to an inch.
    title, description : str
        What the picture shows, and how it was made.
    """
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    root = ET.fromstring(svg)  # noqa: S314 - Qt has written it a moment ago
    for name, text in (("title", title), ("desc", description)):
        element = root.find(f"{{{SVG}}}{name}")
        if element is not None:
            element.text = text
    root.set("width", f"{size.width() * MM_PER_INCH / SCREEN_DPI:.4f}mm")
    root.set("height", f"{size.height() * MM_PER_INCH / SCREEN_DPI:.4f}mm")
    _simplify(root)
    stream = io.BytesIO()
    ET.ElementTree(root).write(stream, "UTF-8", xml_declaration=True)
    return stream.getvalue()


def _simplify(parent: ET.Element, scaled: bool = False) -> None:
    """Outline texts, and remove empty groups."""
    for child in list(parent):
        transform = child.get("transform", _UNSCALED)
        inside = scaled or not transform.startswith(_UNSCALED)
        _simplify(child, inside)
        if child.tag == f"{{{SVG}}}text":
            _outline(child)
        if child.tag == f"{{{SVG}}}g":
            if len(child) == 0:
                parent.remove(child)
            elif child.find(f".//{{{SVG}}}text") is None:
                for name in _FONT:
                    child.attrib.pop(name, None)
        if not inside:
            # Lines should scale with the picture; Qt's cosmetic pens would not.
            child.attrib.pop("vector-effect", None)
        child.tail = "\n"


def _outline(text: ET.Element) -> None:
    label = text.text or ""
    path = QPainterPath()
    position = float(text.get("x", "0")), float(text.get("y", "0"))
    path.addText(*position, _font_of(text), label)
    if path.isEmpty():
        return
    fill = {name: text.get(name, "") for name in ("fill", "fill-opacity")}
    text.clear()
    text.tag = f"{{{SVG}}}path"
    text.attrib.update(fill)
    text.set("stroke", "none")
    text.set("fill-rule", "nonzero")
    text.set("aria-label", label)
    text.set("d", path_data(path))


def _font_of(text: ET.Element) -> QFont:
    font = QFont(text.get("font-family", ""))
    font.setPixelSize(max(1, round(float(text.get("font-size", "12")))))
    font.setWeight(QFont.Weight(int(text.get("font-weight", "400"))))
    font.setItalic(text.get("font-style") == "italic")
    return font
