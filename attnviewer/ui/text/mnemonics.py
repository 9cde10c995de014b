"""Texts of actions that are anybody's."""

_SIGNS = str.maketrans({"&": "&&", "\n": "⏎", "\t": "⇥"})


def action_text(text: str) -> str:
    """Return what an action must be given to show a text as it is, in one line.

    Qt reads a mnemonic into ``&``, the text of another action into what follows a
    line break, and a shortcut into what follows a tab.
    """
    return text.translate(_SIGNS)
