"""A step as its operation, as the window draws it, in points."""

import math
from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QFont

from attnviewer.compute import Trace
from attnviewer.ui.figures.cells import pin_mark
from attnviewer.ui.figures.elements import Block, Cells, Element, Stroke, Text, frame
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.figures.room import Room
from attnviewer.ui.figures.style import SMALLER, TALLEST
from attnviewer.ui.figures.subscripts import subscripted
from attnviewer.ui.paint.color_scale import ColorScale
from attnviewer.ui.paint.colors import rgb, wants_light_ink
from attnviewer.ui.paint.pin_mark import has_room, inks_on, mark_of
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.live import Computed
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.step.how import drawing as shapes
from attnviewer.ui.views.step.how.measures import SMALLEST, Measures
from attnviewer.ui.views.step.how.painting import BEAM
from attnviewer.ui.views.step.how.pictures import compose
from attnviewer.ui.views.step.how.subject import Subject

PIXELS_PER_POINT = SMALLEST / SMALLER
"""So that the smallest number has the smallest size of labels."""
_EM = 13
_TALL, _TALLER = 0.62, 1.25
"""Height of the room as a share of its width, on a page and in a column."""
_COLUMN = 330.0
"""The widest column, in points."""
_LANE, _FRAME, _GRID = 1.0, 1.4, 0.8
"""Widths of the frames of operands and of the selected cell, and of the gaps."""
_BORDER = 2.0
"""Room above and below for half the width of a frame, in pixels."""
_CIRCLE = 0.5523
"""Where the control points of a quarter of a circle are."""
_ARROW = 4.0


def how(panel: Panel, room: Room) -> Block:
    """Lay out the operation behind a step."""
    share = _TALLER if room.width <= _COLUMN else _TALL
    font = QFont(room.face.family)
    font.setPixelSize(_EM)
    computation = panel.computation
    computed = Computed(panel.trace, computation.labels, 0, None)
    step = DisplayedStep(computed, panel.step, panel.head, AUTOMATIC, room.theme)
    measures = Measures(font, controls=False, printed=True)
    subject = _PanelSubject(step, panel.cell, lambda _: AUTOMATIC, measures)
    subject.panel = panel

    def composed(height: float) -> shapes.Drawing:
        size = QSizeF(room.width, height) * PIXELS_PER_POINT
        return compose(subject, QRectF(QPointF(), size))

    picture = composed(min(share * room.width, TALLEST))
    whole = _is_whole(picture, panel.trace)
    if not whole:
        high = composed(TALLEST)
        whole = _is_whole(high, panel.trace)
        picture = high if whole else picture
    bounds = picture.bounds
    top = bounds.top() - _BORDER
    drawn = _Points(room, QPointF(0, top))
    elements = tuple(e for shape in picture.shapes for e in drawn.elements(shape))
    marks = tuple(e for sheet in picture.sheets for e in drawn.frames(sheet))
    cell = min((sheet.cell for sheet in picture.sheets), default=PIXELS_PER_POINT)
    height = (bounds.bottom() + _BORDER - top) / PIXELS_PER_POINT
    return Block(
        elements + marks,
        room.width,
        height,
        whole,
        cell=cell / PIXELS_PER_POINT,
    )


def _is_whole(picture: shapes.Drawing, trace: Trace) -> bool:
    """Return whether no key, column or term of a sum is left out."""

    def has_all(sheet: shapes.Sheet) -> bool:
        rows, columns = trace.matrix_shape(sheet.step)
        if trace.stages[sheet.step].inputs:
            return len(sheet.columns) == columns
        return len(sheet.rows) == rows  # of its columns, a head has its own

    return all(map(has_all, picture.sheets))


class _PanelSubject(Subject):
    """A subject whose step has the colours of the panel."""

    panel: Panel

    @property
    def focus(self) -> Position:
        """The framed cell, or the one that the panel is about."""
        return self.panel.cell_in_focus

    def scale(self, step: str) -> ColorScale:
        if step == self.panel.step and self.panel.scale is not None:
            return self.panel.scale
        return super().scale(step)


