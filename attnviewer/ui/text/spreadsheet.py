"""Tables as text for the clipboard."""

from collections.abc import Iterable


def spreadsheet_text(rows: Iterable[Iterable[str]]) -> str:
    """Return cells as tab-separated lines, as spreadsheets exchange them."""
    return "\n".join("\t".join(row) for row in rows)
