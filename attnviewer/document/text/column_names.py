"""The notice that a first row was taken as the names of columns."""

from collections.abc import Sequence

from attnviewer.document.text.expression import shortened

_MOST_LISTED = 8


def column_names_notice(names: Sequence[str]) -> str:
    """Return the notice, with the first of the names."""
    listed = ", ".join(map(shortened, names[:_MOST_LISTED]))
    more = ", …" if len(names) > _MOST_LISTED else ""
    return f"The first row was taken as the names of the columns: {listed}{more}."
