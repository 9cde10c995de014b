"""A factor on the scores of a query that grows with its position or its keys."""

import math
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute.arguments import check_name
from attnviewer.compute.arrays import Array, IndexArray

Counted: TypeAlias = Literal["position", "keys"]
"""The quantity that a factor grows with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthScale:
    """A factor b + s·ln m on all scores of a query, so that long rows stay sharp.

    By ``position``, m = ⌊(i + 1) / floor⌋ + 1, i being the query's position among the
    keys, `query_offset` included. By ``keys``, m is the number of keys that causality,
    window, chunk, padding and the given mask let the query see: in the paper, the size
    n of the vector that softmax gets, which is i + 1 in a causal model. A bias of −inf
    and a learned sink do not count. Without any key, or before the first one, m is 1.

    Parameters
    ----------
    counted : {"position", "keys"}
        What m counts.
    scale : float
        s. The one that SSMax learns for each head goes into the head's columns of W_Q,
        if it differs between heads.
    offset : float
        b.
    floor : int
        How many positions share a factor; 1 with ``keys``.

    Raises
    ------
    ValueError
        If a number is not finite, or `floor` is less than 1 or given with ``keys``.

    References
    ----------
    Nakanishi 2025, "Scalable-Softmax Is Superior for Attention", arXiv:2501.19399,
    equation 4: softmax(s · ln n · z); Meta 2025, Llama 4, whose layers without rotary
    positions have 1 + 0.1 · ln(⌊(i + 1) / 8192⌋ + 1) on queries (``attn_scale`` and
    ``floor_scale`` in transformers).
    """

    counted: Counted = "keys"
    scale: float = 1.0
    offset: float = 0.0
    floor: int = 1

    def __post_init__(self) -> None:
        check_name("counted", self.counted, get_args(Counted))
        for name in ("scale", "offset"):
            if not math.isfinite(getattr(self, name)):
                raise ValueError(
                    f"The '{name}' must be a finite number. "
                    f"Got {getattr(self, name)} instead."
                )
        if self.floor < 1 or (self.counted == "keys" and self.floor != 1):
            least = "1 where keys are counted" if self.counted == "keys" else "above 0"
            raise ValueError(f"The 'floor' must be {least}. Got {self.floor} instead.")

    @property
    def title(self) -> str:
        """Its name."""
        name = next((n for n, known in NAMED.items() if known == self), None)
        return TITLES[name] if name is not None else self.written("m")

    @property
    def symbols(self) -> str:
        """The factor in symbols: ``1 + 0.1 · ln(⌊(i + 1) / 8192⌋ + 1)``."""
        if self.counted == "keys":
            return self.written("n")
        places = "i + 1" if self.floor == 1 else f"⌊(i + 1) / {self.floor}⌋"
        return self.written(f"({places} + 1)" if self.floor > 1 else "(i + 2)")

    def written(self, m: str) -> str:
        """Return the factor for an m, written out."""
        space = "" if m.startswith("(") else " "
        term = f"ln{space}{m}"
        if self.scale != 1:
            term = f"{self.scale:g} · {term}"
        return f"{self.offset:g} + {term}" if self.offset else term

    def steps(self, counts: IndexArray) -> IndexArray:
        """Return m for each query.

        Parameters
        ----------
        counts : ndarray of intp
            The queries' positions, or how many keys they see.
        """
        if self.counted == "keys":
            return np.maximum(counts, 1)
        return np.maximum((counts + 1) // self.floor, 0) + 1

    def factors(self, counts: IndexArray) -> Array:
        """Return the factor of each query, in double precision; see `steps`."""
        factors: Array = self.offset + self.scale * np.log(self.steps(counts))
        return factors


NAMED: Final = {
    "ssmax": LengthScale(),
    "llama4": LengthScale(counted="position", scale=0.1, offset=1.0, floor=8192),
}
"""Those of papers and models, by name."""
TITLES: Final = {"ssmax": "SSMax", "llama4": "Llama 4"}
"""The names of those of `NAMED`."""
