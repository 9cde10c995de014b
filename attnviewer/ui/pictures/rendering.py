"""The page in sight, laid out for a picture and painted through any painter."""

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
"""Around a caption, and below what a trimmed picture shows, in pixels."""
SMALLEST_SHARE = 0.75
"""How small texts may get for all columns of a table to be seen."""
INSIDE = 4.0
"""Pixels per pixel of images inside of pictures made of shapes."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A page that is laid out, and how to paint it.

    It can be painted only while it is laid out.

    Parameters
    ----------
    page : QWidget
        What is painted.
    size : QSize
        How much of it is painted, from its upper left corner.
    caption : str
        What is written below; "" for nothing.
    scale : float
        Inches of the picture per inch of the screen.
    density : float
        Pixels per pixel of the screen, where the picture has pixels.
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
        """Size with the caption, in pixels of the screen."""
        return QSize(self.size.width(), self.size.height() + self._below())

    @property
    def pixels(self) -> QSize:
        """Size of an image of it."""
        width, height = self.whole.width(), self.whole.height()
        return QSize(round(width * self.density), round(height * self.density))

    def image(self, density: float | None = None) -> QImage:
        """Return it as pixels.

        Parameters
        ----------
        density : float, optional
            Pixels per pixel of the screen, if others than its own.
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
        """Paint it in pixels of the screen.

        Parameters
        ----------
        painter : QPainter
            Where to.
        density : float
            Pixels per pixel of the screen, for images inside.
        """
        ground = QRectF(QRect(QPoint(), self.whole))
        painter.fillRect(ground, QColor(self.theme.window))
        source = QRect(QPoint(), self.size)
        with painting_for_paper(density):
            # By its base class: scenes have a way of their own that lacks the rest.
            QWidget.render(self.page, painter, QPoint(), source)
        if self.caption:
            painter.setFont(_caption_font())
            painter.setPen(QColor(self.theme.muted))
            painter.drawText(self._caption_place(), _WRAPPED, self.caption)

    def _below(self) -> int:
        return math.ceil(self._caption_place().height()) + MARGIN if self.caption else 0

    def _caption_place(self) -> QRectF:
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
    """Lay the page in sight out for a picture, and afterwards as it was.

    All happens within one turn of the event loop, so nothing of it is seen.

    Parameters
    ----------
    step_view : StepView
        Whose page it is.
    style : Style
        How the picture is to look.
    caption : str
        What to write below, if the style wants it.

    Raises
    ------
    ValueError
        If the picture would have too many pixels.
    """
    step_view.open_page()
    # A page that was chosen a moment ago has its room only now; in two rounds, as
    # what is laid out has others laid out.
    for _ in range(2):
        QCoreApplication.sendPostedEvents(None, _LAYOUT_REQUEST)
    page, preset = step_view.page, style.preset
    theme = style.theme or Appearance.theme_in_force()
    caption = caption if style.caption else ""
    step_view.forget_pointer()
    with contextlib.ExitStack() as restoring:
        restoring.enter_context(_without_keys(page))
        restoring.enter_context(_wearing(step_view, theme))
        restoring.enter_context(_plain(page))
        scale, density = 1.0, style.scale
        if preset is None and style.size is not None:
            restoring.enter_context(_sized(page, QSize(*style.size)))
        if preset is not None:
            restoring.enter_context(_bare(page))
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
    """Refuse a picture of more pixels than there is sense in.

    Raises
    ------
    ValueError
        With its size and the most there may be.
    """
    size = picture.pixels
    if max(size.width(), size.height()) > MOST_PIXELS:
        raise ValueError(
            f"The picture must have at most {MOST_PIXELS} pixels on a side. Got "
            f"{size.width()} × {size.height()} instead: choose a lower scale."
        )


def _scale_of_texts(page: QWidget, points: float) -> float:
    """Return how much smaller all gets so that texts have a size on paper."""
    pixels = QFontInfo(page.font()).pixelSize()
    return points * SCREEN_DPI / (POINTS_PER_INCH * pixels)


def _pixels(millimetres: float, scale: float) -> int:
    return round(millimetres / MM_PER_INCH * SCREEN_DPI / scale)


def _fitted(
    table: QTableView, size: QSize, scale: float, preset: Preset
) -> tuple[QSize, float]:
    """Have a table smaller where that lets all its columns be seen, and no higher."""
    frame = table.size() - table.viewport().size()
    wanted = frame.width() + table.horizontalHeader().length()
    wide = min(max(size.width(), wanted), round(size.width() / SMALLEST_SHARE))
    scale *= size.width() / wide
    high = frame.height() + table.verticalHeader().length()
    if preset.height_mm is None:
        return QSize(wide, min(high, _pixels(preset.width_mm, scale))), scale
    return QSize(wide, _pixels(preset.height_mm, scale)), scale


def _last_line(picture: Picture) -> int:
    """Return the lowest line of pixels that has anything in it."""
    bare = Picture(picture.page, picture.size, "", 1.0, 1.0, picture.theme)
    image = bare.image()
    pixels = np.frombuffer(image.constBits(), np.uint32)
    lines = pixels.reshape(image.height(), image.bytesPerLine() // 4)
    filled = (lines[:, : image.width()] != lines[-1, 0]).any(axis=1)
    found = np.flatnonzero(filled)
    last = int(found[-1]) if found.size else image.height() - 1
    return min(last, image.height() - 1 - MARGIN)


@contextlib.contextmanager
def _without_keys(page: QWidget) -> Iterator[None]:
    """Have the keys nowhere, as nothing of it is to be seen."""
    focused = page.window().focusWidget()
    if focused is None or not (focused is page or page.isAncestorOf(focused)):
        yield
        return
    focused.clearFocus()
    try:
        yield
    finally:
        # As a window that comes back, which changes nothing.
        focused.setFocus(Qt.FocusReason.ActiveWindowFocusReason)


@contextlib.contextmanager
def _wearing(step_view: StepView, theme: Theme) -> Iterator[None]:
    """Have the page in another theme; the rest of the window stays in its own."""
    if theme is Appearance.theme_in_force():
        yield
        return
    page = step_view.page
    # Tables and their headers do not take theirs from the page.
    dressed = [page, *page.findChildren(QAbstractItemView)]
    before, palettes = page.styleSheet(), [widget.palette() for widget in dressed]
    em = QFontInfo(page.font()).pixelSize()
    page.setStyleSheet(style_sheet(theme, em))
    for widget in dressed:
        widget.setPalette(palette_of(theme))
    step_view.wear(theme)
    try:
        yield
    finally:
        page.setStyleSheet(before)
        for widget, palette in zip(dressed, palettes, strict=True):
            widget.setPalette(palette)
        step_view.wear(None)


@contextlib.contextmanager
def _plain(page: QWidget) -> Iterator[None]:
    """Take away scroll bars, and pictures that are kept of parts of scenes."""
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
def _bare(page: QWidget) -> Iterator[None]:
    """Take away the controls."""
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
    before, least = page.size(), page.minimumSize()
    page.setMinimumSize(0, 0)
    page.resize(size)
    try:
        yield
    finally:
        page.setMinimumSize(least)
        page.resize(before)


def _settle(page: QWidget) -> None:
    """Lay out what is within a page, and have it draw all that it puts off."""
    for widget in _with_itself(page, QWidget):
        QCoreApplication.sendPostedEvents(widget, _LAYOUT_REQUEST)


def _with_itself(page: QWidget, kind: type[W]) -> list[W]:
    found = page.findChildren(kind)
    return [page, *found] if isinstance(page, kind) else found
