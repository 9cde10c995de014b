"""Placing a balloon beside its target."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt

MARGIN = 8
"""Distance between a balloon and the window's edge."""


def place_beside(
    size: QSize, target: QRect, room: QRect
) -> tuple[QPoint, Qt.Edge | None]:
    """Return the balloon's top left corner, and its edge that faces the target.

    It goes to the right of the target, or else to the left, below or above; without
    space on any side it covers the target, and no edge faces it.

    Parameters
    ----------
    size : QSize
        The balloon's size.
    target : QRect
        What it points to; if empty, the balloon is centred.
    room : QRect
        The rectangle it must stay within.
    """
    inside = room.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    width, height = size.width(), size.height()
    centre = target.center() if target.isValid() else room.center()
    middle = QPoint(centre.x() - width // 2, centre.y() - height // 2)
    beside = {
        Qt.Edge.LeftEdge: QPoint(target.right() + 1, middle.y()),
        Qt.Edge.RightEdge: QPoint(target.left() - width, middle.y()),
        Qt.Edge.TopEdge: QPoint(middle.x(), target.bottom() + 1),
        Qt.Edge.BottomEdge: QPoint(middle.x(), target.top() - height),
    }
    if target.isValid():
        for edge, corner in beside.items():
            moved = _moved_inside(corner, size, inside)
            if inside.contains(QRect(moved, size)) and not target.intersects(
                QRect(moved, size)
            ):
                return moved, edge
    return _moved_inside(middle, size, inside), None


def _moved_inside(corner: QPoint, size: QSize, inside: QRect) -> QPoint:
    right, bottom = (
        inside.right() + 1 - size.width(),
        inside.bottom() + 1 - size.height(),
    )
    return QPoint(
        max(inside.left(), min(corner.x(), right)),
        max(inside.top(), min(corner.y(), bottom)),
    )
