"""The choices that decide which steps an attention computation has."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal

from attnviewer.compute.masks import MASKS
from attnviewer.compute.normalizers import NORMALIZERS

Variant = Literal["simplified", "self", "multi_head"]


@dataclass(frozen=True, slots=True)
class Spec:
    """An attention variant, as the list of stages is built from it.

    Parameters
    ----------
    projected : bool
        With the weights W_Q, W_K and W_V. Without them the embeddings are
        queries, keys and values at once ("simplified self-attention").
    n_heads : int
        Number of heads; each works on its own block of columns.
    output_projection : bool
        With W_O after the heads.
    scale : float or None
        Factor on the scores. None stands for 1/√d_k (Vaswani et al. 2017,
        equation 1); 1.0 leaves the scores as they are and has no step.
    mask : str
        A name of `attnviewer.compute.MASKS`.
    normalizer : str
        A name of `attnviewer.compute.NORMALIZERS`.

    Raises
    ------
    ValueError
        If a value is unknown, or two of them contradict each other.
    """

    projected: bool = True
    n_heads: int = 1
    output_projection: bool = False
    scale: float | None = None
    mask: str = "none"
    normalizer: str = "softmax"

    def __post_init__(self) -> None:
        if self.n_heads < 1:
            raise ValueError(
                f"The 'n_heads' must be at least 1. Got {self.n_heads} instead."
            )
        if self.scale is not None and not math.isfinite(self.scale):
            raise ValueError(
                f"The 'scale' must be a finite number. Got {self.scale} instead."
            )
        _check_name("mask", self.mask, MASKS)
        _check_name("normalizer", self.normalizer, NORMALIZERS)
        if not self.projected and self.n_heads > 1:
            raise ValueError(
                "The 'n_heads' must be 1 without projections (simplified "
                f"self-attention). Got {self.n_heads} instead."
            )
        if not self.projected and self.output_projection:
            raise ValueError(
                "The 'output_projection' must be off without projections "
                "(simplified self-attention). Got on instead."
            )

    @property
    def variant(self) -> Variant:
        """The name that the field gives to this combination."""
        if not self.projected:
            return "simplified"
        if self.n_heads > 1 or self.output_projection:
            return "multi_head"
        return "self"

    @property
    def input_names(self) -> tuple[str, ...]:
        """The matrices that this variant starts from, in reading order."""
        names: tuple[str, ...] = ("X",)
        if self.projected:
            names += ("W_Q", "W_K", "W_V")
        if self.output_projection:
            names += ("W_O",)
        return names


def _check_name(what: str, name: str, known: Iterable[str]) -> None:
    names = list(known)
    if name in names:
        return
    nearest = get_close_matches(str(name), names, n=1)
    hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
    raise ValueError(
        f"The '{what}' must be one of {', '.join(names)}. Got '{name}' instead.{hint}"
    )
