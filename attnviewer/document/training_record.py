"""The record of how matrices of a document were trained."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeAlias

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.compute.arguments import real_number, whole_number
from attnviewer.compute.numbers import check_matrix

Options: TypeAlias = tuple[tuple[str, float], ...]
Digests: TypeAlias = tuple[tuple[str, str], ...]

LONGEST_TEXT = 200
"""The most characters of a text of a record."""
MOST_NAMES = 64
"""The most options, and the most matrices, of a record."""


@dataclass(frozen=True, slots=True)
class TrainingRecord:
    """All that is needed to repeat a training run, and to recognise its result.

    The numbers that the run began with are not in it, but their digest: with the same
    document and target, the same call of `attnviewer.train` gives the same result, bit
    for bit where NumPy and its BLAS are the same.

    Parameters
    ----------
    task : str
        What was learned, in words: ``"attend to the token before"``.
    call : str
        The same as a call: ``"copy_previous(loss='cross_entropy')"``.
    optimizer : str
        The name of the optimiser.
    lr : float
        The learning rate.
    options : tuple of (str, float)
        All further options of the optimiser.
    seed : int
        The seed of random sequences, and of a readout that was not given.
    batch : int or None
        How many random sequences each step had; None for the document's own tokens.
    steps, kept : int
        How many steps the run was to have, and after how many it was taken over.
    first_loss, last_loss : float
        The loss before the first step, and after the last that was kept.
    start : str
        The digest of all that the run began with: the inputs, the target and the
        readout, see `digest`.
    free : tuple of str
        The matrices that could change, ``readout`` included.
    trained : tuple of (str, str)
        Those of the document that the loss depends on, and the digest of each after the
        run.
    earlier : int
        How many runs came before that this one went on from.
    readout : ndarray, shape (columns of the output, distinct tokens), optional
        The readout of the task after the run, trained or not; read-only. It follows
        from all the rest, so records are compared without it.

    Raises
    ------
    TypeError, ValueError
        If a value is not what it must be.
    """

    task: str
    call: str
    optimizer: str
    lr: float
    options: Options
    seed: int
    batch: int | None
    steps: int
    kept: int
    first_loss: float
    last_loss: float
    start: str
    free: tuple[str, ...]
    trained: Digests
    earlier: int = 0
    readout: Array | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        names = [*self.free, *(name for name, _ in (*self.options, *self.trained))]
        for text in (self.task, self.call, self.optimizer, *names):
            _check_text(text)
        for name in ("lr", "first_loss", "last_loss"):
            _check_finite(name, getattr(self, name))
        for name, option in self.options:
            _check_finite(name, option)
        for name, least in (("seed", 0), ("steps", 1), ("kept", 1), ("earlier", 0)):
            whole_number(name, getattr(self, name), least)
        if self.batch is not None:
            whole_number("batch", self.batch, 1)
        if self.kept > self.steps:
            raise ValueError(
                f"The 'kept' steps must be at most all, {self.steps}. "
                f"Got {self.kept} instead."
            )
        for name, entries in (("options", self.options), ("trained", self.trained)):
            _check_names(name, [entry for entry, _ in entries])
        _check_names("free", self.free)
        for text in (self.start, *(text for _, text in self.trained)):
            _check_digest(text)
        if self.readout is not None:
            object.__setattr__(self, "readout", _checked_readout(self.readout))
        unknown = [name for name, _ in self.trained if name not in self.free]
        if unknown:
            raise ValueError(
                "The 'trained' matrices must be among those that are free, "
                f"{', '.join(self.free)}. Got '{unknown[0]}' instead."
            )

    def edited(self, matrices: Mapping[str, Array]) -> tuple[str, ...]:
        """Return which trained matrices are not as the run has left them.

        Parameters
        ----------
        matrices : mapping of str to ndarray
            Those of the document now.
        """
        return tuple(
            name
            for name, after in self.trained
            if name not in matrices or digest([matrices[name]]) != after
        )

    def words(self, matrices: Mapping[str, Array]) -> str:
        """Return the record in words, and whether the result was edited since.

        Parameters
        ----------
        matrices : mapping of str to ndarray
            Those of the document now.
        """
        options = {"lr": self.lr, **dict(self.options)}
        written = ", ".join(f"{name} {value:g}" for name, value in options.items())
        sequences = "random sequence" if self.batch == 1 else "random sequences"
        tokens = f"{self.batch} {sequences} each" if self.batch else "its own tokens"
        parts = [
            f"{self.task} ({self.call})",
            f"{', '.join(self.free)} by {self.optimizer}, {written}",
            f"{self.kept} of {self.steps} steps on {tokens}, seed {self.seed}",
            f"loss {self.first_loss:.4g} at first, {self.last_loss:.4g} at last",
            f"from numbers of digest {self.start[:12]}",
        ]
        if self.readout is not None:
            rows, columns = self.readout.shape
            parts.append(f"readout of {rows} × {columns} numbers")
        if self.earlier:
            runs = "run" if self.earlier == 1 else "runs"
            parts.append(f"after {self.earlier} earlier {runs}")
        edited = self.edited(matrices)
        if edited:
            parts.append(f"then edited: {', '.join(edited)}")
        return "; ".join(parts)


def as_edited(record: TrainingRecord | None) -> tuple[TrainingRecord, ...]:
    """Return a record as an edit names it: one or none, as None leaves it alone."""
    return () if record is None else (record,)


def digest(arrays: Iterable[Array | BoolArray]) -> str:
    """Return the SHA-256 of arrays in hexadecimal: of their types, shapes and bits."""
    found = sha256()
    for array in arrays:
        portable = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        found.update(repr((portable.dtype.str, array.shape)).encode())
        found.update(portable.data)
    return found.hexdigest()


def _check_text(text: str) -> None:
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_TEXT:
        raise ValueError(
            f"The texts of a training record must have 1 to {LONGEST_TEXT} characters. "
            f"Got {str(text)[:LONGEST_TEXT]!r} instead."
        )


def _check_finite(name: str, value: float) -> None:
    if not math.isfinite(real_number(name, value)):
        raise ValueError(f"The '{name}' must be a finite number. Got {value} instead.")


def _check_names(name: str, names: Iterable[str]) -> None:
    listed = list(names)
    if len(set(listed)) != len(listed) or len(listed) > MOST_NAMES:
        raise ValueError(
            f"The '{name}' must be at most {MOST_NAMES} different ones. "
            f"Got {len(listed)}, of which {len(set(listed))} differ."
        )


def _checked_readout(readout: Array) -> Array:
    """Return a copy of a readout that nobody can change."""
    kept = np.array(readout)
    check_matrix("readout", kept)
    kept.flags.writeable = False
    return kept


def _check_digest(text: str) -> None:
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError(
            "A digest must be 64 hexadecimal digits in small letters. "
            f"Got {str(text)[:LONGEST_TEXT]!r} instead."
        )
