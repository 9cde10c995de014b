"""Lines and quoted cells, such as names of tokens, from and to clipboard text."""

import csv
import io
import re
from collections.abc import Iterator, Sequence

from attnviewer.document.text.expression import shortened

_SEPARATE_CELLS = re.compile(r"\S\t+\S")
_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n|\Z)")
_QUOTED_LINE = re.compile(r'"((?:[^"]|"")*+)"(?:\r\n?|\n|\Z)')
_SPECIAL = frozenset('\t\r\n"')


def quoted_cell(text: str) -> str:
    """Return a cell, quoted as spreadsheets do if it has tabs, breaks or quotes."""
    if _SPECIAL.isdisjoint(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def lines_text(lines: Sequence[str]) -> str:
    """Write texts as lines, quoted only where they would not read back otherwise.

    Parameters
    ----------
    lines : sequence of str
        The texts.
    """
    plain = "\n".join(lines)
    try:
        verbatim = parse_lines(plain) == tuple(lines)
    except ValueError:
        verbatim = False
    return plain if verbatim else "\n".join(map(quoted_cell, lines))


def unquoted_rows(text: str, between: str) -> list[list[str]]:
    """Return the cells of a text with quotation marks, between separators.

    Raises
    ------
    ValueError
        If the quotation marks do not match.
    """
    try:
        # A file, as a quoted cell may have several lines.
        return list(csv.reader(io.StringIO(text), delimiter=between, strict=True))
    except csv.Error:
        raise ValueError("The quotation marks in the text do not match.") from None


def parse_lines(text: str) -> tuple[str, ...]:
    """Return the lines, verbatim.

    A cell that spreadsheets quote, because of its line breaks, tabs or quotation marks,
    is one line.

    Raises
    ------
    ValueError
        If a line is empty, or holds several cells of a spreadsheet.
    """
    lines: list[str] = []
    for number, (line, quoted) in enumerate(_lines(text), 1):
        if not line:
            raise ValueError(f"Line {number} of the text is empty.")
        if not quoted and _SEPARATE_CELLS.search(line):
            raise ValueError(
                f"Line {number} of the text has more than one cell, such as "
                f"“{shortened(line)}”. Copy a single column."
            )
        lines.append(line)
    return tuple(lines)


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield lines, and whether they were quoted."""
    at, end = 0, max(1, len(text))
    while at < end:
        quoted = _QUOTED_LINE.match(text, at)
        if quoted is not None and _needs_quotes(quoted[1]):
            yield quoted[1].replace('""', '"'), True
            at = quoted.end()
            continue
        line = _LINE.match(text, at)
        assert line is not None  # it matches anything
        yield line[1], False
        at = max(line.end(), at + 1)


def _needs_quotes(content: str) -> bool:
    # Marks of direct speech that are tokens have lines of their own.
    speech = content[:1] in "\r\n" and content[-1:] in "\r\n" and content.strip()
    return not speech and not _SPECIAL.isdisjoint(content)
