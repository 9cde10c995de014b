"""The walk through one query's computation, a frame per move."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QWidget

from attnviewer.compute import QueryWalk
from attnviewer.document import cell_name
from attnviewer.ui.paint.paper import painting_for_paper
from attnviewer.ui.paint.step_content import Shown
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.looks import Looks
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.query_steps.words import move_html

MOST_FRAMES = 240
"""The most frames of an animation; longer walks skip moves."""
MARGIN = 16
WORDS_LINES = 4.5
"""Height of a move's formula, in line heights."""


@dataclass(frozen=True, slots=True, eq=False)
class WalkSnapshot:
    """A snapshot of what a walk goes through.

    Parameters
    ----------
    computed : Computed
        The numbers and their labels.
    looks : Looks
        How each step is coloured.
    query, head : int
        The query, and its head.
    """

    computed: Computed
    looks: Looks
    query: int
    head: int


class WalkFrames:
    """Draws the moves of a walk.

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
        The moves that have a frame: all of them, or an even selection.
    n_moves : int
        The number of all moves.
    """

    def __init__(self, snapshot: WalkSnapshot, theme: Theme, size: QSize) -> None:
        from attnviewer.ui.views.step.heatmap import Heatmap

        trace = snapshot.computed.trace
        self._snapshot, self._theme, self._size = snapshot, theme, size
        head = present_head(trace, snapshot.head)
        self._walk = QueryWalk(trace, snapshot.query, head=head)
        self.n_moves = len(self._walk)
        self.moves = spread(self.n_moves)
        self._step = ""
        self._heatmap = Heatmap()
        self._heatmap.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self._heatmap.resize(self._heatmap_rect().size())
        self._heatmap.show()

    def close(self) -> None:
        """Release the widgets that draw the frames."""
        self._heatmap.hide()
        self._heatmap.deleteLater()
        QApplication.sendPostedEvents(self._heatmap, QEvent.Type.DeferredDelete.value)

    def step(self, move: int) -> str:
        """Return the step in which a move computes a number."""
        return self._walk.move(move).cell.step

    def frame(self, number: int) -> QImage:
        """Draw a move, counted from zero."""
        move = self._walk.move(number)
        step = move.cell.step
        if step != self._step:
            self._step = step
            snapshot = self._snapshot
            look = snapshot.looks.of(step)
            shown = Shown(snapshot.computed, step, snapshot.head, look, self._theme)
            self._heatmap.show_step(shown)
            self._heatmap.fit()
        *_, row, column = move.cell.index
        self._heatmap.choose((row, column))
        image = QImage(self._size, QImage.Format.Format_RGB32)
        image.fill(QColor(self._theme.window))
        painter = QPainter(image)
        self._paint_title(painter, number)
        with painting_for_paper(1.0):
            corner = self._heatmap_rect().topLeft()
            QWidget.render(self._heatmap, painter, corner)
        labels, stages = (
            self._snapshot.computed.labels,
            self._snapshot.computed.trace.stages,
        )
        name = cell_name(stages[step], labels, move.cell.index, token_label)
        self._paint_words(painter, move_html(name, move, self._theme))
        painter.end()
        return image

    def _paint_title(self, painter: QPainter, number: int) -> None:
        font = QFont(QApplication.font())
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.text))
        baseline = MARGIN / 2 + QFontMetricsF(font).ascent()
        painter.drawText(QPointF(MARGIN, baseline), step_title(self._step))
        painter.setFont(QApplication.font())
        painter.setPen(QColor(self._theme.muted))
        room = QRectF(0, MARGIN / 2, self._size.width() - MARGIN, _line())
        counted = f"{number + 1} / {self.n_moves}"
        painter.drawText(room, Qt.AlignmentFlag.AlignRight, counted)

    def _paint_words(self, painter: QPainter, html: str) -> None:
        words = QTextDocument()
        words.setDefaultFont(QApplication.font())
        words.setDefaultTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        words.setDocumentMargin(0)
        words.setDefaultStyleSheet("a { text-decoration: none; }")
        words.setHtml(f'<div style="color: {self._theme.text}">{html}</div>')
        room = QRectF(0, 0, self._size.width() - 2 * MARGIN, WORDS_LINES * _line())
        words.setTextWidth(room.width())
        painter.save()
        painter.translate(MARGIN, self._heatmap_rect().bottom() + 1)
        words.drawContents(painter, room)
        painter.restore()

    def _heatmap_rect(self) -> QRect:
        top = round(MARGIN / 2 + 1.5 * _line())
        below = round(WORDS_LINES * _line() + MARGIN / 2)
        return QRect(0, top, self._size.width(), self._size.height() - top - below)


def spread(n_moves: int, most: int = MOST_FRAMES) -> Sequence[int]:
    """Return at most `most` moves, evenly spread, with the first and the last."""
    if n_moves <= most:
        return range(n_moves)
    return [k * (n_moves - 1) // (most - 1) for k in range(most)]


def _line() -> float:
    return QFontMetricsF(QApplication.font()).lineSpacing()
