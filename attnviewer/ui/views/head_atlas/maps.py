"""The small maps of all heads: painted in turns, chosen by mouse and keys."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviewer.compute import HeadLocation, head_locations
from attnviewer.ui.paint.fonts import scaled, usual_line
from attnviewer.ui.paint.miniature.grid import Grid
from attnviewer.ui.paint.miniature.miniature import paint_miniature
from attnviewer.ui.paint.paper import density_of
from attnviewer.ui.paint.pin_mark import paint_badge
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.paint.tint import tint_color
from attnviewer.ui.state.head_report import Shares
from attnviewer.ui.views.head_atlas.arrangement import (
    Arrangement,
    Lineup,
    arrange,
    line_up,
)
from attnviewer.ui.views.head_atlas.names import NAME, paint_names
from attnviewer.ui.views.step.heads.arrangement import largest_cells
from attnviewer.ui.views.step.heads.card_head import NUMBER
from attnviewer.ui.views.step.heads.picture import Drawing
from attnviewer.ui.views.step.heads.statistics import Caption
from attnviewer.ui.widgets.arrow_keys import ARROWS
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.work.time_slices import SLICE_SECONDS, run_for

if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads

DIMMED, SOUGHT = 0.34, 0.8
"""By how much rows of other queries fade, and heads that are not looked for."""
OUTSET = 2
"""How far the mark of a head with pins lies outside its map, in pixels."""


class HeadMaps(QWidget):
    """Paints a map for each head of each layer.

    Attributes
    ----------
    chosen : Signal
        The `HeadLocation` of a head that the user chooses.
    menu_wanted : Signal
        What can be done with a head is asked for: its `HeadLocation`, and a place on
        the screen.
    """

    chosen = Signal(object)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("atlas.maps")
        self.setAccessibleName(self.tr("Heads of all layers"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._heads: ModelHeads | None = None
        self._content: StepContent | None = None
        self._theme = LIGHT
        self._drawings: dict[HeadLocation, Drawing] = {}
        self._location: HeadLocation | None = None
        self._query: int | None = None
        self._room = QSize(0, 0)
        self._order: tuple[HeadLocation, ...] | None = None
        self._sought: frozenset[HeadLocation] | None = None
        self._captions: dict[HeadLocation, Caption] = {}
        self._pinned: frozenset[HeadLocation] = frozenset()
        self._tints: Shares = {}
        self._arrangement: Arrangement | Lineup = arrange(
            0, 0, self._room, QSize(0, 0), line=0
        )
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._draw_some)

    @property
    def arrangement(self) -> Arrangement | Lineup:
        """The places of the maps."""
        return self._arrangement

    @property
    def order(self) -> tuple[HeadLocation, ...] | None:
        """The order of the maps; None for layers across and heads down."""
        return self._order

    @property
    def tints(self) -> Shares:
        """By how much each map is tinted, from 0 to 1; {} without a tint."""
        return self._tints

    @property
    def is_drawn(self) -> bool:
        """Whether all maps are as their heads are now."""
        return all(drawing.done for drawing in self._drawings.values())

    @property
    def lit(self) -> int | None:
        """The query whose row stands out."""
        return self._query

    def show_heads(
        self, heads: "ModelHeads", content: StepContent, theme: Theme
    ) -> None:
        """Show the heads of a model; older maps stay until the new ones are drawn.

        Parameters
        ----------
        heads : ModelHeads
            The heads.
        content : StepContent
            Their colours, and the labels of their tokens.
        theme : Theme
            The theme in force.
        """
        reshaped = self._content is None or content.shape != self._content.shape
        if self._order is not None and set(self._order) != set(head_locations(heads)):
            self._order, self._captions = None, {}  # of another model
        self._heads, self._content, self._theme = heads, content, theme
        self._pinned = frozenset(filter(heads.has_pins, head_locations(heads)))
        before = {} if reshaped else self._drawings
        self._drawings = {
            location: before.get(location) or Drawing()
            for location in head_locations(heads)
        }
        self._arrange()
        self._draw_anew(at_once=reshaped)

    def forget(self) -> None:
        """Let go of all heads."""
        self._timer.stop()
        self._heads = self._content = None
        self._drawings, self._pinned = {}, frozenset()
        self.update()

    def choose(self, location: HeadLocation | None) -> None:
        """Frame the chosen head."""
        if location != self._location:
            self._location = location
            name = "" if location is None else location.name
            self.setAccessibleDescription(name)
            self.update()

    def light(self, query: int | None) -> None:
        """Make the row of a query stand out in all maps; None for none."""
        if query != self._query:
            self._query = query
            self.update()

    def sort(
        self,
        order: tuple[HeadLocation, ...] | None,
        captions: dict[HeadLocation, Caption],
    ) -> None:
        """Lay the maps out in an order, with the number of each beneath its name.

        Parameters
        ----------
        order : tuple of HeadLocation or None
            None for layers across and heads down, without numbers.
        captions : dict of HeadLocation to Caption
            The numbers.
        """
        if (order, captions) != (self._order, self._captions):
            self._order, self._captions = order, captions
            self._arrange()

    def seek(self, sought: frozenset[HeadLocation] | None) -> None:
        """Fade all heads but some; None for no other."""
        if sought != self._sought:
            self._sought = sought
            self.update()

    def tint(self, shares: Shares) -> None:
        """Tint the maps, each by a share from 0 to 1; {} for no tint."""
        if shares != self._tints:
            self._tints = shares
            self.update()

    def set_room(self, room: QSize) -> None:
        """Arrange the maps for another room in sight."""
        if room != self._room:
            self._room = room
            self._arrange()

    def sizeHint(self) -> QSize:
        return self._arrangement.size

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.is_drawn:
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        location = self._arrangement.location_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and location is not None:
            self.chosen.emit(location)
        else:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        location, spot = self._arrangement.location_at(event.pos()), event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            location = self._location
            if location is not None:
                spot = self.mapToGlobal(self.centre_of(location))
        if location is None or self._heads is None:
            super().contextMenuEvent(event)
        else:
            self.menu_wanted.emit(location, spot)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._arrangement.location_at(event.position().toPoint()) is not None
        shape = Qt.CursorShape
        self.setCursor(shape.PointingHandCursor if over else shape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        here, key = self._location, Qt.Key(event.key())
        if here is None or here.layer is None or key not in ARROWS:
            super().keyPressEvent(event)
            return
        down, across = ARROWS[key]
        goal = self._arrangement.beside(here, across, down)
        if goal != here:
            self.chosen.emit(goal)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._arrange()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            location = self._arrangement.location_at(event.pos())
            if location is not None:
                about = self._captions.get(location, Caption()).long
                tip = f"{location.name}: {about}" if about else location.name
                if location in self._pinned:
                    tip += "\n" + self.tr("It has pins.")
                QToolTip.showText(event.globalPos(), plain_tip(tip), self)
            return True
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._draw_anew(at_once=True)
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shade, veil = QColor(self._theme.surface), QColor(self._theme.surface)
        shade.setAlphaF(DIMMED)
        veil.setAlphaF(SOUGHT)
        for location, drawing in self._drawings.items():
            place = self._arrangement.rect_of(location)
            if not place.intersects(event.rect()):
                continue
            if drawing.picture is None:
                painter.fillRect(place, QColor(self._theme.sunken))
                continue
            theme, inside = self._theme, QRect(QPoint(), drawing.picture.size)
            inside.moveCenter(place.center())
            paint_miniature(
                painter, inside.topLeft(), drawing.picture, theme, self.font()
            )
            self._dim(painter, inside, shade)
            if location in self._tints:
                painter.fillRect(inside, tint_color(theme, self._tints[location]))
            if self._sought is not None and location not in self._sought:
                painter.fillRect(place, veil)
        paint_names(
            painter, self._arrangement, self._location, self._captions, self._theme
        )
        if self._location is not None:
            self._paint_frame(painter, self._arrangement.rect_of(self._location))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for location in self._pinned:
            corner = self._arrangement.rect_of(location).topLeft()
            paint_badge(painter, QPointF(corner) - QPointF(OUTSET, OUTSET), self._theme)
        painter.end()

    def _dim(self, painter: QPainter, place: QRect, shade: QColor) -> None:
        grid = self._grid()
        query = self._query
        if query is None or not grid.has((query, 0)):
            return
        row = grid.cell_rect((query, 0))
        above = QRect(place.left(), place.top(), place.width(), row.top())
        below = place.adjusted(0, row.top() + max(row.height(), 1), 0, 0)
        painter.fillRect(above, shade)
        painter.fillRect(below, shade)

    def _paint_frame(self, painter: QPainter, place: QRect) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        around = place.adjusted(-2, -2, 1, 1)
        framed = self._theme.accent if self.hasFocus() else self._theme.frame
        for color, width in ((self._theme.halo, 5.0), (framed, 2.5)):
            painter.setPen(QPen(QColor(color), width))
            painter.drawRoundedRect(around, 4, 4)

    def _grid(self) -> Grid:
        assert self._content is not None
        tile = self._arrangement.tile
        return largest_cells(self._content.shape, QSize(tile, tile))

    def _arrange(self) -> None:
        heads, before = self._heads, self._arrangement
        if heads is None:
            return
        bold = QFont(self.font())
        bold.setBold(True)  # as that of the chosen head is
        metrics = QFontMetrics(bold)
        names = QSize(
            metrics.horizontalAdvance(f"H{heads.n_heads - 1}") + 8, metrics.height()
        )
        layers, line = len(heads.layers), usual_line(self.font())
        if self._order is None:
            self._arrangement = arrange(layers, heads.n_heads, self._room, names, line)
        else:
            small = QFontMetrics(scaled(self.font(), NAME))
            longest = HeadLocation(layers - 1, heads.n_heads - 1).name
            texts = {
                longest,
                NUMBER,
                *(caption.short for caption in self._captions.values()),
            }
            room = QSize(max(map(small.horizontalAdvance, texts)) + 8, small.height())
            width = self._room.width()
            self._arrangement = line_up(self._order, width, room, line)
        if self._arrangement.tile != before.tile:
            self._draw_anew(at_once=True)
        self.updateGeometry()
        self.resize(self.sizeHint())
        self.update()

    def _draw_anew(self, *, at_once: bool) -> None:
        for drawing in self._drawings.values():
            drawing.begin_anew(at_once=at_once)
        if self._drawings and self.isVisible():
            self._timer.start()

    @Slot()
    def _draw_some(self) -> None:
        """Draw maps for a part of a frame."""
        if run_for(SLICE_SECONDS, self._draw_next):
            self._timer.start()

    def _draw_next(self) -> bool:
        here = (k for k, drawing in self._drawings.items() if not drawing.done)
        location = next(here, None)
        if location is None or self._heads is None or self._content is None:
            return False
        content = replace(self._content, matrix=self._heads.matrix(location))
        drawing, density = self._drawings[location], density_of(self)
        if drawing.go_on(content, self._theme, self._grid(), self.font(), density):
            self.update(self._arrangement.rect_of(location))
        return True

    def centre_of(self, location: HeadLocation) -> QPoint:
        """Return the middle of a head's map."""
        return self._arrangement.rect_of(location).center()
