"""Jobs that read the weights of a head."""

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import TypeVar

from attnviewer.compute.patterns import (
    HeadPatterns,
    Kept,
    KeptCosts,
    find_patterns,
    kept_costs,
    run_in_threads,
)
from attnviewer.ui.state.patterns.head import Head
from attnviewer.ui.work.worker import Stopped

Result = TypeVar("Result")


class HeadJob:
    """Reads the weights of a head block by block, until it is stopped.

    Attributes
    ----------
    head : Head
        The head.
    stopped : bool
        Set to cancel it; it ends after the blocks that have begun.
    share : float
        The share of the work that is done.
    """

    def __init__(self, head: Head) -> None:
        self.head = head
        self.stopped = False
        self.share = 0.0
        self._started: float | None = None

    @property
    def seconds_left(self) -> float | None:
        """The remaining time, in seconds; None before that is known."""
        if self._started is None or not self.share:
            return None
        return (perf_counter() - self._started) / self.share * (1 - self.share)

    def run(self) -> None:
        """Read the weights.

        Raises
        ------
        Stopped
            If it was stopped.
        ValueError
            If numbers are not finite.
        """
        self._started = perf_counter()
        self._compute()

    def _compute(self) -> None:
        raise NotImplementedError

    def _proceed(self, share: float) -> None:
        self.share = share
        self._check()

    def _check(self) -> None:
        if self.stopped:
            raise Stopped

    def _blocks(
        self, function: Callable[[slice], Result], blocks: Sequence[slice]
    ) -> Iterator[Result]:
        """Compute blocks in threads, none of them after it was stopped."""

        def compute(block: slice) -> Result:
            self._check()
            return function(block)

        return run_in_threads(compute, blocks)


class FindJob(HeadJob):
    """Finds the patterns of a head.

    Attributes
    ----------
    found : HeadPatterns or None
        The result.
    """

    found: HeadPatterns | None = None

    def _compute(self) -> None:
        head = self.head
        self.found = find_patterns(
            head.weights,
            query_offset=head.query_offset,
            tokens=head.tokens,
            progress=self._proceed,
            run=self._blocks,
        )


class CostJob(HeadJob):
    """Compares the output of a head with that of the cells that are kept.

    Parameters
    ----------
    head : Head
        The head.
    kept : Kept
        The cells.
    rows : slice
        The queries.

    Attributes
    ----------
    costs : KeptCosts or None
        The result.
    """

    costs: KeptCosts | None = None

    def __init__(self, head: Head, kept: Kept, rows: slice) -> None:
        super().__init__(head)
        self.kept, self.rows = kept, rows

    def _compute(self) -> None:
        head = self.head
        self.costs = kept_costs(
            head.weights,
            self.kept,
            head.values,
            rows=self.rows,
            query_offset=head.query_offset,
            progress=self._proceed,
            run=self._blocks,
        )
