"""Recordings as files of NumPy."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from attnviewer.compute import Array
from attnviewer.document.matrices import BIAS, MASK
from attnviewer.io.archive import archive
from attnviewer.io.atomic import write_atomically
from attnviewer.io.errors import FileFormatError
from attnviewer.io.export_markers import STATEMENT
from attnviewer.io.matrices import Matrices, read_matrices
from attnviewer.io.npy import npy_pieces
from attnviewer.io.session.spec_part import spec_from_plain, spec_to_plain
from attnviewer.recording.recorded_layer import RecordedLayer

RECORDING = "recording"
"""The entry of the statement that lists the layers."""
_OUTPUT = "output"


class _Layer(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    spec: dict[str, Any]


def write_recording(path: str | Path, layers: Sequence[RecordedLayer]) -> None:
    """Write layers to a file.

    Parameters
    ----------
    path : str or Path
        The file, ``.npz``; an existing one is replaced atomically.
    layers : sequence of RecordedLayer
        The layers: of layer 3 the arrays ``layers.3.Q``, ``layers.3.K`` and so on, with
        an axis for the batch first.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    write_atomically(path, archive(_parts(layers)), lasting=False)


def read_recording(path: str | Path) -> tuple[RecordedLayer, ...]:
    """Return the layers of a file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is not a recording.
    """
    return layers_of(Path(path), read_matrices(path, finite=False))


def layers_of(path: Path, read: Matrices) -> tuple[RecordedLayer, ...]:
    """Return the layers in what was read of a file.

    Raises
    ------
    FileFormatError
        If it is not a recording, or its description does not fit its arrays.
    """
    if RECORDING not in read.statement:
        raise FileFormatError(
            path,
            "It is not a recording. `attnviewer.record(module)` makes one, and its "
            "`save` writes it.",
        )
    try:
        listed = msgspec.convert(read.statement[RECORDING], list[_Layer])
        if not listed:
            raise ValueError("It lists no layers.")
        return tuple(
            _layer(path, f"layers.{number}.", layer, read.values)
            for number, layer in enumerate(listed)
        )
    except (ValueError, TypeError) as error:
        reason = f"Its description does not fit its arrays. {error}"
        raise FileFormatError(path, reason, STATEMENT) from None


def _parts(
    layers: Sequence[RecordedLayer],
) -> Iterator[tuple[str, list[bytes | memoryview]]]:
    listed = [
        {"name": layer.name, "spec": spec_to_plain(layer.spec)} for layer in layers
    ]
    statement = json.dumps({RECORDING: listed}, ensure_ascii=False)
    yield f"{STATEMENT}.npy", npy_pieces(np.array(statement))
    for number, layer in enumerate(layers):
        arrays = dict(layer.inputs)
        if layer.output is not None:
            arrays[_OUTPUT] = layer.output
        for name, array in arrays.items():
            yield f"layers.{number}.{name}.npy", npy_pieces(array)


def _layer(
    path: Path, start: str, layer: _Layer, values: Mapping[str, Array]
) -> RecordedLayer:
    spec = spec_from_plain(layer.spec)
    if "V" not in spec.input_names:
        raise ValueError(f"Its '{start}V' is no input of the variant there.")
    own = {n.removeprefix(start): a for n, a in values.items() if n.startswith(start)}
    for name in spec.input_names:
        if name not in own:
            reason = "Its description has this array, and the file has not."
            raise FileFormatError(path, reason, start + name)
    n_items = len(own["V"]) if own["V"].ndim else 0
    for name in (*spec.sources, _OUTPUT):
        if name in own:
            _check_shape(path, start + name, own[name], (n_items,), (4,))
    for name in (MASK, BIAS):
        if name in own:
            _check_shape(path, start + name, own[name], (1, n_items), (2, 3, 4))
    inputs = {n: own[n] != 0 if n == "mask" else own[n] for n in spec.input_names}
    return RecordedLayer(layer.name, spec, inputs, own.get(_OUTPUT))


def _check_shape(
    path: Path,
    name: str,
    array: Array,
    items: tuple[int, ...],
    dimensions: tuple[int, ...],
) -> None:
    """Check how many batch items and dimensions an array has."""
    if array.ndim in dimensions and (array.ndim < 4 or len(array) in items):
        return
    raise FileFormatError(
        path,
        f"It must have shape (batch, h, …, …), with {items[-1]} batch items as V has. "
        f"Got {array.shape} instead.",
        name,
    )
