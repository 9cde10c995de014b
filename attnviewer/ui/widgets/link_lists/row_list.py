"""A list of rows of text."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFocusEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.widgets.item_roles import ModelIndex
from attnviewer.ui.widgets.link_lists.rows import SHARE, Row, RowsModel

LINE = 1
"""Between columns."""
ROW_PADDING = 6
"""Above and below a row's text, together."""


class RowList(QTableView):
    """Rows of text, through which the arrow keys go.

    Parameters
    ----------
    columns : int
        How many cells a row has.
    wide : int
        The column that takes the room that the others leave.
    spare : int, optional
        The column that is left out where there is no room for all; tool tips have
        what it says.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    rows : RowsModel
        The rows.
    """

    def __init__(
        self,
        columns: int,
        wide: int,
        spare: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        # First of all: the style of the header is settled with the model.
        self.setProperty("rows", True)
        self._wide, self._spare = wide, spare
        self._most: int | None = None
        self._kept: Mapping[int, str] = {}
        self._measured: list[int] | None = None
        self.rows = RowsModel(columns, self)
        self.setModel(self.rows)
        self.rows.modelReset.connect(self._forget_widths)
        self._bars = Bars(self)
        self.setItemDelegate(self._bars)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(False)
        self.horizontalHeader().hide()
        # A sign needs less than a heading that is clicked.
        self.horizontalHeader().setMinimumSectionSize(1)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._fit_rows()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._bars.set_theme(theme)
        self.rows.set_theme(theme)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """List other rows."""
        if self.rows.set_rows(rows):
            self._forget_widths()
            self.fit_columns()

    def keep_room(self, texts: Sequence[str]) -> None:
        """Make no column narrower than a text of its own, whatever it lists.

        Columns that follow their texts would move while numbers change.

        Parameters
        ----------
        texts : sequence of str
            The widest text that is expected in each column; empty for none.
        """
        self._kept = dict(enumerate(texts))

    def be_as_high_as_rows(self, most: int) -> None:
        """Take the height of all rows, or of so many of them."""
        self._most = most
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        rows = self.rows
        for signal in (rows.rowsInserted, rows.rowsRemoved, rows.modelReset):
            signal.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        if self._most is None:
            return super().sizeHint()
        rows = min(self.rows.rowCount(), self._most)
        height = rows * self.verticalHeader().defaultSectionSize()
        header = self.horizontalHeader()
        if not header.isHidden():
            height += header.sizeHint().height()
        return QSize(0, height + 2 * self.frameWidth())

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint() if self._most is None else self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._forget_widths()
            self._fit_rows()
            self.fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.rows.rowCount():
            self.setCurrentIndex(self.rows.index(0, 0))

    def fit_columns(self) -> None:
        """Make all columns but one as wide as their texts, which are few.

        The one that can be spared goes where another would lose its text.
        """
        if self._measured is None:
            self._measured = self._measure_columns()
        widths = [*self._measured]
        if self._spare is not None and self._spare < len(widths):
            lacking = sum(widths) > self.viewport().width()
            self.setColumnHidden(self._spare, lacking)
            widths[self._spare] = 0 if lacking else widths[self._spare]
        left = self.viewport().width() - sum(widths) + widths[self._wide]
        widths[self._wide] = max(0, left)
        for column, width in enumerate(widths):
            if width:
                self.setColumnWidth(column, width)

    @Slot()
    def _forget_widths(self) -> None:
        self._measured = None

    def _measure_columns(self) -> list[int]:
        """Return how wide the texts of each column are, which asks for all of them."""
        header = self.horizontalHeader()
        return [
            max(
                self.sizeHintForColumn(column),
                self._width_of(self._kept.get(column, "")),
                0 if header.isHidden() else header.sectionSizeHint(column),
            )
            + LINE
            for column in range(self.rows.columnCount())
        ]

    def _width_of(self, text: str) -> int:
        if not text:
            return 0
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
        option.text = text
        kind = QStyle.ContentsType.CT_ItemViewItem
        return self.style().sizeFromContents(kind, option, QSize(), self).width()

    def _fit_rows(self) -> None:
        height = self.fontMetrics().height() + ROW_PADDING
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)
        self.updateGeometry()


class Bars(QStyledItemDelegate):
    """Paints a bar behind a number, as long as it is large: its `SHARE`."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._color = QColor()

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._color = QColor(theme.accent)
        self._color.setAlphaF(0.28)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex
    ) -> None:
        share = index.data(SHARE)
        if share:
            bar = QRectF(option.rect).adjusted(0, 2, 0, -2)
            bar.setLeft(bar.right() - share * bar.width())
            painter.fillRect(bar, self._color)
        super().paint(painter, option, index)
