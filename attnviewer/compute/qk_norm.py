"""Queries and keys that are normalised before they are compared."""

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from attnviewer.compute.arguments import check_name

Kind: TypeAlias = Literal["rms", "layer"]


INPUTS = "gain_Q", "shift_Q", "gain_K", "shift_K"
"""The inputs that norms may have, each one row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QKNorm:
    """A norm of queries and keys, y = (x − μ) / σ · (w + offset) + shift.

    Without the mean μ it is an RMS norm, with σ = √(mean x² + ε). An RMS norm without
    gain is √d times the row scaled to length 1, up to ε.

    Parameters
    ----------
    kind : {"rms", "layer"}
        RMS norm, or layer norm, which subtracts the mean.
    full_width : bool
        Normalise over the columns of all heads together (OLMo 2) rather than of each
        head by itself.
    gain : bool
        With learned factors: the inputs ``gain_Q`` and ``gain_K``, of d_k numbers for
        all heads or h·d_k, each head its own; of h·d_k over all heads together.
    shift : bool
        With numbers that a layer norm adds: ``shift_Q`` and ``shift_K``, of the shape
        of the gains.
    gain_offset : float
        Added to the gains; 1 in Gemma.
    after_rotary : bool
        After the rotation by position instead of before it.
    epsilon : float
        The number ε added to the mean of squares.

    Raises
    ------
    ValueError
        If a number is not finite, or two choices contradict each other.

    References
    ----------
    Henry et al. 2020, "Query-Key Normalization for Transformers", arXiv:2010.04245,
    which scale rows to length 1; Dehghani et al. 2023, "Scaling Vision Transformers to
    22 Billion Parameters", arXiv:2302.05442, by layer norm; OLMo team 2024, "2 OLMo 2
    Furious", arXiv:2501.00656, by RMS norm.
    """

    kind: Kind = "rms"
    full_width: bool = False
    gain: bool = True
    shift: bool = False
    gain_offset: float = 0.0
    after_rotary: bool = False
    epsilon: float = 1e-6

    def __post_init__(self) -> None:
        check_name("kind", self.kind, get_args(Kind))
        if self.shift and self.kind != "layer":
            raise ValueError(
                "The 'shift' must be off unless the kind is 'layer'. Got on instead."
            )
        if not 0 < self.epsilon < math.inf:
            raise ValueError(
                "The 'epsilon' must be a finite number above 0. "
                f"Got {self.epsilon} instead."
            )
        if not math.isfinite(self.gain_offset):
            raise ValueError(
                "The 'gain_offset' must be a finite number. "
                f"Got {self.gain_offset} instead."
            )
        if self.gain_offset and not self.gain:
            raise ValueError(
                "The 'gain_offset' must be 0 without gains. "
                f"Got {self.gain_offset} instead."
            )

    @property
    def centred(self) -> bool:
        """Whether the mean of each row is subtracted."""
        return self.kind == "layer"

    @property
    def title(self) -> str:
        """Its name."""
        name = "layer norm" if self.centred else "RMS norm"
        return f"{name} over all heads" if self.full_width else name

    def inputs_of(self, side: str) -> tuple[str, ...]:
        """Return the inputs that the norm of one side has.

        Parameters
        ----------
        side : str
            ``Q`` or ``K``.
        """
        shift = (f"shift_{side}",) if self.shift else ()
        return (f"gain_{side}", *shift) if self.gain else shift
