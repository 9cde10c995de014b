"""The token that an arrow key leads to."""

from PySide6.QtCore import Qt

from attnviewer.ui.views.step.lines.focus import Token

Keys = Qt.Key


def walk(key: int, token: Token, counts: tuple[int, int], page: int) -> Token | None:
    """Return the token that a key leads to; None if the key leads nowhere.

    Parameters
    ----------
    key : int
        The key.
    token : tuple
        Where to start.
    counts : tuple of two int
        The numbers of queries and of keys.
    page : int
        Tokens of a page.
    """
    side, index = token
    if key == Keys.Key_Left:
        side = "queries"
    elif key == Keys.Key_Right:
        side = "keys"
    last = counts[0 if side == "queries" else 1] - 1
    targets: dict[int, int] = {
        Keys.Key_Left: index,
        Keys.Key_Right: index,
        Keys.Key_Up: index - 1,
        Keys.Key_Down: index + 1,
        Keys.Key_PageUp: index - page,
        Keys.Key_PageDown: index + page,
        Keys.Key_Home: 0,
        Keys.Key_End: last,
    }
    if key not in targets:
        return None
    return side, min(max(0, targets[key]), last)
