"""The matrices of an export."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial

from attnviewer.compute import Array, Folded, StepHead, Trace
from attnviewer.document import Region
from attnviewer.document.labels import axis_labels
from attnviewer.io.export.computation import Choice, Computation

BLOCK = 2**20
"""Numbers to read at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """One matrix: a step, a head of it, or some of its cells.

    Parameters
    ----------
    name : str
        The name of its file, such as ``weights.head0``.
    step : str
        The step.
    head : int or None
        Which of the step's heads, if it has several.
    row_labels, column_labels : tuple of str
        Tokens, or numbers from zero for features.
    region : Region
        Its rows and columns of the step.
    window : callable
        Returns a window of the step.
    """

    name: str
    step: str
    head: int | None
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    region: Region
    window: Callable[[slice, slice], Array]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns; a vector is one row."""
        return self.region.height, self.region.width

    @property
    def values(self) -> Array:
        """The numbers, shape (rows, columns)."""
        return self.window(self.region.rows, self.region.columns)

    def rows(self) -> Iterator[Array]:
        """Yield the numbers row by row, shape (columns,), read in blocks."""
        for block in self.blocks():
            yield from block

    def blocks(self) -> Iterator[Array]:
        """Yield the numbers some rows at a time, shape (rows, columns)."""
        rows, most = self.region.rows, max(1, BLOCK // self.region.width)
        for start in range(rows.start, rows.stop, most):
            block = slice(start, min(start + most, rows.stop))
            yield self.window(block, self.region.columns)


def select_steps(trace: Trace, names: Iterable[str] | None = None) -> list[str]:
    """Return the selected steps, in the order given and each once.

    Parameters
    ----------
    trace : Trace
        The computation.
    names : iterable of str, optional
        Names of steps; None stands for all.

    Raises
    ------
    ValueError
        If the computation has no such step; names the nearest steps, or all.
    """
    if names is None:
        return list(trace)
    chosen = list(dict.fromkeys(names))
    if not chosen:
        raise ValueError("Name at least one step.")
    for name in chosen:
        if name not in trace:
            nearest = get_close_matches(name, list(trace), n=1)
            hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
            raise ValueError(
                f"There is no step '{name}' here.{hint} "
                f"The steps are {', '.join(trace)}."
            )
    return chosen


def check_choice(trace: Trace, choice: Choice) -> list[str]:
    """Return the chosen steps.

    Raises
    ------
    ValueError
        If the computation has no such step, head or cells.
    """
    steps = select_steps(trace, choice.steps)
    n_heads = trace.n_query_heads
    if choice.head is not None and not 0 <= choice.head < n_heads:
        raise ValueError(
            f"The 'head' must be from 0 to {n_heads - 1}. Got {choice.head} instead."
        )
    if choice.cells is not None:
        if len(steps) > 1:
            raise ValueError(
                f"The 'cells' must be of one step. Got {len(steps)} steps instead."
            )
        shape, here = trace.matrix_shape(steps[0]), choice.cells
        if not here.is_inside(shape):
            raise ValueError(
                f"The 'cells' must lie inside {steps[0]} {shape}. Got rows "
                f"{here.row}:{here.rows.stop}, columns "
                f"{here.column}:{here.columns.stop} instead."
            )
    return steps


def chosen_matrices(trace: Trace, choice: Choice) -> list[tuple[str, int | None]]:
    """Return the chosen steps, with each of their heads if there are several.

    Raises
    ------
    ValueError
        If the computation has no such step, head or cells.
    """
    found: list[tuple[str, int | None]] = []
    for step in check_choice(trace, choice):
        n_heads = trace.n_heads(step)
        if n_heads == 1:
            found.append((step, None))
        elif choice.head is not None:
            found.append((step, trace.head_of(step, choice.head)))
        else:
            found += [(step, head) for head in range(n_heads)]
    return found


def part_name(step: str, head: int | None) -> str:
    """Return the file name of a step, or of one of its heads."""
    return step if head is None else f"{step}.head{head}"


def read_part(
    computation: Computation, step: str, head: int | None, choice: Choice
) -> Part:
    """Return one of `chosen_matrices` with its labels; numbers are read later."""
    trace = computation.trace
    # Windows are indexed by query head; several may share one head of keys and values.
    served = trace.served_by(step, head or 0)
    folded = choice.folded_in(trace, step)
    if folded is not None:
        matrix = Folded(StepHead(trace, step, served[0]), folded.folding)
        return Part(
            part_name(step, head),
            step,
            head,
            folded.row_labels,
            folded.column_labels,
            Region(0, 0, *matrix.shape),
            matrix.window,
        )
    region = choice.cells or Region(0, 0, *trace.matrix_shape(step))
    row_labels, column_labels = (
        tuple(axis_labels(axis, computation.labels, chosen.stop)[chosen.start :])
        for axis, chosen in zip(
            trace.stages[step].axes, (region.rows, region.columns), strict=True
        )
    )
    return Part(
        part_name(step, head),
        step,
        head,
        row_labels,
        column_labels,
        region,
        partial(trace.window, step, head=served[0]),
    )
