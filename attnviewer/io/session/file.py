"""Session files, `.attn`.

A ZIP archive of ``session.json``, the description of the document, and of a file in
NumPy's format for each matrix; the manual has the whole layout.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from attnviewer.compute import Array
from attnviewer.document import Document, EditError, TrainingRecord
from attnviewer.document.checkpoint_location import CheckpointLocation
from attnviewer.document.edits import PastVariant
from attnviewer.document.token_grid import TokenGrid
from attnviewer.document.token_groups import TokenGroup
from attnviewer.io.archive import Content, archive, read_archive
from attnviewer.io.atomic import write_atomically
from attnviewer.io.errors import FileFormatError
from attnviewer.io.npy import NpyError, npy_pieces, read_npy
from attnviewer.io.session.grid_part import GridPart, grid_part, token_grid
from attnviewer.io.session.spec_part import (
    Plain,
    recipe_from_plain,
    recipe_to_plain,
    spec_from_plain,
    spec_to_plain,
)
from attnviewer.io.session.training_part import (
    TrainingPart,
    training_part,
    training_record,
)
from attnviewer.io.strict_json import (
    SchemaError,
    bare,
    check_names,
    decode,
    encode,
    reason_and_location,
)

FORMAT, VERSION = "attnviewer-session", 2
SUFFIX = ".attn"
FILE_LIMIT = 4 * 2**30
"""Maximum size of a session file, in bytes."""
DESCRIPTION = "session.json"
"""The part that describes the document."""
DESCRIPTION_LIMIT = 64 * 2**20
"""Its maximum size, in bytes."""
LONGEST_PATH = 4096
"""Maximum length of a checkpoint's path, in characters."""

_Part = TypeVar("_Part")
_Given = TypeVar("_Given")
Migration = Callable[[Plain], Plain]
MIGRATIONS: dict[int, Migration] = {1: lambda plain: {**plain, "version": 2}}
"""Migrations of the description from each version to the next."""


class _PastVariantPart(msgspec.Struct, forbid_unknown_fields=True):
    spec: Plain
    matrices: dict[str, tuple[str, str]]


