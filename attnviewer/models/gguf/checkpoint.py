"""Checkpoints in a GGUF file."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array
from attnviewer.io.errors import FileFormatError
from attnviewer.io.safetensors import TensorFile
from attnviewer.io.strict_json import shortened
from attnviewer.models.architecture import Architecture
from attnviewer.models.checkpoint import Checkpoint
from attnviewer.models.gguf.architectures import Config, GGUFArchitecture
from attnviewer.models.gguf.change import Change
from attnviewer.models.gguf.configuration import architecture_of, configuration
from attnviewer.models.gguf.header import read_header
from attnviewer.models.gguf.quantisation import FLOATS, dequantised, is_dequantised
from attnviewer.models.gguf.rope import FACTORS, with_factors
from attnviewer.models.gguf.vocabulary import read_end_tokens, read_tokens
from attnviewer.models.tokenizing import Tokenizer, open_tokenizer

_LAYER = re.compile(r"blk\.(\d+)\.")
_PLAIN = frozenset(block.dtype for block in FLOATS.values())


def open_gguf(path: Path) -> "GGUFCheckpoint":
    """Open a checkpoint in a GGUF file; no weights are read.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is damaged or unsupported.
    """
    header = read_header(path)
    shapes = {name: tensor.shape for name, tensor in header.file.tensors.items()}
    architecture = architecture_of(path, header.metadata)
    config = configuration(path, header.metadata, shapes)
    tensors, changes = {}, {}
    for name, tensor in header.file.tensors.items():
        own = _family_name(path, architecture, name)
        tensors[own] = tensor
        changes[own] = _change(architecture, config, name)
    file = replace(header.file, tensors=tensors)
    tokenizer = open_tokenizer(path.parent) or read_tokens(path, header.metadata)
    ends = read_end_tokens(header.metadata)
    return GGUFCheckpoint(config, file, changes, tokenizer, ends)


class GGUFCheckpoint(Checkpoint):
    """A model in a GGUF file: its tensors by the names and in the layout of its family.

    Made by `open_gguf`. Weights are dequantised whenever they are read.

    Parameters
    ----------
    config : mapping of str to object
        Its configuration, as Hugging Face would write it.
    file : TensorFile
        Its tensors, by the names of the family.
    changes : mapping of str to Change
        What the converter changed in each.
    tokenizer : Tokenizer or None
        Its tokenizer.
    ends : frozenset of int
        The ids of the tokens that end a text.
    """

    def __init__(
        self,
        config: Mapping[str, object],
        file: TensorFile,
        changes: Mapping[str, Change],
        tokenizer: Tokenizer | None,
        ends: frozenset[int],
    ) -> None:
        super().__init__(file.path.parent, config, [file])
        self._whole = file
        self._changes = changes
        self._tokenizer = tokenizer
        self._ends = ends

    @property
    def name(self) -> str:
        """The model's name, that of its file."""
        return self._whole.path.stem

    @property
    def source(self) -> Path:
        """The path to reopen it."""
        return self._whole.path.absolute()

    @property
    def described_by(self) -> Path:
        """The file with its configuration."""
        return self._whole.path

    def tokenizer(self) -> Tokenizer | None:
        """Return its tokenizer, or None if it has none."""
        return self._tokenizer

    def end_tokens(self) -> frozenset[int]:
        """Return the ids of the tokens that end a text, as its file names them."""
        return self._ends

    def unapplied_settings(self, _start: int | None) -> str:
        """Return "": the files hold no such settings of generation."""
        return ""

    def adapted(self, architecture: Architecture) -> Architecture:
        """Return an architecture with the frequencies that a tensor says."""
        if FACTORS not in self:
            return architecture
        self.check_type(FACTORS)
        return with_factors(self._whole.path, architecture, self.read(FACTORS))

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a tensor in its family; see `Checkpoint.shape`."""
        stored = super().shape(name)
        return self._changes[name].shape(stored)

    def check_type(self, name: str) -> None:
        """Check that the numbers of a tensor can be read.

        Raises
        ------
        FileFormatError
            If they cannot, or there is no such tensor.
        """
        dtype = self._tensor(name).dtype
        if dtype not in _PLAIN and not is_dequantised(dtype):
            raise FileFormatError(
                self._whole.path,
                f"Weights in {dtype} cannot be dequantised.",
                shortened(name),
            )

    def read(self, name: str) -> Array:
        """Return a tensor in float32, read-only; see `Checkpoint.read`."""
        stored = super().read(name)
        array = self._changes[name].undone(stored)
        array.flags.writeable = False
        return array

    def rows(
        self, name: str, indices: slice | Sequence[int] | NDArray[np.integer]
    ) -> Array:
        """Return some rows of a tensor in float32; see `Checkpoint.rows`.

        Only those are dequantised, unless the converter changed the tensor.
        """
        if name in self and self._changes[name] != Change():
            return self.read(name)[indices]
        return super().rows(name, indices)

    def _shown(self, name: str, data: NDArray[np.uint8]) -> NDArray[np.generic]:
        self.check_type(name)
        tensor = self._tensor(name)
        if tensor.dtype in _PLAIN:
            return tensor.shown(data)
        blocks = data[tensor.first : tensor.last]
        return blocks.reshape(*tensor.shape[:-1], -1)  # (..., bytes)

    def _rows(self, name: str, indices: NDArray[np.intp]) -> NDArray[np.generic]:
        if self._tensor(name).dtype in _PLAIN:
            return super()._rows(name, indices)
        return self._stored(name)[indices]

    def _floats(self, name: str, stored: NDArray[np.generic]) -> Array:
        dtype = self._tensor(name).dtype
        if dtype in _PLAIN:
            return super()._floats(name, stored)
        return dequantised(stored, dtype)


def _family_name(path: Path, architecture: GGUFArchitecture, name: str) -> str:
    """Return the name of a tensor in its family.

    Raises
    ------
    FileFormatError
        If the family has no such tensor.
    """
    stem, _, kind = name.rpartition(".")
    layer = _LAYER.match(name)
    if layer is not None:
        stem = _LAYER.sub("blk.{}.", stem, count=1)
    if name == FACTORS:
        return name
    if stem not in architecture.names or kind not in ("weight", "bias"):
        raise FileFormatError(
            path,
            f"{architecture.model_type} does not use this tensor: without it the "
            "results would be others.",
            shortened(name),
        )
    number = "" if layer is None else layer[1]
    return f"{architecture.names[stem].format(number)}.{kind}"


def _change(architecture: GGUFArchitecture, config: Config, name: str) -> Change:
    """Return what the converter changed in a tensor."""
    part, _, kind = name.rpartition(".")
    part = part.rpartition(".")[2]
    if architecture.sorts_pairs and part in ("attn_q", "attn_k"):
        heads = config.get("num_attention_heads")
        if part == "attn_k":
            heads = config.get("num_key_value_heads", heads)
        return Change(heads=heads if isinstance(heads, int) else 0)
    if kind == "weight" and part in architecture.transposed:
        return Change(transposed=True)
    return Change(offset=architecture.norm_offset if part.endswith("norm") else 0.0)
