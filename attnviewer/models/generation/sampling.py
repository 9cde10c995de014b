"""Sampling of the next token."""

import math
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array
from attnviewer.compute.arguments import positive_number, real_number, whole_number
from attnviewer.models.next_token import probabilities


@dataclass(frozen=True, slots=True)
class Sampling:
    """The choice of the next token: the most probable one unless a number is given.

    The logits are divided by the temperature, then the `top_k` most probable tokens
    are kept, then those that together reach `top_p`; one of them is drawn.

    Parameters
    ----------
    temperature : float or None
        The divisor of the logits; None for 1.
    top_k : int or None
        How many tokens are kept; of equally probable ones, those of lower ids.
    top_p : float or None
        Of the tokens by descending probability, the fewest with this sum are kept
        (nucleus sampling).
    seed : int
        Together with the position, it determines the draw: the same sentence goes on
        in the same way.

    Raises
    ------
    ValueError, TypeError
        If a number is out of its range, or none.

    References
    ----------
    Fan et al. 2018, "Hierarchical Neural Story Generation" (top-k), arXiv:1805.04833;
    Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration" (top-p),
    arXiv:1904.09751.
    """

    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.temperature is not None:
            positive_number("temperature", self.temperature)
        if self.top_k is not None:
            whole_number("top_k", self.top_k, 1)
        if self.top_p is not None and not 0 < real_number("top_p", self.top_p) <= 1:
            raise ValueError(
                f"The 'top_p' must be above 0 and at most 1. Got {self.top_p} instead."
            )
        whole_number("seed", self.seed, 0)

    @property
    def greedy(self) -> bool:
        """Whether the most probable token is taken."""
        return self.temperature is None and self.top_k is None and self.top_p is None

    def distribution(self, logits: Array) -> Array:
        """Return the probabilities that a token is drawn by, shape (n_tokens,).

        Parameters
        ----------
        logits : ndarray, shape (n_tokens,)
            The logits.
        """
        if self.greedy:
            drawn = np.zeros(len(logits))
            drawn[np.argmax(logits)] = 1
            return drawn
        cooled = logits.astype(np.float64)
        cooled -= cooled.max()
        with np.errstate(over="ignore"):  # to −inf, whose share is 0
            cooled /= self.temperature or 1.0
        shares = probabilities(cooled)  # (n_tokens,)
        order = np.argsort(-shares, kind="stable")
        shares[order[self.top_k :] if self.top_k is not None else order[:0]] = 0
        if self.top_p is not None:
            reached = np.cumsum(shares[order] / shares.sum())  # (n_tokens,)
            shares[order[1:][reached[:-1] >= self.top_p]] = 0
        return shares / math.fsum(shares)

    def choose(self, logits: Array, position: int) -> int:
        """Return the id of the next token.

        Parameters
        ----------
        logits : ndarray, shape (n_tokens,)
            The logits.
        position : int
            The position of the token.
        """
        if self.greedy:
            return int(np.argmax(logits))
        draw = np.random.default_rng((self.seed, position))
        return int(draw.choice(len(logits), p=self.distribution(logits)))
