"""What is around the boxes of the explanation: its heading, and what scrolls them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QWidget


def heading_row(title: QWidget, name: QWidget, parent: QWidget) -> QWidget:
    """Return a line with the title, and what is explained in the rest of it."""
    heading = QWidget(parent)
    row = QHBoxLayout(heading)
    row.setContentsMargins(12, 0, 4, 0)
    row.setSpacing(8)
    row.addWidget(title)
    row.addWidget(name, 1)
    return heading


def scroll_area(parent: QWidget) -> QScrollArea:
    """Return an area that scrolls a content of its own width up and down."""
    area = QScrollArea(parent)
    area.setObjectName("explain.scroll")
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidgetResizable(True)
    return area
