"""Documents from the arrays of files."""

from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from attnviewer.compute import Array
from attnviewer.document import Document, EditError
from attnviewer.document.array_roles.assignment import Assignment, excess
from attnviewer.document.array_roles.assignment_text import (
    assignment_text,
    parse_assignment,
)
from attnviewer.document.array_roles.building import build
from attnviewer.document.array_roles.names import named
from attnviewer.document.array_roles.problems import N_HEADS
from attnviewer.document.array_roles.suggesting import Suggestion, suggest, unclear
from attnviewer.document.matrices import MASK
from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.exported_document import ExportedDocument
from attnviewer.io.matrices import Matrices, read_matrices
from attnviewer.io.matrices.json_file import is_matrices_json
from attnviewer.io.matrices.kinds import ATTN, kind_of
from attnviewer.io.matrices.read import FOREIGN, READERS, readable_kind
from attnviewer.io.reading import check_ordinary
from attnviewer.io.session import SUFFIX
from attnviewer.io.strict_json import shortened

_MOST_NAMES = 4
"""The most arrays without a role that are named in a notice."""


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """The arrays of one or several files.

    Parameters
    ----------
    title : str
        The first file's name.
    values : mapping of str to ndarray
        The arrays; equal names from several files are prefixed with their file's.
    tokens : mapping of str to tuple of str
        The row names of arrays that have them.
    notices : list of str
        Remarks for the user on how the files were read.
    exported : ExportedDocument or None
        The document of a single file that was exported completely.
    """

    title: str
    values: Mapping[str, Array]
    tokens: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    exported: ExportedDocument | None = None

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of the arrays."""
        return {name: array.shape for name, array in self.values.items()}

    def suggestion(self, block: str | None = None) -> Suggestion:
        """Return their probable roles, see `suggest`."""
        masks = {
            name: array
            for name, array in self.values.items()
            if (known := named(name)) is not None and known.role == MASK
        }
        added = [n for n, a in masks.items() if ((a != 0) & (a != 1)).any()]
        return suggest(
            self.shapes,
            title=self.title,
            block=block,
            added=added,
            hiding=[name for name, array in masks.items() if _hides(array)],
            normalized=[
                name
                for name, array in self.values.items()
                if named(name) is None and _is_normalized(array)
            ],
        )

    def document(self, assignment: Assignment) -> Document:
        """Return a new document of the arrays.

        Raises
        ------
        EditError
            If they do not fit each other.
        """
        return build(assignment, self.values, self.tokens)


@dataclass(frozen=True, slots=True)
class ImportedFiles:
    """Files of numbers and the roles of their arrays, as the origin of a document.

    Parameters
    ----------
    paths : tuple of Path
        The files.
    assignment : Assignment
        The roles of their arrays.
    """

    paths: tuple[Path, ...]
    assignment: Assignment

    @property
    def path(self) -> Path:
        """The first file."""
        return self.paths[0]

    def read(self) -> Document:
        """Return the document of the files as they are now, see `Origin.read`."""
        arrays = read_arrays(self.paths)
        try:
            return arrays.document(self.assignment)
        except EditError as error:
            raise FileFormatError(self.path, str(error)) from None


def read_arrays(paths: Sequence[Path]) -> Arrays:
    """Return the arrays of files.

    Parameters
    ----------
    paths : sequence of Path
        At least one file.

    Raises
    ------
    FileError
        If one cannot be read, or (`FileFormatError`) is unusable.
    """
    files = [(path, read_matrices(path)) for path in paths]
    owners = [name for _, matrices in files for name in matrices.values]
    values: dict[str, Array] = {}
    tokens: dict[str, tuple[str, ...]] = {}
    notices: list[str] = []
    for path, matrices in files:
        for name, array in matrices.values.items():
            called = name if owners.count(name) == 1 else f"{path.name}/{name}"
            values[called] = array
            if names := _row_names(name, array, matrices):
                tokens[called] = names
        origin = f"{path.name}: " if len(files) > 1 else ""
        notices += [origin + notice for notice in matrices.notices]
        if matrices.tokens and matrices.tokens not in tokens.values():
            count = len(matrices.tokens)
            notices.append(
                f"{origin}The {count:,} tokens were left out: "
                "no array has as many rows."
            )
    exported = ExportedDocument.of(*files[0]) if len(files) == 1 else None
    return Arrays(paths[0].stem, values, tokens, notices, exported)


def import_document(
    path: Path,
    assign: str | None = None,
    *,
    tell: Callable[[str], None] | None = None,
) -> Document:
    """Return a new document of a file of numbers, without asking.

    Parameters
    ----------
    path : Path
        The file.
    assign : str, optional
        The roles of the arrays, see `parse_assignment`; by default from their names.
    tell : callable, optional
        Called with each remark on how the file was read, once it is a document.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) the roles of its arrays are
        unclear, or they do not fit each other.
    """
    arrays = read_arrays([path])
    try:
        if assign is None and arrays.exported is not None:
            # All that is left out follows from the rest.
            return arrays.exported.document()
        assignment = _assignment(arrays, assign)
        document = arrays.document(assignment)
    except EditError as error:
        # An array that was left out may be the reason.
        message = " ".join((*arrays.notices, str(error)))
        raise FileFormatError(path, message) from None
    if tell is not None:
        for notice in arrays.notices:
            tell(notice)
        if assign is None and (unknown := _without_role(arrays.shapes, assignment)):
            tell(unknown)
    return document


def _without_role(shapes: Mapping[str, tuple[int, ...]], assignment: Assignment) -> str:
    """Return which arrays were left out, as their names say no role; "" for none.

    Numbers and lists of them, such as losses, are no matrices to be missed.
    """
    taken = {pick.array for pick in assignment.picks.values()}
    unknown = [
        shortened(name)
        for name, shape in shapes.items()
        if not (name in taken or named(name)) and sum(size > 1 for size in shape) > 1
    ]
    if not unknown:
        return ""
    listed = ", ".join(unknown[:_MOST_NAMES])
    more = len(unknown) - _MOST_NAMES
    and_more = f" and {more:,} more" if more > 0 else ""
    return (
        f"Left out, as their names say no role: {listed}{and_more}. --assign takes "
        "them (in Python: assign=)."
    )


def _assignment(arrays: Arrays, assign: str | None) -> Assignment:
    if assign is None:
        return _clear_assignment(arrays)
    return parse_assignment(assign, arrays.shapes, title=arrays.title)


def _clear_assignment(arrays: Arrays) -> Assignment:
    shapes = arrays.shapes
    suggestion = arrays.suggestion()
    doubts = unclear(suggestion, shapes)
    large = excess(suggestion.assignment, shapes)
    if doubts or large:
        reasons = " ".join(f"{role}: {why}" for role, why in doubts.items())
        heads = _UNKNOWN if N_HEADS in doubts else ""
        raise EditError(
            f"It is not clear what its arrays are. {reasons}{large} Import it in the "
            "window, or tell with --assign "
            f"'{assignment_text(suggestion.assignment, heads)}' "
            f"(in Python: assign=){_TO_FILL_IN if heads else ''}."
        )
    return suggestion.assignment


_UNKNOWN = "N"
_TO_FILL_IN = f", with the number of heads for {_UNKNOWN}"


def is_session(path: Path) -> bool:
    """Return whether a file is a session, by its name or by its content.

    An unreadable or missing file is not.
    """
    if path.suffix.lower() == SUFFIX:
        return True
    try:
        check_ordinary(path)  # a pipe would block
        return kind_of(path) == ATTN
    except FileError:
        return False


def check_document(path: Path) -> None:
    """Refuse a file that by its first bytes and its name is no document.

    Raises
    ------
    FileError
        Saying what it is instead, if that is known.
    """
    check_ordinary(path)
    kind = kind_of(path)
    if kind is None and path.suffix.lower() not in (SUFFIX, ".json"):
        with path.open("rb") as file:
            known = file.read(64).removeprefix(BOM_UTF8).lstrip().startswith(b"{")
    else:
        known = kind is None or kind == ATTN or kind in READERS
    if not known:
        readable_kind(path)


def holds_matrices(path: Path) -> bool:
    """Return whether a file holds arrays to be assigned, rather than a document.

    An unreadable or missing file does not.
    """
    suffix = path.suffix.lower()
    if suffix == SUFFIX:
        return False
    try:
        check_ordinary(path)  # a pipe would block
        kind = kind_of(path)
        if suffix == ".json" and kind not in READERS:
            return is_matrices_json(path)
    except FileError:
        return False
    if kind is not None:
        return kind != ATTN
    return suffix in READERS or suffix in FOREIGN


def _hides(mask: Array) -> bool:
    """Return whether no query would see itself if 1 in a mask showed a key."""
    last = _first_matrix(mask)
    square = last.ndim == 2 and last.shape[0] == last.shape[1]
    return square and not last.diagonal().any() and bool(last.any())


def _is_normalized(array: Array) -> bool:
    """Return whether the rows of an array sum to 1, as those of attention weights do.

    One-hot rows do not count, and rows of a single matrix only if it is square: they
    may be embeddings.
    """
    first = _first_matrix(array)
    if array.ndim < 2 or (array.ndim == 2 and first.shape[0] != first.shape[1]):
        return False
    with np.errstate(over="ignore"):
        sums = first.sum(axis=1, dtype=np.float64)
    return (
        bool(first.size)
        and bool((first >= 0).all())
        and bool((first % 1 != 0).any())
        and bool((np.abs(sums - 1) <= _ROUNDED).all())
    )


_ROUNDED = 2**-8
"""How far a row of weights in bfloat16 may be from 1."""


def _first_matrix(array: Array) -> Array:
    """Return the matrix of an array at index 0 of its further axes."""
    matrix: Array = array[(0,) * (array.ndim - 2)] if array.ndim > 2 else array
    return matrix


def _row_names(name: str, array: Array, matrices: Matrices) -> tuple[str, ...]:
    """Return a file's names of the rows of one of its arrays; () if they have none.

    A second sequence has names of its own, or none.
    """
    if matrices.tokens_of and name != matrices.tokens_of:
        return ()
    known = named(name)
    rows = np.atleast_2d(array).shape[-2]
    candidates = [matrices.tokens]
    if known is not None and known.role == "context":
        candidates = [matrices.context_tokens]
    elif known is not None and known.role in ("K", "V"):
        candidates.insert(0, matrices.context_tokens)
    return next((names for names in candidates if names and len(names) == rows), ())
