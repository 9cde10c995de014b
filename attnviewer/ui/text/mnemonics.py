"""Arbitrary texts as texts of actions."""

_SIGNS = str.maketrans({"&": "&&", "\n": "⏎", "\t": "⇥"})


def action_text(text: str) -> str:
    """Escape a text that an action shows verbatim, on one line.

    Qt takes ``&`` for a mnemonic, a line break for the end of the text, and what
    follows a tab for a shortcut.
    """
    return text.translate(_SIGNS)
