"""The effects of interventions as grids, computed by jobs for a worker."""

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from attnviewer.ui.state.patching.reading import Reading
from attnviewer.ui.work.worker import Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.models import ModelTrace, Site
    from attnviewer.models.grid import Grid
    from attnviewer.models.patching.comparison import Positions
    from attnviewer.models.patching.metrics import Metric
    from attnviewer.ui.state.selection import Position


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """The effects of interventions at each place on a metric.

    Parameters
    ----------
    reading : Reading
        What was asked for.
    grid : Grid
        The share of the difference that a patch restores, or the change of the metric
        by switching a head off.
    metric : str
        What the metric is called.
    clean, corrupted : float
        The metric of the two runs; NaN without a corrupted one.
    estimated : bool
        Whether it is estimated by gradients.
    """

    reading: Reading
    grid: "Grid"
    metric: str
    clean: float
    corrupted: float
    estimated: bool = False

    def site(self, cell: "Position") -> "Site":
        """Return the place in the model of a cell, see `models.Site`."""
        assert self.grid.sites is not None
        return self.grid.sites[cell[0]][cell[1]]

    def token(self, cell: "Position") -> int | None:
        """Return the token that a cell is about; None where it is all of them."""
        return cell[1] if self.reading.choices.by_token else None


class EffectJob:
    """Computes the effect of an intervention at each place.

    Parameters
    ----------
    reading : Reading
        What is asked for; a complete one.
    estimated : bool
        Whether to estimate it by gradients.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    done, total : int
        How many runs have been computed, and how many there are.
    effect : Effect or None
        The result.
    """

    def __init__(self, reading: Reading, *, estimated: bool = False) -> None:
        self.reading, self.estimated = reading, estimated
        self.stopped = False
        self.done, self.total = 0, 0
        self.effect: Effect | None = None
        self._began = perf_counter()

    @property
    def seconds_left(self) -> float | None:
        """The remaining time, in seconds; None if that is not known yet."""
        done, total = self.done, self.total  # read once: the worker changes them
        if not 0 < done <= total:
            return None
        return (perf_counter() - self._began) * (total - done) / done

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If the metric is the same for both runs, or a number is not finite.
        Stopped
            If it was cancelled.
        """
        reading, metric = self.reading, self.reading.metric
        other = reading.corrupted if reading.choices.way == "patch" else None
        clean = metric(reading.clean)
        corrupted = np.nan if other is None else metric(other)
        self.total, self._began = self._count(), perf_counter()
        grid = self._grid(metric)
        if other is None:
            # By how much the metric changes, so that colours are centred on no effect.
            grid = replace(grid, values=grid.values - grid.center, center=0.0)
        name = str(metric)
        self.effect = Effect(reading, grid, name, clean, corrupted, self.estimated)

    def _grid(self, metric: "Metric") -> "Grid":
        from attnviewer.models.gradients import attribution_patching
        from attnviewer.models.patching import ablate, patch

        reading, choices = self.reading, self.reading.choices
        counted = _Counted(metric, self)
        if choices.way == "ablate":
            over = reading.over or None
            return ablate(reading.clean, to=choices.to, over=over, metric=counted)
        source, target = source_and_target(reading)
        positions: Positions = "each" if choices.by_token else "all"
        if self.estimated:
            return attribution_patching(
                source, target, choices.sites, metric, positions
            )
        return patch(source, target, choices.sites, counted, positions)

    def _count(self) -> int:
        """Return how often the metric will be called."""
        from attnviewer.models.activations import Site
        from attnviewer.models.activations.reading import shape_of

        reading, choices = self.reading, self.reading.choices
        n_layers, count = reading.clean.model.n_layers, 1
        if choices.way == "ablate":
            runs = len(reading.over) if choices.to == "resample" else 1
            return 1 + n_layers * reading.clean.model.n_heads * runs
        if choices.of_heads:
            count = shape_of(reading.clean, Site(choices.sites, 0))[0]
        tokens = len(reading.clean.ids) if choices.by_token else 1
        return 2 + n_layers * count * tokens


class _Counted:
    """A metric that counts the runs of a job, and ends it when that is cancelled."""

    def __init__(self, metric: "Metric", job: EffectJob) -> None:
        self._metric, self._job = metric, job

    def __call__(self, run: "ModelTrace") -> float:
        if self._job.stopped:
            raise Stopped
        found = self._metric(run)
        self._job.done += 1
        return found

    def __str__(self) -> str:
        return str(self._metric)


class PatchedHeadJob:
    """Makes the document of a head, or a layer, with what a cell stands for pinned.

    Parameters
    ----------
    effect : Effect
        The grid.
    cell : tuple of two int
        Its row and column.
    alone : bool
        Whether to open the head by itself.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    head : int
        The head to choose, counted in the model.
    document : Document or None
        The result.
    """

    def __init__(self, effect: Effect, cell: "Position", *, alone: bool) -> None:
        self.effect, self.cell, self._alone = effect, cell, alone
        self.stopped = False
        self.head = 0
        self.document: Document | None = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If a number is not finite.
        """
        from attnviewer.models.head_slice import HeadSlice
        from attnviewer.models.layer_documents import attention_document, is_whole

        reading, site = self.effect.reading, self.effect.site(self.cell)
        patched = _patched(reading, site, self.effect.token(self.cell))
        architecture = patched.model.architecture
        shared = site.kind == "values"
        sharing = architecture.n_heads // architecture.n_kv_heads if shared else 1
        self.head = (site.head or 0) * sharing
        together = HeadSlice.of(patched, self.head).together
        alone = self._alone and site.head is not None and not together
        whole = is_whole(patched) and not alone
        title = f"{patched.model.name} · {site.name}"
        title += " patched" if reading.choices.way == "patch" else " replaced"
        head = None if whole else self.head
        self.document = attention_document(patched, site.layer, head, title)


def source_and_target(reading: Reading) -> "tuple[ModelTrace, ModelTrace]":
    """Return the run that activations are taken from, and the one they are put into."""
    assert reading.corrupted is not None
    runs = reading.clean, reading.corrupted
    return (runs[1], runs[0]) if reading.choices.into_clean else runs


def correlation(one: "Grid", other: "Grid") -> float:
    """Return Pearson's correlation of two grids; NaN where one of them is constant."""
    both = np.stack([one.values.ravel(), other.values.ravel()])
    if both.shape[1] < 2 or not np.all(np.ptp(both, axis=1) > 0):
        return float("nan")
    return float(np.corrcoef(both)[0, 1])


def _patched(reading: Reading, site: "Site", token: int | None) -> "ModelTrace":
    """Return the run that a cell of the grid is about."""
    if reading.choices.way == "ablate":
        from attnviewer.models.patching.ablating import head_outputs

        run, to = reading.clean, reading.choices.to
        outputs = head_outputs(run, site.layer, to, reading.over)[0]  # (h, n, d_head)
        return run.with_activations({site: outputs[site.head]})
    source, target = source_and_target(reading)
    return target.patched(source, site, token)
