"""Where a balloon goes beside what it points to."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt

MARGIN = 8
"""Between a balloon and the window's edge."""


def place_beside(
    size: QSize, target: QRect, room: QRect
) -> tuple[QPoint, Qt.Edge | None]:
    """Return the balloon's upper left corner, and its edge that the target is at.

    It goes to the right of the target, else to the left, below or above; without
    room on any side it lies over the target, and no edge points to it.

    Parameters
    ----------
    size : QSize
        The balloon's size.
    target : QRect
        What it points to; an empty one has it in the middle.
    room : QRect
        Where all of it has to be.
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
