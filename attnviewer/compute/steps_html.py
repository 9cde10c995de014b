"""The steps of a computation as HTML, for Jupyter."""

import math
from collections.abc import Callable, Sequence
from html import escape

from attnviewer.compute.html import MOST_COLUMNS, MOST_ROWS, table_html
from attnviewer.compute.matrix_svg import matrix_svg
from attnviewer.compute.statistics import Limits
from attnviewer.compute.steps import StepReader

MOST_HEADS = 2
MOST_IN_PICTURE = 96
"""The most rows and columns of the weights in a picture."""
MOST_READ = 2**20
"""The most numbers that are read for the colours; of larger steps, those shown."""


def steps_html(
    steps: StepReader,
    limits: Callable[[str], Limits | None],
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> str:
    """Return steps as HTML, each of which can be opened.

    Parameters
    ----------
    steps : StepReader
        The steps.
    limits : callable
        Returns the smallest and the largest finite number of a step.
    rows, columns : sequence of str
        Labels of the queries and keys; by default their positions.
    """
    called = {"tokens": rows, "queries": rows, "keys": columns}
    pieces = []
    for name in steps:
        axes = steps.stages[name].axes
        names = [called.get(axis, ()) for axis in axes]
        shape = "×".join(map(str, steps.shape(name)))
        small = math.prod(steps.shape(name)) <= MOST_READ
        ends = limits(name) if small else None
        opened = " open" if name == steps.pipeline.weights else ""
        pieces.append(
            f"<details{opened}><summary><b>{escape(name)}</b> "
            f"<small>{shape} · {escape(steps.stages[name].formula)}</small></summary>"
            f"{_heads_html(steps, name, ends, *names)}</details>"
        )
    return f"<div>{''.join(pieces)}</div>"


def _heads_html(
    steps: StepReader,
    name: str,
    limits: Limits | None,
    rows: Sequence[str],
    columns: Sequence[str],
) -> str:
    heads = steps.n_heads(name)
    few = slice(MOST_ROWS), slice(MOST_COLUMNS)
    tables = []
    for head in range(min(heads, MOST_HEADS)):
        # Windows take heads of queries; several may share one of keys and values.
        window = steps.window(name, *few, head=steps.served_by(name, head)[0])
        if heads > 1:
            tables.append(f"<div><small>head {head}</small></div>")
        whole = steps.matrix_shape(name)  # a bias is a single row
        tables.append(table_html(window, rows, columns, limits=limits, shape=whole))
        if name == steps.pipeline.weights and window.shape != whole:
            part = slice(MOST_IN_PICTURE), slice(MOST_IN_PICTURE)
            weights = steps.window(name, *part, head=steps.served_by(name, head)[0])
            tables.append(f"<div>{matrix_svg(weights)}</div>")
    if heads > MOST_HEADS:
        tables.append(f"<small>and {heads - MOST_HEADS} more heads</small>")
    return "".join(tables)
