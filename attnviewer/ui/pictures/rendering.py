"""The visible page, laid out for a picture and painted by any painter."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontInfo, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QGraphicsItem,
    QGraphicsView,
    QWidget,
)

from attnviewer.ui.figures.painting import MOST_PIXELS
from attnviewer.ui.figures.style import MM_PER_INCH
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.paper import painting_for_paper
from attnviewer.ui.paint.style_sheet import palette_of, style_sheet
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.pictures.style import SCREEN_DPI, Style
from attnviewer.ui.views.step import StepView

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
    density : float
        Image pixels per screen pixel, in raster pictures.
    theme : Theme
        Its colours.
    """

    page: QWidget
    size: QSize
    density: float
    theme: Theme

    @property
    def pixels(self) -> QSize:
        """Size as an image."""
        width, height = self.size.width(), self.size.height()
        return QSize(round(width * self.density), round(height * self.density))

    def image(self, density: float | None = None) -> QImage:
        """Return it as an image.

        Parameters
        ----------
        density : float, optional
            Image pixels per screen pixel; its own density by default.
        """
        density = self.density if density is None else density
        width, height = self.size.width() * density, self.size.height() * density
        image = QImage(round(width), round(height), QImage.Format.Format_RGB32)
        image.fill(QColor(self.theme.window))
        dots = round(SCREEN_DPI * density / MM_PER_INCH * 1000)
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
        ground = QRectF(QRect(QPoint(), self.size))
        painter.fillRect(ground, QColor(self.theme.window))
        source = QRect(QPoint(), self.size)
        with painting_for_paper(density):
            # QWidget.render, as QGraphicsView.render paints the scene only.
            QWidget.render(self.page, painter, QPoint(), source)


W = TypeVar("W", bound=QWidget)
_LAYOUT_REQUEST = QEvent.Type.LayoutRequest.value


@contextlib.contextmanager
def laid_out(step_view: StepView, style: Style) -> Iterator[Picture]:
    """Lay out the visible page for a picture, and restore it afterwards.

    Everything happens within one event-loop iteration, so none of it is visible.

    Parameters
    ----------
    step_view : StepView
        The view with the page.
    style : Style
        The style of the picture.

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
    page = step_view.page
    theme = style.theme or Appearance.theme_in_force()
    step_view.forget_pointer()
    with contextlib.ExitStack() as restoring:
        restoring.enter_context(_without_focus(page))
        restoring.enter_context(_in_theme(step_view, theme))
        restoring.enter_context(_without_scroll_bars(page))
        if style.size is not None:
            restoring.enter_context(_sized(page, QSize(*style.size)))
        _settle(page)
        yield Picture(page, page.size(), style.scale, theme)


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
    step_view.override_theme(theme)
    try:
        yield
    finally:
        page.setStyleSheet(sheet)
        for widget, palette in zip(dressed, palettes, strict=True):
            widget.setPalette(palette)
        step_view.override_theme(None)


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
