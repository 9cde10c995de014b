"""Queries left, keys right, and the lines between them."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from attnviewer.compute import Dirty, Trace
from attnviewer.ui.paint.focus import moves_focus
from attnviewer.ui.paint.fonts import scaled
from attnviewer.ui.paint.paper import for_paper
from attnviewer.ui.state.folded_lines import FoldedLines
from attnviewer.ui.state.selection import Position, SelectionModel
from attnviewer.ui.views.step.lines.arrangement import Arrangement, Side
from attnviewer.ui.views.step.lines.content import LinesContent
from attnviewer.ui.views.step.lines.curves import nearest
from attnviewer.ui.views.step.lines.drawing import Canvas, Drawing, draw
from attnviewer.ui.views.step.lines.focus import Focus, Token, focus_of
from attnviewer.ui.views.step.lines.pairs import Pairs
from attnviewer.ui.views.step.lines.pin_marks import paint_pin_marks
from attnviewer.ui.views.step.lines.shapes import paint_shapes
from attnviewer.ui.views.step.lines.steering import Steering
from attnviewer.ui.views.step.lines.texts import line_words, token_words
from attnviewer.ui.views.step.lines.tokens import TokenPainter
from attnviewer.ui.views.step.lines.viewport import ZOOM, TokenViewport
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.row_companion import SharedRows
from attnviewer.ui.widgets.tool_tips import plain_tip

REACH = 4.0
"""How near to a line, in pixels, the pointer has to be."""
NOTCH = 120


class LinesPicture(QAbstractScrollArea):
    """Shows weights as lines that can be pointed at, marked and walked over.

    Attributes
    ----------
    pairs : Pairs
        What is selected, in queries and keys.
    painted : Signal
        The picture has been painted.
    drawn : Signal
        Other lines are drawn; see `drawing`.
    focus_changed : Signal
        Something else may stand out; see `focus`.
    """

    painted = Signal()
    drawn = Signal()
    focus_changed = Signal()

    def __init__(
        self, selection: SelectionModel, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(self.tr("Lines"))
        self.viewport().setAccessibleName(self.tr("Lines"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.pairs = Pairs(selection)
        self._content: LinesContent | None = None
        self._token_viewport = TokenViewport(self)
        self._steering = Steering(selection, self.pairs, self._token_viewport, self)
        self._drawing: Drawing | None = None
        self._seeks = False
        self._steering.pointed_changed.connect(self._on_focus_changed)
        self._steering.walked.connect(self._on_walked)
        selection.marked_changed.connect(self._on_focus_changed)
        selection.cell_changed.connect(self._on_selected)
        selection.hover_changed.connect(self._on_focus_changed)

    @property
    def content(self) -> LinesContent | None:
        """The shown content."""
        return self._content

    @property
    def drawing(self) -> Drawing | None:
        """The lines that are drawn; None before anything is."""
        return self._drawing

    @property
    def current(self) -> Token:
        """The token that the keys have come to."""
        return self._steering.current

    @property
    def focus(self) -> Focus:
        """The tokens and lines that stand out."""
        if self._content is None:
            return Focus()
        shape, pairs = self._content.reading.shape, self.pairs
        pointed = self._steering.pointed or self._walked_to
        return focus_of(shape, pairs.marked, pairs.selected, pointed, pairs.hovered)

    def show_weights(self, content: LinesContent) -> None:
        """Show other weights. The zoom stays as it is unless their number changes."""
        self._content, self._drawing = content, None
        self.pairs.trace = content.reading.trace
        self.pairs.lines = FoldedLines(content.reading.folding)
        if self._token_viewport.show(content):
            self._steering.start()
            n_queries = content.reading.shape[0]
            self._steering.follow(self.pairs.selected, n_queries)
            self._seek()
        self._steering.renew()  # its numbers are others now
        self._describe()

    def follow(self, trace: Trace, changed: Sequence[Dirty]) -> None:
        """Show the same weights of a newer trace, and draw only lines that changed.

        Parameters
        ----------
        trace : Trace
            The steps, of the same shapes.
        changed : sequence of Dirty
            Where the weights of the heads may differ from those that are shown.
        """
        assert self._content is not None
        stale = self._content.reading.follow(trace, changed)
        if stale or (changed and self.focus != Focus()):
            self.show_weights(self._content)
            return
        self.pairs.trace = trace
        self._describe()
        # `painted` tells of edits that no line shows as well.
        self.viewport().update(0, 0, 1, 1)

    def share_rows(self, rows: SharedRows) -> None:
        """Take the rows of a picture to the left, which names the queries."""
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        self._token_viewport.share(rows)

    def forget(self) -> None:
        """Let go of what is shown; the zoom stays."""
        self._content = self._drawing = self.pairs.trace = None
        self._steering.let_go()

    def arrangement(self) -> Arrangement:
        """Return where everything is, below the headings."""
        return self._token_viewport.arrangement()

    @property
    def top(self) -> float:
        """Height of the headings, below which the tokens begin."""
        return self._token_viewport.top

    def token_at(self, point: QPointF) -> Token | None:
        """Return the token at a place of the viewport."""
        if self._content is None:
            return None
        return self.arrangement().token_at(point.x(), point.y() - self.top)

    def line_at(self, point: QPointF) -> Position | None:
        """Return the cell whose line is at a place of the viewport."""
        if self._drawing is None:
            return None
        drawing, arrangement = self._drawing, self._drawing.canvas.arrangement
        width = max(1.0, arrangement.right - arrangement.left)
        down = point.y() - self.top
        if not 0 <= down < arrangement.height:
            return None
        share = (point.x() - arrangement.left) / width
        for layer in (drawing.loud, drawing.quiet):
            line = nearest(layer.strokes, share, down, REACH)
            if line is not None:
                return int(layer.links.queries[line]), int(layer.links.keys[line])
        return None

    def middle_of(self, side: Side, token: int) -> QPointF:
        """Return the middle of a token's text in the viewport."""
        arrangement = self.arrangement()
        start, stop = arrangement.queries if side == "queries" else arrangement.keys
        return QPointF((start + stop) / 2, self.top + arrangement.middle(side, token))

    @property
    def headings(self) -> float:
        """Height of the headings above the tokens."""
        return self._token_viewport.headings

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._content is None:
            return
        content, focus, arrangement = self._content, self.focus, self.arrangement()
        ratio = self.devicePixelRatioF()
        before = self._drawing
        drawing = draw(Canvas(content, arrangement, ratio), focus, before)
        self._drawing = drawing
        painter = QPainter(self.viewport())
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.setClipRect(self.viewport().rect())  # which on paper is not done by Qt
        ground = self.viewport().rect()
        if self._token_viewport.is_shared:
            ground.setTop(round(self.top))  # labels of the other picture lean over it
        painter.fillRect(ground, QColor(content.theme.window))
        painter.translate(0, self.top)
        if for_paper():
            paint_shapes(painter, drawing)
        else:
            for image in drawing.images:
                painter.drawImage(QPointF(arrangement.left, 0), image)
        paint_pin_marks(painter, drawing)
        font = scaled(self.font(), arrangement.enlarged)
        tokens = TokenPainter(painter, content, focus, arrangement, font)
        tokens.paint_cells()
        tokens.paint_tokens(self._walked_to, self.pairs.marked)
        tokens.paint_numbers()
        painter.translate(0, max(0.0, arrangement.first))
        headings = TokenPainter(painter, content, focus, arrangement, self.font())
        headings.paint_headings(self.headings)
        painter.end()
        if before is None or before.quiet is not drawing.quiet:
            self.drawn.emit()
        self._seeks = False
        self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._token_viewport.arrange()
        if self._seeks:
            self._seek()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._token_viewport.measure()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point_at(None, None)
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        clicked = event.reason() == Qt.FocusReason.MouseFocusReason
        if moves_focus(event) and not clicked:
            self._steering.walking = True
        self._on_focus_changed()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._on_focus_changed()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        token = self.token_at(event.position())
        self._point_at(token, None if token else self.line_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._content is None:
            event.ignore()
            return
        token = self.token_at(event.position())
        cell = None if token else self.line_at(event.position())
        self._steering.click(token, cell, event.modifiers(), self._content.reading)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._token_viewport.is_shared:
            event.ignore()
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = event.angleDelta().y() / NOTCH
            self._token_viewport.zoom_by(ZOOM**notches, event.position().y() - self.top)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        content = self._content
        if content is None or not self._steering.press(event, content.reading):
            event.ignore()

    @property
    def _walked_to(self) -> Token | None:
        """The token that the keys have come to, if they lead."""
        leads = self._steering.walking and self.hasFocus()
        return self._steering.current if leads else None

    def _point_at(self, token: Token | None, cell: Position | None) -> None:
        if not self._steering.point_at(token, cell):
            return
        self.viewport().setToolTip(self._tip(token, cell))
        over = token is not None or cell is not None
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        )

    @Slot()
    def _on_focus_changed(self) -> None:
        if self._content is not None and self.isVisible():
            self._describe()
            self.viewport().update()
            self.focus_changed.emit()

    @Slot()
    def _on_selected(self) -> None:
        if self._walked_to is None and self._content is not None:
            n_queries = self._content.reading.shape[0]
            self._steering.follow(self.pairs.selected, n_queries)
            if not self.isVisible():
                self._seek()
        self._on_focus_changed()

    def _seek(self) -> None:
        """Bring the selected query into sight, until it has been painted."""
        self._seeks = True
        self._token_viewport.bring_to_middle(self._steering.current)

    @Slot()
    def _on_walked(self) -> None:
        self._on_focus_changed()
        announce(self, self.accessibleDescription())

    def _tip(self, token: Token | None, cell: Position | None) -> str:
        if self._content is None:
            return ""
        if token is not None:
            return plain_tip(token_words(self._content, token))
        return "" if cell is None else plain_tip(line_words(self._content, cell))

    def _describe(self) -> None:
        """Tell screen readers about the current token, and the selected line."""
        if self._content is None:
            return
        text = token_words(self._content, self._steering.current)
        cell = self.pairs.cell
        queries, keys = self._content.reading.shape
        if cell is not None and cell[0] < queries and cell[1] < keys:
            text += " " + self.tr("Selected: {line}.").format(
                line=line_words(self._content, cell)
            )
        self.setAccessibleDescription(text)
