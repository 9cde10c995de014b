"""Every step of a computation, kept up to date edit by edit."""

from collections.abc import Mapping
from typing import Any
from weakref import WeakMethod

import numpy as np
from numpy.typing import DTypeLike

from attnviewer.compute.arguments import check_name, float_type, rows_or_columns
from attnviewer.compute.arrays import Array, Index, Part
from attnviewer.compute.changes import EVERYTHING, Dirty, union
from attnviewer.compute.cost import cost
from attnviewer.compute.engine.live_attention import (
    Blocks,
    Followed,
    LiveAttention,
    Moved,
)
from attnviewer.compute.engine.live_weights import Progress
from attnviewer.compute.engine.overviews import Overviews
from attnviewer.compute.numbers import check_numbers
from attnviewer.compute.pipeline import build_stages
from attnviewer.compute.scores import Scores
from attnviewer.compute.sections import Pipeline
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import Stored
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.trace import Trace
from attnviewer.compute.validate import check_inputs
from attnviewer.compute.windowed import Overview

EXACT_TOKENS = 1024
"""Up to so many tokens everything is computed in double precision."""

_MOST_BLOCKS = 16
"""Blocks of a step that are told apart until someone asks what has changed."""

_REMEMBERED = 2**16
"""Numbers that a step may have which is kept as a whole once it is looked at."""

_WHOLE = (EVERYTHING,)


