"""The computation as it is filled cell by cell, a frame per cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.looks import Looks
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.views.step.how.drawing import Drawing
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.painting import DrawingPainter
from attnviewer.ui.views.step.how.pictures import compose
from attnviewer.ui.views.step.how.subject import Progress, Subject

MOST_FRAMES = 240
"""The most frames of an animation; longer walks skip cells."""
MARGIN = 16
USUAL_HEIGHT = 600
"""The height of a frame with the text size of the window; higher ones are enlarged."""

Scope = Literal["step", "row", "steps"]
"""What a walk goes through: the chosen step; the chosen query's row of every step; or
every cell of every step."""


@dataclass(frozen=True, slots=True, eq=False)
class WalkSnapshot:
    """A snapshot of what a walk goes through.

    Parameters
    ----------
    computed : Computed
        The numbers and their labels.
    looks : Looks
        How each step is coloured.
    step : str
        The chosen step.
    query, head : int
        The chosen query, and its head.
    scope : str
        What the walk goes through.
    """

    computed: Computed
    looks: Looks
    step: str
    query: int
    head: int
    scope: Scope = "row"


@dataclass(frozen=True, slots=True)
class _Part:
    """Cells of a step, in the order of filling.

    Parameters
    ----------
    step : str
        The step.
    first : int
        The number of its first cell that is filled, counted row by row.
    count : int
        How many are.
    """

    step: str
    first: int
    count: int


class WalkFrames:
    """Draws the cells of a walk, each with what it is computed from.

    Parameters
    ----------
    snapshot : WalkSnapshot
        The walk.
    theme : Theme
        The colours.
    size : QSize
        The size of a frame, in pixels.

    Attributes
    ----------
    moves : sequence of int
        The cells that have a frame: all of them, or an even selection.
    n_moves : int
        The number of all cells.
    """

    def __init__(self, snapshot: WalkSnapshot, theme: Theme, size: QSize) -> None:
        self._snapshot, self._theme, self._size = snapshot, theme, size
        self._parts = _parts_of(snapshot)
        self._ends = np.cumsum([part.count for part in self._parts])  # (parts,)
        self.n_moves = count_moves(snapshot)
        self.moves = spread(self.n_moves)
        self._font = QFont(QApplication.font())
        self._measures = Measures(self._font, controls=False)
        self._scale = max(1.0, size.height() / USUAL_HEIGHT)

    def place(self, move: int) -> tuple[str, int, int]:
        """Return step, row and column of the cell that a move fills."""
        index = int(np.searchsorted(self._ends, move, side="right"))
        part = self._parts[index]
        cell = part.first + move - (int(self._ends[index]) - part.count)
        columns = self._snapshot.computed.trace.matrix_shape(part.step)[1]
        return part.step, *divmod(cell, columns)

    def frame(self, move: int) -> QImage:
        """Draw the picture in which a move has just filled its cell."""
        step, row, column = self.place(move)
        columns = self._snapshot.computed.trace.matrix_shape(step)[1]
        progress = Progress(row * columns + column)
        drawing = self._compose(step, (row, column), progress)
        return self._painted(drawing, step, f"{move + 1} / {self.n_moves}")

    def samples(self, move: int) -> list[QImage]:
        """Draw what has all colours of the frames of the same row."""
        step, row, column = self.place(move)
        cells: tuple[Position | None, ...] = ((row, column), None)
        return [self._painted(self._compose(step, c, None), step, "") for c in cells]

    @property
    def _room(self) -> QRectF:
        """The room of the picture, before it is enlarged."""
        wide, high = (
            side / self._scale for side in (self._size.width(), self._size.height())
        )
        top = MARGIN + 1.2 * QFontMetricsF(self._font).lineSpacing()
        return QRectF(MARGIN, top, wide - 2 * MARGIN, high - top - MARGIN / 2)

    def _compose(
        self, step: str, cell: Position | None, progress: Progress | None
    ) -> Drawing:
        snapshot, looks = self._snapshot, self._snapshot.looks
        shown = DisplayedStep(
            snapshot.computed, step, snapshot.head, looks.of(step), self._theme
        )
        subject = Subject(shown, cell, looks.of, self._measures, progress)
        return compose(subject, self._room)

    def _painted(self, drawing: Drawing, step: str, counted: str) -> QImage:
        image = QImage(self._size, QImage.Format.Format_RGB32)
        image.fill(QColor(self._theme.stage))
        painter = QPainter(image)
        painter.scale(self._scale, self._scale)
        self._paint_title(painter, step, counted)
        DrawingPainter(painter, self._theme, self._font).paint(drawing)
        painter.end()
        return image

    def _paint_title(self, painter: QPainter, step: str, counted: str) -> None:
        font = QFont(self._font)
        font.setBold(True)
        metrics = QFontMetricsF(font)
        stage = self._snapshot.computed.trace.stages[step]
        baseline = QPointF(MARGIN, MARGIN / 2 + metrics.ascent())
        title = step_title(step)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.text))
        painter.drawText(baseline, title)
        painter.setFont(self._font)
        painter.setPen(QColor(self._theme.muted))
        beside = QPointF(metrics.horizontalAdvance(title) + MARGIN / 2, 0)
        painter.drawText(baseline + beside, stage.formula)
        wide = self._size.width() / self._scale
        room = QRectF(0, MARGIN / 2, wide - MARGIN, metrics.lineSpacing())
        painter.drawText(room, Qt.AlignmentFlag.AlignRight, counted)


def count_moves(snapshot: WalkSnapshot) -> int:
    """Return how many cells a walk fills."""
    return sum(part.count for part in _parts_of(snapshot))


def spread(n_moves: int, most: int = MOST_FRAMES) -> Sequence[int]:
    """Return at most `most` moves, evenly spread, with the first and the last."""
    if n_moves <= most:
        return range(n_moves)
    return [k * (n_moves - 1) // (most - 1) for k in range(most)]


def _parts_of(snapshot: WalkSnapshot) -> list[_Part]:
    trace = snapshot.computed.trace
    steps = [name for name, stage in trace.stages.items() if stage.inputs]
    if snapshot.scope == "step":
        steps = [snapshot.step]
    parts = []
    for step in steps:
        rows, columns = trace.matrix_shape(step)
        if snapshot.scope == "row":
            # The keys may be fewer than the queries.
            row = min(snapshot.query, rows - 1)
            parts.append(_Part(step, row * columns, columns))
        else:
            parts.append(_Part(step, 0, rows * columns))
    return parts
