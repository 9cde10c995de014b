"""The visible page, laid out for a picture and painted by any painter."""

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QGraphicsItem,
    QGraphicsView,
    QTableView,
    QWidget,
)

from attnviewer.ui.paint.paper import ON_SCREEN_ONLY, painting_for_paper
from attnviewer.ui.paint.theme import Appearance, Theme, palette_of, style_sheet
from attnviewer.ui.pictures.style import (
    MM_PER_INCH,
    MOST_PIXELS,
    POINTS_PER_INCH,
    SCREEN_DPI,
    Preset,
    Style,
)
from attnviewer.ui.views.step import StepView

MARGIN = 8
"""Margin around a caption, and below a trimmed picture, in pixels."""
SMALLEST_SHARE = 0.75
"""Smallest text scale for fitting all columns of a table."""
INSIDE = 4.0
"""Resolution of images inside vector pictures, in pixels per pixel."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A page that has been laid out, and how to paint it.

    It can be painted only inside `laid_out`.

    Parameters
    ----------
    page : QWidget
        The page to paint.
    size : QSize
        The painted area, from its top left corner.
    caption : str
        The text below it; "" for none.
    scale : float
        Inches of the picture per inch of the screen.
    density : float
        Image pixels per screen pixel, in raster pictures.
    theme : Theme
        Its colours.
    """

    page: QWidget
    size: QSize
    caption: str
    scale: float
    density: float
    theme: Theme

    @property
    def whole(self) -> QSize:
        """Size with the caption, in screen pixels."""
        return QSize(self.size.width(), self.size.height() + self._below())

    @property
    def pixels(self) -> QSize:
        """Size as an image."""
        width, height = self.whole.width(), self.whole.height()
        return QSize(round(width * self.density), round(height * self.density))

    def image(self, density: float | None = None) -> QImage:
        """Return it as an image.

        Parameters
        ----------
        density : float, optional
            Image pixels per screen pixel; its own density by default.
        """
        density = self.density if density is None else density
        width, height = self.whole.width() * density, self.whole.height() * density
        image = QImage(round(width), round(height), QImage.Format.Format_RGB32)
        image.fill(QColor(self.theme.window))
        dots = round(SCREEN_DPI / self.scale * density / MM_PER_INCH * 1000)
        image.setDotsPerMeterX(dots)
        image.setDotsPerMeterY(dots)
        painter = QPainter(image)
        painter.scale(density, density)
        self.paint(painter, density)
        painter.end()
        return image

    def paint(self, painter: QPainter, density: float = INSIDE) -> None:
        """Paint it in screen pixels.

        Parameters
        ----------
        painter : QPainter
            The target.
        density : float
            Image pixels per screen pixel, for embedded images.
        """
        ground = QRectF(QRect(QPoint(), self.whole))
        painter.fillRect(ground, QColor(self.theme.window))
        source = QRect(QPoint(), self.size)
        with painting_for_paper(density):
            # QWidget.render, as QGraphicsView.render paints the scene only.
            QWidget.render(self.page, painter, QPoint(), source)
        if self.caption:
            painter.setFont(_caption_font())
            painter.setPen(QColor(self.theme.muted))
            painter.drawText(self._caption_rect(), _WRAPPED, self.caption)

    def _below(self) -> int:
        return math.ceil(self._caption_rect().height()) + MARGIN if self.caption else 0

    def _caption_rect(self) -> QRectF:
        width = self.size.width() - 2 * MARGIN
        metrics = QFontMetricsF(_caption_font())
        room = QRectF(MARGIN, self.size.height(), width, 10_000)
        return metrics.boundingRect(room, _WRAPPED, self.caption)


def _caption_font() -> QFont:
    font = QApplication.font()
    font.setPixelSize(max(1, round(0.9 * QFontInfo(font).pixelSize())))
    return font


W = TypeVar("W", bound=QWidget)
_LAYOUT_REQUEST = QEvent.Type.LayoutRequest.value
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft


