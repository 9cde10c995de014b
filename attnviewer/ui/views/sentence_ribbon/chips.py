"""The tokens of the ribbon, painted with the weights of one query."""

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviewer.compute import Array, BoolArray
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.colors import ink_on
from attnviewer.ui.paint.fonts import fixed_font, scaled
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.text.cached import cached_words
from attnviewer.ui.text.numbers import format_number, full_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.sentence_ribbon.arrangement import (
    Arrangement,
    arrange,
    padding_for,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

MARGIN, BENEATH = 4, 3
"""Around all chips, and between a chip and its weight."""
INSIDE = 9, 8, 7, 6, 5, 4
"""Beside a word in its chip: the usual room, and less if one line is enough then."""
TALL = 1.7
"""Height of a chip, in lines of text."""
RADIUS = 6
NOTHING = 0.005
"""Below it, a weight is a dot."""
DECIMALS = 2
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The attention of one query.

    Parameters
    ----------
    token : str
        The query.
    query : int or None
        Its chip; None in cross-attention, where only keys have chips.
    key : int or None
        The key whose cell is selected.
    weights : ndarray, shape (n,)
        Its weights.
    colors : ndarray of uint8, shape (n, 3)
        The colours of the heatmap's cells.
    hidden : ndarray of bool, shape (n,), or None
        Which keys a mask hides; None for no key.
    """

    token: str
    query: int | None
    key: int | None
    weights: Array
    colors: Rgb
    hidden: BoolArray | None = None

    def hides(self, key: int) -> bool:
        """Return whether a mask hides a key."""
        return self.hidden is not None and bool(self.hidden[key])

    @property
    def chip(self) -> int | None:
        """The chip that arrow keys go on from."""
        return self.key if self.query is None else self.query


class TokenChips(QWidget):
    """Words on chips, in the colours of their weights; keys and mouse choose one.

    Attributes
    ----------
    hovered : Signal
        The position of the token under the pointer; None once it has left.
    chosen : Signal
        The position of a token that the user chooses.
    arranged : Signal
        Other words, or words of another size, are to be laid out.
    """

    hovered = Signal(object)
    chosen = Signal(int)
    arranged = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ribbon.chips")
        self.setAccessibleName(self.tr("Tokens of the sentence"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._tokens: tuple[str, ...] = ()
        self._row: Row | None = None
        self._theme = LIGHT
        self._width = 0
        self._inside = INSIDE[0]
        self._pointed: int | None = None
        self._cached = range(0)
        self._arrangement = arrange((), 1, 1)

    @property
    def arrangement(self) -> Arrangement:
        """The places of the chips."""
        return self._arrangement

    @property
    def row(self) -> Row | None:
        """The row of attention that is shown behind the words."""
        return self._row

    def texts(self) -> list[str]:
        """Return what is written below the words."""
        return [self._text_of(token) for token in range(len(self._tokens))]

    def _text_of(self, token: int) -> str:
        row = self._row
        if row is None or row.hides(token):
            return ""
        return _text(float(row.weights[token]))

    def show_row(self, tokens: tuple[str, ...], row: Row | None, theme: Theme) -> None:
        """Show the tokens, and what a query attends to; None for none."""
        other = tokens != self._tokens
        self._tokens, self._row, self._theme = tokens, row, theme
        if other:
            self._pointed = None
            self._arrange()
            self.arranged.emit()
        if row is None:
            self.setAccessibleDescription("")
        else:
            described = zip(tokens, self.texts(), strict=True)
            self.setAccessibleDescription(", ".join(f"{t} {w}" for t, w in described))
        self.update()

    def set_cached(self, tokens: range) -> None:
        """Mark tokens whose keys and values an earlier step has computed."""
        if tokens != self._cached:
            self._cached = tokens
            self.update()

    def set_width(self, width: int) -> None:
        """Arrange the chips in lines of another width."""
        if width != self._width:
            self._width = width
            self._arrange()

    def rect_of(self, token: int) -> QRect:
        """Return where the chip of a token is, without its weight."""
        place = self.place_of(token)
        return place.adjusted(0, 0, 0, self._chip_height() - place.height())

    def place_of(self, token: int) -> QRect:
        """Return where the chip of a token is, with its weight."""
        return self._arrangement.chips[token].translated(MARGIN, MARGIN)

    def sizeHint(self) -> QSize:
        return self._arrangement.size + QSize(2 * MARGIN, 2 * MARGIN)

    def height_of(self, lines: int) -> int:
        """Return the height of so many lines, or of all if there are fewer."""
        shown = min(lines, self._arrangement.lines)
        return self._arrangement.height_of(shown) + 2 * MARGIN

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._token_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        token = self._token_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and token is not None:
            self.chosen.emit(token)
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, count = event.key(), len(self._tokens)
        if key in _STEPS and count:
            here = None if self._row is None else self._row.chip
            there = (-1 if here is None else here) + _STEPS[Qt.Key(key)]
            self.chosen.emit(min(max(there, 0), count - 1))
        elif key in _ENDS and count:
            self.chosen.emit(_ENDS[Qt.Key(key)] % count)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()
            self.arranged.emit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            token = self._token_at(event.pos())
            if token is None or self._row is None:
                QToolTip.hideText()
            else:
                text = self._tip(self._row, token)
                QToolTip.showText(event.globalPos(), plain_tip(text), self)
            return True
        return super().event(event)

    def _tip(self, row: Row, token: int) -> str:
        """Return the weight of a token, and whether it is cached."""
        names = map(token_label, (row.token, self._tokens[token]))
        weight = full_number(float(row.weights[token]))
        weight = self.tr("masked") if row.hides(token) else weight
        text = f"{' → '.join(names)} = {weight}"
        if token not in self._cached:
            return text
        return f"{text}\n{cached_words()}"

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Frames reach beyond their chips.
        asked = event.rect().adjusted(-4, -4, 4, 4)
        for token in self._tokens_between(asked.top(), asked.bottom()):
            if self.place_of(token).intersects(asked):
                self._paint_chip(painter, token, self._text_of(token))
        if self.hasFocus():
            ring = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            _frame(painter, ring, self._theme.accent, 0, width=1)
        painter.end()

    def _paint_chip(self, painter: QPainter, token: int, text: str) -> None:
        row, theme, chip = self._row, self._theme, QRectF(self.rect_of(token))
        is_query = row is not None and token == row.query
        is_key = row is not None and token == row.key
        ground, ink = QColor(theme.sunken), QColor(theme.text)
        if row is not None and not row.hides(token):
            ground = QColor(*map(int, row.colors[token]))
            ink = ink_on(row.colors[token])
        if is_key:
            _frame(painter, chip.adjusted(-3, -3, 3, 3), theme.frame, RADIUS + 3)
            _frame(painter, chip.adjusted(-1.5, -1.5, 1.5, 1.5), theme.halo, RADIUS + 1)
        elif is_query:
            _frame(painter, chip.adjusted(-2, -2, 2, 2), theme.accent, RADIUS + 2)
        painter.setBrush(ground)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(chip, RADIUS, RADIUS)
        if is_query:
            # Where the query is its own selected key, both frames are seen.
            _frame(painter, chip.adjusted(1, 1, -1, -1), theme.accent, RADIUS - 1)
        if token in self._cached:
            _underline(painter, chip, ink)
        painter.setPen(ink)
        room = int(chip.width()) - 2 * self._inside
        elide = Qt.TextElideMode.ElideRight
        word = self.fontMetrics().elidedText(self._word(token), elide, room)
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, word)
        self._paint_weight(painter, token, text, strong=is_query or is_key)

    def _paint_weight(
        self, painter: QPainter, token: int, text: str, *, strong: bool
    ) -> None:
        font = self._number_font()
        font.setBold(strong)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.text if strong else self._theme.muted))
        below = self.place_of(token)
        below.setTop(self.rect_of(token).bottom() + 1 + BENEATH)
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, text)
        painter.setFont(self.font())

    def _number_font(self) -> QFont:
        font = fixed_font()
        font.setPointSizeF(scaled(self.font(), 0.92).pointSizeF())
        return font

    def _word(self, token: int) -> str:
        return token_label(self._tokens[token])

    def _chip_height(self) -> int:
        return round(TALL * self.fontMetrics().height())

    def _arrange(self) -> None:
        words, numbers = self.fontMetrics(), QFontMetrics(self._number_font())
        least = numbers.horizontalAdvance("0.00")
        wide = [
            words.horizontalAdvance(self._word(token)) + 2
            for token in range(len(self._tokens))
        ]
        room = self._width - 2 * MARGIN
        self._inside = padding_for(wide, least, room, INSIDE)
        widths = [max(word + 2 * self._inside, least) for word in wide]
        line = self._chip_height() + BENEATH + numbers.height()
        self._arrangement = arrange(widths, room, line)
        self.updateGeometry()
        self.update()

    def _token_at(self, point: QPoint) -> int | None:
        tokens = self._tokens_between(point.y(), point.y())
        return next((k for k in tokens if self.place_of(k).contains(point)), None)

    def _tokens_between(self, top: int, bottom: int) -> range:
        return self._arrangement.between(top - MARGIN, bottom - MARGIN)

    def _point_at(self, token: int | None) -> None:
        shape = Qt.CursorShape
        over = token is not None
        self.setCursor(shape.PointingHandCursor if over else shape.ArrowCursor)
        if token != self._pointed:
            self._pointed = token
            self.hovered.emit(token)


def _frame(
    painter: QPainter, rect: QRectF, color: str, radius: float, width: int = 2
) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(color), width))
    painter.drawRoundedRect(rect, radius, radius)


def _underline(painter: QPainter, chip: QRectF, ink: QColor) -> None:
    """Draw a dotted line along the bottom of a chip, inside."""
    pen = QPen(ink, 1.5, Qt.PenStyle.DotLine)
    painter.setPen(pen)
    y = chip.bottom() - 4
    painter.drawLine(QPointF(chip.left() + 5, y), QPointF(chip.right() - 5, y))


def _text(weight: float) -> str:
    return "·" if abs(weight) < NOTHING else format_number(weight, DECIMALS)
