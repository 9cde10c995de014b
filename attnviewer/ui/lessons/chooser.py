"""The list of lessons, with how far the learner is in each."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from attnviewer.teaching import Lesson
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.initial_size import resize_to_text
from attnviewer.ui.widgets.item_roles import ModelIndex

_tr = translate_in("Lessons")
LINES, CHARACTERS = 30, 78
"""The size of the dialog at first."""
_DATA = Qt.ItemDataRole.UserRole.value
_AROUND, _MOST_HEIGHT = 10, 10_000


@dataclass(frozen=True, slots=True)
class ListedLesson:
    """A row of the list.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    finished : int
        How many of its tasks are done or left out.
    tasks : int
        How many it has, without those of exercises.
    begun : bool
        Whether anything was answered or looked at.
    notice : str
        Why it is not known how far the learner is; "" if it is.
    """

    lesson: Lesson
    finished: int
    tasks: int
    begun: bool
    notice: str = ""


class LessonChooser(QDialog):
    """Offers the bundled lessons, and those in files.

    Attributes
    ----------
    chosen : Signal
        The `Lesson` to open.
    file_wanted : Signal
        The user wants to open a lesson from a file.
    """

    chosen = Signal(object)
    file_wanted = Signal()

    def __init__(self, rows: Sequence[ListedLesson], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("lessons")
        self.setWindowTitle(self.tr("Lessons"))
        intro = QLabel(
            self.tr(
                "A lesson opens with a document of its own; yours waits until you "
                "close the lesson. Answers are checked here and kept on this computer."
            ),
            self,
        )
        intro.setObjectName("lessons.intro")
        intro.setWordWrap(True)
        self._list = QListWidget(self)
        self._list.setObjectName("lessons.list")
        self._list.setAccessibleName(self.tr("Lessons"))
        self._list.setItemDelegate(_Row(self._list))
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self._list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        for row in rows:
            item = QListWidgetItem(self._list)
            item.setData(_DATA, row)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken(row))
        self._list.itemActivated.connect(self._open)
        buttons = QDialogButtonBox(self)
        file = QPushButton(self.tr("Open a lesson &file…"), self)
        file.setObjectName("lessons.file")
        self._start = QPushButton(self.tr("&Open"), self)
        self._start.setObjectName("lessons.open")
        self._start.setDefault(True)
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setObjectName("lessons.cancel")
        roles = QDialogButtonBox.ButtonRole
        buttons.addButton(file, roles.ResetRole)
        buttons.addButton(self._start, roles.AcceptRole)
        buttons.addButton(cancel, roles.RejectRole)
        file.clicked.connect(self._want_file)
        self._start.clicked.connect(self._open)
        cancel.clicked.connect(self.reject)
        column = dialog_column(self)
        column.setSpacing(10)
        column.addWidget(intro)
        column.addWidget(self._list, 1)
        column.addWidget(buttons)
        self._start.setEnabled(bool(rows))
        # The first that is left, as people take them in their order.
        left = (n for n, row in enumerate(rows) if row.finished < row.tasks)
        self._list.setCurrentRow(next(left, 0))
        resize_to_text(self, CHARACTERS, LINES)
        self._list.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._list.doItemsLayout()

    @Slot()
    def _open(self) -> None:
        item = self._list.currentItem()
        if item is not None:
            row = item.data(_DATA)
            self.accept()
            self.chosen.emit(row.lesson)

    @Slot()
    def _want_file(self) -> None:
        self.accept()
        self.file_wanted.emit()


def spoken(row: ListedLesson) -> str:
    """Return a row of the list in words."""
    return f"{row.lesson.title}. {row.lesson.summary} {aside(row)}"


def aside(row: ListedLesson) -> str:
    """Return how long a lesson takes, and how far the learner is in it."""
    parts = []
    if row.lesson.minutes:
        parts.append(_tr("{count} min").format(count=row.lesson.minutes))
    if row.tasks and row.finished == row.tasks:
        parts.append(_tr("✓ done"))
    elif row.begun:
        done = _tr("{finished} of {tasks}")
        parts.append(done.format(finished=row.finished, tasks=row.tasks))
    return " · ".join(parts)


class _Row(QStyledItemDelegate):
    """Paints a lesson: title, how far it is, and a sentence, wrapped."""

    def sizeHint(self, option: QStyleOptionViewItem, index: ModelIndex) -> QSize:
        view, metrics = self.parent(), QFontMetrics(option.font)
        assert isinstance(view, QListWidget)
        room = _inside(QRect(0, 0, view.viewport().width(), _MOST_HEIGHT))
        below = metrics.boundingRect(
            room, Qt.TextFlag.TextWordWrap, index.data(_DATA).lesson.summary
        )
        return QSize(0, metrics.lineSpacing() + below.height() + 2 * _AROUND)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex
    ) -> None:
        theme, row = Appearance.theme_in_force(), index.data(_DATA)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        # Copied: the option owns its rectangle.
        place = QRect(option.rect)
        painter.save()
        if selected:
            painter.fillRect(place, QColor(theme.selected))
            edge = QRect(place.left(), place.top(), 3, place.height())
            accent = QStyle.visualRect(option.direction, place, edge)
            painter.fillRect(accent, QColor(theme.accent))
        inside = QStyle.visualRect(option.direction, place, _inside(place))
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        metrics, titles = QFontMetrics(option.font), QFontMetrics(bold)
        flags = Qt.AlignmentFlag
        # Absolute: the direction of a text would turn the sides once more.
        first, last = (
            QStyle.visualAlignment(option.direction, side)
            | flags.AlignTop
            | flags.AlignAbsolute
            for side in (flags.AlignLeft, flags.AlignRight)
        )
        painter.setFont(option.font)
        beside = aside(row)
        done = row.tasks and row.finished == row.tasks
        painter.setPen(QColor(theme.value if done else theme.muted))
        painter.drawText(inside, last, beside)
        room = inside.width() - metrics.horizontalAdvance(beside) - 12
        painter.setFont(bold)
        painter.setPen(QColor(theme.text))
        numbered = f"{index.row() + 1}. {row.lesson.title}"
        title = titles.elidedText(numbered, Qt.TextElideMode.ElideRight, room)
        painter.drawText(inside, first, title)
        painter.setFont(option.font)
        painter.setPen(QColor(theme.text if selected else theme.muted))
        below = inside.adjusted(0, metrics.lineSpacing(), 0, 0)
        wrap = Qt.TextFlag.TextWordWrap
        painter.drawText(below, int(wrap | first), row.lesson.summary)
        painter.restore()


def _inside(place: QRect) -> QRect:
    """Return where the texts of a row are, from left to right."""
    return place.adjusted(_AROUND + 4, _AROUND, -_AROUND, -_AROUND)
