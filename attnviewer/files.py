"""Opening and saving of documents, for Python sessions."""

import warnings
from pathlib import Path

from attnviewer.compute.signatures import short_signature
from attnviewer.document import Document
from attnviewer.io import DocumentFile, load, save_session
from attnviewer.io.errors import FileFormatError
from attnviewer.io.npz_kinds import is_of_recording
from attnviewer.io.origin import TrackedFile
from attnviewer.io.stamp import Stamp
from attnviewer.sources import EXAMPLE_PREFIX


@short_signature
def open(path: str | Path, assign: str | None = None) -> Document:
    """Return a new document with the content of a file.

    Parameters
    ----------
    path : str or Path
        A session; an example; or a file of numbers that `read_matrices` reads.
    assign : str, optional
        For a file of numbers, the roles of its arrays, such as
        ``X=emb,W_Q=q_proj.weight.T,heads=2``, as for ``--assign`` on the command line;
        by default they follow from the arrays' names.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) its content is invalid, or the
        roles of its arrays are unclear.

    Warns
    -----
    UserWarning
        Of what was left out or corrected while a file of numbers was read.

    Examples
    --------
    >>> import attnviewer
    >>> attnviewer.explore(attnviewer.open("trained.npz"))  # doctest: +SKIP
    """
    if assign is None and is_of_recording(Path(path)):
        raise FileFormatError(
            Path(path),
            "It is a recording, whose layers attnviewer.load_recording(path) reads; "
            "document(layer) makes a document of one.",
        )
    file = DocumentFile(Path(path).absolute(), assign)
    stamp = Stamp.of(file.path)
    notices: list[str] = []
    document = file.read(tell=notices.append)
    for notice in notices:
        warnings.warn(f"{file.path.name}: {notice}", stacklevel=2)
    document.file = TrackedFile(file, stamp)
    return document


@short_signature
def load_example(id: str) -> Document:
    """Return a new document with a bundled example.

    Parameters
    ----------
    id : str
        Such as ``four-words``; ``attnviewer examples`` lists them all.

    Raises
    ------
    FileError
        If there is no such example; names the nearest.

    Examples
    --------
    >>> import attnviewer
    >>> document = attnviewer.load_example("four-words")
    >>> document.compute()["weights"].round(4)[0]
    array([0.2361, 0.0074, 0.7491, 0.0074])
    """
    return load(EXAMPLE_PREFIX + id)


@short_signature
def save(document: Document, path: str | Path) -> None:
    """Write a document to a session's file, ``.attn``, as the window does.

    Parameters
    ----------
    document : Document
        The document to save.
    path : str or Path
        The file; an existing one is replaced atomically.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    save_session(document, path)
    file = DocumentFile(Path(path).absolute())
    document.file = TrackedFile(file, Stamp.of(file.path))
