"""Blocking full repaints of widgets."""

import contextlib
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


@contextlib.contextmanager
def without_updates(*widgets: QWidget) -> Iterator[None]:
    """Ignore update requests of widgets inside the context.

    `QWidget.setUpdatesEnabled` would repaint them completely afterwards.
    """
    blocked = Qt.WidgetAttribute.WA_UpdatesDisabled
    before = [widget.testAttribute(blocked) for widget in widgets]
    for widget in widgets:
        widget.setAttribute(blocked)
    try:
        yield
    finally:
        for widget, already in zip(widgets, before, strict=True):
            widget.setAttribute(blocked, already)
