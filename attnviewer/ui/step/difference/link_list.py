"""A list whose rows lead somewhere."""

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QTableView,
    QWidget,
)

LINE = 1
"""Between columns."""
ROW_PADDING = 6
"""Above and below a row's text, together."""


class LinkList(QTableView):
    """Rows of text that are followed by a click or by Enter.

    Going through the rows by the arrow keys follows none.

    Parameters
    ----------
    model : QAbstractTableModel
        The rows.
    wide : int
        The column that takes the room that the others leave.
    spare : int, optional
        The column that is left out where there is no room for all; tool tips have
        what it says.
    parent : QWidget, optional
        Qt's owner.

    Attributes
    ----------
    link_followed : Signal
        The number of a row.
    """

    link_followed = Signal(int)

    def __init__(
        self,
        model: QAbstractTableModel,
        wide: int,
        spare: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._wide, self._spare = wide, spare
        self.setModel(model)
        self.setProperty("links", True)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrap(False)
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._fit_rows()
        self.clicked.connect(self._on_clicked)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentIndex()
        keys = Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space
        if event.key() in keys and current.isValid():
            self.link_followed.emit(current.row())
            event.accept()
        else:
            super().keyPressEvent(event)

    def fit_columns(self) -> None:
        """Make all columns but one as wide as their texts, which are few.

        The one that can be spared goes where another would lose its text.
        """
        widths = [
            self.sizeHintForColumn(column) + LINE
            for column in range(self.model().columnCount())
        ]
        if self._spare is not None:
            lacking = sum(widths) > self.viewport().width()
            self.setColumnHidden(self._spare, lacking)
            widths[self._spare] = 0 if lacking else widths[self._spare]
        left = self.viewport().width() - sum(widths) + widths[self._wide]
        widths[self._wide] = max(0, left)
        for column, width in enumerate(widths):
            if width:
                self.setColumnWidth(column, width)

    def _fit_rows(self) -> None:
        height = self.fontMetrics().height() + ROW_PADDING
        self.verticalHeader().setMinimumSectionSize(height)
        self.verticalHeader().setDefaultSectionSize(height)

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.link_followed.emit(index.row())


def link_color(view: object) -> QColor:
    """Return the colour of what leads somewhere, in the view that a model is of."""
    # A view may wear another theme than the rest.
    worn = view.palette() if isinstance(view, QWidget) else QGuiApplication.palette()
    # A copy: the brush that `link` returns goes with its palette.
    return worn.color(QPalette.ColorRole.Link)
