"""Sentences in texts and files, one on each line."""

from pathlib import Path

from attnviewer.io import FileFormatError
from attnviewer.io.reading import read_bounded

LARGEST_FILE = 2**20
"""Bytes of a file that is read."""


def sentences_in(text: str) -> list[str]:
    """Return the lines of a text that are not blank, each once."""
    lines = (line.strip() for line in text.splitlines())
    return list(dict.fromkeys(filter(None, lines)))


def sentences_of(path: Path) -> list[str]:
    """Return the sentences of a text file.

    Raises
    ------
    FileError
        If it cannot be read, or is no text in UTF-8.
    """
    data = read_bounded(path, LARGEST_FILE)
    try:
        return sentences_in(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise FileFormatError(path, "It is not a text in UTF-8.") from None