@contextlib.contextmanager
def laid_out(step_view: StepView, style: Style, caption: str) -> Iterator[Picture]:
    """Lay out the visible page for a picture, and restore it afterwards.

    Everything happens within one event-loop iteration, so none of it is visible.

    Parameters
    ----------
    step_view : StepView
        The view with the page.
    style : Style
        The style of the picture.
    caption : str
        The text below, if the style has a caption.

    Raises
    ------
    ValueError
        If the picture would have too many pixels.
    """
    step_view.open_page()
    # A page that has just been opened is laid out only now; two passes, as layouts
    # trigger further layouts.
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, _LAYOUT_REQUEST)
    page, preset = step_view.page, style.preset
    theme = style.theme or Appearance.theme_in_force()
    caption = caption if style.caption else ""
    step_view.forget_pointer()
    with contextlib.ExitStack() as restoring:
        restoring.enter_context(_without_focus(page))
        restoring.enter_context(_in_theme(step_view, theme))
        restoring.enter_context(_without_scroll_bars(page))
        scale, density = 1.0, style.scale
        if preset is None and style.size is not None:
            restoring.enter_context(_sized(page, QSize(*style.size)))
        if preset is not None:
            restoring.enter_context(_without_controls(page))
            scale = _scale_of_texts(page, preset.text_points)
            width, height = preset.width_mm, preset.height_mm or preset.width_mm
            size = QSize(_pixels(width, scale), _pixels(height, scale))
            if isinstance(page, QTableView):
                size, scale = _fitted(page, size, scale, preset)
            density = scale * style.resolution / SCREEN_DPI
            restoring.enter_context(_sized(page, size))
        _settle(page)
        picture = Picture(page, page.size(), caption, scale, density, theme)
        if preset is not None and preset.height_mm is None:
            trimmed = page.size()
            if not isinstance(page, QTableView):
                trimmed.setHeight(_last_line(picture) + 1 + MARGIN)
            picture = Picture(page, trimmed, caption, scale, density, theme)
        yield picture


def check_pixels(picture: Picture) -> None:
    """Refuse a picture with too many pixels.

    Raises
    ------
    ValueError
        With its size and the limit.
    """
    size = picture.pixels
    if max(size.width(), size.height()) > MOST_PIXELS:
        raise ValueError(
            f"The picture must have at most {MOST_PIXELS} pixels on a side. Got "
            f"{size.width()} × {size.height()} instead: choose a lower scale."
        )


def _scale_of_texts(page: QWidget, points: float) -> float:
    """Return the scale that gives texts a size on paper."""
    pixels = QFontInfo(page.font()).pixelSize()
    return points * SCREEN_DPI / (POINTS_PER_INCH * pixels)


def _pixels(millimetres: float, scale: float) -> int:
    return round(millimetres / MM_PER_INCH * SCREEN_DPI / scale)


def _fitted(
    table: QTableView, size: QSize, scale: float, preset: Preset
) -> tuple[QSize, float]:
    """Scale a table down if that makes all columns fit, without growing its height."""
    frame = table.size() - table.viewport().size()
    wanted = frame.width() + table.horizontalHeader().length()
    wide = min(max(size.width(), wanted), round(size.width() / SMALLEST_SHARE))
    scale *= size.width() / wide
    high = frame.height() + table.verticalHeader().length()
    if preset.height_mm is None:
        return QSize(wide, min(high, _pixels(preset.width_mm, scale))), scale
    return QSize(wide, _pixels(preset.height_mm, scale)), scale


