"""Files of surveys in NumPy's format, without pickles."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NoReturn

import msgspec
import numpy as np
from numpy.typing import NDArray

from attnviewer.compute.signatures import short_signature
from attnviewer.io.archive import archive, read_archive
from attnviewer.io.errors import FileFormatError
from attnviewer.io.npy import NpyError, npy_pieces, read_npy
from attnviewer.io.strict_json import SchemaError, decode, shortened
from attnviewer.models.detectors.table import DETECTORS
from attnviewer.models.survey.result import Survey

FORMAT, VERSION = "attnviewer survey", 1
DESCRIPTION = "survey"
LARGEST_FILE = 2**29
"""Maximum size of a survey's file, in bytes."""
_ARRAYS = {
    "count": np.int64,
    "mean": np.float64,
    "spread": np.float64,
    "minimum": np.float64,
    "lowest": np.int64,
    "highest": np.int64,
    "highest_values": np.float64,
}


_Index = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]


class _Description(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    version: int
    model: str
    fingerprint: str
    metrics: list[str]
    n_texts: int
    truncated: int
    skipped: int
    texts: dict[_Index, str]


def npz(survey: Survey) -> Iterator[bytes]:
    """Yield the file of a survey, in pieces; the same survey gives the same bytes."""
    return archive(_entries(survey))


def _entries(survey: Survey) -> Iterator[tuple[str, list[bytes | memoryview]]]:
    description = {
        "format": FORMAT,
        "version": VERSION,
        "model": survey.model,
        "fingerprint": survey.fingerprint,
        "metrics": survey.metrics,
        "n_texts": survey.n_texts,
        "truncated": survey.truncated,
        "skipped": survey.skipped,
        "texts": {str(index): text for index, text in sorted(survey.texts.items())},
    }
    # Written as ASCII, so that half of a character, which a text may hold, stays.
    yield f"{DESCRIPTION}.npy", npy_pieces(np.array(json.dumps(description)))
    for name in _ARRAYS:
        yield f"{name}.npy", npy_pieces(getattr(survey, name))


@short_signature
def open_survey(path: str | Path) -> Survey:
    """Return the survey of an ``.npz`` file that `Survey.save` has written.

    Nothing in the file is run or unpickled.

    Parameters
    ----------
    path : str or Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is no survey, or a damaged one.
    """
    path = Path(path)
    arrays = _arrays(path, read_archive(path, LARGEST_FILE))
    about = _description(path, arrays.pop(DESCRIPTION))
    shape = len(about.metrics), *arrays["count"].shape[1:]
    if len(shape) != 3 or 0 in shape:
        _refuse(path, "It must have the axes metrics, layers and heads.", "count")
    for name, dtype in _ARRAYS.items():
        array = arrays[name]
        wanted = shape if not name.startswith("highest") else (*shape, -1)
        found = array.shape[:3] + (-1,) * (array.ndim - 3)
        if found != wanted or array.dtype != dtype or 0 in array.shape:
            reason = (
                f"It must hold {np.dtype(dtype).name} for {shape[0]} metrics, "
                f"{shape[1]} layers and {shape[2]} heads, as 'count' does. Got "
                f"{array.dtype} of shape {array.shape} instead."
            )
            _refuse(path, reason, name)
    if arrays["highest"].shape != arrays["highest_values"].shape:
        _refuse(path, "Its shape must be that of 'highest_values'.", "highest")
    _check_numbers(path, about, arrays)
    return Survey(
        about.model,
        about.fingerprint,
        tuple(about.metrics),
        about.n_texts,
        about.truncated,
        about.skipped,
        **arrays,
        texts=about.texts,
    )


def _arrays(path: Path, parts: dict[str, bytes]) -> dict[str, NDArray[Any]]:
    wanted = {f"{name}.npy" for name in (DESCRIPTION, *_ARRAYS)}
    if parts.keys() != wanted:
        missing = sorted(wanted - parts.keys()) or ["no further parts"]
        _refuse(path, f"It is no survey, which has {shortened(', '.join(missing))}.")
    arrays = {}
    for part, data in parts.items():
        name = part.removesuffix(".npy")
        try:
            arrays[name] = np.array(read_npy(data))
        except NpyError as error:
            _refuse(path, str(error), name)
    return arrays


def _description(path: Path, array: NDArray[Any]) -> _Description:
    if array.ndim or array.dtype.kind != "U":
        _refuse(path, "It must be a text.", DESCRIPTION)
    try:
        about = decode(str(array).encode("utf-8", "replace"), _Description)
    except SchemaError as error:
        _refuse(path, str(error), f"{DESCRIPTION}, {error.location or '$'}")
    if (about.format, about.version) != (FORMAT, VERSION):
        got = shortened(f"{about.format!r}, version {about.version}")
        reason = f"It must be '{FORMAT}', version {VERSION}. Got {got} instead."
        _refuse(path, reason, DESCRIPTION)
    unknown = [name for name in about.metrics if name not in DETECTORS]
    if unknown or not about.metrics or len(set(about.metrics)) < len(about.metrics):
        _refuse(
            path,
            "The metrics must be different ones of "
            f"{', '.join(DETECTORS)}. Got {shortened(', '.join(about.metrics))} "
            "instead.",
            DESCRIPTION,
        )
    if not 0 <= about.truncated <= about.n_texts or about.skipped < 0:
        _refuse(path, "The numbers of texts must not contradict.", DESCRIPTION)
    return about


def _check_numbers(
    path: Path, about: _Description, arrays: dict[str, NDArray[Any]]
) -> None:
    count, values = arrays["count"], arrays["highest_values"]
    if count.min() < 0 or count.max() > about.n_texts:
        _refuse(path, f"Counts must be from 0 to {about.n_texts}, the texts.", "count")
    numbers = {name: arrays[name] for name in ("mean", "spread", "minimum")}
    for name, array in {**numbers, "highest_values": values[..., 0]}.items():
        if not np.array_equal(np.isfinite(array), count > 0):
            _refuse(path, "Numbers must be finite where texts count.", name)
    for name in "lowest", "highest":
        known = np.array([-1, *about.texts], np.int64)
        if not np.isin(arrays[name], known).all():
            _refuse(path, "The text of an index is missing.", name)
    present = np.arange(values.shape[-1]) < count[..., np.newaxis]  # (m, l, h, k)
    held = arrays["highest"] >= 0, np.isfinite(values)
    if not all(np.array_equal(each, present) for each in held) or not np.array_equal(
        arrays["lowest"] >= 0, count > 0
    ):
        _refuse(path, "There must be a text for each that counts.", "highest")


def _refuse(path: Path, reason: str, location: str | None = None) -> NoReturn:
    raise FileFormatError(path, reason, location)
