"""Queries left, keys right, and the lines between them."""

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

from attnviewer.ui.announcing import announce
from attnviewer.ui.links import Linked, linked
from attnviewer.ui.selection import Marked, Position, SelectionModel
from attnviewer.ui.step.lines.arrangement import Arrangement, Room, Side, arrange
from attnviewer.ui.step.lines.content import LinesContent
from attnviewer.ui.step.lines.curves import nearest
from attnviewer.ui.step.lines.drawing import Canvas, Drawing, draw
from attnviewer.ui.step.lines.focus import Focus, Token, focus_of
from attnviewer.ui.step.lines.reading import STEP, Reading
from attnviewer.ui.step.lines.tokens import TokenPainter, widest
from attnviewer.ui.step.lines.walking import walk
from attnviewer.ui.step.lines.words import line_words, token_words
from attnviewer.ui.step.marking import Line, Marking
from attnviewer.ui.tool_tips import plain_tip

REACH = 4.0
"""How near to a line, in pixels, the pointer has to be."""
HEADINGS = 1.8
"""Height of the headings, in heights of the text."""
ZOOM = 1.15
"""Of one notch of the wheel."""
NOTCH = 120
ROWS_PER_NOTCH = 3
LINES: dict[Side, Line] = {"queries": "row", "keys": "column"}


