"""Documents by source: an example or a file."""

from collections.abc import Callable
from pathlib import Path

from attnviewer.document import Document
from attnviewer.io.errors import FileError
from attnviewer.io.example_file import load_example
from attnviewer.io.examples import example_path
from attnviewer.io.session import read_session
from attnviewer.sources import EXAMPLE_PREFIX


def load(
    source: str,
    assign: str | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> Document:
    """Return a new document from a source.

    Parameters
    ----------
    source : str
        ``example:ID`` for a bundled example, otherwise the path of a file. Use
        ``./example:ID`` for a file of that name.
    assign : str, optional
        For a file of numbers, the roles of its arrays, such as
        ``X=emb,W_Q=q_proj.weight.T``; by default they follow from the arrays' names.
    tell : callable, optional
        Called with each remark on how a file of numbers was read.

    Raises
    ------
    FileError
        If there is no such example or file, it cannot be read, or
        (`FileFormatError`) its content is invalid.

    Examples
    --------
    >>> from attnviewer.io import load
    >>> load("example:four-words").compute()["weights"].round(4)[0]
    array([0.2361, 0.0074, 0.7491, 0.0074])
    """
    if source.startswith(EXAMPLE_PREFIX):
        if assign is not None:
            raise FileError(source, "It is an example, whose matrices have names.")
        return load_example(example_path(source.removeprefix(EXAMPLE_PREFIX)))
    # Examples need none of this, so the first picture does not wait for it.
    from attnviewer.io.importing import (
        check_document,
        holds_matrices,
        import_document,
        is_session,
    )

    if not source:
        raise FileError("source", "Name a file, or example:ID for an example.")
    path = Path(source)
    if assign is not None or holds_matrices(path):
        return import_document(path, assign, tell=tell)
    check_document(path)
    return read_session(path) if is_session(path) else load_example(path)
