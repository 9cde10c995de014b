"""Sheets as simple XHTML, which questions of learning platforms are made of."""

from collections.abc import Callable, Mapping, Sequence
from xml.sax.saxutils import escape

from attnviewer.teaching.sheets.formulas import safe_formula
from attnviewer.teaching.sheets.prose import Paragraph, Span
from attnviewer.teaching.sheets.sheet import Cell, Prose, Table

_STYLES = {"strong": "strong", "emphasis": "em", "code": "code"}
_LISTS = {"item": "ul", "number": "ol"}

Escape = Callable[[str], str]


def xml_text(text: str) -> str:
    """Return a text for XML 1.0, without what it cannot hold."""
    return escape("".join(sign if _is_allowed(sign) else "\ufffd" for sign in text))


def _is_allowed(sign: str) -> bool:
    code = ord(sign)
    if code < 0x20:
        return sign in "\t\n\r"
    return not (0xD800 <= code <= 0xDFFF or code in (0xFFFE, 0xFFFF))


def prose_html(prose: Prose, text: Escape = xml_text) -> str:
    """Return text as XHTML.

    Parameters
    ----------
    prose : Prose
        The text.
    text : callable
        Escapes what is written between tags.
    """
    pieces: list[str] = []
    kind = ""
    for paragraph in (*prose.paragraphs, None):
        now = "" if paragraph is None else paragraph.kind
        if kind in _LISTS and now != kind:
            pieces.append(f"</{_LISTS[kind]}>")
        if now in _LISTS and now != kind:
            pieces.append(f"<{_LISTS[now]}>")
        if paragraph is not None:
            pieces.append(_paragraph(paragraph, text))
        kind = now
    return "".join(pieces)


def spans_html(spans: Sequence[Span], text: Escape = xml_text) -> str:
    """Return the spans of a paragraph as XHTML."""
    return "".join(_span(span, text) for span in spans)


def table_html(
    table: Table, answers: Mapping[Cell, str], text: Escape = xml_text
) -> str:
    """Return a matrix as an XHTML table.

    Parameters
    ----------
    table : Table
        The matrix.
    answers : mapping of (int, int) to str
        XHTML of the cells that are asked for.
    text : callable
        Escapes what is written between tags.
    """
    heading = "".join(f"<th>{text(label)}</th>" for label in table.columns)
    lines = [f"<tr><th></th>{heading}</tr>"]
    for row, label in enumerate(table.rows):
        cells = "".join(
            f"<td>{answers.get((row, k)) or text(table.cells.get((row, k), ''))}</td>"
            for k in range(len(table.columns))
        )
        lines.append(f"<tr><th>{text(label)}</th>{cells}</tr>")
    body = "".join(lines)
    name = f"<p><strong>{text(table.name)}</strong></p>"
    return f"{name}<table><tbody>{body}</tbody></table>"


def _paragraph(paragraph: Paragraph, text: Escape) -> str:
    content = spans_html(paragraph.spans, text)
    if paragraph.kind in _LISTS:
        return f"<li>{content}</li>"
    tag = "h4" if paragraph.kind == "heading" else "p"
    return f"<{tag}>{content}</{tag}>"


def _span(span: Span, text: Escape) -> str:
    if span.kind == "formula" and safe_formula(span.text) is not None:
        return text(rf"\({span.text}\)")
    written = text(span.text)
    tag = _STYLES.get(span.kind)
    return written if tag is None else f"<{tag}>{written}</{tag}>"
