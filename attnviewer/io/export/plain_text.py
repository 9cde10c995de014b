"""Texts of a document inside of other texts."""


def one_line(text: str) -> str:
    """Return a text as one line of what can be printed.

    White space becomes single blanks; signs that nobody sees, such as those that
    turn the direction of writing, are written by their number, as Python does.
    """
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in line)
