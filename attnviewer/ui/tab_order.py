"""The order in which Tab visits things."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def chain_tabs(stops: Iterable[QWidget]) -> None:
    """Have Tab visit widgets one after the other."""
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def order_tabs(window: QWidget, areas: Iterable[QWidget]) -> None:
    """Have Tab visit areas of a window one after the other.

    Parameters
    ----------
    window : QWidget
        The window.
    areas : iterable of QWidget
        Parts of it; inside of each the order stays as it is.
    """
    chain = list(_chain(window))
    stops = [w for w in chain if w.focusPolicy() != Qt.FocusPolicy.NoFocus]
    chain_tabs(w for area in areas for w in stops if area.isAncestorOf(w))


def stop_before(widget: QWidget) -> QWidget:
    """Return what comes before a widget, itself where it is alone."""
    return widget.previousInFocusChain() or widget


def _chain(window: QWidget) -> Iterator[QWidget]:
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window:
        yield widget
        widget = widget.nextInFocusChain()
