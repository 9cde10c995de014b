"""The order in which Tab visits widgets."""

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def chain_tabs(stops: Iterable[QWidget]) -> None:
    """Make Tab visit widgets in order."""
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)


def order_tabs(window: QWidget, areas: Iterable[QWidget]) -> None:
    """Make Tab visit areas of a window in order.

    Parameters
    ----------
    window : QWidget
        The window.
    areas : iterable of QWidget
        Parts of it; the order within each stays as it is.

    Notes
    -----
    Widgets that do not accept the focus stay where they are in Qt's focus chain. One
    with a focus proxy inside would be left behind by its parts, and Tab would return
    from there to them for ever: its `focusInEvent` calls `forward_focus` instead.
    """
    stops = [w for w in _chain(window) if w.focusPolicy() != Qt.FocusPolicy.NoFocus]
    chain_tabs(w for area in areas for w in stops if area.isAncestorOf(w))


def forward_focus(panel: QWidget, first: QWidget, reason: Qt.FocusReason) -> None:
    """Pass a panel's focus on to its first part; while that is hidden, it stays.

    Parameters
    ----------
    panel : QWidget
        The panel, which was given the focus.
    first : QWidget
        The part of it that takes the keys.
    reason : Qt.FocusReason
        Why the panel was given it.
    """
    if first.isVisibleTo(panel):
        first.setFocus(reason)


def first_stop(area: QWidget) -> QWidget | None:
    """Return the first widget of an area that Tab visits; None if there is none."""
    for widget in _chain(area.window()):
        if (
            area.isAncestorOf(widget)
            and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and widget.isEnabled()
            and widget.isVisibleTo(area)
        ):
            return widget
    return None


def stop_before(widget: QWidget) -> QWidget:
    """Return the widget before this one in Tab order; itself if it is the only one."""
    before = widget.previousInFocusChain() or widget
    _restore_parents(widget.window())
    return before


def _chain(window: QWidget) -> list[QWidget]:
    """Return the widgets of a window in Tab order, without the window itself."""
    chain = []
    last = window.previousInFocusChain()
    widget = window
    while widget is not last and (after := widget.nextInFocusChain()) is not None:
        chain.append(after)
        widget = after
    _restore_parents(window)
    return chain


def _restore_parents(window: QWidget) -> None:
    """Restore the ownership that PySide assigns to the widgets of a window.

    Walking the focus chain, PySide takes each widget for a child of the one before it.
    If that one is deleted first, PySide leaks the widget and all that it refers to.
    """
    window.findChildren(QWidget)
