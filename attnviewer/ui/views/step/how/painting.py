"""Painting a picture: each kind of shape in turn, onto any device."""

import math
from itertools import compress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QRegion,
)

from attnviewer.ui.paint.level_line import paint_level_line
from attnviewer.ui.paint.subscripts import print_at, printed_width
from attnviewer.ui.paint.text_glyphs import paint_glyphs
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.subscripts import has_subscripts
from attnviewer.ui.views.step.how.drawing import (
    FANNED,
    LABEL_HEIGHT,
    LABEL_WIDTH,
    Align,
    Bars,
    Beam,
    Control,
    Dial,
    Drawing,
    Face,
    Fan,
    Hue,
    Panel,
    Ribbon,
    Rule,
    Shape,
    Sheet,
    Text,
)
from attnviewer.ui.views.step.how.measures import (
    font_in,
    glyphs_in,
    metrics_in,
    number_face_in,
    width_in,
)
from attnviewer.ui.views.step.how.repainting import (
    reach_into,
    reaches_of,
    sides_of,
)
from attnviewer.ui.views.step.how.sheet_painter import SheetPainter, grown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from attnviewer.compute import Array
    from attnviewer.ui.paint.number_face import Placed

BEAM = 0.13
PANEL = 10.0
"""The radius of the corners of a panel."""

_BEFORE: dict[Align, float] = {"left": 0.0, "center": 0.5, "right": 1.0}
"""The share of the free width of a rectangle that lies before its text."""