class Engine:
    """Computes once, and after each edit again only what the edit reaches.

    The arrays stay the caller's: change them, say where by `edit`, and read the
    steps. Edits are taken in at the next look, all at once. What is kept of the
    n × n steps is one array, the numerators of the weights; the other steps are
    computed for the window that is looked at. The output is not computed before
    it is looked at.

    After any sequence of edits the steps equal those of a computation from scratch
    up to rounding. In double precision the weights are within 1e-12, and the other
    steps within that share of their largest number. In single precision that is
    1e-6, but where scores cancel, or a low temperature multiplies their rounding, it
    can be some 1e-5: a computation from scratch is then as far from the exact
    numbers. The numerators are kept whatever their size.

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
        Is told the share of the first computation that is done, between 0 and 1,
        after each block of rows. What it raises gives the computation up.

    Raises
    ------
    ValueError
        If an array is missing, not finite or of a shape that does not fit.

    Examples
    --------
    >>> import numpy as np
    >>> from attnviewer.compute import Engine, Spec
    >>> x = np.eye(3)
    >>> engine = Engine(Spec(projected=False, scale=1.0), {"X": x})
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
    ) -> None:
        self.spec = spec
        self._given = {n: inputs[n] for n in spec.input_names if n in inputs}
        self._dtype = np.dtype(np.float64)
        check_inputs(spec, {name: self._own(a) for name, a in self._given.items()})
        self._dtype = self._checked_dtype(dtype)
        self._values = {name: self._own(array) for name, array in self._given.items()}
        check_inputs(spec, self._values)  # which may be beyond single precision
        self._edits: list[tuple[str, tuple[slice, slice], Array]] = []
        self._before: dict[str, Array] = {}
        self._changed: dict[str, Blocks] = {}
        shapes = {name: array.shape for name, array in self._given.items()}
        self._work = cost(spec, shapes)
        self._stages = build_stages(spec, shapes)
        pipeline = Pipeline(self._stages)
        self._mix = mix = pipeline.mix
        self._early, self._late = pipeline.sides, pipeline.after
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            for stage in self._early:
                inputs_now = (self._values[name] for name in stage.inputs)
                self._values[stage.name] = np.array(stage.forward(Part(), *inputs_now))
            self._scores = Scores(pipeline, self._values)
            self._attention = LiveAttention(
                self._scores, pipeline, self._values, progress
            )
        self._overviews = Overviews(self._attention.weights)
        self._remembered = {*self._scores.sides, mix.inputs[1]}
        self._looked = False
        self._trace = self._new_trace()

    def _checked_dtype(self, dtype: DTypeLike | None) -> "np.dtype[Any]":
        if dtype is None:
            tokens = max(self._given[name].shape[-2] for name in self.spec.sources)
            return np.dtype(np.float64 if tokens <= EXACT_TOKENS else np.float32)
        return float_type(dtype, ("float32", "float64"))

    def _own(self, array: Array) -> Array:
        is_mask = array.dtype == np.bool_
        with np.errstate(over="ignore"):
            return np.array(array, dtype=None if is_mask else self._dtype, order="C")

    @property
    def dtype(self) -> "np.dtype[Any]":
        """The type that the steps are computed in."""
        return self._dtype

    @property
    def touched(self) -> int:
        """How many scores, numerators of weights or both have been computed so far."""
        return self._attention.weights.touched

    def edit(self, matrix: str, region: tuple[slice, slice]) -> None:
        """Take note that some cells of an input have changed.

        They are copied at once, so that the caller may change them again.

        Parameters
        ----------
        matrix : str
            The input.
        region : tuple of two slice
            Its rows and columns that have changed; an array of more dimensions
            has them in each of its matrices, one of fewer is a single row.

        Raises
        ------
        TypeError, ValueError
            If there is no such input, the region is none, or a number is not finite
            in the engine's type; the steps then stay as they are.
        """
        check_name("matrix", matrix, self._given)
        if not isinstance(region, tuple) or len(region) != 2:
            raise TypeError(
                "The 'region' parameter must be two slices, of rows and of columns. "
                f"Got {region!r} instead."
            )
        given = np.atleast_2d(self._given[matrix])  # (..., rows, columns)
        n_rows, n_columns = given.shape[-2:]
        rows = _ascending(rows_or_columns("region", region[0]), n_rows)
        columns = _ascending(rows_or_columns("region", region[1]), n_columns)
        block = self._own(given[..., rows, columns])
        if block.dtype != np.bool_:
            check_numbers(
                f"'{matrix}' matrix",
                block,
                infinite=matrix == "bias",
                places=(range(n_rows)[rows], range(n_columns)[columns]),
            )
        if block.size:
            self._edits.append((matrix, (rows, columns), block))

    def update(self) -> dict[str, Blocks]:
        """Take in all edits since the last update.

        Returns
        -------
        dict of str to tuple of Dirty
            The blocks of each step that may have changed since the last call,
            those that a look has brought up to date among them.
        """
        self._take_in()
        changed, self._changed = self._changed, {}
        return changed

    def _take_in(self) -> None:
        """Bring all steps up to date, and note where they have changed."""
        if not self._edits:
            return
        dirty = self._write()
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            for stage in self._early:
                self._update_stage(stage, dirty)
            followed = self._follow(dirty)
        self._before.clear()
        self._looked = False
        self._trace = self._new_trace()
        changed: dict[str, Blocks] = {name: (block,) for name, block in dirty.items()}
        changed |= dict.fromkeys(self._scores.steps, followed.scores)
        changed["weights"] = followed.weights
        heads = followed.weights
        if dirty.get(self._mix.inputs[1]) is not None:
            heads = _WHOLE
        own = {name for stage in self._late for name in stage.inputs}
        late = _WHOLE if heads or own & dirty.keys() else ()
        changed[self._mix.name] = heads
        changed |= {stage.name: late for stage in self._late}
        self._overviews.note(changed, followed.numerators)
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

        See `Trace.window`. Windows of stored steps are views: copy what must
        outlive the next look after an edit.
        """
        self._take_in()
        if step == self._mix.name or step in (stage.name for stage in self._late):
            self._look()
        return self._trace.window(step, rows, columns, head=head, batch=batch)

    def trace(self) -> Trace:
        """Return all steps as they are now, to be read until the next `update`."""
        self._take_in()
        self._look()
        return self._trace

    def overview(self, step: str, head: int = 0) -> Overview:
        """Return the blocks of one head of a step as they are now.

        Kept from then on, and read again only where edits have reached. Good until
        the next edit, like a window.
        """
        return self._overviews.of(self.trace(), step, head)

    @property
    def heads_looked_at(self) -> frozenset[int]:
        """The heads of whose weights somebody has an overview that is up to date."""
        return self._overviews.heads

    def _limits(self, step: str) -> tuple[float, float] | None:
        return self._overviews.limits(self._trace, step)

    def _write(self) -> dict[str, Dirty]:
        """Write the edits into the engine's own inputs; return where."""
        dirty: dict[str, Dirty] = {}
        for matrix, region, _ in self._edits:
            own = np.atleast_2d(self._values[matrix])
            rows, columns = (
                np.arange(size)[part]
                for part, size in zip(region, own.shape[-2:], strict=True)
            )
            here = Dirty(rows, columns)
            dirty[matrix] = dirty[matrix] | here if matrix in dirty else here
        for matrix, block in dirty.items():
            self._remember(matrix, block)
        for matrix, region, numbers in self._edits:
            np.atleast_2d(self._values[matrix])[..., *region] = numbers
        self._edits.clear()
        return dirty

    def _update_stage(self, stage: Stored, dirty: dict[str, Dirty]) -> None:
        """Update one step before the scores where an edit has reached it."""
        blocks = [dirty.get(name) for name in stage.inputs]
        if all(block is None for block in blocks):
            return
        inputs = [self._values[name] for name in stage.inputs]
        output = self._values[stage.name]
        reached = stage.reach(blocks, output.shape)
        if reached.rows is not None and not reached.rows.size:
            return
        self._remember(stage.name, reached)
        stage.update(inputs, output, reached)
        dirty[stage.name] = reached

    def _remember(self, step: str, reached: Dirty) -> None:
        """Keep what a step was whose change the attention must know."""
        if step in self._remembered:
            rows = slice(None) if reached.rows is None else reached.rows
            self._before[step] = self._values[step][..., rows, :].copy()

    def _follow(self, dirty: Mapping[str, Dirty]) -> Followed:
        changed = [name for name in self._scores.others if name in dirty]
        if changed:
            self._scores.spread()
        others = union([self._spread_out(name, dirty[name]) for name in changed])
        queries, keys, values = (
            self._moved(name, dirty)
            for name in (*self._scores.sides, self._mix.inputs[1])
        )
        return self._attention.follow(queries, keys, values, others)

    def _spread_out(self, name: str, block: Dirty) -> Dirty:
        """Return which scores a block of bias or mask is broadcast to."""
        if name not in ("bias", "mask"):
            return EVERYTHING
        shape = (1, 1, *self._values[name].shape)
        return Dirty(
            block.rows if shape[-2] > 1 else None,
            block.columns if shape[-1] > 1 else None,
        )

    def _moved(self, step: str, dirty: Mapping[str, Dirty]) -> Moved | None:
        return Moved(dirty[step], self._before[step]) if step in dirty else None

    def _look(self) -> None:
        """Bring the steps after the weights up to date."""
        if self._looked:
            return
        with one_blas_thread(self._work), np.errstate(all="ignore"):
            self._values[self._mix.name] = self._attention.output.look()
            for stage in self._late:
                inputs = (self._values[name] for name in stage.inputs)
                self._values[stage.name] = stage.forward(Part(), *inputs)
        self._looked = True
        self._trace = self._new_trace()

    def _new_trace(self) -> Trace:
        weights = self._attention.weights.view
        return Trace(
            self.spec,
            self._stages,
            self._values,
            weights,
            remembered=_REMEMBERED,
            limits=WeakMethod(self._limits),
        )


def _ascending(part: slice, size: int) -> slice:
    """Return the places of a slice from the first to the last, whatever its step."""
    places = range(size)[part]
    if places.step < 0:
        places = places[::-1]
    return slice(places.start, places.stop, places.step)
