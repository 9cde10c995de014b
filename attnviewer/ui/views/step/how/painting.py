"""Painting a picture: each kind of shape in turn, onto any device."""

import math

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
)

from attnviewer.compute import BoolArray
from attnviewer.ui.paint.color_scale import Rgb
from attnviewer.ui.paint.colors import INKS, rgb, wants_light_ink
from attnviewer.ui.paint.pin_mark import has_room, inks_on, paint_mark
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.views.step.how.drawing import (
    FANNED,
    Bar,
    Beam,
    Control,
    Dial,
    Drawing,
    Fan,
    Hue,
    Panel,
    Ribbon,
    Rule,
    Shape,
    Sheet,
    Text,
)
from attnviewer.ui.views.step.how.measures import font_of

FRAME, HALO = 3.0, 7.0
RADIUS = 5.0
DIMMED = 0.5
"""Share of its colour that a cell keeps that does not belong to the selection."""
BEAM = 0.13


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
        self._bars = QColor(theme.bar)

    def paint(self, drawing: Drawing, without: frozenset[str] = frozenset()) -> None:
        """Paint a picture.

        Parameters
        ----------
        drawing : Drawing
            The picture.
        without : frozenset of str
            Inputs whose cells are covered by their tables.
        """
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Matrices and formulas run left to right in every language.
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        for shape in drawing.shapes:
            if not (isinstance(shape, Sheet) and shape.step in without):
                self._paint(shape)
        for sheet in drawing.sheets:
            if sheet.step not in without:
                self.frame(sheet)

    def _paint(self, shape: Shape) -> None:
        match shape:
            case Panel():
                self._panel(shape)
            case Fan():
                self._fan(shape)
            case Beam():
                self._beam(shape)
            case Sheet():
                self._sheet(shape)
            case Ribbon():
                self._ribbon(shape)
            case Rule():
                self._rule(shape)
            case Dial():
                self._dial(shape)
            case Bar():
                self._bar(shape)
            case Text():
                self._text(shape)
            case Control():
                pass  # a widget lies there

    def _color(self, hue: Hue) -> QColor:
        theme = self._theme
        return QColor(theme.bar if hue == "bar" else getattr(theme, hue))

    def _panel(self, panel: Panel) -> None:
        self._painter.setPen(QPen(QColor(self._theme.border), 1))
        self._painter.setBrush(QColor(self._theme.surface))
        self._painter.drawRoundedRect(panel.rect, 10, 10)

    def _fan(self, fan: Fan) -> None:
        self._painter.setPen(QPen(QColor(self._theme.border), 1))
        self._painter.setBrush(QColor(self._theme.surface))
        for number in range(min(fan.count, 3), 0, -1):
            by = number * FANNED
            self._painter.drawRoundedRect(fan.rect.translated(by, by), 8, 8)
        self._painter.setBrush(QColor(self._theme.stage))
        self._painter.drawRoundedRect(fan.rect, 8, 8)

    def _beam(self, beam: Beam) -> None:
        color = self._color(beam.hue)
        color.setAlphaF(BEAM)
        self._painter.fillRect(beam.rect, color)

    def _sheet(self, sheet: Sheet) -> None:
        colors = _dimmed(sheet, self._theme)
        down, across = sheet.shape
        painter = self._painter
        radius = 2.0 if sheet.gap > 1 else 0.0
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, radius > 0)
        painter.setPen(Qt.PenStyle.NoPen)
        empty, outline = QColor(self._theme.empty), QColor(self._theme.border)
        for row in range(down):
            for column in range(across):
                rect = sheet.cell_rect(row, column)
                if sheet.empty is not None and sheet.empty[row, column]:
                    painter.fillRect(rect, empty)
                    continue
                color = QColor(*colors[row, column].tolist())
                if radius:
                    painter.setBrush(color)
                    painter.drawRoundedRect(rect, radius, radius)
                else:
                    painter.fillRect(rect, color)
                if sheet.hidden is not None and sheet.hidden[row, column]:
                    painter.setPen(QPen(outline, 1))
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
                    painter.setPen(Qt.PenStyle.NoPen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if sheet.texts:
            self._numbers(sheet, colors)
        if sheet.pinned is not None:
            self._pins(sheet, sheet.pinned, colors)

    def _pins(self, sheet: Sheet, pinned: BoolArray, colors: Rgb) -> None:
        if not has_room(sheet.cell, sheet.cell):
            return
        there = pinned if sheet.empty is None else pinned & ~sheet.empty
        places = np.argwhere(there).tolist()
        for place, ink in zip(places, inks_on(colors[there]), strict=True):
            paint_mark(self._painter, sheet.cell_rect(*place), ink)

    def _numbers(self, sheet: Sheet, colors: Rgb) -> None:
        light = wants_light_ink(colors)  # (down, across)
        painter = self._painter
        text = Text("", sheet.rect, sheet.size, face="number")
        painter.setFont(font_of(self._font, text))
        for row, line in enumerate(sheet.texts):
            for column, number in enumerate(line):
                if not number:
                    continue
                if sheet.empty is not None and sheet.empty[row, column]:
                    continue
                painter.setPen(INKS[int(light[row, column])])
                rect = sheet.cell_rect(row, column)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, number)

    def frame(self, sheet: Sheet) -> None:
        """Paint the frames of the selection in a matrix."""
        painter = self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if sheet.lane is not None and sheet.lit != (None, None):
            rect = sheet.line_rect(*sheet.lit)
            painter.setPen(QPen(self._color(sheet.lane), FRAME))
            painter.drawRoundedRect(_grown(rect, sheet.gap / 2), RADIUS, RADIUS)
        if sheet.framed is not None:
            rect = _grown(sheet.cell_rect(*sheet.framed), sheet.gap / 2)
            for color, width in (
                (self._theme.halo, HALO),
                (self._theme.frame, FRAME),
            ):
                painter.setPen(QPen(QColor(color), width))
                painter.drawRoundedRect(rect, RADIUS, RADIUS)

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
        color = self._color(ribbon.hue)
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
        pen = QPen(self._color(rule.hue), rule.width)
        self._painter.setPen(pen)
        line = QLineF(rule.start, rule.end)
        self._painter.drawLine(line)
        if rule.arrow:
            self._head(line, self._color(rule.hue), 6 + rule.width)

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
        weight = "bold" if dial.lit else "normal"
        hue = "text" if dial.lit else "muted"
        self._text(
            Text(dial.label, rect, dial.size, hue, "left", weight, "number")  # type: ignore[arg-type]
        )

    def _bar(self, bar: Bar) -> None:
        color = QColor(*bar.color) if bar.color else QColor(self._bars)
        if bar.lit and not bar.color:
            color = QColor(self._theme.frame)
        self._painter.fillRect(bar.rect, color)
        if not bar.label:
            return
        height = 1.5 * bar.size
        up = QRectF(bar.rect.center().x() - 60, bar.rect.top() - height, 120, height)
        self._text(
            Text(
                bar.label,
                up,
                bar.size,
                "text",
                "center",
                "bold" if bar.lit else "normal",
                "number",
            )
        )

    def _text(self, text: Text) -> None:
        font = font_of(self._font, text)
        painter = self._painter
        painter.setFont(font)
        painter.setPen(self._color(text.hue))
        horizontal = {
            "left": Qt.AlignmentFlag.AlignLeft,
            "center": Qt.AlignmentFlag.AlignHCenter,
            "right": Qt.AlignmentFlag.AlignRight,
        }[text.align]
        written = text.text
        metrics = QFontMetricsF(font)
        if metrics.horizontalAdvance(written) > text.rect.width() + 1:
            middle = Qt.TextElideMode.ElideRight
            written = metrics.elidedText(written, middle, text.rect.width())
        painter.drawText(text.rect, horizontal | Qt.AlignmentFlag.AlignVCenter, written)


def _dimmed(sheet: Sheet, theme: Theme) -> Rgb:
    """Return the colours with cells that are not lit mixed with the ground."""
    row, column = sheet.lit
    if not sheet.dims or (row is None and column is None):
        return sheet.colors
    faded = np.ones(sheet.shape, np.bool_)
    if row is not None:
        faded[row] = False
    if column is not None:
        faded[:, column] = False
    ground = np.array(rgb(theme.stage))
    colors = sheet.colors.copy()
    colors[faded] = (colors[faded] * DIMMED + ground * (1 - DIMMED)).round()
    return colors


def _grown(rect: QRectF, by: float) -> QRectF:
    return rect.adjusted(-by, -by, by, by)