class DrawingPainter:
    """Paints pictures in a theme.

    Parameters
    ----------
    painter : QPainter
        An active painter.
    theme : Theme
        The colours.
    font : QFont
        The font of texts.
    """

    def __init__(self, painter: QPainter, theme: Theme, font: QFont) -> None:
        self._painter = painter
        self._theme = theme
        self._font = font
        self._colors: dict[Hue, QColor] = {}
        self._exposed: QRegion | None = None
        self._parts: Array | None = None
        self._sheets = SheetPainter(painter, theme, font)
        self._by_type: dict[type, Callable[[Any], None]] = {
            Panel: self._panel,
            Fan: self._fan,
            Beam: self._beam,
            Sheet: self._sheets.cells,
            Ribbon: self._ribbon,
            Rule: self._rule,
            Dial: self._dial,
            Bars: self._bars,
            Text: self._text,
            Control: lambda _: None,  # a widget lies there
        }

    def paint(
        self,
        drawing: Drawing,
        without: frozenset[str] = frozenset(),
        exposed: QRegion | None = None,
    ) -> None:
        """Paint a picture.

        Parameters
        ----------
        drawing : Drawing
            The picture.
        without : frozenset of str
            Inputs whose cells are covered by their tables.
        exposed : QRegion, optional
            The part of the device that is painted; everything by default.
        """
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Matrices and formulas run left to right in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        shapes: Iterable[Shape] = drawing.shapes
        self._exposed = exposed
        self._parts = self._sheets.exposed = None
        if exposed is not None:
            self._parts = sides_of(exposed)
            self._sheets.exposed = self._parts.tolist()
            shapes = compress(shapes, reach_into(reaches_of(drawing), self._parts))
        for shape in shapes:
            if isinstance(shape, Sheet) and _is_under_table(shape, without):
                continue
            self._by_type[type(shape)](shape)
        for sheet in drawing.sheets:
            if not _is_under_table(sheet, without):
                self._sheets.frame(sheet)

    def _color(self, hue: Hue) -> QColor:
        if hue not in self._colors:
            self._colors[hue] = QColor(getattr(self._theme, hue))
        return self._colors[hue]

    def _panel(self, panel: Panel) -> None:
        surface = QColor(self._theme.surface)
        around, inside = grown(panel.rect, 1), grown(panel.rect, -1 - PANEL)
        edge = QRegion(around.toAlignedRect()) - QRegion(inside.toAlignedRect())
        if self._exposed is not None and not self._exposed.intersects(edge):
            # As after most edits: a smooth border takes long even where it is not seen.
            self._painter.fillRect(panel.rect, surface)
            return
        self._painter.setPen(QPen(QColor(self._theme.border), 1))
        self._painter.setBrush(surface)
        self._painter.drawRoundedRect(panel.rect, PANEL, PANEL)

    def _fan(self, fan: Fan) -> None:
        self._painter.setPen(QPen(QColor(self._theme.border), 1))
        self._painter.setBrush(QColor(self._theme.surface))
        for number in range(min(fan.count, 3), 0, -1):
            by = number * FANNED
            self._painter.drawRoundedRect(fan.rect.translated(by, by), 8, 8)
        self._painter.setBrush(QColor(self._theme.stage))
        self._painter.drawRoundedRect(fan.rect, 8, 8)

    def _beam(self, beam: Beam) -> None:
        color = QColor(self._color(beam.hue))
        color.setAlphaF(BEAM)
        self._painter.fillRect(beam.rect, color)

    def _ribbon(self, ribbon: Ribbon) -> None:
        half = ribbon.thickness / 2
        start, end = ribbon.start, ribbon.end
        path = QPainterPath(QPointF(start.x(), start.y() - half))
        bend = (end.x() - start.x()) / 2 if ribbon.curved else 0.0
        for up in (-half, half):
            one, two = (
                QPointF(start.x(), start.y() + up),
                QPointF(end.x(), end.y() + up),
            )
            if up < 0:
                path.cubicTo(one + QPointF(bend, 0), two - QPointF(bend, 0), two)
            else:
                path.lineTo(two)
                path.cubicTo(two - QPointF(bend, 0), one + QPointF(bend, 0), one)
        path.closeSubpath()
        color = QColor(self._color(ribbon.hue))
        color.setAlphaF(0.92 if ribbon.lit else 0.75)
        painter = self._painter
        painter.save()
        if ribbon.reach < 1.0:
            drawn = path.boundingRect()
            drawn.setWidth(ribbon.reach * drawn.width())
            painter.setClipRect(drawn, Qt.ClipOperation.IntersectClip)
        painter.fillPath(path, color)
        painter.restore()

    def _rule(self, rule: Rule) -> None:
        line, color = QLineF(rule.start, rule.end), self._color(rule.hue)
        if line.dy() == 0 and line.dx() > 0:
            level = line.x1(), line.x2(), line.y1(), rule.width
            paint_level_line(self._painter, *level, color)
        else:
            self._painter.setPen(QPen(color, rule.width))
            self._painter.drawLine(line)
        if rule.arrow:
            self._head(line, color, 6 + rule.width)

    def _head(self, line: QLineF, color: QColor, size: float) -> None:
        angle = math.atan2(line.dy(), line.dx())
        tip = line.p2()
        corners = [tip]
        for side in (-0.45, 0.45):
            back = QPointF(math.cos(angle + side), math.sin(angle + side)) * size
            corners.append(tip - back)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(color)
        self._painter.drawPolygon(QPolygonF(corners))

    def _dial(self, dial: Dial) -> None:
        painter, theme = self._painter, self._theme
        painter.setPen(QPen(QColor(theme.border), 1))
        painter.setBrush(QColor(theme.surface))
        painter.drawEllipse(dial.center, dial.radius, dial.radius)
        for end, hue, width in (
            (dial.before, "muted", 1.5),
            (dial.after, "accent" if dial.lit else "bar", 2.5),
        ):
            color = self._color(hue)  # type: ignore[arg-type]
            tip = dial.center + QPointF(end.x(), -end.y()) * (dial.radius - 2)
            line = QLineF(dial.center, tip)
            painter.setPen(QPen(color, width))
            painter.drawLine(line)
            if line.length() > 4:
                self._head(line, color, 4 + width)
        rect = QRectF(
            dial.center.x() + dial.radius + 6,
            dial.center.y() - dial.size,
            5 * dial.size,
            2 * dial.size,
        )
        ink: Hue = "text" if dial.lit else "muted"
        self._write(dial.label, rect, dial.size, ink, "left", "number", bold=dial.lit)

    def _bars(self, bars: Bars) -> None:
        painter, numbers = self._painter, range(len(bars.labels))
        seen: Iterable[int] = numbers
        if self._parts is not None:
            seen = compress(numbers, reach_into(bars.reaches, self._parts))
        rects, lit = bars.rects.tolist(), bars.lit
        colors = None if bars.colors is None else bars.colors.tolist()
        usual, tall = self._color("bar"), LABEL_HEIGHT * bars.size
        labels: tuple[list[Placed], list[Placed]] = [], []
        for number in seen:
            left, top, width, height = rects[number]
            if colors is not None:
                color = QColor(*colors[number])
            else:
                color = QColor(self._theme.frame) if number == lit else usual
            painter.fillRect(QRectF(left, top, width, height), color)
            label = bars.labels[number]
            if label:
                x = left + width / 2 - LABEL_WIDTH / 2
                box = x, top - tall, LABEL_WIDTH, tall, label
                labels[number == lit].append(box)
        painter.setPen(self._color("text"))
        for bold, placed in enumerate(labels):
            if placed:
                face = number_face_in(self._font, bars.size, bold=bool(bold))
                face.write(painter, placed)

    def _text(self, text: Text) -> None:
        self._write(
            text.text,
            text.rect,
            text.size,
            text.hue,
            text.align,
            text.face,
            bold=text.weight == "bold",
        )

    def _write(
        self,
        text: str,
        rect: QRectF,
        size: float,
        hue: Hue,
        align: Align,
        face: Face,
        *,
        bold: bool,
    ) -> None:
        painter = self._painter
        painter.setPen(self._color(hue))
        metrics = metrics_in(self._font, size, face, bold=bold)
        width = width_in(self._font, text, size, face, bold=bold)
        if width > rect.width() + 1:
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
            width = metrics.horizontalAdvance(text)
        printed = face == "text" and has_subscripts(text)
        glyphs = None
        if not printed:
            glyphs = glyphs_in(self._font, text, size, face, bold=bold)
        if glyphs is None:
            painter.setFont(font_in(self._font, size, face, bold=bold))
        if printed:
            width = printed_width(text, painter.font())
        # Aligned by Qt, a text that fits by these metrics could be clipped.
        x = rect.left() + _BEFORE[align] * (rect.width() - width)
        y = rect.center().y() + (metrics.ascent() - metrics.descent()) / 2
        if printed:
            print_at(painter, QPointF(x, y), text)
        elif glyphs is None:
            painter.drawText(QPointF(x, y), text)
        else:
            paint_glyphs(painter, QPointF(x, y), glyphs)


def _is_under_table(sheet: Sheet, without: frozenset[str]) -> bool:
    # The same input once more, as the transposed factor, has no table.
    return sheet.step in without and not sheet.transposed
