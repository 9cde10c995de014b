"""The shares of attention as labelled bars."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from attnviewer.compute.patterns import DEFINITIONS, SETS, HeadPatterns
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.views.patterns.texts import percent
from attnviewer.ui.widgets.item_roles import ModelIndex
from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.link_lists.rows import SHARE, Cell, Color, Row

NAME, BAR, SHARE_TEXT = range(3)
BAR_HEIGHT = 8
RADIUS = 4


class ShareList(RowList):
    """Lists the sets of a head with a bar each; tool tips have definitions."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(3, wide=BAR, parent=parent)
        self.setObjectName("patterns.shares")
        self.setAccessibleName(self.tr("Shares of attention"))
        self._paths = _Bars(self)
        self.setItemDelegateForColumn(BAR, self._paths)
        self.keep_room(("vertical", "", "100.0 %"))
        self.be_as_high_as_rows(len(SETS))

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._paths.theme = theme
        self.viewport().update()

    def show_shares(self, found: HeadPatterns, *, outdated: bool) -> None:
        """List the shares of a head."""
        self._paths.outdated = outdated
        self.show_rows([_row(found, name, outdated=outdated) for name in SETS])


def _row(found: HeadPatterns, name: str, *, outdated: bool) -> Row:
    share = found.shares[name]
    tip = f"{name}: {percent(share)}\n{DEFINITIONS[name]}"
    color: Color = "muted" if outdated else "text"
    return Row(
        name,
        (
            Cell(name, tip, color=color),
            Cell("", tip, share),
            Cell(percent(share), tip, color=color),
        ),
    )


class _Bars(QStyledItemDelegate):
    """Paints bars from the left, on a ground that is as long as 100 %."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme = LIGHT
        self.outdated = False

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex
    ) -> None:
        super().paint(painter, option, index)
        ground = QRectF(option.rect).adjusted(4, 0, -4, 0)
        ground.setTop(ground.center().y() - BAR_HEIGHT / 2)
        ground.setHeight(BAR_HEIGHT)
        bar = QRectF(ground)
        bar.setWidth(float(index.data(SHARE)) * ground.width())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.theme.sunken))
        painter.drawRoundedRect(ground, RADIUS, RADIUS)
        color = self.theme.empty if self.outdated else self.theme.accent
        painter.setBrush(QColor(color))
        painter.drawRoundedRect(bar, RADIUS, RADIUS)
        painter.restore()