# Defaults are left out: earlier versions can then read the session.
class _CheckpointPart(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    path: Annotated[str, msgspec.Meta(max_length=LONGEST_PATH)]
    fingerprint: str
    layer: Annotated[int, msgspec.Meta(ge=0)]
    ids: tuple[int, ...]
    head: Annotated[int, msgspec.Meta(ge=0)] | None = None
    text: str = ""
    part: str = ""
    encoder_ids: tuple[int, ...] = ()


class _Session(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    title: str
    tokens: tuple[str, ...]
    matrices: dict[str, str]
    spec: Plain
    notes: str = ""
    context_tokens: tuple[str, ...] = ()
    recipes: list[Plain] = []
    left: list[_PastVariantPart] = []
    checkpoint: _CheckpointPart | None = None
    # Left out where there are none, so that earlier versions can read the session.
    training: TrainingPart | msgspec.UnsetType = msgspec.UNSET
    grid: GridPart | msgspec.UnsetType = msgspec.UNSET
    groups: tuple[TokenGroup, ...] | msgspec.UnsetType = msgspec.UNSET
    context_groups: tuple[TokenGroup, ...] | msgspec.UnsetType = msgspec.UNSET


def save_session(document: Document, path: str | Path) -> None:
    """Write a document to a file atomically.

    The same document gives the same bytes.

    Parameters
    ----------
    document : Document
        The document: its tokens, matrices, spec, recipes, notes, past variants,
        training, token grid and groups are saved, the undo history is not.
    path : str or Path
        The file.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    write_atomically(path, archive(_parts(document)))


def read_session(path: str | Path) -> Document:
    """Return the document of a session file.

    Parameters
    ----------
    path : str or Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is not a session that this version
        understands.
    """
    path = Path(path)
    parts = read_archive(path, FILE_LIMIT)
    if DESCRIPTION not in parts:
        raise FileFormatError(path, "It is no session: session.json is missing.")
    session = _decoded(path, parts[DESCRIPTION])
    try:
        return Document(
            session.title,
            session.tokens,
            _matrices(path, session.matrices, parts),
            _converted(path, "$.spec", spec_from_plain, session.spec),
            context_tokens=session.context_tokens,
            recipes=[
                _converted(path, f"$.recipes[{k}]", recipe_from_plain, recipe)
                for k, recipe in enumerate(session.recipes)
            ],
            notes=session.notes,
            training=_training(path, session.training, parts),
            past_variants=[
                _past_variant(path, f"$.left[{k}]", part, parts)
                for k, part in enumerate(session.left)
            ],
            checkpoint=_checkpoint(session.checkpoint),
            grid=_grid(path, session.grid, parts),
            groups=session.groups or (),
            context_groups=session.context_groups or (),
        )
    except EditError as error:
        raise FileFormatError(path, str(error), DESCRIPTION) from None


def _parts(document: Document) -> Iterator[tuple[str, Content]]:
    """Yield the names and contents of all parts."""
    arrays: dict[str, Array] = {}

    def kept(name: str, array: Array) -> str:
        arrays[name] = array
        return name

    session = _Session(
        FORMAT,
        VERSION,
        document.title,
        document.tokens,
        {n: kept(f"matrices/{n}.npy", a) for n, a in document.matrices.items()},
        spec_to_plain(document.spec),
        document.notes,
        document.context_tokens,
        [recipe_to_plain(recipe) for recipe in document.recipes],
        [
            _PastVariantPart(
                spec_to_plain(past.spec),
                {
                    name: (
                        kept(f"left/{k}/{name}.then.npy", then),
                        kept(f"left/{k}/{name}.now.npy", now),
                    )
                    for name, (then, now) in past.matrices.items()
                },
            )
            for k, past in enumerate(document.past_variants)
        ],
        None
        if document.checkpoint is None
        else _CheckpointPart(**asdict(document.checkpoint)),
        msgspec.UNSET
        if document.training is None
        else training_part(document.training, kept),
        msgspec.UNSET if document.grid is None else grid_part(document.grid, kept),
        document.groups or msgspec.UNSET,
        document.context_groups or msgspec.UNSET,
    )
    yield DESCRIPTION, msgspec.json.format(encode(session), indent=1)
    for name, array in arrays.items():
        yield name, npy_pieces(array)


def _decoded(path: Path, data: bytes) -> _Session:
    if len(data) > DESCRIPTION_LIMIT:
        raise FileFormatError(
            path, f"It is larger than {DESCRIPTION_LIMIT:,} bytes.", DESCRIPTION
        )
    try:
        data = bare(data)
        plain = decode(data, dict[str, Any])
        check_names(data)
        return msgspec.convert(_migrated(path, plain), _Session)
    except SchemaError as error:
        reason, location = str(error), error.location or "$"
    except msgspec.ValidationError as error:
        reason, location = reason_and_location(error)
    where = f"{DESCRIPTION} {location}".removesuffix(" $")
    raise FileFormatError(path, reason, where)


def _migrated(path: Path, plain: Plain) -> Plain:
    """Return a description in the present version of the format."""
    if plain.get("format") != FORMAT:
        raise FileFormatError(path, f"The 'format' must be '{FORMAT}'.", DESCRIPTION)
    version = plain.get("version")
    if type(version) is not int:
        raise FileFormatError(
            path, "The 'version' must be a whole number.", DESCRIPTION
        )
    while version != VERSION and version in MIGRATIONS:
        plain = MIGRATIONS[version](plain)
        version = plain["version"]
    if version != VERSION:
        raise FileFormatError(
            path,
            f"It is in version {version} of the format; this program reads up to "
            f"version {VERSION}. A newer attnviewer may read it.",
            DESCRIPTION,
        )
    return plain


def _matrices(
    path: Path, names: Mapping[str, str], parts: Mapping[str, bytes]
) -> dict[str, Array]:
    return {name: _array(path, part, parts) for name, part in names.items()}


def _array(path: Path, part: str, parts: Mapping[str, bytes]) -> Array:
    if part not in parts:
        raise FileFormatError(path, "The part is missing.", part)
    try:
        array: Array = read_npy(parts[part])
    except NpyError as error:
        raise FileFormatError(path, str(error), part) from None
    return array


def _checkpoint(part: _CheckpointPart | None) -> CheckpointLocation | None:
    return None if part is None else CheckpointLocation(**msgspec.structs.asdict(part))


def _training(
    path: Path, part: TrainingPart | msgspec.UnsetType, parts: Mapping[str, bytes]
) -> TrainingRecord | None:
    if part is msgspec.UNSET:
        return None
    convert = partial(training_record, array=lambda name: _array(path, name, parts))
    return _converted(path, "$.training", convert, part)


def _grid(
    path: Path, part: GridPart | msgspec.UnsetType, parts: Mapping[str, bytes]
) -> TokenGrid | None:
    if part is msgspec.UNSET:
        return None
    convert = partial(token_grid, array=lambda name: _array(path, name, parts))
    return _converted(path, "$.grid", convert, part)


def _past_variant(
    path: Path, location: str, part: _PastVariantPart, parts: Mapping[str, bytes]
) -> PastVariant:
    spec = _converted(path, f"{location}.spec", spec_from_plain, part.spec)
    return PastVariant(
        spec,
        {
            name: (_array(path, then, parts), _array(path, now, parts))
            for name, (then, now) in part.matrices.items()
        },
    )


def _converted(
    path: Path, location: str, convert: Callable[[_Given], _Part], plain: _Given
) -> _Part:
    """Convert a part of the description; errors name its place."""
    try:
        return convert(plain)
    except (ValueError, TypeError) as error:
        raise FileFormatError(path, str(error), f"{DESCRIPTION} {location}") from None
