"""The `show` block."""

from attnviewer.compute.arguments import check_name
from attnviewer.teaching.lesson import VIEWS, Show
from attnviewer.teaching.reading.entries import Entries, LineError, read_value
from attnviewer.teaching.scanning import Scanner

KEYS = "step", "view", "cell", "head"


def read_show(entries: Entries) -> Show:
    """Return what a `show` block says.

    Raises
    ------
    LineError
        If something is unknown or out of range.
    """
    view, cell, head = entries.one("view"), entries.one("cell"), entries.one("head")
    show = Show(
        step=entries.text("step"),
        view="" if view is None else read_value(view, _view),
        cell=None if cell is None else read_value(cell, _cell),
        head=None if head is None else read_value(head, _whole),
    )
    entries.finish(KEYS)
    if show.cell is not None and not show.step:
        raise LineError(entries.line, "The 'cell' must be of a 'step'.")
    return show


def _view(text: str) -> str:
    check_name("view", text, VIEWS)
    return text


def _whole(text: str) -> int:
    scanner = Scanner(text)
    number = scanner.whole()
    scanner.finish()
    return number


def _cell(text: str) -> tuple[int, int]:
    scanner = Scanner(text)
    row = scanner.whole()
    scanner.expect(",")
    column = scanner.whole()
    scanner.finish()
    return row, column
