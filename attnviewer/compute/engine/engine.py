"""Every step of a computation, kept up to date edit by edit."""

from collections.abc import Mapping
from functools import partial
from typing import Any
from weakref import WeakMethod

import numpy as np
from numpy.typing import DTypeLike

from attnviewer.compute.arguments import float_type
from attnviewer.compute.arrays import Array, Index, Shape
from attnviewer.compute.building import build_stages
from attnviewer.compute.changes import EVERYTHING, Dirty
from attnviewer.compute.cost import cost
from attnviewer.compute.engine.choosing import choose_attention
from attnviewer.compute.engine.computed_steps import (
    ComputedStep,
    compute_sides,
    rows_before,
)
from attnviewer.compute.engine.incremental_attention import Blocks
from attnviewer.compute.engine.late_steps import (
    LateSteps,
    compute_late,
    late_shapes,
)
from attnviewer.compute.engine.live_attention import LiveAttention
from attnviewer.compute.engine.on_demand_attention import OnDemandAttention
from attnviewer.compute.engine.on_demand_steps import OnDemandSteps
from attnviewer.compute.engine.pending_edits import PendingEdits
from attnviewer.compute.engine.storing import stores_weights
from attnviewer.compute.progress import Progress
from attnviewer.compute.sections import sections
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import Stored
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.trace import Trace
from attnviewer.compute.validate import check_inputs
from attnviewer.compute.windowed import Overview, SketchedOverview

EXACT_TOKENS = 1024
"""The most tokens for which everything is computed in double precision."""

_MOST_BLOCKS = 16
"""Changed blocks of a step that are listed separately until `update` returns them."""

_REMEMBERED = 2**16
"""The most numbers of a step that is cached as a whole once it is read."""

_WHOLE = (EVERYTHING,)


