"""The order in which Tab visits things."""

from collections.abc import Iterable
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
    stops = [w for w in _chain(window) if w.focusPolicy() != Qt.FocusPolicy.NoFocus]
    chain_tabs(w for area in areas for w in stops if area.isAncestorOf(w))


def stop_before(widget: QWidget) -> QWidget:
    """Return what comes before a widget, itself where it is alone."""
    before = widget.previousInFocusChain() or widget
    _restore_parents(widget.window())
    return before


def _chain(window: QWidget) -> list[QWidget]:
    """Return all of a window in the order of Tab, but not the window itself."""
    chain = []
    last = window.previousInFocusChain()
    widget = window
    while widget is not last and (after := widget.nextInFocusChain()) is not None:
        chain.append(after)
        widget = after
    _restore_parents(window)
    return chain


def _restore_parents(window: QWidget) -> None:
    """Make all widgets of a window its children for PySide, as it finds them.

    By the focus chain, PySide takes a widget for the child of the one before it, and
    never lets go of it, nor of all that it refers to, if that one is deleted first.
    """
    window.findChildren(QWidget)
