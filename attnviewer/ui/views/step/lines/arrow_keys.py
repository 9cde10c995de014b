"""Where keys lead from a token."""

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
        How many queries and keys there are.
    page : int
        Tokens of a page.
    """
    side, place = token
    if key == Keys.Key_Left:
        side = "queries"
    elif key == Keys.Key_Right:
        side = "keys"
    last = counts[0 if side == "queries" else 1] - 1
    places: dict[int, int] = {
        Keys.Key_Left: place,
        Keys.Key_Right: place,
        Keys.Key_Up: place - 1,
        Keys.Key_Down: place + 1,
        Keys.Key_PageUp: place - page,
        Keys.Key_PageDown: place + page,
        Keys.Key_Home: 0,
        Keys.Key_End: last,
    }
    if key not in places:
        return None
    return side, min(max(0, places[key]), last)
