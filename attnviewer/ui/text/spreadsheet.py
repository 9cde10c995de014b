"""Tables as text for the clipboard."""

from collections.abc import Iterable

from attnviewer.document.text.lines import quoted_cell


def spreadsheet_text(rows: Iterable[Iterable[str]]) -> str:
    """Return cells as tab-separated lines, as spreadsheets exchange them."""
    return "\n".join("\t".join(map(quoted_cell, row)) for row in rows)
