"""A computation that follows its document edit by edit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from attnviewer.compute import (
    Dirty,
    Folded,
    Folding,
    IncrementalEngine,
    InMemory,
    Overview,
    StepHead,
    Trace,
    edit_cost,
    finite_limits,
)
from attnviewer.compute.engine.overviews import LARGE
from attnviewer.compute.withheld import withheld
from attnviewer.document import Change, Document, Labels, Snapshot

Precision = Literal["float64", "float32"]


@dataclass(frozen=True, slots=True)
class Veil:
    """The withheld parts of a document.

    Parameters
    ----------
    steps : frozenset of str
        Steps whose numbers are not; those that do not exist, or are inputs, are seen.
    mistakes : bool
        Whether it is hidden that, and where, the document computes with a mistake.
    """

    steps: frozenset[str] = frozenset()
    mistakes: bool = False


NO_VEIL = Veil()


class FoldedStep(NamedTuple):
    """A head of a step with rows and columns combined.

    Parameters
    ----------
    matrix : InMemory or Folded
        Its numbers.
    overview : Overview or None
        The same in blocks, if it is still too large to be read for each picture.
    """

    matrix: InMemory | Folded
    overview: Overview | None = None

    def limits(self) -> tuple[float, float] | None:
        """Return the smallest and the largest finite number; None without any."""
        if self.overview is not None:
            return self.overview.limits()
        return finite_limits(self.matrix.window())


@dataclass(frozen=True, slots=True, eq=False)
class Computed:
    """A trace, with the document's labels and revision at that moment.

    The next edit may change the trace's numbers in place; take a `Snapshot` of the
    document to keep them.

    Parameters
    ----------
    trace : Trace
        Every step.
    labels : Labels
        The tokens at that moment.
    revision : int
        The computed revision of the document.
    edited_at : float or None
        The time of the edit (`time.perf_counter`); None if there was none.
    changed : mapping of str to tuple of Dirty, or None
        Where the numbers may differ from the previous ones, by step; None for
        everywhere, shapes and steps included.
    steps : attnviewer.compute.IncrementalEngine, optional
        Keeps the trace up to date.
    follows : int or None
        The revision of the previous one.
    veil : Veil
        What of it nobody is to see yet: the trace has no numbers of these steps.
    """

    trace: Trace
    labels: Labels
    revision: int
    edited_at: float | None
    changed: Mapping[str, tuple[Dirty, ...]] | None = None
    steps: IncrementalEngine | None = None
    follows: int | None = None
    veil: Veil = NO_VEIL
    _folded: dict[object, FoldedStep] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def withheld(self) -> frozenset[str]:
        """The steps that nobody is to see yet."""
        return self.veil.steps

    def tells(self, step: str) -> bool:
        """Return whether it may be seen how a step is computed, from the inputs on."""
        if self.veil.mistakes or step in self.withheld:
            return False
        return all(map(self.tells, self.trace.stages[step].inputs))

    def without(self, veil: Veil) -> "Computed":
        """Return the same without what is not to be seen yet."""
        stages = self.trace.stages
        away = frozenset(s for s in veil.steps if s in stages and stages[s].inputs)
        mistakes = veil.mistakes and bool(self.trace.spec.mistakes)
        if (kept := Veil(away, mistakes)) == NO_VEIL:
            return self
        # Without the caches of steps, which hold the numbers.
        return Computed(
            withheld(self.trace, away, mistakes=mistakes),
            self.labels,
            self.revision,
            self.edited_at,
            veil=kept,
        )

    def changed_since(
        self, before: "Computed", step: str, head: int
    ) -> tuple[Dirty, ...] | None:
        """Return where a head of a step may differ from an earlier result.

        Parameters
        ----------
        before : Computed
            The earlier result.
        step : str
            The step.
        head : int
            One of the step's own heads.

        Returns
        -------
        tuple of Dirty, or None
            The blocks; None if they are not known.
        """
        if self.changed is None or not self._comes_after(before):
            return None
        return tuple(
            block
            for block in self.changed.get(step, ())
            if block.heads is None or head in block.heads
        )

    def keeps(self, before: "Computed", steps: Iterable[str]) -> bool:
        """Return whether steps are the same as in an earlier result.

        So they are if neither they nor any step that they are computed from has
        changed, nor a label. False if that is not known.
        """
        if self.changed is None or not self._comes_after(before):
            return False
        found = set(steps)
        waiting = list(found)
        while waiting:
            inputs = set(self.trace.stages[waiting.pop()].inputs) - found
            found |= inputs
            waiting += inputs
        return not found & self.changed.keys() and self.labels == before.labels

    def _comes_after(self, before: "Computed") -> bool:
        return before.steps is self.steps and before.revision == self.follows

    def overview(self, step: str, head: int = 0) -> Overview:
        """Return the overview of one head of a step, for a picture of any size.

        It is kept, and read again only where edits have changed the step.
        """
        if self.steps is None:
            return Overview(StepHead(self.trace, step, head))
        return self.steps.overview(step, head)

    def thumbnail(self, step: str, head: int = 0) -> Overview:
        """Return an overview of one head of a step for a small picture; kept, too."""
        if self.steps is None:
            return Overview(StepHead(self.trace, step, head))
        return self.steps.thumbnail(step, head)

    def folded(self, step: str, head: int, folding: Folding) -> FoldedStep:
        """Return a head of a step with rows and columns combined, read only once."""
        key = step, self.trace.matrix_index(step, head), folding
        if key not in self._folded:
            matrix = Folded(StepHead(self.trace, step, head), folding)
            rows, columns = matrix.shape
            self._folded[key] = (
                FoldedStep(matrix, Overview(matrix))
                if rows * columns > LARGE
                else FoldedStep(matrix.stored())
            )
        return self._folded[key]


class Live:
    """All steps of a document, and a copy of its inputs.

    Parameters
    ----------
    steps : attnviewer.compute.IncrementalEngine
        The steps.
    snapshot : Snapshot
        The inputs they were computed from; its arrays are written to.
    revision : int
        The revision of the document that it reflects.
    """

    def __init__(
        self, steps: IncrementalEngine, snapshot: Snapshot, revision: int
    ) -> None:
        self.steps = steps
        self.revision = revision
        self._labels = snapshot.labels
        self._snapshot: Snapshot | None = snapshot
        self._published: int | None = None

    def spare_copies(self, document: Document) -> None:
        """Let the copies of the inputs go where they are long.

        Edits are then read from the document itself. Of short ones, the copies are kept
        for the next job, as n × n masks and biases take long to copy.

        Parameters
        ----------
        document : Document
            The document, whose matrices have the shapes of the copies.
        """
        if not self.steps.stores_weights:
            self.steps.take_edits_from(document.inputs_in_place())
            self._snapshot = None

    def cost(self, change: Change) -> int:
        """Estimate the work of following a change of cells."""
        region, name, spec = change.region, change.matrix, self.steps.spec
        if name is None or region is None or name not in spec.input_names:
            return 0
        trace = self.steps.trace()
        shapes = {matrix: trace.shape(matrix) for matrix in spec.input_names}
        size, low_rank = (region.height, region.width), self.steps.follows_column(name)
        return edit_cost(spec, shapes, name, *size, low_rank=low_rank)

    def snapshot(self, document: Document, changes: Sequence[Change]) -> Snapshot:
        """Return the inputs with the changed cells; the steps stay as they are."""
        if self._snapshot is None:
            return Snapshot.of(document)
        for matrix, here in self._reached(changes):
            array = self._snapshot.inputs[matrix]
            # Of a table of positions, only the rows of existing tokens.
            array[here] = document.matrix(matrix)[: array.shape[0]][here]
        return self._snapshot

    def follow(self, document: Document, changes: Sequence[Change]) -> None:
        """Bring the steps up to date with changed cells."""
        if self._snapshot is not None:
            self.snapshot(document, changes)
        for matrix, here in self._reached(changes):
            self.steps.edit(matrix, here)
        self.revision = document.revision

    def _reached(
        self, changes: Sequence[Change]
    ) -> Iterator[tuple[str, tuple[slice, slice]]]:
        """Yield the changed inputs, and where they changed."""
        for change in changes:
            name, region = change.matrix, change.region
            if name in self.steps.spec.input_names and name and region:
                yield name, (region.rows, region.columns)

    def computed(self, edited_at: float | None, *, anew: bool) -> Computed:
        """Return the current steps."""
        steps = self.steps
        changed = steps.update()
        follows, self._published = self._published, self.revision
        return Computed(
            steps.trace(),
            self._labels,
            self.revision,
            edited_at,
            None if anew else changed,
            steps,
            follows,
        )
