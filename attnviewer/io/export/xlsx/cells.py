"""Cells of a sheet, and the sheet's XML.

The format is that of ECMA-376, part 1, section 18.3, "Worksheets".
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from xml.sax.saxutils import escape, quoteattr

from attnviewer.io.spreadsheet import cell_name

LOWEST = "-inf"
"""The text for −∞, which sheets have no number for."""
LONGEST_TEXT = 32_767
"""Maximum length of a cell's text."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


@dataclass(frozen=True, slots=True)
class Computed:
    """A formula with its cached value.

    Parameters
    ----------
    formula : str
        Without its equals sign.
    value : float or str
        The value that programs show without recalculating.
    """

    formula: str
    value: float | str


@dataclass(frozen=True, slots=True)
class Link:
    """A link to the sheet of this name."""

    sheet: str


Content: TypeAlias = str | int | float | Computed | Link
NORMAL, BOLD, BLUE = range(3)
"""The styles of a workbook."""


def quoted(sheet: str) -> str:
    """Return a sheet's name as it is quoted in formulas."""
    name = sheet.replace("'", "''")
    return f"'{name}'"


def number_or_word(value: float) -> float | str:
    """Return a number, or the word for a non-finite one."""
    return value if math.isfinite(value) else repr(value)


def sheet_xml(
    rows: Iterable[Sequence[Content]],
    *,
    heads: tuple[int, int] = (0, 0),
    widths: Sequence[float] = (),
) -> bytes:
    """Return a sheet.

    Parameters
    ----------
    rows : iterable of sequence of str, float, Computed or Link
        Its cells. Texts never become formulas.
    heads : tuple of two int
        How many rows and columns of labels are frozen.
    widths : sequence of float
        Widths of the first columns, in characters.
    """
    parts = [
        f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        f'<worksheet xmlns="{_MAIN}">{_frozen(*heads)}{_columns(widths)}<sheetData>'
    ]
    links = []
    for row, cells in enumerate(rows):
        parts.append(f'<row r="{row + 1}">')
        for column, content in enumerate(cells):
            name = cell_name(row, column)
            is_label = row < heads[0] or column < heads[1]
            parts.append(_cell(name, content, BOLD if is_label else NORMAL))
            if isinstance(content, Link):
                target = quoteattr(_text(f"{quoted(content.sheet)}!A1"))
                links.append(f'<hyperlink ref="{name}" location={target}/>')
        parts.append("</row>")
    parts.append("</sheetData>")
    if links:
        parts += ["<hyperlinks>", *links, "</hyperlinks>"]
    parts.append("</worksheet>")
    return "".join(parts).encode()


def _cell(name: str, content: Content, style: int) -> str:
    if isinstance(content, Link):
        return _cell(name, content.sheet, BLUE)
    start = f'<c r="{name}"' + (f' s="{style}"' if style else "")
    if isinstance(content, str):
        if not content:
            return ""
        text = f'<t xml:space="preserve">{_text(content)}</t>'
        return f'{start} t="inlineStr"><is>{text}</is></c>'
    if not isinstance(content, Computed):
        word = number_or_word(content)
        if isinstance(word, str):
            return _cell(name, word, style)
        return f"{start}><v>{content!r}</v></c>"
    formula = f"<f>{_text(content.formula)}</f>"
    value = content.value
    if isinstance(value, float):
        value = number_or_word(value)
    if value == "nan":
        return f'{start} t="e">{formula}<v>#NUM!</v></c>'
    if isinstance(value, str):
        return f'{start} t="str">{formula}<v>{value}</v></c>'
    return f"{start}>{formula}<v>{value!r}</v></c>"


def fitting_text(text: str) -> str:
    """Return a text that fits a cell.

    Characters that XML does not allow become U+FFFD, and long texts are cut.
    """
    short = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
    return _NO_XML.sub("�", short)


def _text(text: str) -> str:
    # XML parsers would turn a carriage return into a line feed.
    return escape(fitting_text(text), {"\r": "&#13;"})


def _frozen(rows: int, columns: int) -> str:
    if not rows and not columns:
        return ""
    split = f'xSplit="{columns}" ' * (columns > 0) + f'ySplit="{rows}" ' * (rows > 0)
    pane = "bottomRight" if rows and columns else "bottomLeft" if rows else "topRight"
    return (
        f'<sheetViews><sheetView workbookViewId="0"><pane {split}'
        f'topLeftCell="{cell_name(rows, columns)}" activePane="{pane}" '
        'state="frozen"/></sheetView></sheetViews>'
    )


def _columns(widths: Sequence[float]) -> str:
    if not widths:
        return ""
    columns = "".join(
        f'<col min="{k}" max="{k}" width="{width}" customWidth="1"/>'
        for k, width in enumerate(widths, 1)
    )
    return f"<cols>{columns}</cols>"
