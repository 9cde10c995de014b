"""Checkpoints: a model's configuration, and its weights on disk."""

import json
import math
from collections.abc import Iterable, KeysView, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.compute.arrays import ALL
from attnviewer.io.errors import FileFormatError
from attnviewer.io.safetensors import (
    BFLOAT16,
    StoredTensor,
    TensorFile,
    describe_tensors,
    widened,
)
from attnviewer.io.strict_json import shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.end_tokens import end_tokens
from attnviewer.models.generation_settings import unapplied_settings
from attnviewer.models.json_file import read_json
from attnviewer.models.layout import WEIGHTS, find_weights, is_index, model_name
from attnviewer.models.shards import describe_shards
from attnviewer.models.tokenizing import Tokenizer, open_tokenizer
from attnviewer.sources import CONFIG

_FLOATS = ("F32", "F16", BFLOAT16, "F64")
_CONVERTED = frozenset(_FLOATS) - {"F32"}
_AT_ONCE = 2**18
"""Numbers to read and convert at a time."""
_BYTE = "U8"


def open_checkpoint(path: str | Path) -> "Checkpoint":
    """Open a checkpoint in the Hugging Face layout; no weights are read.

    Parameters
    ----------
    path : str or Path
        Its folder, with ``config.json`` and ``model.safetensors`` or the index of
        several such files; or one of these files, or weights with another name.

    Raises
    ------
    FileError
        If something is missing or unreadable, or (`FileFormatError`) unsupported.

    Examples
    --------
    >>> from attnviewer.models.checkpoint import open_checkpoint
    >>> checkpoint = open_checkpoint("models/gpt2")  # doctest: +SKIP
    >>> checkpoint.shape("wte.weight")  # doctest: +SKIP
    (50257, 768)
    """
    weights = find_weights(Path(path))
    config = read_json(weights.parent / CONFIG, dict[str, object])
    files = (
        describe_shards(weights) if is_index(weights) else [describe_tensors(weights)]
    )
    return Checkpoint(weights.parent, config, files)


