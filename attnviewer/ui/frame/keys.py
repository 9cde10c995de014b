"""The list of keyboard shortcuts, shown from the Help menu."""

from collections.abc import Iterable, Sequence
from html import escape

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from attnviewer.ui.text.translation import translate_in

_tr = translate_in("Keys")

Section = tuple[str, tuple[tuple[str, str], ...]]
"""A heading, and its rows: an action and its keys."""
_HEADING_ROWS = 1.5
"""Height of a heading with its margins, in rows."""


def keys_tables(
    menus: Iterable[QMenu],
    names: dict[QAction, str],
    columns: int = 1,
    wanted: str = "",
) -> list[str]:
    """Return tables of keys: those of the menus, then those of the views.

    Parameters
    ----------
    menus : iterable of QMenu
        The menus, in the order of the bar.
    names : mapping of QAction to str
        Names of actions whose own text changes.
    columns : int
        Number of tables, of about equal length; sections are not split.
    wanted : str
        Only what contains it, in the name, the keys or the heading.
    """
    sections = [*(_section(menu, names) for menu in menus), *_view_sections()]
    sections = [_matching(section, wanted.casefold()) for section in sections]
    sections = [section for section in sections if section[1]]
    tables = []
    for indices in _spread([len(entries) for _, entries in sections], columns):
        rows = ""
        for title, entries in (sections[index] for index in indices):
            rows += _heading(title) + "".join(_row(*entry) for entry in entries)
        tables.append(f'<table cellspacing="0" cellpadding="0">{rows}</table>')
    return tables


def _matching(section: Section, wanted: str) -> Section:
    title, entries = section
    if wanted in title.casefold():
        return section
    return title, tuple(e for e in entries if wanted in " ".join(e).casefold())


def _spread(lengths: Sequence[int], columns: int) -> list[list[int]]:
    """Return the sections of each column, so that all are about equally long.

    The longest are placed first, each in the shortest column, and exchanged as long as
    that evens columns out; within a column the sections keep their order, and columns
    are ordered by their first section.
    """
    placed: list[list[int]] = [[] for _ in range(columns)]
    heights = [0.0] * columns
    for index in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        column = heights.index(min(heights))
        placed[column].append(index)
        heights[column] += lengths[index] + _HEADING_ROWS
    while True:
        long, short = (heights.index(end(heights)) for end in (max, min))
        most = (heights[long] - heights[short]) / 2
        exchanges = [
            (lengths[one] - lengths[other], one, other)
            for one in placed[long]
            for other in placed[short]
            if 0 < lengths[one] - lengths[other] <= most
        ]
        if not exchanges:
            return sorted(sorted(column) for column in placed)
        by, one, other = max(exchanges)
        placed[long][placed[long].index(one)] = other
        placed[short][placed[short].index(other)] = one
        heights[long], heights[short] = heights[long] - by, heights[short] + by


def _section(menu: QMenu, names: dict[QAction, str]) -> Section:
    native = QKeySequence.SequenceFormat.NativeText
    entries = tuple(
        (
            ": ".join([*path, names.get(action, _plain(action.text()))]),
            ", ".join(keys.toString(native) for keys in action.shortcuts()),
        )
        for path, action in _actions(menu)
        if action.shortcuts()
    )
    return _plain(menu.title()), entries


