"""Two runs that are compared place by place, by what each place does to a metric."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from attnviewer.compute.arguments import check_name
from attnviewer.models.activations import KINDS, PER_HEAD, Kind, Site
from attnviewer.models.activations.reading import shape_of
from attnviewer.models.activations.replacing import check_aligned
from attnviewer.models.grid import Grid
from attnviewer.models.patching.metrics import (
    Metric,
    default_metric,
    measure,
    metric_name,
)
from attnviewer.models.trace import ModelTrace

Positions: TypeAlias = Literal["all", "each"]
"""Whether all tokens are patched at once, or each by itself."""
Change: TypeAlias = Callable[[Site, int | None], float]
"""By how much the metric of the corrupted run changes if the activation at a site is
that of the clean one, for one token, or all with None."""


class _Row(NamedTuple):
    """A row of the grid: its label, and the site and token of each cell.

    The token is None where all are patched.
    """

    label: str
    cells: list[tuple[Site, int | None]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs that are compared by one kind of activation.

    Parameters
    ----------
    clean, corrupted : ModelTrace
        The runs, over as many tokens.
    kind : str
        The kind of activation.
    metric : callable
        Returns a number of a run.
    positions : str
        Whether all tokens are patched at once.
    good, bad : float
        The metric of the clean and of the corrupted run.
    """

    clean: ModelTrace
    corrupted: ModelTrace
    kind: Kind
    metric: Metric
    positions: Positions
    good: float
    bad: float

    @classmethod
    def of(
        cls,
        clean: ModelTrace,
        corrupted: ModelTrace,
        kind: Kind,
        metric: Metric | None,
        positions: Positions | None,
    ) -> "Comparison":
        """Return a comparison, with what is None as `patch` chooses it.

        Raises
        ------
        ValueError
            If the runs have different numbers of tokens, the model does not have the
            metric, or it is the same for both runs.
        """
        check_name("sites", kind, KINDS)
        if positions is None:
            positions = "all" if kind in PER_HEAD else "each"
        check_name("positions", positions, get_args(Positions))
        check_aligned(corrupted, clean)
        metric = default_metric(clean) if metric is None else metric
        good, bad = measure(metric, clean), measure(metric, corrupted)
        if not isfinite(good - bad) or good == bad:
            raise ValueError(
                "The 'metric' must differ between the two runs to show what restores "
                f"it. Got {good:.6g} for the clean and {bad:.6g} for the corrupted one "
                "instead."
            )
        return cls(clean, corrupted, kind, metric, positions, good, bad)

    def site(self, layer: int) -> Site:
        """Return the place of the activation in a layer, of all heads."""
        return Site(self.kind, layer)

    def grid(self, changes: Callable[[int], Change], what_share: str = "share") -> Grid:
        """Return the share of the metric that each place restores.

        Parameters
        ----------
        changes : callable
            Returns, for a layer, what changes the metric.
        what_share : str
            What the numbers are called in the title.
        """
        values, rows = [], []
        for layer in range(self.clean.model.n_layers):
            change = changes(layer)
            for row in self._rows(layer):
                rows.append(row)
                values.append(
                    [change(*cell) / (self.good - self.bad) for cell in row.cells]
                )
        each, per_head = self.positions == "each", self.kind in PER_HEAD
        columns = ["all tokens"]
        if each:
            columns = _tokens(self.clean, self.corrupted)
        elif per_head:
            columns = [f"H{site.head}" for site, _ in rows[0].cells]
        return Grid(
            np.array(values),
            [row.label for row in rows],
            columns,
            f"{self.kind.replace('_', ' ').capitalize()} patched: {what_share} of the "
            f"{metric_name(self.metric)} restored, from {self.bad:.6g} to "
            f"{self.good:.6g}",
            [[site for site, _ in row.cells] for row in rows],
            (
                "head" if per_head and each else "layer",
                "head" if per_head and not each else "token",
            ),
        )

    def _rows(self, layer: int) -> Iterator[_Row]:
        """Yield the rows of a layer."""
        whole, tokens = self.site(layer), range(len(self.clean.ids))
        if self.kind not in PER_HEAD:
            chosen = tokens if self.positions == "each" else [None]
            yield _Row(f"L{layer}", [(whole, token) for token in chosen])
            return
        count = shape_of(self.clean, whole)[0]
        heads = [Site(self.kind, layer, head) for head in range(count)]
        if self.positions == "all":
            yield _Row(f"L{layer}", [(site, None) for site in heads])
            return
        for site in heads:
            yield _Row(f"L{layer} H{site.head}", [(site, token) for token in tokens])


def _tokens(clean: ModelTrace, corrupted: ModelTrace) -> list[str]:
    """Return labels of the tokens, both where they differ: ``3 cat/dog``."""
    pairs = zip(
        clean.model.readable(clean.tokens),
        corrupted.model.readable(corrupted.tokens),
        strict=True,
    )
    return [
        f"{position} {one if one == other else f'{one}/{other}'}"
        for position, (one, other) in enumerate(pairs)
    ]
