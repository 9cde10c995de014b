"""Parsing the token names of a new document."""

from attnviewer.document.text.tokenizing import split_sentence


def names_of(text: str) -> tuple[str, ...]:
    """Return the tokens in a line: names between semicolons, or a sentence.

    Parameters
    ----------
    text : str
        The typed text; blank for no names.
    """
    if ";" in text:
        return tuple(name for part in text.split(";") if (name := part.strip()))
    return split_sentence(text)