def _view_sections() -> tuple[Section, ...]:
    return (
        (
            _tr("In a matrix"),
            (
                (_tr("Replace the number"), "0 … 9 − . ="),
                (_tr("Edit the exact number"), "F2"),
                (_tr("Accept and go down or right"), "Enter, Tab"),
                (_tr("Fill the selection with what is typed"), "Ctrl+Enter"),
                (_tr("Cancel the edit"), "Escape"),
                (_tr("Go to another cell"), "← → ↑ ↓"),
                (_tr("Go to the ends of the row"), "Home, End"),
                (_tr("Go to the edges of the matrix"), "Ctrl+← → ↑ ↓"),
                (_tr("Go to the corners of the matrix"), "Ctrl+Home, Ctrl+End"),
                (_tr("Go a page up or down"), "PgUp, PgDown"),
                (_tr("Extend the selection"), _tr("Shift and any of these")),
                (_tr("Select whole rows or columns"), "Shift+Space, Ctrl+Space"),
                (_tr("Add to the selection"), _tr("Ctrl+click, Ctrl+drag")),
                (_tr("Fill, or continue a series"), _tr("drag the corner")),
                (_tr("Scrub the number up or down"), "Ctrl+Alt+↑ ↓"),
                (
                    _tr("Scrub it with the mouse"),
                    _tr("drag the left edge, Alt+drag, Ctrl+wheel"),
                ),
                (_tr("Scrub ten times finer"), _tr("with Shift")),
                (_tr("Open the context menu"), _tr("Menu, Shift+F10")),
                (_tr("Leave the table"), "Ctrl+Tab"),
                (_tr("Go to another tab of the inputs"), "Ctrl+Page Up, Page Down"),
            ),
        ),
        (
            _tr("In the mask"),
            (
                (_tr("Toggle selected cells"), _tr("Space")),
                (_tr("Show the selected cells"), "1, V"),
                (_tr("Hide the selected cells"), _tr("0, H, Delete")),
            ),
        ),
        (
            _tr("In the find bar"),
            (
                (_tr("Go to the next match"), "Enter, ↓"),
                (_tr("Go to the previous match"), "Shift+Enter, ↑"),
                (_tr("Back to the table"), _tr("Escape")),
            ),
        ),
        (
            _tr("In the heatmap"),
            (
                (_tr("Select another cell"), "← → ↑ ↓ Home End"),
                (_tr("Extend the marked rows or columns"), "Shift+← → ↑ ↓"),
                (_tr("Mark the row or the column"), "Shift+Space, Ctrl+Space"),
                (_tr("Zoom, and show all"), "Alt++ Alt+− Alt+0"),
                (_tr("Group the marked tokens"), "Shift+G"),
                (_tr("Fold or open the groups of the cell"), "G"),
                (_tr("Clear marks and selection"), "Escape"),
            ),
        ),
        (
            _tr("In the minimap, and in Go to"),
            (
                (_tr("Move the view by half of it"), "← → ↑ ↓"),
                (_tr("Go to the next or previous match"), "Enter, Shift+Enter"),
                (_tr("Back to the heatmap"), _tr("Escape")),
            ),
        ),
        (
            _tr("In a computed matrix, as a heatmap or table"),
            (
                (_tr("Pin the number to another"), "0 … 9 − . ="),
                (_tr("Pin the selection to what is typed"), "Ctrl+Enter"),
                (_tr("Edit the exact number"), "F2, Enter"),
                (_tr("Pin a pasted block"), "Ctrl+V"),
                (_tr("Unpin"), "Delete"),
            ),
        ),
        (
            _tr("In the lines"),
            (
                (_tr("Mark a token"), _tr("Space")),
                (_tr("Go to its strongest line, then to the next"), "Enter"),
            ),
        ),
        (
            _tr("In all heads"),
            (
                (_tr("Go to another head"), "← → ↑ ↓ Home End"),
                (_tr("Open or select the head"), _tr("Enter, Space")),
                (_tr("Switch a head off"), _tr("Menu, Shift+F10")),
            ),
        ),
        (
            _tr("In the difference"),
            (
                (_tr("Show A, B, B − A or both"), "← →"),
                (_tr("Go to the changed cell or step"), "Enter"),
            ),
        ),
        (
            _tr("In the strip of steps"),
            (
                (_tr("Go to another step"), "← → Home End"),
                (_tr("Open it"), "Enter"),
                (_tr("Show another head"), "↑ ↓"),
            ),
        ),
        (
            _tr("In the explanation"),
            (
                (_tr("Go to the cell of a number"), _tr("Tab, then Enter")),
                (_tr("Expand or collapse a number"), "→ ←"),
            ),
        ),
        (
            _tr("In How, and in the loop"),
            (
                (_tr("Next or previous number"), "→ ←"),
                (_tr("First or last number"), "Home, End"),
                (_tr("Play and pause"), _tr("Space")),
            ),
        ),
        (
            _tr("Elsewhere"),
            (
                (_tr("Copy from a heatmap or the table of a step"), "Ctrl+C"),
                (_tr("Set the tokens of a sentence"), "Ctrl+Enter"),
                (_tr("Move through the history"), "↑ ↓"),
                (_tr("Use the message's button"), _tr("Alt+its letter")),
                (_tr("Close the message"), _tr("Shift+Escape")),
            ),
        ),
    )


def _actions(
    menu: QMenu, path: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], QAction]]:
    """Yield the actions, with the titles of the submenus that lead to each."""
    for action in menu.actions():
        submenu = action.menu()
        if isinstance(submenu, QMenu):
            yield from _actions(submenu, (*path, _plain(submenu.title())))
        else:
            yield path, action


def _plain(text: str) -> str:
    return text.replace("&", "").rstrip("…")


def _heading(text: str) -> str:
    text = f"<p><b>{escape(text)}</b></p>"
    return f'<tr><td colspan="2" style="padding-top: 6px">{text}</td></tr>'


def _row(what: str, keys: str) -> str:
    keys = f'<td style="padding-left: 12px"><p>{escape(keys)}</p></td>'
    return f"<tr><td><p>{escape(what)}</p></td>{keys}</tr>"