class _Points:
    """Turns the shapes of a picture into elements of a figure.

    Parameters
    ----------
    room : Room
        The room of the figure, with its font and colours.
    origin : QPointF
        The picture's point that becomes the corner.
    """

    def __init__(self, room: Room, origin: QPointF) -> None:
        self._theme, self._face = room.theme, room.face
        self._origin = origin
        self._rise = room.face.rise("0", 1.0)

    def elements(self, shape: shapes.Shape) -> Iterator[Element]:
        """Yield the elements of a shape, the lowest first."""
        match shape:
            case shapes.Panel(rect):
                yield self._frame(rect, color=self._theme.border)
            case shapes.Beam(rect, hue):
                yield self._area(rect, self._tint(hue, BEAM))
            case shapes.Sheet():
                yield from self._sheet(shape)
            case shapes.Ribbon():
                yield self._ribbon(shape)
            case shapes.Rule():
                yield from self._rule(shape)
            case shapes.Dial():
                yield from self._dial(shape)
            case shapes.Bars():
                for bar in shape.each():
                    yield from self._bar(bar)
            case shapes.Text():
                yield from self._text(shape)

    def frames(self, sheet: shapes.Sheet) -> Iterator[Stroke]:
        """Yield the frames of the selection in a matrix."""
        if sheet.lane is not None and sheet.lit != (None, None):
            line = sheet.line_rect(*sheet.lit)
            yield self._frame(line, _LANE, self._color(sheet.lane))
        if sheet.framed is not None:
            cell = sheet.cell_rect(*sheet.framed)
            yield self._frame(cell, 2 * _FRAME, self._theme.halo)
            yield self._frame(cell, _FRAME, self._theme.frame)

    def _sheet(self, sheet: shapes.Sheet) -> Iterator[Element]:
        down, across = sheet.shape
        x, y = self._point(sheet.rect.topLeft())
        step = sheet.cell / PIXELS_PER_POINT
        width, height = across * step, down * step
        yield Cells(x, y, width, height, sheet.colors)
        if sheet.gap:
            for row in range(1, down):
                line = (x, y + row * step), (x + width, y + row * step)
                yield Stroke(line, _GRID, self._theme.window)
            for column in range(1, across):
                line = (x + column * step, y), (x + column * step, y + height)
                yield Stroke(line, _GRID, self._theme.window)
        yield frame(x, y, width, height, color=self._theme.border)
        light = wants_light_ink(sheet.colors)  # (down, across)
        size = sheet.size / PIXELS_PER_POINT
        for row, line_ in enumerate(sheet.texts):
            for column, text in enumerate(line_):
                if text:
                    center = x + (column + 0.5) * step
                    base = y + (row + 0.5) * step + self._rise * size / 2
                    ink = "#ffffff" if light[row, column] else "#000000"
                    yield Text(center, base, text, size, "middle", color=ink)
        if sheet.pinned is not None and has_room(step, step):
            inks = inks_on(sheet.colors[sheet.pinned])
            places = np.argwhere(sheet.pinned).tolist()
            for (row, column), color in zip(places, inks, strict=True):
                cell = QRectF(x + column * step, y + row * step, step, step)
                yield pin_mark(mark_of(cell), color.name())

    def _ribbon(self, ribbon: shapes.Ribbon) -> Stroke:
        (x1, y1), (x2, y2) = self._point(ribbon.start), self._point(ribbon.end)
        bend = (x2 - x1) / 2 if ribbon.curved else 0.0
        points = (x1, y1), (x1 + bend, y1), (x2 - bend, y2), (x2, y2)
        width = ribbon.thickness / PIXELS_PER_POINT
        color = self._tint(ribbon.hue, 0.92 if ribbon.lit else 0.75)
        return Stroke(points, width, color, curved=True)

    def _rule(self, rule: shapes.Rule) -> Iterator[Stroke]:
        start, end = self._point(rule.start), self._point(rule.end)
        color = self._color(rule.hue)
        yield Stroke((start, end), rule.width / PIXELS_PER_POINT, color)
        if rule.arrow:
            yield self._tip(start, end, rule.width / PIXELS_PER_POINT, color)

    def _dial(self, dial: shapes.Dial) -> Iterator[Element]:
        x, y = self._point(dial.center)
        radius = dial.radius / PIXELS_PER_POINT
        bend = _CIRCLE * radius
        for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
            # From this point of the circle to the next one, a quarter further.
            start = x + dx * radius, y + dy * radius
            end = x - dy * radius, y + dx * radius
            one = start[0] - dy * bend, start[1] + dx * bend
            two = end[0] + dx * bend, end[1] + dy * bend
            yield Stroke((start, one, two, end), color=self._theme.border, curved=True)
        for vector, hue in ((dial.before, "muted"), (dial.after, "accent")):
            tip = x + vector.x() * radius, y - vector.y() * radius
            color = self._color(hue)
            if math.dist((x, y), tip) > 1:
                yield Stroke(((x, y), tip), 0.8, color)
                yield self._tip((x, y), tip, 0.8, color)
        if dial.label:
            size = dial.size / PIXELS_PER_POINT
            base = y + self._rise * size / 2
            yield Text(x + radius + 3.0, base, dial.label, size)

    def _bar(self, bar: shapes.Bar) -> Iterator[Element]:
        color = bar.color or rgb(self._theme.frame if bar.lit else self._theme.bar)
        yield self._area(bar.rect, QColor(*color).name())
        if bar.label:
            x, y = self._point(QPointF(bar.rect.center().x(), bar.rect.top()))
            size = bar.size / PIXELS_PER_POINT
            yield Text(x, y - 2.0, bar.label, size, "middle", bold=bar.lit)

    def _text(self, text: shapes.Text) -> Iterator[Text]:
        if text.upright:
            yield self._upright(text)
            return
        size = text.size / PIXELS_PER_POINT
        left, middle = self._point(QPointF(text.rect.left(), text.rect.center().y()))
        width = text.rect.width() / PIXELS_PER_POINT
        anchor, share = {
            "left": ("start", 0.0),
            "center": ("middle", 0.5),
            "right": ("end", 1.0),
        }[text.align]
        line = Text(
            left + share * width,
            middle + self._rise * size / 2,
            self._face.elided(text.text, size, width + 1.0),
            size,
            anchor,  # type: ignore[arg-type]
            bold=text.weight == "bold",
            color=self._color(text.hue),
        )
        yield from subscripted(line, self._face)

    def _upright(self, text: shapes.Text) -> Text:
        size = text.size / PIXELS_PER_POINT
        foot = QPointF(text.rect.center().x(), text.rect.bottom())
        middle, bottom = self._point(foot)
        return Text(
            middle + self._rise * size / 2,
            bottom,
            self._face.elided(text.text, size, text.rect.height() / PIXELS_PER_POINT),
            size,
            angle=-90.0,
            bold=text.weight == "bold",
            color=self._color(text.hue),
        )

    def _area(self, rect: QRectF, color: str) -> Cells:
        x, y = self._point(rect.topLeft())
        width, height = (s / PIXELS_PER_POINT for s in (rect.width(), rect.height()))
        return Cells(x, y, width, height, np.array([[rgb(color)]], np.uint8))

    def _frame(self, rect: QRectF, line: float = 0.4, color: str = "") -> Stroke:
        x, y = self._point(rect.topLeft())
        width, height = (s / PIXELS_PER_POINT for s in (rect.width(), rect.height()))
        return frame(x, y, width, height, line, color)

    def _tip(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        width: float,
        color: str,
    ) -> Stroke:
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        one, two = (
            (end[0] - _ARROW * math.cos(a), end[1] - _ARROW * math.sin(a))
            for a in (angle - 0.45, angle + 0.45)
        )
        return Stroke((one, end, two), width, color)

    def _color(self, hue: str) -> str:
        color: str = getattr(self._theme, hue)
        return color

    def _tint(self, hue: str, share: float) -> str:
        """Return a colour mixed with the ground."""
        ink, ground = (np.array(rgb(c)) for c in (self._color(hue), self._theme.window))
        return QColor(*(share * ink + (1 - share) * ground).round().astype(int)).name()

    def _point(self, point: QPointF) -> tuple[float, float]:
        moved = point - self._origin
        return moved.x() / PIXELS_PER_POINT, moved.y() / PIXELS_PER_POINT
