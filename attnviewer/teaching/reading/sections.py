"""The text of a lesson in parts: front matter, headings, text and blocks."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal, TypeAlias

from attnviewer.teaching.reading.entries import LineError

BLOCKS = "document", "show", "task"
Kind: TypeAlias = Literal["heading", "exercises", "text", "document", "show", "task"]
_FENCE = re.compile(r"(`{3,}|~{3,})([^`]*)")
_HEADINGS = "## ", "##\t", "# ", "#\t", "##", "#"
"""What a line with a heading of level 1 or 2 begins with, or is."""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a lesson.

    Parameters
    ----------
    kind : str
        What it is.
    lines : sequence of str
        Its lines: of a heading its text, of a block those between the fences.
    line : int
        The line where it begins, counted from 1.
    """

    kind: Kind
    lines: Sequence[str]
    line: int


def front_matter(lines: Sequence[str]) -> int:
    """Return how many lines the front matter has, with both of its rules.

    Raises
    ------
    LineError
        If there is none.
    """
    if not lines or lines[0].rstrip() != "---":
        raise LineError(1, "A lesson must begin with '---' and its title.")
    for number, text in enumerate(lines[1:], 2):
        if text.rstrip() == "---":
            return number
    raise LineError(1, "The lines between '---' must end with '---'.")


def sections(lines: Sequence[str], start: int) -> Iterator[Section]:
    """Yield the parts after the front matter.

    Parameters
    ----------
    lines : sequence of str
        All lines of the lesson.
    start : int
        How many of them to leave out.

    Raises
    ------
    LineError
        If a block does not end, or its kind is misspelled.
    """
    text_from, at = start, start
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.fullmatch(line.rstrip())
        if fence is not None:
            end = _end(lines, at, fence[1])
            kind = _kind(fence[2].strip(), at + 1)
            if kind is not None:
                yield from _text(lines, text_from, at)
                yield Section(kind, lines[at + 1 : end], at + 1)
                text_from = end + 1
            at = end + 1
            continue
        if line.startswith(_HEADINGS[:4]) or line.rstrip() in _HEADINGS[4:]:
            yield from _text(lines, text_from, at)
            yield _heading(line, at + 1)
            text_from = at + 1
        at += 1
    yield from _text(lines, text_from, len(lines))


def _heading(line: str, number: int) -> Section:
    # Signs at the end close a heading if a blank is before them.
    title = line.lstrip("#").strip()
    bare = title.rstrip("#")
    if not bare or bare[-1] in " \t":
        title = bare.rstrip()
    if line.startswith("##"):
        if not title:
            raise LineError(number, "A page must have a heading.")
        return Section("heading", [title], number)
    if title != "Exercises":
        raise LineError(
            number,
            "The only heading with one '#' is '# Exercises'; pages begin with '##'. "
            f"Got “{title}” instead.",
        )
    return Section("exercises", [], number)


def _text(lines: Sequence[str], start: int, end: int) -> Iterator[Section]:
    while start < end and not lines[start].strip():
        start += 1
    while start < end and not lines[end - 1].strip():
        end -= 1
    if start < end:
        yield Section("text", lines[start:end], start + 1)


def _end(lines: Sequence[str], start: int, fence: str) -> int:
    for number in range(start + 1, len(lines)):
        closing = lines[number].strip()
        if len(closing) >= len(fence) and closing == fence[0] * len(closing):
            return number
    raise LineError(start + 1, f"The block must end with a line '{fence}'.")


def _kind(info: str, number: int) -> Kind | None:
    """Return the kind of a block; None for code that is only shown."""
    for name in BLOCKS:
        if info == name:
            return name  # type: ignore[return-value]
    for name in BLOCKS:
        if len(info) < 20 and SequenceMatcher(None, info.lower(), name).ratio() > 0.75:
            raise LineError(
                number, f"There is no block '{info}'. Did you mean '{name}'?"
            )
    return None