class IncrementalEngine:
    """Computes every step once, and after an edit only what the edit reaches.

    The arrays remain the caller's: change them, report the region with `edit`, and
    read the steps. Pending edits are applied together at the next read. Of the n × n
    steps only one array is stored, the numerators of the weights; the others are
    computed for the window that is read. The output is computed when it is read.

    After any sequence of edits the steps equal those of a computation from scratch
    up to rounding. In double precision the error of the weights is below 1e-12, and
    that of the other steps below 1e-12 of their largest number. In single precision
    the bound is 1e-6, or about 1e-5 where scores cancel or a low temperature amplifies
    their rounding: a computation from scratch is then as far from the exact numbers.
    Of many weights (see `stores_weights`), a state per row is stored instead, and an
    edit attends the rows again that it reaches.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        The arrays of `spec.input_names`, as `run` takes them.
    dtype : dtype, optional
        float32 or float64; by default float64 up to 1,024 tokens and float32
        above.
    progress : callable, optional
        Called with the completed fraction of the first computation, between 0 and 1,
        after each block of rows. An exception raised by it aborts the computation.
    in_place : bool
        Whether inputs are read where they are, as after `take_edits_from`; every
        change of them must then be reported.

    Raises
    ------
    ValueError
        If an array is missing, not finite or of a shape that does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer.compute import IncrementalEngine, Spec
    >>> x = np.eye(3)
    >>> engine = IncrementalEngine(Spec(projected=False, scale=1.0), {"X": x})
    >>> x[0, 1] = 2.0
    >>> engine.edit("X", (slice(0, 1), slice(1, 2)))
    >>> engine.window("scores", slice(0, 1))
    array([[5., 2., 0.]])
    """

    def __init__(
        self,
        spec: Spec,
        inputs: Mapping[str, Array],
        dtype: DTypeLike | None = None,
        progress: Progress | None = None,
        *,
        in_place: bool = False,
    ) -> None:
        self.spec = spec
        given = {n: inputs[n] for n in spec.input_names if n in inputs}
        check_inputs(spec, _of_one_type(given))
        shapes = {name: array.shape for name, array in given.items()}
        self._dtype = _checked_dtype(dtype, spec, shapes)
        self._edits = PendingEdits(given, self._dtype)
        self._previous: dict[str, Array] = {}
        self._changed: dict[str, Blocks] = {}
        self._work = cost(spec, shapes)
        self._stages = build_stages(spec, shapes)
        self._pipeline = pipeline = sections(self._stages)
        self._mix = pipeline.mix
        self._early, self._late = pipeline.sides, pipeline.after
        self._late_shapes = late_shapes(pipeline, shapes)
        shares = in_place and not stores_weights(spec, given)
        # Inputs that are not copied.
        self._shared = self._needs_no_copy() if shares else frozenset()
        self._values = self._edits.inputs(self._shared)
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            compute_sides(pipeline, self._values, self._dtype)
            self._attention, self._overviews = choose_attention(
                pipeline, self._values, progress
            )
        self._compared = self._attention.compared
        self._trace = self._new_trace()

    @property
    def dtype(self) -> "np.dtype[Any]":
        """The type that the steps are computed in."""
        return self._dtype

    @property
    def touched(self) -> int:
        """How many scores, numerators of weights or both have been computed so far."""
        return self._attention.touched

    @property
    def stores_weights(self) -> bool:
        """Whether weights are stored; otherwise they are computed when read."""
        return not isinstance(self._attention, OnDemandAttention)

    def take_edits_from(self, inputs: Mapping[str, Array]) -> None:
        """Read the numbers of later edits from other arrays, and let the old ones go.

        Where no weights are stored, there are no longer copies of inputs that are only
        read where they are edited, or some rows at a time.

        Parameters
        ----------
        inputs : mapping of str to ndarray
            Arrays of the same shapes. Every change of them must be reported.
        """
        self._edits.given = given = {name: inputs[name] for name in self._edits.given}
        if not self.stores_weights:
            self._apply_edits()
            self._shared = self._needs_no_copy()
            shared = {name: given[name] for name in self._shared}
            self._values |= shared
            self._trace.replace(shared)  # overviews read it, too

    def _needs_no_copy(self) -> frozenset[str]:
        """Return inputs that only earlier steps, or rows of the scores, are made of.

        Of keys and values, the numbers before an edit are needed, too.
        """
        comparison = self._pipeline.comparison
        late = [stage for stage in self._stages if stage not in self._pipeline.before]
        read = [name for stage in late for name in stage.inputs]
        if comparison.reads_rows:
            read.remove(comparison.inputs[0])
        return frozenset(self._edits.given) - set(read)

    def edit(self, matrix: str, region: tuple[slice, slice]) -> None:
        """Report that some cells of an input have changed.

        They are copied immediately, so the caller may change them again.

        Parameters
        ----------
        matrix : str
            The input.
        region : tuple of two slice
            The changed rows and columns; in an array of more than two dimensions, of
            every matrix. An array of one dimension counts as a single row.

        Raises
        ------
        TypeError, ValueError
            If there is no such input, the region is invalid, or a number is not finite
            in the engine's type; the steps are then unchanged.
        """
        self._edits.add(matrix, region)

    def update(self) -> dict[str, Blocks]:
        """Apply all edits since the last update.

        Returns
        -------
        dict of str to tuple of Dirty
            The blocks of each step that may have changed since the last call,
            including those that a read has already brought up to date.
        """
        self._apply_edits()
        changed, self._changed = self._changed, {}
        return changed

    def _apply_edits(self) -> None:
        """Apply pending edits to all steps, and record where they have changed."""
        if not self._edits:
            return
        dirty = self._write_inputs()
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            for stage in self._early:
                self._update_stage(stage, dirty)
            dirty_blocks = self._attention.update(dirty, self._previous)
        self._previous.clear()
        self._trace = self._new_trace()
        changed: dict[str, Blocks] = {name: (block,) for name, block in dirty.items()}
        changed |= dirty_blocks.steps
        late_inputs = {name for stage in self._late for name in stage.inputs}
        heads = changed[self._mix.name]
        late = _WHOLE if heads or late_inputs & dirty.keys() else ()
        changed |= {stage.name: late for stage in self._late}
        self._overviews.note(changed, dirty_blocks.numerators)
        for name, blocks in changed.items():
            if blocks:
                noted = self._changed.get(name, ()) + blocks
                self._changed[name] = noted if len(noted) <= _MOST_BLOCKS else _WHOLE

    def window(
        self,
        step: str,
        rows: slice = slice(None),
        columns: slice = slice(None),
        *,
        head: int = 0,
        batch: int | Index = 0,
    ) -> Array:
        """Return a window of a step as it is now, shape (rows, columns).

        See `Trace.window`. Windows of stored steps are views: copy what must outlive
        the next edit.
        """
        self._apply_edits()
        return self._trace.window(step, rows, columns, head=head, batch=batch)

    def trace(self) -> Trace:
        """Return the current steps, valid until the next edit."""
        self._apply_edits()
        return self._trace

    def overview(self, step: str, head: int = 0) -> Overview:
        """Return an up-to-date overview of one head of a step.

        It is cached, and read again only where edits have reached. Like a window, it is
        valid until the next edit.
        """
        return self._overviews.of(self.trace(), step, head)

    def thumbnail(self, step: str, head: int = 0) -> Overview:
        """Return an up-to-date overview of one head of a step for a small picture.

        It is kept as that of `overview` is, and may be the same.
        """
        return self._overviews.thumbnail(self.trace(), step, head)

    def sketched(self, step: str, head: int = 0) -> SketchedOverview | None:
        """Return the overview of a step if it begins as a sketch; None if it does not.

        Its `reading` may run in another thread as long as nothing is edited.
        """
        if self._trace.is_stored(step):
            return None
        return self._overviews.sketched(self.trace(), step, head)

    def follows_column(self, matrix: str) -> bool:
        """Return whether the weights follow a changed column of an input by an update.

        Otherwise they are computed anew.
        """
        attention = self._attention
        if not isinstance(attention, LiveAttention):
            return False
        dirty = {matrix: Dirty(columns=np.zeros(1, np.intp))}
        for stage in self._early:
            blocks = [dirty.get(name) for name in stage.inputs]
            if any(block is not None for block in blocks):
                shape = self._values[stage.name].shape
                dirty[stage.name] = stage.reach(blocks, shape)
        return attention.follows(dirty)

    @property
    def heads_looked_at(self) -> frozenset[int]:
        """The heads whose weights have an up-to-date overview."""
        return self._overviews.heads

    def _limits(self, step: str) -> tuple[float, float] | None:
        return self._overviews.limits(self._trace, step)

    def _write_inputs(self) -> dict[str, Dirty]:
        """Write the edits into the copied inputs; return the changed blocks."""
        dirty = self._edits.regions()
        for matrix, block in dirty.items():
            self._save_previous(matrix, block)
        self._edits.write(self._values, self._shared)
        return dirty

    def _update_stage(self, stage: Stored, dirty: dict[str, Dirty]) -> None:
        """Update one step before the scores where an edit has reached it."""
        blocks = [dirty.get(name) for name in stage.inputs]
        if all(block is None for block in blocks):
            return
        inputs = [self._values[name] for name in stage.inputs]
        output: Array | ComputedStep = self._values[stage.name]
        reached = stage.reach(blocks, output.shape)
        if reached.rows is not None and not reached.rows.size:
            return
        self._save_previous(stage.name, reached)
        if isinstance(output, ComputedStep):
            output.update(reached)
        else:
            stage.update(inputs, output, reached)
        dirty[stage.name] = reached

    def _save_previous(self, step: str, reached: Dirty) -> None:
        """Save the previous rows of a step if the attention needs their difference."""
        if step in self._compared:
            rows = slice(None) if reached.rows is None else reached.rows
            self._previous[step] = rows_before(self._values[step], rows)

    def _new_trace(self) -> Trace:
        steps = self._values.items()
        return Trace(
            self.spec,
            self._stages,
            {name: step for name, step in steps if isinstance(step, np.ndarray)},
            self._unstored_steps(),
            remembered=_REMEMBERED,
            limits=WeakMethod(self._limits),
        )

    def _unstored_steps(self) -> OnDemandSteps | LateSteps:
        attention, pipeline, steps = self._attention, self._pipeline, self._values
        if isinstance(attention, OnDemandAttention):
            return OnDemandSteps(attention, pipeline, steps)
        # Not a method of the engine: its trace would keep it alive.
        late = partial(compute_late, attention, pipeline, steps, self._work)
        return LateSteps(attention.weights, self._late_shapes, late)


def _of_one_type(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """Return arrays of numbers in a type that holds them all; masks as they are."""
    numbers = {name: a for name, a in arrays.items() if a.dtype != np.bool_}
    dtype = np.result_type(np.float16, *numbers.values())
    return {**arrays, **{name: np.asarray(a, dtype) for name, a in numbers.items()}}


def _checked_dtype(
    dtype: DTypeLike | None, spec: Spec, shapes: Mapping[str, Shape]
) -> "np.dtype[Any]":
    """Return the type of the steps: a given one, or by the number of tokens."""
    if dtype is None:
        tokens = max(shapes[name][-2] for name in spec.sources)
        return np.dtype(np.float64 if tokens <= EXACT_TOKENS else np.float32)
    return float_type(dtype, ("float32", "float64"))
