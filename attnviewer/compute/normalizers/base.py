"""What a normaliser is: a row's state, and how any window of weights follows."""

from abc import ABC, abstractmethod
from typing import ClassVar

from attnviewer.compute.arrays import Array
from attnviewer.compute.formula import Cell, Formula


class Normalizer(ABC):
    """Turns rows of scores into attention weights.

    The work is split in two, so that a window of an n × n matrix can be had
    without the rest: `state` looks at whole rows once, `apply` needs only the
    scores of the window and the state of its rows.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    formula: ClassVar[str]
    signed: ClassVar[bool]
    """Whether weights may be negative."""

    @abstractmethod
    def state(self, scores: Array) -> Array:
        """Return what each row must know, shape (..., n_q, number of states)."""

    @abstractmethod
    def apply(self, scores: Array, state: Array) -> Array:
        """Return the weights of a window of scores.

        Parameters
        ----------
        scores : ndarray, shape (..., rows, columns)
            Scores of the window; −inf where a key is masked.
        state : ndarray, shape (..., rows, number of states)
            What `state` returned for the window's rows.

        Returns
        -------
        ndarray, shape (..., rows, columns)
            Weights; zero where masked, and in rows that are masked as a whole.
        """

    @abstractmethod
    def explain(
        self, scores: Array, column: int, cell: Cell, source: str, limit: int
    ) -> Formula:
        """Write one weight out.

        Parameters
        ----------
        scores : ndarray, shape (n_k,)
            The cell's row of scores.
        column : int
            The key.
        cell : Cell
            The weight that is explained.
        source : str
            Name of the step the scores come from.
        limit : int
            How many terms a sum may have.
        """

    def normalize(self, scores: Array) -> Array:
        """Return the weights of whole rows, shape of `scores`."""
        return self.apply(scores, self.state(scores))
