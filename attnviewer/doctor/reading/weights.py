"""The weights of projections, read as (in, out) from the arrays of a layer."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.document.array_roles.assignment import is_joined_below
from attnviewer.document.array_roles.names import is_transposed_layer
from attnviewer.document.array_roles.pick import HEADS, Pick, taken

LETTERS = "QKV"


@dataclass
class Weights:
    """The roles and orientations that weights and biases are read with.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        The arrays.
    picks : mapping of str to Pick
        The probable array of each role; their orientation is decided here.
    widths : mapping of str to int
        The columns of what W_Q, W_K and W_V are multiplied with.
    n_heads : int
        Number of heads.
    n_kv_heads : int or None
        Number of heads of keys and values; None until the shapes have shown it.
    notes : list of str
        A sentence is appended for what had to be recognised.
    """

    arrays: Mapping[str, Numbers]
    picks: Mapping[str, Pick]
    widths: Mapping[str, int]
    n_heads: int
    n_kv_heads: int | None
    notes: list[str]
    _oriented: dict[str, Numbers] = field(default_factory=dict)

    def read(self) -> dict[str, Numbers]:
        """Return W_Q, W_K, W_V and, where there are such, W_G, W_O and the biases.

        Raises
        ------
        ValueError
            If one of the three is missing, or its shape fits neither way.
        """
        found = {}
        for letter in LETTERS:
            name = f"W_{letter}"
            if name not in self.picks:
                raise ValueError(f"The '{name}' must be given. Got none instead.")
            found[name] = self._weight(name, self.widths[name])
            if letter == "K" and self.n_kv_heads is None:
                self.n_kv_heads = self._counted(found)
            self._check_divisible(name, found[name])
        assert self.n_kv_heads is not None
        if "W_G" in self.picks:
            found["W_G"] = self._weight("W_G", self.widths["W_Q"])
        if "W_O" in self.picks:
            rows = self.mixed(found)
            found["W_O"] = self._weight("W_O", rows)
        for name in ("b_Q", "b_K", "b_V", "b_O"):
            if name in self.picks:
                found[name] = self._bias(name)
        return found

    def mixed(self, found: Mapping[str, Numbers]) -> int:
        """Return how many numbers all heads find for a token, given `read`'s W_V."""
        assert self.n_kv_heads is not None
        values: int = found["W_V"].shape[1]
        return values // self.n_kv_heads * self.n_heads

    def _weight(self, role: str, rows: int) -> Numbers:
        pick = self.picks[role]
        name = pick.array
        if HEADS in pick.index:
            return self._taken(role, pick)
        if name not in self._oriented:
            matrix = self._taken(role, replace(pick, transposed=False, third=None))
            self._oriented[name] = self._turned(name, matrix, rows)
        matrix = self._oriented[name]
        return matrix if pick.third is None else self._part(name, matrix, pick.third)

    def _counted(self, found: Mapping[str, Numbers]) -> int:
        """Return how many heads of keys there are, which are as wide as queries."""
        queries: int = found["W_Q"].shape[1]
        keys: int = found["W_K"].shape[1]
        count, rest = divmod(keys * self.n_heads, queries)
        if rest or not count or self.n_heads % count:
            return self.n_heads
        if count != self.n_heads:
            self.notes.append(
                f"There are {count} key/value heads, as the shape of W_K shows."
            )
        return count

    def _check_divisible(self, name: str, weight: Numbers) -> None:
        """Check that the columns of a weight can be divided among its heads."""
        count = self.n_heads if name == "W_Q" else self.n_kv_heads
        called = "n_heads" if name == "W_Q" else "n_kv_heads"
        if count is not None and weight.shape[1] % count:
            raise ValueError(
                f"The '{called}' must divide the {weight.shape[1]} columns of {name}. "
                f"Got {count} instead."
            )

    def _bias(self, role: str) -> Numbers:
        pick = self.picks[role]
        row = self._taken(role, replace(pick, third=None))  # (1, columns)
        if pick.third is not None:
            row = self._part(pick.array, row, pick.third)
        return row.reshape(-1)

    def _taken(self, role: str, pick: Pick) -> Numbers:
        array = self.arrays[pick.array]
        try:
            return taken(pick, array, below=is_joined_below(role))
        except ValueError as error:
            raise ValueError(
                f"The '{pick.array}' must have a shape that can be {role}. "
                f"Got {array.shape} instead. {error}"
            ) from None

    def _turned(self, name: str, matrix: Numbers, rows: int) -> Numbers:
        """Return a weight as (in, out)."""
        fits, fits_turned = matrix.shape[0] == rows, matrix.shape[1] == rows
        if fits and fits_turned:
            if not is_transposed_layer(name):
                return matrix
            self.notes.append(
                f"'{name}' is read as (out, in), as PyTorch's Linear stores it; it is "
                "square, so its shape does not decide."
            )
            return matrix.T
        if fits:
            return matrix
        if fits_turned:
            self.notes.append(f"'{name}' is read as (out, in), as its shape shows.")
            return matrix.T
        raise ValueError(
            f"The '{name}' must have {rows} rows, as many as what it multiplies has "
            f"columns, or {rows} columns where it is transposed. "
            f"Got {matrix.shape} instead."
        )

    def _part(self, name: str, matrix: Numbers, which: int) -> Numbers:
        """Return the columns of queries, keys or values, in this order."""
        shared = self.n_kv_heads or self.n_heads
        heads = (self.n_heads, shared, shared)
        width, rest = divmod(matrix.shape[1], sum(heads))
        if rest:
            raise ValueError(
                f"The '{name}' must have columns for {heads[0]} query heads and "
                f"{heads[1]} key/value heads, of one width. "
                f"Got {matrix.shape[1]} columns instead."
            )
        note = f"'{name}' is read as queries, keys and values, in this order."
        if note not in self.notes:
            self.notes.append(note)
        ends = list(accumulate((count * width for count in heads), initial=0))
        start, stop = list(pairwise(ends))[which]
        return np.ascontiguousarray(matrix[:, start:stop])
