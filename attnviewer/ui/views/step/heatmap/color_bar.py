"""The colour bar, which opens the choice of colours."""

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractButton, QWidget

from attnviewer.ui.paint.color_limits import policy_text
from attnviewer.ui.paint.color_scale import OVER, UNDER, ColorScale
from attnviewer.ui.paint.colors import color_of_kind
from attnviewer.ui.paint.paper import draw_colors
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.state.looks import Look
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.views.step.heatmap.arrangement import BAR_WIDTH
from attnviewer.ui.widgets.color_panel import LookPanel

LABEL_GAP = 6.0
DIGITS = 4
"""Of the labels' numbers, if they fit."""
LONGEST = 8
"""The most characters of a label; every number has a form that fits."""
_WIDEST = "−0.00000", "−0.00e00", "−0.0e−00", "−0e−000"
"""The forms of the longest labels."""
CAP = 10.0
"""Height of the pointed ends, which mean that numbers exceed the scale."""

_FLAGS = (
    Qt.AlignmentFlag.AlignVCenter
    | Qt.AlignmentFlag.AlignLeft
    | Qt.AlignmentFlag.AlignAbsolute
)


class ColorBar(QAbstractButton):
    """A colour scale from its low end at the bottom to its high end.

    A click, Space or Return opens the colour panel.

    Attributes
    ----------
    look_chosen : Signal
        The user wants another `Look`.
    """

    look_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scale: ColorScale | None = None
        self._look = Look()
        self._step = ""
        self._steady = False
        self._panel: LookPanel | None = None
        self._theme = LIGHT
        self._image = QImage()
        self._head_room = 0
        self._cells = QRect()
        self.clicked.connect(self._open_panel)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Otherwise Return would edit the selected cell of the heatmap.
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    @property
    def panel(self) -> LookPanel:
        """The colour panel, created on demand."""
        if self._panel is None:
            self._panel = LookPanel(self)
            self._panel.chosen.connect(self.look_chosen)
            self._show_look()
        return self._panel

    def set_scale(
        self,
        scale: ColorScale,
        theme: Theme,
        look: Look,
        step: str,
        *,
        signed: bool = True,
    ) -> None:
        """Show another scale, with its look and its step.

        Parameters
        ----------
        scale : ColorScale
            The scale.
        theme : Theme
            The current theme.
        look : Look
            The look that the scale follows from.
        step : str
            The step.
        signed : bool, optional
            Whether the step's numbers can be negative; if not, its automatic limits
            are always the same.
        """
        self._steady = (
            look.kept is not None
            or look.policy in ("unit", "typed")
            or (look.policy == "automatic" and not signed)
        )
        asked = scale, theme, look, step
        if asked == (self._scale, self._theme, self._look, self._step):
            return
        if self._scale is None or scale.name != self._scale.name:
            upward = np.ascontiguousarray(scale.table()[::-1])  # (256, 3)
            # The copy owns its pixels, so the array may be freed.
            self._image = QImage(
                upward.data, 1, len(upward), 3, QImage.Format.Format_RGB888
            ).copy()
        self._scale, self._theme, self._look, self._step = asked
        self._show_look()
        low, high = (significant_number(x, DIGITS) for x in (scale.low, scale.high))
        self.setAccessibleName(
            self.tr("Colours from {low} to {high}").format(low=low, high=high)
        )
        tip = self.tr("{limits}. Click to choose colours, limits and filter.")
        self.setToolTip(tip.format(limits=policy_text(look) or self.tr("Automatic")))
        self.setAccessibleDescription(self.toolTip())
        self.update()

    def set_head_room(self, height: float) -> None:
        """Reserve space above the bar for the text about the scale."""
        if round(height) != self._head_room:
            self._head_room = round(height)
            self.update()

    def strip(self) -> QRectF:
        """Return the rectangle of the colours, in the button's coordinates."""
        top, bottom = float(self._head_room), float(self.height() - self._overhang())
        over, under = (CAP if cut else 0.0 for cut in self.cuts())
        return QRectF(0, top + over, BAR_WIDTH, max(1.0, bottom - top - over - under))

    def cuts(self) -> tuple[bool, bool]:
        """Return whether numbers may exceed the scale at its top and bottom."""
        chosen = self._look.policy in ("unit", "typed", "percentile")
        cut = chosen or self._look.kept is not None
        scale = self._scale
        log = scale is not None and scale.scaling == "log" and not scale.from_zero
        return cut, cut or log

    def ticks(self) -> list[tuple[float, str]]:
        """Return the ticks, as shares of the height, and their labels."""
        if self._scale is None:
            return []
        return [(share, _label(number)) for share, number in self._scale.ticks()]

    def placed(self) -> list[tuple[str, QRectF]]:
        """Return the labels that fit, from the bottom, with their rectangles."""
        strip, line = self.strip(), QFontMetricsF(self.font()).height()
        ticks = [
            (text, self._tick_rect(strip, share, line)) for share, text in self.ticks()
        ]
        # The ends come first, as they must not be left out.
        kept, last = ticks[:1], ticks[-1]
        for text, rect in ticks[1:-1]:
            below = kept[-1][1].top() >= rect.bottom()
            if below and rect.top() >= last[1].bottom():
                kept.append((text, rect))
        return [*kept, last]

    def label_extent(self) -> float:
        """Return the width of the labels beside the colours.

        Limits that follow the numbers have room for every number, so that nothing moves
        while these change.
        """
        metrics = QFontMetricsF(self.font())
        texts = [text for _, text in self.ticks()]
        if not self._steady:
            texts += _WIDEST
        labels = (LABEL_GAP + metrics.horizontalAdvance(text) for text in texts)
        heading = metrics.horizontalAdvance(policy_text(self._look)) - BAR_WIDTH
        return max(heading, *labels, 0.0) + 2

    def place(self, colors: QRectF, head_room: float, cells: QRectF) -> None:
        """Set the geometry so that the colours fill a rectangle of the parent.

        Parameters
        ----------
        colors : QRectF
            The rectangle of the colours with the labels beside them.
        head_room : float
            Space above it.
        cells : QRectF
            The map, which its panel leaves free.
        """
        self.set_head_room(head_room)
        top = round(colors.top() - head_room)
        bottom = round(colors.bottom()) + self._overhang()
        self.setGeometry(round(colors.left()), top, round(colors.width()), bottom - top)
        self._cells = cells.toRect().translated(-self.pos())

    def sizeHint(self) -> QSize:
        return QSize(round(BAR_WIDTH + self.label_extent()), 100)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._scale is None:
            return
        painter = QPainter(self)
        strip = self.strip()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        draw_colors(painter, strip, self._image)
        self._paint_caps(painter, strip)
        painter.setPen(QColor(self._theme.muted))
        painter.setFont(self.font())
        self._paint_labels(painter)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def _show_look(self) -> None:
        if self._panel is not None and self._scale is not None:
            self._panel.show_look(self._look, self._scale, self._step)

    @Slot()
    def _open_panel(self) -> None:
        bar = QRect(self.mapToGlobal(QPoint()), self.size())
        cells = QRect(self.mapToGlobal(self._cells.topLeft()), self._cells.size())
        self.panel.open_beside(bar, cells)

    def _overhang(self) -> int:
        """Return how far the lowest label extends below the colours."""
        return round(QFontMetricsF(self.font()).height() / 4)

    def _paint_caps(self, painter: QPainter, strip: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        middle = strip.center().x()
        ends = (
            (OVER, strip.topLeft(), strip.topRight(), strip.top() - CAP + 1),
            (UNDER, strip.bottomLeft(), strip.bottomRight(), strip.bottom() + CAP - 1),
        )
        for (kind, left, right, tip), cut in zip(ends, self.cuts(), strict=True):
            if not cut:
                continue
            painter.setBrush(QColor(color_of_kind(kind, self._theme)))
            painter.drawPolygon(QPolygonF([left, right, QPointF(middle, tip)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)

    def _paint_labels(self, painter: QPainter) -> None:
        metrics = QFontMetricsF(self.font())
        heading = policy_text(self._look)
        if heading:
            baseline = self._head_room - 6 - metrics.descent()
            painter.drawText(QPointF(0, baseline), heading)
        for text, rect in self.placed():
            painter.drawText(rect, _FLAGS, text)

    def _tick_rect(self, strip: QRectF, share: float, line: float) -> QRectF:
        middle = strip.bottom() - share * strip.height()
        # The outer labels stay beside the bar.
        highest, lowest = strip.top() - line / 4, strip.bottom() - line * 3 / 4
        top = min(max(middle - line / 2, highest), lowest)
        return QRectF(BAR_WIDTH + LABEL_GAP, top, self.width(), line)


def _label(number: float) -> str:
    """Return a number with as many digits as a label has room for."""
    texts = (significant_number(number, digits) for digits in range(DIGITS, 0, -1))
    return next(text for text in texts if len(text) <= LONGEST)
