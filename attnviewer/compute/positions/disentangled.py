"""Relative positions with keys and queries of their own: disentangled attention."""

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from attnviewer.compute.arguments import check_name
from attnviewer.compute.arrays import IndexArray

Term: TypeAlias = Literal["c2p", "p2c"]
TERMS: tuple[Term, ...] = ("c2p", "p2c")
"""Content to position, and position to content."""


@dataclass(frozen=True, slots=True)
class Disentangled:
    """Scores of contents with relative positions, added to those of contents.

    With a table R of 2k rows, its keys K_R and its queries Q_R, the scores are

        q_i · k_j + q_i · K_R[δ(i, j)] + k_j · Q_R[δ(i, j)],

    where δ(i, j) = i − j + k, from 0 to 2k − 1. The factor of the scores stays
    1/√d_k unless another is given; the paper's is 1/√(3 d_k), for three terms.

    Parameters
    ----------
    span : int
        Half the rows of R, k: distances beyond it share its first or its last row.
    terms : tuple of str
        ``"c2p"`` for q_i · K_R and ``"p2c"`` for k_j · Q_R; at least one.
    own_weights : bool
        K_R = R W_KR and Q_R = R W_QR instead of R W_K and R W_Q, each with the bias if
        there is one.
    longest : int or None
        With it, distances above k/2 share rows in buckets that grow by a constant
        factor, so that those below `longest` fit (DeBERTa-v2).

    Raises
    ------
    ValueError
        If the span, a term or the longest distance is not possible.

    Notes
    -----
    Equation 4 of the paper has δ(j, i) in the last term, the published code and all
    checkpoints δ(i, j), as here.

    References
    ----------
    He et al. 2021, "DeBERTa: Decoding-enhanced BERT with Disentangled Attention",
    arXiv:2006.03654, equations 3 and 4; for the buckets, the authors' published code.
    """

    has_table: ClassVar[bool] = False
    span: int
    terms: tuple[Term, ...] = TERMS
    own_weights: bool = False
    longest: int | None = None

    def __post_init__(self) -> None:
        if self.span < 1:
            raise ValueError(f"The 'span' must be at least 1. Got {self.span} instead.")
        for term in self.terms:
            check_name("terms", term, TERMS)
        if len(set(self.terms)) != len(self.terms) or not self.terms:
            raise ValueError(
                "The 'terms' must be c2p, p2c or both, each once. "
                f"Got {self.terms} instead."
            )
        if self.longest is not None and self.longest <= self.middle + 1:
            raise ValueError(
                f"The 'longest' must be above span // 2 + 1 = {self.middle + 1}. "
                f"Got {self.longest} instead."
            )
        if self.longest is not None and self.span < 2:
            raise ValueError(
                "The 'span' must be at least 2 with buckets. Got 1 instead."
            )

    @property
    def middle(self) -> int:
        """The largest distance with a row of its own, where there are buckets."""
        return self.span // 2

    @property
    def names(self) -> tuple[str, ...]:
        """The weights and biases of its own, in the order of the terms."""
        letters = {"c2p": "K", "p2c": "Q"}
        if not self.own_weights:
            return ()
        return tuple(
            f"{kind}_{letters[term]}R"
            for term in TERMS
            if term in self.terms
            for kind in "Wb"
        )

    def rows(self, distances: IndexArray) -> IndexArray:
        """Return δ, the row of R for each distance i − j, of the same shape."""
        if self.longest is not None:
            distances = self._buckets(distances)
        return np.clip(distances + self.span, 0, 2 * self.span - 1)

    def check_variant(self, *, projected: bool, score: str, extra_rows: bool) -> None:
        """Check that scores with relative positions fit the rest of a variant.

        Raises
        ------
        ValueError
            If there are no projections, another score, or keys without a position.
        """
        wrong = ""
        if not projected:
            wrong = "without projections"
        elif score != "dot":
            wrong = f"with the score '{score}'"
        elif extra_rows:
            wrong = "with extra keys, which have no position"
        if wrong:
            raise ValueError(
                f"The 'positions' must not be disentangled {wrong}. "
                "Got Disentangled instead."
            )

    def _buckets(self, distances: IndexArray) -> IndexArray:
        """Return the bucket of each distance, with its sign.

        In single precision, as the checkpoints were trained: a distance near the limit
        of two buckets then falls into the same one.
        """
        assert self.longest is not None
        middle = np.float32(self.middle)
        sizes = np.maximum(np.abs(distances), self.middle).astype(np.float32)
        whole = np.log(np.float32(self.longest - 1) / middle)
        share = np.log(sizes / middle) / whole * (middle - 1)
        far = np.sign(distances) * (np.ceil(share).astype(np.intp) + self.middle)
        return np.where(np.abs(distances) <= self.middle, distances, far)