def _last_line(picture: Picture) -> int:
    """Return the lowest pixel row that is not blank."""
    bare = Picture(picture.page, picture.size, "", 1.0, 1.0, picture.theme)
    image = bare.image()
    pixels = np.frombuffer(image.constBits(), np.uint32)
    lines = pixels.reshape(image.height(), image.bytesPerLine() // 4)
    filled = (lines[:, : image.width()] != lines[-1, 0]).any(axis=1)
    found = np.flatnonzero(filled)
    last = int(found[-1]) if found.size else image.height() - 1
    return min(last, image.height() - 1 - MARGIN)


@contextlib.contextmanager
def _without_focus(page: QWidget) -> Iterator[None]:
    """Take the focus away temporarily, so that no focus frame is painted."""
    focused = page.window().focusWidget()
    if focused is None or not (focused is page or page.isAncestorOf(focused)):
        yield
        return
    focused.clearFocus()
    try:
        yield
    finally:
        # With the reason of a reactivated window, which has no side effects.
        focused.setFocus(Qt.FocusReason.ActiveWindowFocusReason)


@contextlib.contextmanager
def _in_theme(step_view: StepView, theme: Theme) -> Iterator[None]:
    """Show the page in another theme; the rest of the window keeps its own."""
    if theme is Appearance.theme_in_force():
        yield
        return
    page = step_view.page
    # Tables and their headers do not inherit the page's palette.
    dressed = [page, *page.findChildren(QAbstractItemView)]
    sheet, palettes = page.styleSheet(), [widget.palette() for widget in dressed]
    em = QFontInfo(page.font()).pixelSize()
    page.setStyleSheet(style_sheet(theme, em))
    for widget in dressed:
        widget.setPalette(palette_of(theme))
    step_view.wear(theme)
    try:
        yield
    finally:
        page.setStyleSheet(sheet)
        for widget, palette in zip(dressed, palettes, strict=True):
            widget.setPalette(palette)
        step_view.wear(None)


@contextlib.contextmanager
def _without_scroll_bars(page: QWidget) -> Iterator[None]:
    """Hide scroll bars, and disable cached pixmaps of scene items."""
    restoring: list[Callable[[], None]] = []
    off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    for area in _with_itself(page, QAbstractScrollArea):
        across, down = area.horizontalScrollBarPolicy(), area.verticalScrollBarPolicy()
        area.setHorizontalScrollBarPolicy(off)
        area.setVerticalScrollBarPolicy(off)
        restoring.append(_Bars(area, across, down))
    for view in _with_itself(page, QGraphicsView):
        for item in view.scene().items():
            mode = item.cacheMode()
            if mode != QGraphicsItem.CacheMode.NoCache:
                item.setCacheMode(QGraphicsItem.CacheMode.NoCache)
                restoring.append(_Cache(item, mode))
    try:
        yield
    finally:
        for restore in restoring:
            restore()


@dataclass(frozen=True, slots=True)
class _Bars:
    area: QAbstractScrollArea
    across: Qt.ScrollBarPolicy
    down: Qt.ScrollBarPolicy

    def __call__(self) -> None:
        self.area.setHorizontalScrollBarPolicy(self.across)
        self.area.setVerticalScrollBarPolicy(self.down)


@dataclass(frozen=True, slots=True)
class _Cache:
    item: QGraphicsItem
    mode: QGraphicsItem.CacheMode

    def __call__(self) -> None:
        self.item.setCacheMode(self.mode)


@contextlib.contextmanager
def _without_controls(page: QWidget) -> Iterator[None]:
    """Hide the controls."""
    hidden = [
        widget
        for widget in page.findChildren(QWidget)
        if widget.property(ON_SCREEN_ONLY) and not widget.isHidden()
    ]
    for widget in hidden:
        widget.hide()
    try:
        yield
    finally:
        for widget in hidden:
            widget.show()


@contextlib.contextmanager
def _sized(page: QWidget, size: QSize) -> Iterator[None]:
    previous_size, least = page.size(), page.minimumSize()
    page.setMinimumSize(0, 0)
    page.resize(size)
    try:
        yield
    finally:
        page.setMinimumSize(least)
        page.resize(previous_size)


def _settle(page: QWidget) -> None:
    """Lay out a page's contents, and complete their deferred drawing."""
    for widget in _with_itself(page, QWidget):
        QCoreApplication.sendPostedEvents(widget, _LAYOUT_REQUEST)


def _with_itself(page: QWidget, kind: type[W]) -> list[W]:
    found = page.findChildren(kind)
    return [page, *found] if isinstance(page, kind) else found
