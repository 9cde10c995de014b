"""The texts of a survey, in batches that are read as they are needed."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import check_ordinary
from attnviewer.models.tokenizing.tokenizer import LONGEST_TEXT

BATCH = 16
"""Texts in a batch, whatever the number of workers."""
_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive texts, which are computed together.

    Parameters
    ----------
    number : int
        The batch, counted from zero.
    texts : tuple of str
        The texts.
    places : tuple of str
        Where each of them is, for messages.
    """

    number: int
    texts: tuple[str, ...]
    places: tuple[str, ...]

    @property
    def first(self) -> int:
        """The index of the first text among all."""
        return self.number * BATCH

    @property
    def digest(self) -> bytes:
        """Identifies the texts."""
        found = blake2b(digest_size=16)
        for text in self.texts:
            content = text.encode("utf-8", "surrogatepass")
            found.update(len(content).to_bytes(8, "little") + content)
        return found.digest()


def batches(texts: str | Path | Iterable[str]) -> Iterator[Batch]:
    """Yield the texts that are not empty, in batches of `BATCH`.

    Parameters
    ----------
    texts : str, Path or iterable of str
        A file with a text in each line, or the texts.

    Raises
    ------
    FileError
        If the file cannot be read, or (`FileFormatError`) a line is too long, or not in
        UTF-8.
    TypeError
        If a text is no string.
    """
    found = _lines(Path(texts)) if isinstance(texts, str | Path) else _given(texts)
    present = ((place, text) for place, text in found if text and not text.isspace())
    number = 0
    while some := tuple(islice(present, BATCH)):
        places, own = zip(*some, strict=True)
        yield Batch(number, own, places)
        number += 1


def count_texts(texts: str | Path | Iterable[str]) -> int | None:
    """Return how many texts there are; None if only reading them would tell.

    Raises
    ------
    FileError
        As in `batches`.
    """
    if isinstance(texts, str | Path) or hasattr(texts, "__len__"):
        return sum(len(batch.texts) for batch in batches(texts))
    return None


def _given(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    for index, text in enumerate(texts):
        place = f"texts[{index}]"
        if not isinstance(text, str):
            raise TypeError(f"The {place} must be a text. Got {text!r} instead.")
        yield place, text


def _lines(path: Path) -> Iterator[tuple[str, str]]:
    check_ordinary(path)
    try:
        with path.open("rb") as file:
            if file.read(len(_MARK)) != _MARK:
                file.seek(0, os.SEEK_SET)
            number = 0
            while line := file.readline(LONGEST_TEXT + 2):
                number += 1
                yield f"{path}, line {number}", _text(path, line, f"line {number}")
    except OSError as error:
        raise FileError(path, system_reason(error)) from error


def _text(path: Path, line: bytes, place: str) -> str:
    content = line.rstrip(b"\r\n")
    if len(content) > LONGEST_TEXT:
        reason = f"A text may have {LONGEST_TEXT // 2**20} MiB; this one is longer."
        raise FileFormatError(path, reason, place)
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise FileFormatError(path, "It is not text in UTF-8.", place) from None
