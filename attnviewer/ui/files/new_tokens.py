"""The names of a new document's tokens, as they are typed."""

from attnviewer.document import split_sentence


def names_of(text: str) -> tuple[str, ...]:
    """Return the tokens that a line gives: names between semicolons, or a sentence.

    Parameters
    ----------
    text : str
        What was typed; blank for no names.
    """
    if ";" in text:
        return tuple(name for part in text.split(";") if (name := part.strip()))
    return split_sentence(text)
