"""One step in the flow strip: its name, its heatmap and its shape."""

import textwrap

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Spec
from attnviewer.ui.paint.miniature.card import MiniatureCard
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.miniature import Miniature
from attnviewer.ui.paint.step_content import Shown
from attnviewer.ui.state.heads import own_head
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.concepts import TIP_WIDTH, concepts_of, line, what_is
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.views.flow.measures import Measures
from attnviewer.ui.views.flow.painting import Lit, dashes_beyond, paint_thumbnail
from attnviewer.ui.views.flow.thumbnail import (
    make_thumbnail,
    may_be_numbered,
    picture_grid,
)
from attnviewer.ui.widgets.tool_tips import plain_tip

_ABOVE, _BELOW = 5, 3
"""Padding between the card's frame and its text."""
_BETWEEN = 2
"""Spacing between text and heatmap."""
_PADDING = 4
_RING = 3
"""Width of the focus ring around the card."""
_LATER_FROM, _LATER = 2**16, 30
"""Steps of this many cells are drawn with a delay, in milliseconds: the open step
comes first."""
_NARROWEST = 4
"""Approximate width of the smallest numbered cells."""


class FlowCard(MiniatureCard):
    """Shows one step; a click opens it, a click on a numbered cell selects that."""

    chosen = Signal(str, object)
    """The step, and the cell that was clicked or None."""
    pointed_at = Signal(str, object)
    """The step, and the cell under the pointer or None."""

    def __init__(self, shown: Shown, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"flow.{shown.step}")
        self.clicked.connect(self._on_clicked)
        self._lit = Lit()
        self._thumbnail: Miniature | None = None
        self._stale = True
        self._later = QTimer(self, singleShot=True, interval=_LATER)
        self._later.timeout.connect(self._draw_anew)
        self._aimed_at: Position | None = None
        self._measures = Measures(self.font())
        self._size = QSize()
        self._spec: Spec | None = None
        self._told = ""
        self.show_step(shown)

    @property
    def step(self) -> str:
        """The step's name."""
        return self._shown.step

    @property
    def has_heads(self) -> bool:
        """Whether the step has several heads, of which one is shown."""
        return self._n_heads > 1

    @property
    def grid(self) -> Grid:
        """The layout of the cells in the heatmap."""
        return self._grid

    @property
    def thumbnail(self) -> Miniature:
        """The heatmap with the newest numbers."""
        if self._thumbnail is None or self._stale:
            measures = self._measures
            self._thumbnail = make_thumbnail(
                self._shown, measures.numbers, measures.rows
            )
            self._stale = False
        return self._thumbnail

    @property
    def corner(self) -> QPoint:
        """Upper left corner of the heatmap."""
        size, room = self.grid.size, self._measures.cells.room.height()
        top = _RING + _ABOVE + self._measures.title_height + _BETWEEN
        top += (room - size.height()) // 2
        return QPoint((self.width() - size.width()) // 2, top)

    def show_step(self, shown: Shown) -> None:
        """Show a step; a picture without numbers is drawn once it becomes visible."""
        trace, step = shown.computed.trace, shown.step
        self._shown = shown
        self._stale = True
        rows, columns = trace.matrix_shape(step)
        self._grid = picture_grid((rows, columns), self._measures.cells)
        if self._measures.rows and may_be_numbered((rows, columns)):
            self._grid = self.thumbnail
        self._caption = f"{rows}×{columns}"
        self._n_heads = trace.n_heads(step)
        own = own_head(trace, step, shown.head)
        self._heads = self.tr("H{0} of {1}").format(own, self._n_heads)
        if self.has_heads and self._n_heads < trace.n_heads("weights"):
            # Its own number of heads, if not that of the queries in the strip's
            # heading.
            self._caption = f"{self._caption} · {self._heads}"
        formula = f"{step} = {trace.stages[step].formula}"
        low = self._measures.low
        self._tell(trace.spec)
        explanation = f"{self._told}\n{formula}"
        self.setToolTip(
            plain_tip(f"{explanation} · {self._caption}" if low else explanation)
        )
        self._describe()
        self._take_room()
        self.update()

    def follow(self, shown: Shown) -> None:
        """Update the numbers of the same step; nothing else has changed."""
        self._shown = shown
        self._stale = True
        size = self._grid.size
        if self._measures.rows and may_be_numbered(self._grid.shape):
            self._grid = self.thumbnail
        if self._grid.size != size:
            self._take_room()
            self.update()
        elif dashes_beyond(self._grid, self._lit):
            self.update()
        else:
            self.update(self._picture)

    def _tell(self, spec: Spec) -> None:
        """Explain the step in its tool tip, within this variant."""
        if spec != self._spec:
            self._spec = spec
            concepts = concepts_of(self.step, spec)
            self._told = "\n".join(textwrap.wrap(line(concepts), TIP_WIDTH))
            self.setWhatsThis(what_is(step_title(self.step), *concepts))

    def set_rows(self, rows: int) -> None:
        """Set the rows of numbers that must fit; with none, only the name is shown."""
        if rows != self._measures.rows:
            self._measures = Measures(self.font(), rows)
            self.show_step(self._shown)

    def set_opened(self, opened: bool) -> None:
        """Mark the card as the step that is shown large."""
        self.setChecked(opened)
        self._describe()

    def light(self, lit: Lit) -> None:
        """Highlight cells."""
        if lit != self._lit:
            self._lit = lit
            self.update()

    def sizeHint(self) -> QSize:
        return self._size

    def _take_room(self) -> None:
        measures, size = self._measures, self.grid.size
        widths = [
            size.width() if measures.rows else 0,
            QFontMetrics(measures.title).horizontalAdvance(self.step),
            _NARROWEST * measures.numbers.height(),
        ]
        below = _BELOW
        if not measures.low:
            caption = QFontMetrics(measures.caption)
            widths.append(caption.horizontalAdvance(self._caption))
            below += _BETWEEN + measures.caption_height
        height = _ABOVE + measures.title_height + _BETWEEN
        height += measures.cells.room.height() + below
        needed = QSize(max(widths) + 2 * (_PADDING + _RING), height + 2 * _RING)
        if needed != self._size:
            self._size = needed
            self.updateGeometry()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._measures = Measures(self.font(), self._measures.rows)
            self.show_step(self._shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        # Cells without a number are too small to click.
        if self._thumbnail is not None and self._thumbnail.texts:
            self._aimed_at = self._cell_at(event)
        super().mouseReleaseEvent(event)
        self._aimed_at = None

    @property
    def _picture(self) -> QRect:
        """The rectangle of the heatmap."""
        return QRect(self.corner, self.grid.size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        # The default follows the application's layout direction.
        painter.setLayoutDirection(self.layoutDirection())
        if self._picture.contains(event.rect()):
            # Includes the fractional pixels of a scaled screen.
            ground = event.rect().adjusted(-1, -1, 1, 1)
            painter.fillRect(ground, QColor(self._shown.theme.surface))
        else:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_card(painter)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            self._paint_words(painter)
        if self._measures.rows:
            paint_thumbnail(
                painter,
                self.corner,
                self._thumbnail_for_now(),
                self._shown.theme,
                self._measures.number,
                self._lit,
            )
        painter.end()

    def _paint_card(self, painter: QPainter) -> None:
        theme, rect = self._shown.theme, QRectF(self.rect())
        if self._shows_focus:
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 7, 7)
        rect.adjust(_RING, _RING, -_RING, -_RING)
        self._paint_frame(painter, theme, rect, 5)

    def _paint_words(self, painter: QPainter) -> None:
        theme, measures = self._shown.theme, self._measures
        center, width = Qt.AlignmentFlag.AlignCenter, self.width()
        line = QRect(0, _RING + _ABOVE, width, measures.title_height)
        painter.setFont(measures.title)
        painter.setPen(QColor(theme.color_of(self.step) or theme.text))
        painter.drawText(line, center, self.step)
        if measures.low:
            return
        bottom = self.height() - _RING - _BELOW - measures.caption_height
        line = QRect(0, bottom, width, measures.caption_height)
        painter.setFont(measures.caption)
        painter.setPen(QColor(theme.muted))
        painter.drawText(line, center, self._caption)

    def _thumbnail_for_now(self) -> Miniature:
        """Return the heatmap; that of a large step may still be the previous one."""
        grid, before = self.grid, self._thumbnail
        if not self._stale or before is None or grid.size != before.size:
            return self.thumbnail
        if grid.rows * grid.columns < _LATER_FROM:
            return self.thumbnail
        if not self._later.isActive():
            self._later.start()
        return before

    @Slot()
    def _draw_anew(self) -> None:
        if self._stale:
            self._thumbnail = None
            # All of it, as the previous picture may have highlights around it.
            self.update()

    def _tell_pointed(self, cell: Position | None) -> None:
        self.pointed_at.emit(self.step, cell)

    def _cell_at(self, event: QMouseEvent) -> Position | None:
        return super()._cell_at(event) if self._measures.rows else None

    def _describe(self) -> None:
        parts = [self.step, f"{self.grid.rows}×{self.grid.columns}"]
        if self.has_heads:
            parts.append(self._heads)
        if self.isChecked():
            parts.append(self.tr("opened"))
        self.setAccessibleName(", ".join(parts))

    @Slot()
    def _on_clicked(self) -> None:
        self.chosen.emit(self.step, self._aimed_at)
