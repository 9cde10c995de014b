"""The attention of a token, laid on the grid of tokens."""

from dataclasses import dataclass, replace

from attnviewer.compute import Array, BoolArray, Combination, Combined, StepHead
from attnviewer.document.token_grid import TokenGrid
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.grid_image import fitted_scale, on_grid
from attnviewer.ui.paint.step_content import DisplayedStep, content_of
from attnviewer.ui.paint.theme import Theme


@dataclass(frozen=True, slots=True, eq=False)
class GridContent:
    """A row of a step: the numbers of a query for all keys.

    Parameters
    ----------
    grid : TokenGrid
        Where the keys are.
    labels : tuple of str
        What tokens are called.
    query : int
        The query.
    values : ndarray, shape (n,)
        Its number for each key.
    hidden : ndarray of bool, shape (n,), or None
        The keys that a mask hides.
    scale : ColorScale
        The colours of the step.
    theme : Theme
        The theme in force.
    """

    grid: TokenGrid
    labels: tuple[str, ...]
    query: int
    values: Array
    hidden: BoolArray | None
    scale: ColorScale
    theme: Theme

    def fitted(self) -> "GridContent":
        """Return the same with colours up to the largest number of the grid."""
        return replace(self, scale=fitted_scale(self.scale, *self.on_grid))

    @property
    def on_grid(self) -> tuple[Array, BoolArray | None]:
        """Numbers and hidden keys of the grid, each (rows, columns)."""
        hidden = None if self.hidden is None else on_grid(self.hidden, self.grid)
        return on_grid(self.values, self.grid), hidden


def grid_content(
    shown: DisplayedStep, query: int, how: Combination | None
) -> GridContent:
    """Return what a query has for all keys.

    Parameters
    ----------
    shown : DisplayedStep
        A step of queries and keys, of tokens on a grid.
    query : int
        The query.
    how : str or None
        ``mean`` or ``max`` of all heads; None for the chosen head.
    """
    trace, step = shown.computed.trace, shown.step
    content, labels = content_of(shown), shown.computed.labels
    matrix = content.matrix
    if how is not None:
        heads = trace.n_heads(step)
        matrix = Combined([StepHead(trace, step, head) for head in range(heads)], how)
    row = slice(query, query + 1)
    hidden = matrix.hidden(row)
    grid = labels.grid
    assert grid is not None
    return GridContent(
        grid,
        labels.keys,
        query,
        matrix.window(row)[0],
        None if hidden is None or not hidden.any() else hidden[0],
        content.scale,
        shown.theme,
    )
