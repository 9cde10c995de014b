"""Texts of others, as they may stand in a sentence."""


def one_line(text: str) -> str:
    """Return a text with what cannot be seen written out, such as line breaks.

    Otherwise a name in a file could break a message into lines, or turn its letters
    round.
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
