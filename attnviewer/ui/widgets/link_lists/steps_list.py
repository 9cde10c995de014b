"""How much each step, or each layer, changed, as a list of links."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.widgets.item_roles import (
    ACCESSIBLE_TEXT,
    ALIGNMENT,
    DISPLAY,
    FOREGROUND,
    RIGHT,
    TOOL_TIP,
)
from attnviewer.ui.widgets.link_lists.link_list import LinkList, link_color
from attnviewer.ui.widgets.tool_tips import plain_tip

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
STEP, CHANGE = range(2)
FONT = Qt.ItemDataRole.FontRole.value
SHARE = Qt.ItemDataRole.UserRole.value
"""Of a step's largest change in the largest of all."""
UNCHANGED, UNKNOWN = "=", "—"
"""What stands for no change, and for one that is not known."""


@dataclass(frozen=True, slots=True)
class StepChange:
    """How much a step changed.

    Parameters
    ----------
    step : str
        The step, or a layer.
    text : str
        Its largest change, or what there is to say instead.
    told : str
        The same in a sentence.
    share : float
        Its largest change in comparison with that of all steps, 0 to 1.
    """

    step: str
    text: str
    told: str
    share: float


class StepsModel(QAbstractTableModel):
    """Steps in the order of the computation, with their largest change."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: list[StepChange] = []
        self._open = ""
        self._theme = LIGHT

    @property
    def steps(self) -> list[StepChange]:
        """The steps."""
        return self._steps

    def set_steps(self, steps: list[StepChange], step: str, theme: Theme) -> None:
        """List other changes, and which step is open."""
        named = [change.step for change in steps]
        if named != [change.step for change in self._steps]:
            self.beginResetModel()
            self._steps, self._open, self._theme = steps, step, theme
            self.endResetModel()
        elif (steps, step, theme) != (self._steps, self._open, self._theme):
            self._steps, self._open, self._theme = steps, step, theme
            self.dataChanged.emit(self.index(0, 0), self.index(len(steps) - 1, CHANGE))

    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self._steps)

    def columnCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = DISPLAY) -> Any:
        if not index.isValid():
            return None
        change = self._steps[index.row()]
        if role == DISPLAY:
            return change.step if index.column() == STEP else change.text
        if role == ALIGNMENT:
            return RIGHT if index.column() == CHANGE else None
        if role == TOOL_TIP:
            return plain_tip(change.told)
        if role == ACCESSIBLE_TEXT:
            return change.told
        if role == SHARE:
            return change.share if index.column() == CHANGE else 0.0
        if role == FONT and change.step == self._open:
            font = QFont()
            font.setBold(True)
            return font
        if role == FOREGROUND and not change.share:
            return QColor(self._theme.muted)
        if role == FOREGROUND and index.column() == STEP:
            return link_color(self.parent())
        return None


class StepsList(LinkList):
    """Lists the steps.

    Attributes
    ----------
    chosen : Signal
        A step was chosen: its name.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        model = StepsModel()
        super().__init__(model, CHANGE, parent=parent)
        self.steps = model
        model.setParent(self)
        self.setObjectName("difference.steps")
        self.setAccessibleName(self.tr("Changes of all steps"))
        self.setAccessibleDescription(self.tr("Enter opens the step."))
        self._bars = Bars(self)
        self.setItemDelegate(self._bars)
        self.link_followed.connect(self._on_followed)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme."""
        self._bars.set_theme(theme)

    @Slot(int)
    def _on_followed(self, row: int) -> None:
        self.chosen.emit(self.steps.steps[row].step)


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
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        share = index.data(SHARE)
        if share:
            place = QRectF(option.rect).adjusted(0, 2, 0, -2)
            place.setLeft(place.right() - share * place.width())
            painter.fillRect(place, self._color)
        super().paint(painter, option, index)
