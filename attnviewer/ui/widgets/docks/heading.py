"""The heading of a panel, which lies in the title bar of its dock."""

from PySide6.QtWidgets import QHBoxLayout, QWidget


def heading_row(title: QWidget, summary: QWidget, parent: QWidget) -> QWidget:
    """Return a line with a panel's title, and its summary in the rest of it."""
    heading = QWidget(parent)
    row = QHBoxLayout(heading)
    row.setContentsMargins(12, 0, 4, 0)
    row.setSpacing(8)
    row.addWidget(title)
    row.addWidget(summary, 1)
    return heading
