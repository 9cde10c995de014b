"""Position schemes of an attention layer, as plain values of a spec."""

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from attnviewer.compute.arguments import positive_number
from attnviewer.compute.positions.disentangled import Disentangled
from attnviewer.compute.positions.frequencies import check_count, check_frequencies
from attnviewer.compute.positions.relative_bias import bucket_edges, check_buckets
from attnviewer.compute.positions.rotary_axes import RotaryAxes, check_axes


@dataclass(frozen=True, slots=True)
class Sinusoidal:
    """Sines and cosines added to X (Vaswani et al. 2017, section 3.5).

    Parameters
    ----------
    offset : int
        The position of the first row of X.
    """

    has_table: ClassVar[bool] = False
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Learned:
    """The first rows of a given table P added to X."""

    has_table: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Rotary:
    """Queries and keys rotated by their position (Su et al. 2021, RoFormer).

    Parameters
    ----------
    base : float
        The slowest pair rotates by about 1/base per position. Ignored where
        `frequencies` are given.
    rotary_dim : int or None
        How many columns of each head rotate; None for all.
    interleaved : bool
        Pairs of neighbouring columns (GPT-J) instead of halves (Llama).
    offset : int
        The position of the first key; that of the first query is offset + query_offset.
    frequencies : tuple of float or None
        What each pair rotates by per position, in radians, as models that were
        stretched to longer texts have it; None for powers of `base`.
    attention_factor : float
        The factor on the columns that rotate, as such models have it where others
        pass as they are (YaRN, LongRoPE).
    axes : RotaryAxes or None
        Which pairs rotate by the position along which axis, where tokens have several
        positions, those of the input ``position_ids``; None for one axis, along which
        tokens are counted.

    Raises
    ------
    TypeError, ValueError
        If the frequencies or the factor are not positive numbers, the frequencies or
        the pairs of the axes not half as many as `rotary_dim`, or another option
        contradicts the axes.
    """

    has_table: ClassVar[bool] = False
    base: float = 10000.0
    rotary_dim: int | None = None
    interleaved: bool = False
    offset: int = 0
    frequencies: tuple[float, ...] | None = None
    attention_factor: float = 1.0
    axes: RotaryAxes | None = None

    def __post_init__(self) -> None:
        positive_number("attention_factor", self.attention_factor)
        self._check_axes()
        if self.frequencies is None:
            return
        # Arrays and lists become tuples, which can be compared.
        frequencies = check_frequencies(self.frequencies)
        object.__setattr__(self, "frequencies", frequencies)
        if self.rotary_dim is not None:
            check_count(len(frequencies), self.rotary_dim)

    def _check_axes(self) -> None:
        if self.axes is None:
            return
        if not isinstance(self.axes, RotaryAxes):
            raise TypeError(
                f"The 'axes' parameter must be RotaryAxes. Got {self.axes!r} instead."
            )
        if self.offset:
            raise ValueError(
                "The 'offset' must be 0 with several axes, along which position_ids "
                f"tell the positions. Got {self.offset} instead."
            )
        if self.frequencies is not None and self.axes.own_frequencies:
            raise ValueError(
                "The 'own_frequencies' of the axes must be off where frequencies are "
                "given for each pair. Got on instead."
            )
        if self.rotary_dim is not None:
            check_axes(self.axes, self.rotary_dim)
        if self.frequencies is not None:
            check_count(len(self.frequencies), 2 * self.axes.n_pairs)


@dataclass(frozen=True, slots=True)
class Alibi:
    """A penalty on the scores that grows with the distance (Press et al. 2022)."""

    has_table: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class RelativeBias:
    """A learned bias on the scores for each bucket of distances (Raffel et al. 2020).

    Row b of the given table ``relative_bias``, shape (n_buckets, h), is added to the
    scores of all pairs whose distance j − i falls into bucket b.

    Parameters
    ----------
    n_buckets : int
        Number of buckets.
    max_distance : int
        The distance from which on all share the last bucket.
    bidirectional : bool
        Half of the buckets for keys before the query, half for those after it (an
        encoder). Otherwise keys after the query share bucket 0 (a decoder).

    Raises
    ------
    TypeError, ValueError
        If the numbers leave no room for exact and for wider buckets.
    """

    has_table: ClassVar[bool] = False
    n_buckets: int = 32
    max_distance: int = 128
    bidirectional: bool = True

    def __post_init__(self) -> None:
        check_buckets(
            self.n_buckets, self.max_distance, bidirectional=self.bidirectional
        )

    @property
    def edges(self) -> tuple[int, ...]:
        """The least distance of each bucket of one direction but the first."""
        return bucket_edges(
            self.n_buckets, self.max_distance, bidirectional=self.bidirectional
        )


Positions: TypeAlias = (
    Sinusoidal | Learned | Rotary | Alibi | RelativeBias | Disentangled
)
