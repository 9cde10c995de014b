"""Documents from arrays and files, and back to files, for Python sessions."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from attnviewer.compute import Trace, attention, multi_head_attention, run
from attnviewer.compute.options import Options
from attnviewer.document import Document, document_of
from attnviewer.io import (
    DocumentFile,
    FileFormatError,
    Matrices,
    Origin,
    holds_matrices,
    load,
    read_matrices,
    save_session,
)
from attnviewer.io.origin import KNOWN, Known
from attnviewer.io.reading import check_ordinary
from attnviewer.io.session import SUFFIX
from attnviewer.io.stamp import Stamp
from attnviewer.sources import EXAMPLE_PREFIX

NAMES = (
    *("X", "context", "W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"),
    *("Q", "K", "V", "bias", "mask"),
)
"""The matrices of a file that a document is made of."""


def computed(told: Mapping[str, Any]) -> Trace:
    """Compute the variant that some arguments stand for.

    Parameters
    ----------
    told : mapping of str to Any
        The arguments of `multi_head_attention`; those of `attention`, where ``q`` is
        one of them; or ``x`` without weights, and the options of `attention`.

    Raises
    ------
    ValueError, TypeError
        If they do not fit.
    """
    if "q" in told or "k" in told or "v" in told:
        _check_given(told, ("q", "k", "v"))
        return attention(**told)
    if "w_q" in told or "w_k" in told or "w_v" in told:
        _check_given(told, ("x", "w_q", "w_k", "w_v"))
        return multi_head_attention(**told)
    _check_given(told, ("x",))
    options = Options.of({n: a for n, a in told.items() if n != "x"}, ("w_q", "q"))
    inputs = options.arrays({"X": told["x"]})
    return run(options.spec((), projected=False), inputs)


def _check_given(told: Mapping[str, Any], names: tuple[str, ...]) -> None:
    for name in names:
        if name not in told:
            raise ValueError(
                f"The '{name}' parameter must be given, as {', '.join(names)} belong "
                "together. Got none instead."
            )


def open(path: str | Path) -> Document:
    """Return a new document with the content of a file.

    Parameters
    ----------
    path : str or Path
        A session; an example; or a file that `read_matrices` reads, with matrices of
        these names: ``X``, ``W_Q``, ``W_K``, ``W_V``, at will with ``context``,
        ``W_O``, ``b_Q``, ``b_K``, ``b_V``, ``b_O``, ``bias`` and ``mask``; or ``Q``,
        ``K`` and ``V``; or ``X`` alone. Those of other names are left out.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) its content does not fit.

    Examples
    --------
    >>> import attnviewer
    >>> attnviewer.explore(attnviewer.open("trained.npz"))  # doctest: +SKIP
    """
    # Whatever folder is the current one later.
    path = Path(path).absolute()
    is_session = path.suffix.lower() == SUFFIX
    file: Origin = DocumentFile(path) if is_session else _MatricesFile(path)
    stamp = Stamp.of(path)
    document = file.read()
    KNOWN[document] = Known(file, stamp)
    return document


@dataclass(frozen=True, slots=True)
class _MatricesFile:
    """A file whose matrices have names that tell what they are for."""

    path: Path

    def read(self) -> Document:
        return _read(self.path)


def _read(path: Path) -> Document:
    check_ordinary(path)
    if not holds_matrices(path):
        return load(str(path.absolute()))
    matrices = read_matrices(path)
    try:
        return _of_matrices(path.stem, matrices)
    except (TypeError, ValueError) as error:
        raise FileFormatError(path, str(error)) from None


def _of_matrices(title: str, matrices: Matrices) -> Document:
    told: dict[str, Any] = {
        name.lower(): array for name, array in matrices.values.items() if name in NAMES
    }
    if not told:
        raise ValueError(
            f"Its matrices must be called {', '.join(NAMES)}. Read others with "
            "attnviewer.io.read_matrices and give them to attnviewer.explore."
        )
    if "mask" in told:
        mask = told["mask"]
        if ((mask != 0) & (mask != 1)).any():
            raise ValueError("The 'mask' must hold true and false, or 0 and 1.")
        told["mask"] = mask == 1
    return document_of(computed(told), tokens=matrices.tokens or None, title=title)


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


def save(document: Document, path: str | Path) -> None:
    """Write a document to a session's file, ``.attn``, as the window does.

    Parameters
    ----------
    document : Document
        What is saved.
    path : str or Path
        The file; one that is there is replaced as a whole.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    save_session(document, path)
    file = DocumentFile(Path(path).absolute())
    KNOWN[document] = Known(file, Stamp.of(file.path))
