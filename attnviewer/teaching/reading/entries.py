"""The lines of a block: ``key: value``, and lines that go on with a value."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeVar

_KEY = re.compile(r"([A-Za-z][A-Za-z0-9_-]{0,39}):(?:[ \t]+(.*))?")
MOST_ENTRIES = 200
"""The most entries of a block."""
_Value = TypeVar("_Value")


class LineError(ValueError):
    """Something in a line of a lesson.

    Parameters
    ----------
    line : int
        The line, counted from 1.
    reason : str
        What is wrong, as a sentence.
    """

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value, and the line where they begin."""

    key: str
    value: str
    line: int


class Entries:
    """The entries of a block, each taken once.

    Parameters
    ----------
    what : str
        What the block is called in messages, such as ``task``.
    entries : sequence of Entry
        The entries in their order.
    line : int
        The line where the block begins.
    """

    def __init__(self, what: str, entries: Sequence[Entry], line: int) -> None:
        self.what = what
        self.line = line
        self._left = list(entries)

    def many(self, key: str) -> list[Entry]:
        """Return all entries of a key."""
        found = [entry for entry in self._left if entry.key == key]
        self._left = [entry for entry in self._left if entry.key != key]
        return found

    def one(self, key: str) -> Entry | None:
        """Return the entry of a key that must not repeat; None without it."""
        found = self.many(key)
        if len(found) > 1:
            raise LineError(found[1].line, f"The '{key}' must be given once.")
        return found[0] if found else None

    def text(self, key: str, default: str = "") -> str:
        """Return the value of a key as it is."""
        entry = self.one(key)
        return default if entry is None else entry.value

    def required(self, key: str) -> Entry:
        """Return the entry of a key that must be there."""
        entry = self.one(key)
        if entry is None:
            raise LineError(self.line, f"The {self.what} must have a '{key}'.")
        return entry

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """Return the value of a key as a whole number within limits."""
        entry = self.one(key)
        return default if entry is None else whole(entry, least, most)

    def yes(self, key: str, default: bool) -> bool:
        """Return the value of a key that is yes or no."""
        entry = self.one(key)
        if entry is None:
            return default
        if entry.value not in ("yes", "no"):
            raise LineError(
                entry.line,
                f"The '{key}' must be yes or no. Got '{entry.value}' instead.",
            )
        return entry.value == "yes"

    def finish(self, known: Iterable[str]) -> None:
        """Check that no entry is left.

        Raises
        ------
        LineError
            If one is; names the nearest of the keys that are known.
        """
        if self._left:
            entry = self._left[0]
            nearest = get_close_matches(entry.key, list(known), n=1)
            hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
            raise LineError(
                entry.line, f"The {self.what} has no key '{entry.key}' here.{hint}"
            )


def whole(entry: Entry, least: int, most: int) -> int:
    """Return the value of an entry as a whole number within limits."""
    text = entry.value
    if re.fullmatch("[+-]?[0-9]{1,12}", text) and least <= int(text) <= most:
        return int(text)
    raise LineError(
        entry.line,
        f"The '{entry.key}' must be a whole number from {least} to {most}. "
        f"Got '{text}' instead.",
    )


def read_value(entry: Entry, read: Callable[[str], _Value]) -> _Value:
    """Return what a function makes of an entry's value, with its line in errors."""
    try:
        return read(entry.value)
    except ValueError as error:
        raise LineError(entry.line, str(error)) from None


def read_entries(what: str, lines: Sequence[str], first: int, line: int) -> Entries:
    """Return the entries of lines.

    Parameters
    ----------
    what : str
        What the block is called in messages.
    lines : sequence of str
        Its lines without the fences.
    first : int
        The number of the first of them.
    line : int
        The number of the line that the block begins with.

    Raises
    ------
    LineError
        If a line is no entry.
    """
    found: list[tuple[str, list[str], int]] = []
    for number, text in enumerate(lines, first):
        if not text.strip():
            continue
        if text.startswith("  ") and found:
            found[-1][1].append(text.strip())
            continue
        match = _KEY.fullmatch(text.rstrip())
        if match is None:
            raise LineError(
                number,
                f"A line of the {what} must be 'key: value', or begin with two spaces "
                f"to go on with the line above. Got “{text.strip()}” instead.",
            )
        if len(found) == MOST_ENTRIES:
            raise LineError(
                number, f"The {what} must have at most {MOST_ENTRIES} keys."
            )
        found.append((match[1], [(match[2] or "").strip()], number))
    entries = [Entry(k, "\n".join(v).strip(), number) for k, v, number in found]
    return Entries(what, entries, line)