class Checkpoint:
    """A model's configuration, and its weights, which stay on disk.

    Made by `open_checkpoint`.

    Parameters
    ----------
    path : Path
        The folder.
    config : mapping of str to object
        Its configuration, as in the file.
    files : iterable of TensorFile
        The files of its weights, in which no name is used twice.
    """

    def __init__(
        self, path: Path, config: Mapping[str, object], files: Iterable[TensorFile]
    ) -> None:
        self.path = path
        self.config = config
        self._files = {name: file for file in files for name in file.tensors}
        self._mapped: dict[Path, NDArray[np.uint8]] = {}
        self._views: dict[str, Array] = {}

    @property
    def name(self) -> str:
        """The model's name, taken from its folder."""
        return model_name(self.path)

    @property
    def source(self) -> Path:
        """The path to reopen it: its folder, or weights that have another name."""
        first, *more = {file.path for file in self._files.values()}
        whole = more or first.name == WEIGHTS
        return (self.path if whole else first).absolute()

    @property
    def described_by(self) -> Path:
        """The file with its configuration."""
        return self.path / CONFIG

    def tokenizer(self) -> Tokenizer | None:
        """Return its tokenizer, or None if it has none; see `open_tokenizer`."""
        return open_tokenizer(self.path)

    def end_tokens(self) -> frozenset[int]:
        """Return the ids of the tokens that end a text; see `end_tokens`."""
        return end_tokens(self.path, self.config)

    def unapplied_settings(self, start: int | None) -> str:
        """Return which settings of generation are not applied; see there."""
        return unapplied_settings(self.path, self.config, start)

    def adapted(self, architecture: Architecture) -> Architecture:
        """Return an architecture with what its configuration cannot say."""
        return architecture

    @cached_property
    def fingerprint(self) -> str:
        """Identifies it among checkpoints, wherever it is stored.

        A hash of its configuration, of the description of its tensors, and of bytes
        sampled from its files: other weights of the same model have another one.

        Raises
        ------
        FileError
            If a file has changed since, or cannot be read.
        """
        config = json.dumps(self.config, sort_keys=True)
        files = {file.path: file for file in self._files.values()}
        described = sorted(
            (name, tensor.dtype, tensor.shape)
            for file in files.values()
            for name, tensor in file.tensors.items()
        )
        digest = sha256(repr((config, described)).encode())
        for _path, file in sorted(files.items()):
            digest.update(file.sampled())
        return digest.hexdigest()

    @property
    def names(self) -> KeysView[str]:
        """The names of its tensors."""
        return self._files.keys()

    def __contains__(self, name: str) -> bool:
        """Return whether there is a tensor of that name."""
        return name in self._files

    def file_of(self, name: str) -> Path:
        """Return the file that holds a tensor.

        Raises
        ------
        FileFormatError
            If there is no such tensor.
        """
        return self._file(name).path

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a tensor, as it is stored.

        Raises
        ------
        FileFormatError
            If there is no such tensor.
        """
        return self._tensor(name).shape

    def check_type(self, name: str) -> None:
        """Check that a tensor holds floating-point numbers.

        Raises
        ------
        FileFormatError
            If it does not, or there is no such tensor.
        """
        dtype = self._tensor(name).dtype
        if dtype not in _FLOATS:
            raise FileFormatError(
                self.file_of(name),
                "Weights must be in F32, F16, BF16 or F64; quantised ones are not "
                f"read. Got {shortened(dtype)} instead.",
                shortened(name),
            )

    def check_bytes(self, name: str) -> None:
        """Check that a tensor holds bytes, of numbers that are packed in them.

        Raises
        ------
        FileFormatError
            If it does not, or there is no such tensor.
        """
        dtype = self._tensor(name).dtype
        if dtype != _BYTE:
            raise FileFormatError(
                self.file_of(name),
                f"Packed numbers must be in {_BYTE}. Got {shortened(dtype)} instead.",
                shortened(name),
            )

    def packed_row(self, name: str, index: int) -> NDArray[np.uint8]:
        """Return a row of a tensor of bytes, as a view of the mapped file.

        Raises
        ------
        FileError
            As in `read`.
        """
        self.check_bytes(name)
        data = self._bytes(self._file(name))
        row: NDArray[np.uint8] = self._tensor(name).shown(data)[index].view(np.uint8)
        return row

    def read(self, name: str) -> Array:
        """Return a tensor in float32, read-only.

        If it is stored in float32, it is a view of the mapped file, without memory of
        its own; see `TensorFile.mapped` for the consequences.

        Raises
        ------
        FileError
            If the file has changed, or (`FileFormatError`) there is no such tensor, or
            one of another type than floating-point numbers.
        """
        if name in self._views:
            self._file(name).check_unchanged()
            return self._views[name]
        if name in self and self._tensor(name).dtype in _CONVERTED:
            floats = self._converted(name).reshape(self._tensor(name).shape)
            floats.flags.writeable = False
            return floats
        stored = self._stored(name)
        floats = self._floats(name, stored)
        floats.flags.writeable = False
        if floats is stored:
            self._views[name] = floats
        return floats

    def is_mapped(self, array: Array) -> bool:
        """Return whether an array is a view of a mapped file, without own memory."""
        return any(np.may_share_memory(array, data) for data in self._mapped.values())

    def files(self, names: Iterable[str]) -> list[TensorFile]:
        """Return the files of some tensors."""
        files = map(self._file, names)
        return list({file.path: file for file in files}.values())

    def rows(
        self, name: str, indices: slice | Sequence[int] | NDArray[np.integer]
    ) -> Array:
        """Return some rows of a tensor in float32, without reading the others.

        A slice gives a read-only view, as `read` does; indices give a copy.

        Parameters
        ----------
        name : str
            The tensor, such as a table of embeddings.
        indices : slice or sequence of int
            The rows; indices may repeat.

        Raises
        ------
        FileError
            As in `read`.
        ValueError
            If there is no such row.
        """
        if isinstance(indices, slice):
            converts = self._tensor(name).dtype in _CONVERTED
            if converts and indices.step in (None, 1):
                return self._converted(name, indices)
            return self._floats(name, np.atleast_1d(self._stored(name))[indices])
        self.check_type(name)
        n_rows, *_ = self.shape(name) or (1,)
        chosen = np.asarray(indices)  # (n,)
        wrong = chosen
        if chosen.dtype.kind in "iu":
            wrong = chosen[(chosen < 0) | (chosen >= n_rows)]
        if wrong.size:
            raise ValueError(
                "The 'indices' must be whole numbers of at least 0 and less than "
                f"{n_rows}, the rows of '{shortened(name)}'. "
                f"Got {wrong.flat[0]} instead."
            )
        # Read rather than mapped: mapping loads 16 pages around each row into memory.
        stored = self._rows(name, chosen.astype(np.intp))
        return self._floats(name, stored)  # (n, ...)

    def _file(self, name: str) -> TensorFile:
        if name not in self._files:
            reason = "There is no tensor of this name among the weights."
            raise FileFormatError(self.path, reason, shortened(name))
        return self._files[name]

    def _tensor(self, name: str) -> StoredTensor:
        return self._file(name).tensors[name]

    def _stored(self, name: str) -> NDArray[np.generic]:
        return self._shown(name, self._bytes(self._file(name)))

    def _shown(self, name: str, data: NDArray[np.uint8]) -> NDArray[np.generic]:
        self.check_type(name)
        return self._tensor(name).shown(data)

    def _bytes(self, file: TensorFile) -> NDArray[np.uint8]:
        """Return all bytes of a file, mapped once, so that pages in use stay cached."""
        if file.path in self._mapped:
            file.check_unchanged()
        else:
            self._mapped[file.path] = file.mapped()
        return self._mapped[file.path]

    def _converted(self, name: str, some: slice = ALL) -> Array:
        """Return neighbouring rows of a tensor of another type than float32, (m, ...).

        Read rather than mapped: what was converted need not stay in memory as stored.
        """
        shape = self._tensor(name).shape or (1,)
        first, stop, _step = some.indices(shape[0])
        floats = np.empty((max(stop - first, 0), *shape[1:]), np.float32)
        at_once = max(1, _AT_ONCE // max(1, math.prod(shape[1:])))
        for at in range(first, stop, at_once):
            block = slice(at, min(at + at_once, stop))
            stored = self._file(name).block(name, block)
            out = floats[at - first : block.stop - first]
            if stored.dtype == np.uint16:  # bits, without a copy in between
                widened(stored, out)
            else:
                out[...] = self._floats(name, stored)
        return floats

    def _rows(self, name: str, indices: NDArray[np.intp]) -> NDArray[np.generic]:
        return self._file(name).rows(name, indices)

    def _floats(self, name: str, stored: NDArray[np.generic]) -> Array:
        if self._tensor(name).dtype == BFLOAT16:
            return widened(stored)
        try:
            with np.errstate(over="raise", invalid="ignore"):
                return np.require(stored, np.float32, "A")
        except FloatingPointError:
            reason = "It has numbers that are too large for float32."
            raise FileFormatError(self.file_of(name), reason, shortened(name)) from None