class LinesPicture(QAbstractScrollArea):
    """Shows weights as lines that can be pointed at, marked and walked over.

    Parameters
    ----------
    selection : SelectionModel
        What is selected, marked and pointed at.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    painted : Signal
        The picture has been painted.
    drawn : Signal
        Other lines are drawn; see `drawing`.
    """

    painted = Signal()
    drawn = Signal()

    def __init__(
        self, selection: SelectionModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("step.lines.picture")
        self.setAccessibleName(self.tr("Lines"))
        self.viewport().setAccessibleName(self.tr("Lines"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self._selection = selection
        self._content: LinesContent | None = None
        self._shape: tuple[int, int] | None = None
        self._marking = Marking()
        self._zoom = 1.0
        self._label_widths = (0.0, 0.0)
        self._pointed: Token | None = None
        self._under: tuple[Token | None, Position | None] = None, None
        self._current: Token = ("queries", 0)
        self._walking = False
        self._drawing: Drawing | None = None
        selection.marked_changed.connect(self._on_focus_changed)
        selection.cell_changed.connect(self._on_focus_changed)
        selection.hover_changed.connect(self._on_focus_changed)

    @property
    def drawing(self) -> Drawing | None:
        """The lines that are drawn; None before anything is."""
        return self._drawing

    @property
    def current(self) -> Token:
        """The token that the keys have come to."""
        return self._current

    @property
    def focus(self) -> Focus:
        """What stands out."""
        if self._content is None:
            return Focus()
        reading = self._content.reading
        pointed = self._pointed
        if pointed is None and self._walking and self.hasFocus():
            pointed = self._current
        chosen = self._selection
        return focus_of(
            reading.shape, chosen.marked, chosen.cell, pointed, self._hovered(reading)
        )

    def show_weights(self, content: LinesContent) -> None:
        """Show other weights. The zoom stays as it is unless their number changes."""
        before, self._content = self._content, content
        if content.reading.shape != self._shape:
            self._shape = content.reading.shape
            self._zoom, self._pointed, self._current = 1.0, None, ("queries", 0)
            self.verticalScrollBar().setValue(0)
        if before is None or before.labels != content.labels:
            self._measure()
        self._drawing, self._under = None, (None, None)
        self._arrange()
        self._describe()

    def forget(self) -> None:
        """Let go of what is shown; the zoom stays."""
        self._content = self._drawing = self._pointed = None

    def places(self) -> Arrangement:
        """Return where everything is, below the headings."""
        bar = self.verticalScrollBar()
        return arrange(self._room(), bar.value() / max(1, bar.maximum()))

    @property
    def top(self) -> float:
        """Height of the headings, below which the tokens begin."""
        return HEADINGS * self.fontMetrics().height()

    def token_at(self, place: QPointF) -> Token | None:
        """Return the token at a place of the viewport."""
        if self._content is None:
            return None
        return self.places().token_at(place.x(), place.y() - self.top)

    def line_at(self, place: QPointF) -> Position | None:
        """Return the cell whose line is at a place of the viewport."""
        if self._drawing is None:
            return None
        drawing, places = self._drawing, self._drawing.canvas.places
        width = max(1.0, places.right - places.left)
        down = place.y() - self.top
        if not 0 <= down < places.height:
            return None
        share = (place.x() - places.left) / width
        for layer in (drawing.loud, drawing.quiet):
            line = nearest(layer.strokes, share, down, REACH)
            if line is not None:
                return int(layer.links.queries[line]), int(layer.links.keys[line])
        return None

    def middle_of(self, side: Side, token: int) -> QPointF:
        """Return the middle of a token's text in the viewport."""
        places = self.places()
        start, stop = places.queries if side == "queries" else places.keys
        return QPointF((start + stop) / 2, self.top + places.middle(side, token))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._content is None:
            return
        content, focus, places = self._content, self.focus, self.places()
        ratio = self.devicePixelRatioF()
        before = self._drawing
        drawing = draw(Canvas(content, places, ratio), focus, before)
        self._drawing = drawing
        painter = QPainter(self.viewport())
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.fillRect(self.viewport().rect(), QColor(content.theme.window))
        painter.translate(0, self.top)
        for image in drawing.images:
            painter.drawImage(QPointF(places.left, 0), image)
        frame = self._current if self.hasFocus() and self._walking else None
        tokens = TokenPainter(painter, content, focus, places, self.font())
        tokens.paint_cells()
        tokens.paint_tokens(frame, self._selection.marked)
        tokens.paint_numbers()
        tokens.paint_headings(self.top)
        painter.end()
        if before is None or before.quiet is not drawing.quiet:
            self.drawn.emit()
        self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measure()
            self._arrange()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.viewport().update()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._point_at(None, None)
        return super().viewportEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason:
            self._walking = True
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
        self._walking = False
        token = self.token_at(event.position())
        if token is not None:
            self._mark(token, event.modifiers())
            return
        cell = self.line_at(event.position())
        if cell is not None:
            self._selection.choose_cell(self._selection.step, cell)
        else:
            self._selection.mark(Marked())

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            notches = event.angleDelta().y() / NOTCH
            self._zoom_by(ZOOM**notches, event.position().y() - self.top)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._content is None or not self._on_key(event):
            event.ignore()

    def _on_key(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers()
        shift = Qt.KeyboardModifier.ShiftModifier
        if modifiers & ~(Qt.KeyboardModifier.KeypadModifier | shift):
            return False
        content, before = self._content, self._current
        assert content is not None
        page = max(1, len(self.places().in_sight(before[0])) - 1)
        token = walk(key, before, content.reading.shape, page)
        if token is not None:
            self._go(token)
            if modifiers & shift and token[0] == before[0]:
                self._extend(before)
        elif key == Qt.Key.Key_Space:
            self._mark(self._current, Qt.KeyboardModifier.ControlModifier)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._select_next_of(self._current)
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Minus):
            factor = ZOOM if key == Qt.Key.Key_Plus else 1 / ZOOM
            self._zoom_by(factor, self.places().middle(*before))
        elif key == Qt.Key.Key_Escape and self._selection.marked:
            self._selection.mark(Marked())
        elif key == Qt.Key.Key_Escape and self._selection.cell is not None:
            self._selection.choose_cell(self._selection.step, None)
        else:
            return False
        return True

    def _go(self, token: Token) -> None:
        """Let the keys come to a token."""
        self._current, self._walking = token, True
        self._pointed, self._under = None, (None, None)
        self._bring_into_sight(token)
        self._on_focus_changed()
        announce(self, self.accessibleDescription())

    def _bring_into_sight(self, token: Token) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(round(self.places().scroll_to(*token) * bar.maximum()))

    def _mark(self, token: Token, modifiers: Qt.KeyboardModifier) -> None:
        self._current = token
        side, place = token
        marked = self._selection.marked
        self._selection.mark(self._marking.click(marked, LINES[side], place, modifiers))

    def _extend(self, before: Token) -> None:
        """Mark the tokens from another one to the current one."""
        side, place = self._current
        marked = self._selection.marked
        self._selection.mark(
            self._marking.extend(marked, LINES[side], before[1], place)
        )

    def _select_next_of(self, token: Token) -> None:
        """Select the strongest line of a token; if one is selected, the next."""
        assert self._content is not None
        cells = self._content.reading.cells_of(*token)
        if not cells:
            return
        cell = self._selection.cell
        following = cells.index(cell) + 1 if cell in cells else 0
        chosen = cells[following % len(cells)]
        self._selection.choose_cell(self._selection.step, chosen)
        self._describe()

    def _point_at(self, token: Token | None, cell: Position | None) -> None:
        if (token, cell) == self._under:
            return
        self._under = token, cell
        if token != self._pointed:
            self._pointed = token
            self._on_focus_changed()
        if (self._selection.step, cell) != self._selection.hovered:
            self._selection.hover(self._selection.step, cell)
        self.viewport().setToolTip(self._tip(token, cell))
        over = token is not None or cell is not None
        self.viewport().setCursor(
            Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
        )

    def _hovered(self, reading: Reading) -> Linked:
        step, cell = self._selection.hovered
        if cell is None or step not in reading.trace:
            return Linked()
        return linked(reading.trace, step, cell, STEP)

    @Slot()
    def _on_focus_changed(self) -> None:
        if self._content is not None and self.isVisible():
            self._describe()
            self.viewport().update()

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
        text = token_words(self._content, self._current)
        cell = self._selection.cell
        queries, keys = self._content.reading.shape
        if cell is not None and cell[0] < queries and cell[1] < keys:
            text += " " + self.tr("Selected: {line}.").format(
                line=line_words(self._content, cell)
            )
        self.setAccessibleDescription(text)

    def _measure(self) -> None:
        if self._content is None:
            return
        queries, keys = self._content.labels
        metrics = self.fontMetrics()
        self._label_widths = widest(queries, metrics), widest(keys, metrics)

    def _room(self) -> Room:
        assert self._content is not None
        metrics, size = self.fontMetrics(), self.viewport().size()
        return Room(
            size.width(),
            max(1.0, size.height() - self.top),
            self._content.reading.shape,
            metrics.height(),
            self._label_widths,
            metrics.horizontalAdvance("0.00000"),
            self._zoom,
        )

    def _arrange(self) -> None:
        """Let the scroll bar fit what there is to scroll."""
        if self._content is None:
            return
        places = arrange(self._room())
        bar = self.verticalScrollBar()
        bar.setRange(0, int(places.beyond + 0.999))
        bar.setPageStep(int(places.height))
        bar.setSingleStep(max(1, round(places.row * ROWS_PER_NOTCH / 3)))
        self.viewport().update()

    def _zoom_by(self, factor: float, height: float) -> None:
        """Make rows higher; what is at a height of the longer side stays there."""
        before = self.places()
        side: Side = "queries" if before.counts[0] >= before.counts[1] else "keys"
        token = (height - before.start(side)) / before.row
        self._zoom *= factor
        after = arrange(self._room())
        # Where a row can get no higher or lower, the zoom stays as well.
        if after.row == before.row:
            self._zoom /= factor
            return
        self._arrange()
        self.verticalScrollBar().setValue(round(token * after.row - height))
