"""One step in the flow strip: its name, its heatmap and its shape."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontDatabase,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from attnviewer.compute import Trace
from attnviewer.ui.flow.painting import paint_thumbnail
from attnviewer.ui.flow.thumbnail import ROOM, Thumbnail, make_thumbnail
from attnviewer.ui.heads import own_head
from attnviewer.ui.selection import Position
from attnviewer.ui.theme import Theme

_TITLE, _CAPTION = 20, 18
_PADDING = 8
_RING = 3
"""Around the card, for the focus."""
_NARROWEST = 66
_NUMBER_PIXELS = 10
HEIGHT = 2 * _RING + 5 + _TITLE + 2 + ROOM.height() + 2 + _CAPTION + 3

_MOVES = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


class FlowCard(QAbstractButton):
    """Shows one step; a click opens it, a click on a cell with a number selects it.

    Parameters
    ----------
    step : str
        The step's name.
    trace : Trace
        The numbers.
    head : int
        The chosen head.
    theme : Theme
        Colours.
    parent : QWidget
        Where the card stands.
    """

    chosen = Signal(str, object)
    """The step, and the cell that was clicked or None."""

    def __init__(
        self, step: str, trace: Trace, head: int, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName(f"flow.{step}")
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.clicked.connect(self._on_clicked)
        self.step = step
        self._selected: Position | None = None
        self._aimed_at: Position | None = None
        self._focus_shown = False
        self._number_font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._number_font.setPixelSize(_NUMBER_PIXELS)
        self.show_step(trace, head, theme)

    @property
    def thumbnail(self) -> Thumbnail:
        """The heatmap as it is painted."""
        return self._thumbnail

    @property
    def corner(self) -> QPoint:
        """Upper left corner of the heatmap."""
        size, room = self.thumbnail.size, ROOM.height()
        top = _RING + 5 + _TITLE + 2 + (room - size.height()) // 2
        return QPoint((self.width() - size.width()) // 2, top)

    def show_step(self, trace: Trace, head: int, theme: Theme) -> None:
        """Show the step's numbers.

        Parameters
        ----------
        trace : Trace
            The numbers.
        head : int
            The chosen head of the queries.
        theme : Theme
            Colours.
        """
        n_heads = trace.n_heads(self.step)
        self._theme = theme
        self._thumbnail = make_thumbnail(
            trace, self.step, head, theme, QFontMetrics(self._number_font)
        )
        self._caption = f"{self._thumbnail.rows}×{self._thumbnail.columns}"
        if n_heads > 1:
            own = own_head(trace, self.step, head)
            heads = self.tr("H{0} of {1}").format(own, n_heads)
            self._caption = f"{self._caption} · {heads}"
        self.setToolTip(f"{self.step} = {trace.stages[self.step].formula}")
        self._describe()
        self.setFixedSize(self.sizeHint())
        self.update()

    def set_opened(self, opened: bool) -> None:
        """Mark the card as the step that is shown large."""
        self.setChecked(opened)
        self._describe()

    def set_selected(self, cell: Position | None) -> None:
        """Outline a cell."""
        if cell != self._selected:
            self._selected = cell
            self.update()

    def sizeHint(self) -> QSize:
        widths = [
            self.thumbnail.size.width(),
            QFontMetrics(self._title_font()).horizontalAdvance(self.step),
            QFontMetrics(self._caption_font()).horizontalAdvance(self._caption),
        ]
        width = max(_NARROWEST, max(widths) + 2 * _PADDING)
        return QSize(width + 2 * _RING, HEIGHT)

    def nextCheckState(self) -> None:
        """Leave it to the selection which step is open."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in _MOVES:
            event.ignore()  # the strip moves between cards
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._aimed_at = self.thumbnail.cell_at(
            event.position().toPoint() - self.corner
        )
        super().mouseReleaseEvent(event)
        self._aimed_at = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        reason = Qt.FocusReason
        # Who clicks needs no ring to see where; a window that comes back changes
        # nothing.
        if event.reason() not in (
            reason.ActiveWindowFocusReason,
            reason.PopupFocusReason,
        ):
            self._focus_shown = event.reason() != reason.MouseFocusReason
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        # By itself it goes by the application's direction.
        painter.setLayoutDirection(self.layoutDirection())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_frame(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._paint_words(painter)
        paint_thumbnail(
            painter,
            self.corner,
            self._thumbnail,
            self._theme,
            self._number_font,
            self._selected,
        )
        painter.end()

    def _paint_frame(self, painter: QPainter) -> None:
        theme, frame = self._theme, QRectF(self.rect())
        if self.hasFocus() and self._focus_shown:
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), 7, 7)
        width, color = 1.0, theme.border
        if self.isChecked():
            width, color = 2.0, theme.accent
        elif self.underMouse():
            color = theme.muted
        painter.setPen(QPen(QColor(color), width))
        painter.setBrush(QColor(theme.surface))
        inset = _RING + width / 2
        painter.drawRoundedRect(frame.adjusted(inset, inset, -inset, -inset), 5, 5)

    def _paint_words(self, painter: QPainter) -> None:
        theme, top = self._theme, _RING + 5
        center = Qt.AlignmentFlag.AlignCenter
        painter.setFont(self._title_font())
        painter.setPen(QColor(theme.color_of(self.step) or theme.text))
        painter.drawText(QRect(0, top, self.width(), _TITLE), center, self.step)
        painter.setFont(self._caption_font())
        painter.setPen(QColor(theme.muted))
        bottom = self.height() - _RING - 3 - _CAPTION
        painter.drawText(
            QRect(0, bottom, self.width(), _CAPTION), center, self._caption
        )

    def _title_font(self) -> QFont:
        font = self.font()
        font.setBold(True)
        return font

    def _caption_font(self) -> QFont:
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.9)
        return font

    def _describe(self) -> None:
        parts = [self.step, self._caption]
        if self.isChecked():
            parts.append(self.tr("opened"))
        self.setAccessibleName(", ".join(parts))

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self.step, self._aimed_at)
