"""Attention of which rows are computed when they are first read."""

from abc import abstractmethod

from attnviewer.compute.arrays import ALL, Array, Index, Selection
from attnviewer.compute.engine.incremental_attention import IncrementalAttention


class OnDemandAttention(IncrementalAttention):
    """Weights and weighted values whose rows are computed when they are first read.

    Rows that an edit reaches are computed again at the next read.
    """

    @abstractmethod
    def ensure(self, lead: Index, rows: Selection) -> None:
        """Compute those of some rows of the weights that are not known yet.

        Parameters
        ----------
        lead : tuple of int
            Batch item and head of one matrix; () for all.
        rows : slice or ndarray of intp
            The rows.
        """

    @abstractmethod
    def mixed(self, lead: Index, rows: Selection) -> Array:
        """Return some rows of the weighted values, shape (..., rows, d_v).

        The parameters are those of `ensure`; the result may be written to.
        """

    def heads(self) -> Array:
        return self.mixed((), ALL)
