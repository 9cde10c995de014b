"""Paths as SVG path data."""

from PySide6.QtGui import QPainterPath

_LETTERS = {
    QPainterPath.ElementType.MoveToElement: "M",
    QPainterPath.ElementType.LineToElement: "L",
    QPainterPath.ElementType.CurveToElement: "C",
    QPainterPath.ElementType.CurveToDataElement: " ",
}


def path_data(path: QPainterPath) -> str:
    """Return a path as SVG path data; Qt stores a curve as three elements."""
    elements = (path.elementAt(i) for i in range(path.elementCount()))
    return "".join(f"{_LETTERS[e.type]}{e.x:.6g},{e.y:.6g}" for e in elements)
