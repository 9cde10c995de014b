"""The keys that each query sees under all mask rules, without computing scores."""

import numpy as np

from attnviewer.compute.arrays import BoolArray
from attnviewer.compute.pipeline import mask_stage
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages.mask import GIVEN
from attnviewer.compute.stages.offsets import at


class Visibility:
    """The keys that the masks of a variant leave visible, read by window.

    No n × n array is computed or stored: rules are evaluated for a window.

    Parameters
    ----------
    spec : Spec
        The variant, without a batch.
    n_q, n_k : int
        Numbers of queries and of keys that have a position.
    mask : ndarray of bool, shape (n_q, n_k), optional
        The given mask, where the variant has one. It is read when needed, not copied.
    """

    def __init__(
        self, spec: Spec, n_q: int, n_k: int, mask: BoolArray | None = None
    ) -> None:
        self.shape = (n_q, n_k)
        self._stage = mask_stage(spec, "scores", n_k)
        self._offset = int(at(spec.query_offset, ()))
        self._mask = mask if spec.mask else None

    def window(
        self, rows: slice = slice(None), columns: slice = slice(None)
    ) -> BoolArray:
        """Return whether queries see keys.

        Parameters
        ----------
        rows, columns : slice without step
            The queries and keys; all by default.

        Returns
        -------
        ndarray of bool, shape (rows, columns)
            True where the query may attend to the key.
        """
        n_q, n_k = self.shape
        queries = np.arange(*rows.indices(n_q))[:, np.newaxis]  # (rows, 1)
        keys = np.arange(*columns.indices(n_k))  # (columns,)
        visible = ~self._stage.ruled_out(queries + self._offset, keys)
        shape = len(queries), len(keys)
        if self._mask is None:
            return np.array(np.broadcast_to(visible, shape))
        return visible & self._mask[rows, columns]  # (rows, columns)

    def seen_by(self, query: int) -> int:
        """Return how many keys a query sees."""
        # Every rule leaves each query a range of keys, and so does their intersection.
        start, stop = self._stage.visible((), query, query)
        if self._mask is None:
            return stop - start
        return int(np.count_nonzero(self._mask[query, start:stop]))

    def count(self) -> int:
        """Return how many pairs of a query and a key are visible."""
        if self._mask is not None and not self._has_rules:
            return int(np.count_nonzero(self._mask))
        queries = np.arange(self.shape[0])
        starts, stops = self._stage.ranges(queries + self._offset)  # (n_q,) each
        if self._mask is None:
            return int((stops - starts).sum())
        ends = zip(self._mask, starts.tolist(), stops.tolist(), strict=True)
        return sum(int(np.count_nonzero(row[start:stop])) for row, start, stop in ends)

    @property
    def _has_rules(self) -> bool:
        return bool(self._stage.rules) or self._stage.key_lengths is not None

    def reasons(self, query: int, key: int) -> list[str]:
        """Return the reasons why a query does not see a key; empty if it does."""
        reasons = self._stage.reasons_at(query, key)
        if self._mask is not None and not self._mask[query, key]:
            reasons.append(GIVEN)
        return reasons
