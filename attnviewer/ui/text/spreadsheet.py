"""What the clipboard is given of a table."""

from collections.abc import Iterable


def spreadsheet_text(rows: Iterable[Iterable[str]]) -> str:
    """Return cells as lines with tabs, as spreadsheets exchange them."""
    return "\n".join("\t".join(row) for row in rows)
