"""The content of a panel of a figure."""

from dataclasses import dataclass

from attnviewer.compute import Combination, Folding, Trace
from attnviewer.compute.arguments import check_name
from attnviewer.compute.progress import Progress
from attnviewer.document.comparison import Side
from attnviewer.io.export import Computation
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.state.first_look import first_weight
from attnviewer.ui.state.folds import NO_FOLDS, Folds
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, step_of_view

SINGLE = ("how", "on_picture")
"""The views that show single tokens."""
COMBINING = ("heatmap", "table", "on_picture")
"""The views that can show heads as one matrix."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The computation that a difference is taken from: A.

    Parameters
    ----------
    title : str
        Its title.
    side : Side
        Its steps and tokens.
    """

    title: str
    side: Side

    @classmethod
    def of(cls, computation: Computation) -> "Compared":
        """Return a computation as A."""
        return cls(computation.title, Side(computation.trace, computation.labels))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Panel:
    """A view of a step of a computation.

    Parameters
    ----------
    computation : Computation
        The steps, with their tokens.
    step : str
        The step.
    view : str
        One of `attnviewer.ui.figures.kinds.KINDS`.
    head : int
        The query head; the views of all heads ignore it.
    cell : tuple of two int, optional
        Row and column of the cell that is framed; none by default.
    focus : tuple of two int, optional
        Row and column that an operation is drawn for where no cell is framed; by
        default those of the weight that tells most. In a smaller matrix, the closest.
    compared : Compared, optional
        What the difference is taken from.
    threshold : float, optional
        The least weight that has a line; by default half of an even share.
    scale : ColorScale, optional
        The colours; by default those of the step.
    place : str
        Where in a model it is from, such as ``layer 3 of all-MiniLM-L6-v2``.
    layer : int, optional
        Which layer of the model that is.
    combination : str, optional
        ``mean`` or ``max`` of several heads; by default the head alone. Of
        `COMBINING` views.
    folds : Folds
        The groups of tokens, and which of them are folded in the weights.
    heads : tuple of int
        The heads whose lines are drawn over each other, by default the head alone; or
        those of the step that are combined, by default all.
    hues : bool
        Whether the lines of each of them have their own colour.
    progress : callable, optional
        Called with the part of a long step that has been read.

    Raises
    ------
    ValueError
        If there is no such step, head or cell.
    """

    computation: Computation
    step: str = "weights"
    view: str = "heatmap"
    head: int = 0
    cell: Position | None = None
    compared: Compared | None = None
    threshold: float | None = None
    scale: ColorScale | None = None
    place: str = ""
    layer: int | None = None
    combination: Combination | None = None
    folds: Folds = NO_FOLDS
    heads: tuple[int, ...] = ()
    hues: bool = True
    focus: Position | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        trace = self.trace
        check_name("step", self.step, trace)
        n_heads = trace.n_query_heads
        for head in (self.head, *self.heads):
            if not 0 <= head < n_heads:
                raise ValueError(
                    f"The 'head' must be from 0 to {n_heads - 1}. Got {head} instead."
                )
        if self.combination is not None and self.view not in COMBINING:
            raise ValueError(
                f"The 'view' of combined heads must be one of {', '.join(COMBINING)}. "
                f"Got '{self.view}' instead."
            )
        if self.cell is not None:
            rows, columns = self.shape
            row, column = self.cell
            if not (0 <= row < rows and 0 <= column < columns):
                raise ValueError(
                    f"The 'cell' must lie in {rows} rows and {columns} columns. "
                    f"Got {row}, {column} instead."
                )

    @property
    def trace(self) -> Trace:
        """The steps."""
        return self.computation.trace

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the step."""
        rows, columns = self.trace.matrix_shape(self.step)
        return rows, columns

    @property
    def cell_in_focus(self) -> Position:
        """The cell that an operation is drawn for: the framed one, if there is one."""
        cell = self.cell or self.focus
        if cell is None:
            cell = first_weight(self.trace, self.head, self.computation.labels)
        rows, columns = self.shape
        return min(cell[0], rows - 1), min(cell[1], columns - 1)

    @property
    def shown_step(self) -> str:
        """The step whose numbers are drawn."""
        return step_of_view(self.view, self.step)

    @property
    def folding(self) -> Folding | None:
        """The folding of rows and columns; None if they are not combined."""
        if self.view in SINGLE or self.shown_step != STEP_OF_ALL:
            return None
        rows, columns = self.trace.matrix_shape(STEP_OF_ALL)
        return self.folds.folding((rows, columns))

    @property
    def several_heads(self) -> bool:
        """Whether no head is drawn alone, if there is more than one."""
        if self.view == "lines":
            return bool(self.heads)
        return self.view == "heads" or self.combination is not None

    @property
    def combined_heads(self) -> tuple[int, ...]:
        """The heads of the step that are combined."""
        return self.heads or tuple(range(self.n_heads))

    @property
    def lined_heads(self) -> tuple[int, ...]:
        """The heads that have lines."""
        return self.heads or (self.head,)

    @property
    def own_head(self) -> int:
        """The head of the step that serves the query head."""
        return self.trace.head_of(self.step, self.head)

    @property
    def n_heads(self) -> int:
        """The number of heads of the step."""
        return self.trace.n_heads(self.step)
