"""Sources of commands, with notes on how they were read."""

from typing import TYPE_CHECKING

from attnviewer.cli.output import note

if TYPE_CHECKING:
    from attnviewer.document import Document


def load_noting(source: str, assign: str | None = None) -> "Document":
    """Return a document, and print notes on how a file of numbers was read.

    Parameters
    ----------
    source : str
        ``example:ID`` or the path of a file.
    assign : str, optional
        The roles of a file's arrays.

    Raises
    ------
    FileError
        If it cannot be read; see `load`.
    """
    from attnviewer.io import load

    def tell(notice: str) -> None:
        note(f"{source}: {notice}")

    return load(source, assign, tell=tell)
