"""Attention that the engine keeps up to date with its edits."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from attnviewer.compute.arrays import Array
from attnviewer.compute.changes import Dirty
from attnviewer.compute.weights import Weights

Blocks = tuple[Dirty, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DirtyBlocks:
    """The blocks that may have changed.

    Parameters
    ----------
    steps : mapping of str to tuple of Dirty
        Those of each step from the scores to the weighted values.
    numerators : tuple of Dirty
        Those of the stored numerators of the weights, where there are any. The weights
        themselves change wherever the total of their row does.
    """

    steps: Mapping[str, Blocks] = field(default_factory=dict)
    numerators: Blocks = ()


class IncrementalAttention(ABC):
    """Weights and weighted values, kept up to date with the steps before the scores."""

    @property
    @abstractmethod
    def weights(self) -> Weights:
        """The current weights."""

    @property
    @abstractmethod
    def touched(self) -> int:
        """How many scores, numerators of weights or both have been computed so far."""

    @property
    def compared(self) -> frozenset[str]:
        """The steps whose previous rows `update` needs; by default none."""
        return frozenset()

    @abstractmethod
    def update(
        self, dirty: Mapping[str, Dirty], previous: Mapping[str, Array]
    ) -> DirtyBlocks:
        """Bring the weights up to date.

        Parameters
        ----------
        dirty : mapping of str to Dirty
            Where the steps before the scores have changed.
        previous : mapping of str to ndarray
            The previous numbers of the changed rows of the `compared` steps, or of all
            rows where all have changed.
        """

    @abstractmethod
    def heads(self) -> Array:
        """Return the up-to-date weighted values, shape (..., h, n_q, d_v)."""
