"""How places enter an attention layer, as plain values of a spec."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias


@dataclass(frozen=True, slots=True)
class Sinusoidal:
    """Sines and cosines added to X (Vaswani et al. 2017, section 3.5).

    Parameters
    ----------
    offset : int
        The place of the first row of X.
    """

    has_table: ClassVar[bool] = False
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Learned:
    """The first rows of a given table P added to X."""

    has_table: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Rotary:
    """Queries and keys turned by their place (Su et al. 2021, RoFormer).

    Parameters
    ----------
    base : float
        The slowest pair turns by about 1/base per place.
    rotary_dim : int or None
        How many columns of each head turn; None for all.
    interleaved : bool
        Pairs of neighbouring columns (GPT-J) instead of halves (Llama).
    offset : int
        The place of the first key; that of the first query is offset + query_offset.
    """

    has_table: ClassVar[bool] = False
    base: float = 10000.0
    rotary_dim: int | None = None
    interleaved: bool = False
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Alibi:
    """A penalty on the scores that grows with the distance (Press et al. 2022)."""

    has_table: ClassVar[bool] = False


Positions: TypeAlias = Sinusoidal | Learned | Rotary | Alibi
