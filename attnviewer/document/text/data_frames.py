"""Tables as pandas prints and copies them, with headings above and labels beside."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from attnviewer.document.text.column_names import column_names_notice
from attnviewer.document.text.expression import PLAIN, shortened
from attnviewer.document.text.formula_guard import unguarded_text
from attnviewer.document.text.lines import unquoted_rows

_OTHER_CELLS = frozenset(
    ("nan", "inf", "-inf", "true", "false", "none", "nat", "<na>", "...", "..")
)
_LONGEST_END = 100
_WORD = re.compile(r"\S+")
_COLUMNS_NAME = re.compile(r"\A\S+(?: \S+)*(?=  )")
_WHOLE = re.compile(r"[0-9]+")
_SIZE = re.compile(r"\[[0-9]+ rows x [0-9]+ columns\]\s*\Z")
_KIND = re.compile(r"\n(?:Name: [^\n]*, )?(?:Length: [0-9]+, )?dtype: \w+\s*\Z")


@dataclass(frozen=True, slots=True)
class DataFrame:
    """The cells of a printed table.

    Parameters
    ----------
    columns : tuple of str
        The headings.
    labels : tuple of str
        The text before the numbers of each row.
    rows : list of list of str
        The numbers, as texts.
    """

    columns: tuple[str, ...]
    labels: tuple[str, ...]
    rows: list[list[str]]

    @property
    def names(self) -> tuple[str, ...]:
        """The labels, or none if they only count the rows."""
        return () if _count(self.labels) else self.labels

    @property
    def notices(self) -> tuple[str, ...]:
        """Notices about the headings."""
        if not self.columns or _count(self.columns):
            return ()
        return (column_names_notice(self.columns),)

    def place(self, row: int, column: int) -> str:
        """Return the place of a cell, for a message."""
        heading = (
            f", column “{shortened(self.columns[column])}”" if self.columns else ""
        )
        return f"Row “{shortened(self.labels[row])}”{heading}"


def is_shortened_frame(text: str) -> bool:
    """Return whether pandas, rather than NumPy, left numbers out of a text."""
    return bool(_SIZE.search(text[-_LONGEST_END:]) or _KIND.search(text))


def names_rows(text: str) -> bool:
    """Return whether a text is a table of pandas whose rows have names."""
    frame = data_frame(text.replace("\r\n", "\n"))
    return frame is not None and bool(frame.names)


def data_frame(text: str) -> DataFrame | None:
    r"""Return the cells of a table or a series that pandas printed or copied.

    Parameters
    ----------
    text : str
        The copied text, with ``\n`` between its lines. Numbers stand below the right
        ends of their headings, in parts below each other if the table is wide; or
        tabs separate them, and the first cell is empty.

    Returns
    -------
    DataFrame or None
        None if it is no such text.

    Examples
    --------
    >>> frame = data_frame("     d0  d1\nthe   1   2\ncat   3   4")
    >>> frame.names, frame.rows
    (('the', 'cat'), [['1', '2'], ['3', '4']])
    """
    text = text.strip("\n").rstrip()
    if kind := _KIND.search(text):
        return _series(text[: kind.start()])
    lines = text.split("\n")
    if "\t" in text:
        return _copied(lines) if text.startswith("\t") else None
    frame, end = printed_frame(lines, 0) or (None, 0)
    return frame if end == len(lines) else None


def printed_frame(lines: Sequence[str], start: int) -> tuple[DataFrame, int] | None:
    """Return the table that begins at a line, and the number of the line after it."""
    columns: list[str] = []
    rows: list[list[str]] = []
    labels: tuple[str, ...] = ()
    more = True
    while more:
        read = _part(lines, start) if start < len(lines) else None
        if read is None or (rows and read[0].labels != labels):
            return None
        part, more, end = read
        labels = part.labels
        columns += part.columns
        rows = [
            row + cells
            for row, cells in zip(rows or [[] for _ in labels], part.rows, strict=True)
        ]
        start = end + 1  # the parts of a wide table have an empty line between them
    if end + 1 < len(lines) and not lines[end].strip() and _SIZE.match(lines[end + 1]):
        end += 2
    return DataFrame(tuple(columns), labels, rows), end


def _series(text: str) -> DataFrame | None:
    lines = [line.rsplit(None, 1) for line in text.split("\n")]
    if any(len(line) < 2 for line in lines):
        return None
    labels = tuple(label.strip() for label, _ in lines)
    return DataFrame((), labels, [[cell] for _, cell in lines])


def _copied(lines: Sequence[str]) -> DataFrame | None:
    try:
        (_, *columns), *others = unquoted_rows("\n".join(lines), "\t")
    except ValueError:
        return None
    labels = tuple(unguarded_text(line[0]) for line in others)
    uneven = any(len(line) != len(columns) + 1 for line in others)
    # An empty cell may also be a number that is missing.
    named = (
        _count(columns)
        or tuple(columns) == labels
        or not any(map(PLAIN.fullmatch, columns))
    )
    if uneven or not all(labels) or not named:
        return None
    return DataFrame(tuple(columns), labels, [line[1:] for line in others])


def _part(lines: Sequence[str], start: int) -> tuple[DataFrame, bool, int] | None:
    """Return the columns that are printed together, and whether more follow them."""
    heading = lines[start].rstrip()
    more = heading.endswith("\\")
    heading = heading.removesuffix("\\").rstrip()
    end = start + 1
    below = lines[end].split() if end < len(lines) else []
    of_index = bool(below) and not any(map(_is_cell, below))
    if of_index:
        end += 1  # the name of the index
        heading = _COLUMNS_NAME.sub(_blanked, heading)
    ends = {len(heading) - found.end() for found in _WORD.finditer(heading)}
    if " ... " in heading:  # numbers before it end one place further right
        ends |= {end - 1 for end in ends}
    labels, rows = [], []
    while end < len(lines) and (read := _split(lines[end].rstrip(), ends)):
        labels.append(read[0])
        rows.append(read[1])
        end += 1
    if not rows or {*map(len, rows)} != {len(rows[0])}:
        return None
    columns = _columns(heading, len(rows[0]))
    if columns is None:
        return None
    return DataFrame(columns, tuple(labels), rows), more, end


def _split(line: str, ends: set[int]) -> tuple[str, list[str]] | None:
    """Return a line's label and its cells, which end where headings do."""
    words = list(_WORD.finditer(line))
    first = len(words)
    while first and len(line) - words[first - 1].end() in ends:
        first -= 1
        if not _is_cell(words[first][0]):
            return None
    if first in (0, len(words)):
        return None
    label = line[: words[first].start()].strip()
    return label, [word[0] for word in words[first:]]


def _blanked(name: re.Match[str]) -> str:
    return " " * len(name[0])


def _columns(heading: str, width: int) -> tuple[str, ...] | None:
    """Return the headings of so many columns, or None if this line has others."""
    if heading.endswith(("=", ":")):
        return None
    indented = heading[0] == " "
    for names in (re.split(" {2,}", heading.strip()), heading.split()):
        words = not all(map(PLAIN.fullmatch, names))
        numbers = indented and all(map(_WHOLE.fullmatch, names))
        if len(names) == width and (words or numbers or _count(names)):
            return tuple(names) if indented or width > 1 else None
    return None


def _is_cell(word: str) -> bool:
    return bool(PLAIN.fullmatch(word)) or word.lower() in _OTHER_CELLS


def _count(names: Sequence[str]) -> bool:
    """Return whether names only count, as pandas or R does."""
    return all(
        name in (str(number), f"[{number + 1},]", f"[,{number + 1}]")
        for number, name in enumerate(names)
    )
