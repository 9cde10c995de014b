"""Combo and spin boxes for choices."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QHelpEvent, QPaintEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QWidget,
)

from attnviewer.ui.text.concepts import Concept
from attnviewer.ui.widgets.item_roles import TOOL_TIP
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.widgets.wheel_filter import WheelFilter

FIRST_STRONG, END_OF_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"
_CHOICE_CHARACTERS = 10
"""The least width of a choice, with its frame and arrow."""
_LIST_PADDING = 24
"""Around the texts of the list, as the style sheet says."""
_ROUNDING = 2
"""What rounding may make of the widths of texts, in pixels."""
_HEADS_CHARACTERS = 7
"""Width for a number of heads, with its frame and arrows."""


class ChoiceBox(QComboBox):
    """A combo box that ignores a passing mouse wheel.

    Its tool tip repeats the choice, which a narrow window elides, says what it means,
    and why it cannot be changed.

    Parameters
    ----------
    parent : QWidget, optional
        Qt's owner.
    caption : str
        What is chosen; it stands before the choice where there is room: ``Mask: none``.
    """

    def __init__(self, parent: QWidget | None = None, caption: str = "") -> None:
        super().__init__(parent)
        self._reason = ""
        self._caption = ""
        self._alone: dict[str, str] = {}
        self.set_caption(caption)
        # Its own delegate knows nothing of the style sheet's items.
        self.setItemDelegate(QStyledItemDelegate(self))
        WheelFilter(self)

    def set_caption(self, caption: str) -> None:
        """Say what is chosen."""
        self._caption = f"{caption}: " if caption else ""
        if caption:
            name_control(self, caption)
        self.setToolTip(caption)
        self.updateGeometry()

    def name_alone(self, choice: str, text: str) -> None:
        """Set how a choice is written where its caption has no room."""
        self._alone[choice] = text

    def lock(self, reason: str) -> None:
        """Disable the choice for a reason; without one, enable it again."""
        self._reason = reason
        self.setEnabled(not reason)
        self.setAccessibleDescription(reason)

    def add(self, text: str, data: object, concept: Concept) -> None:
        """Add a choice with its explanation."""
        self.add_told(text, data, concept.tip)

    def add_told(
        self, text: str, data: object, tip: str, *, refused: bool = False
    ) -> None:
        """Add a choice with a tool tip; one that is refused cannot be chosen."""
        self.addItem(text, data)
        self.setItemData(self.count() - 1, plain_tip(tip), TOOL_TIP)
        if refused:
            self._disable_last()

    def add_heading(self, text: str) -> None:
        """Add a heading, which cannot be chosen, above the choices that follow."""
        self.addItem(text)
        bold = QFont(self.font())
        bold.setBold(True)
        self.setItemData(self.count() - 1, bold, Qt.ItemDataRole.FontRole)
        self._disable_last()

    def showPopup(self) -> None:
        # A narrow box elides a choice, but not the list of them.
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        view = self.view()
        view.setMinimumWidth(view.sizeHintForColumn(0) + bar + _LIST_PADDING)
        super().showPopup()

    def _disable_last(self) -> None:
        items = self.model()
        assert isinstance(items, QStandardItemModel)
        items.item(self.count() - 1).setFlags(Qt.ItemFlag.NoItemFlags)

    def minimumSizeHint(self) -> QSize:
        # A narrow window elides a choice.
        width = self.fontMetrics().horizontalAdvance("0") * _CHOICE_CHARACTERS
        hint = super().minimumSizeHint()
        return QSize(min(width, hint.width()), hint.height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if not self._caption:
            return hint
        caption = self.fontMetrics().horizontalAdvance(self._caption)
        return QSize(hint.width() + caption + _ROUNDING, hint.height())

    def width_of_choice(self) -> int:
        """Return the width that shows the current choice in full, without caption."""
        measure = self.fontMetrics().horizontalAdvance
        texts = (self.itemText(index) for index in range(self.count()))
        spare = max(map(measure, texts), default=0) - measure(self._text_alone)
        return super().sizeHint().width() - spare + _ROUNDING

    def shown_text(self, width: int) -> str:
        """Return what fits in a width: the choice, after its caption if possible."""
        metrics, choice = self.fontMetrics(), self.currentText()
        if metrics.horizontalAdvance(self._caption + choice) <= width:
            return self._caption + choice
        right = Qt.TextElideMode.ElideRight
        return metrics.elidedText(self._text_alone, right, width)

    @property
    def _text_alone(self) -> str:
        return self._alone.get(self.currentText(), self.currentText())

    @property
    def tip(self) -> str:
        """The text of the tool tip."""
        chosen = f"{self.toolTip()}: {self.currentText()}"
        meaning = self.currentData(TOOL_TIP)
        return plain_tip("\n".join(filter(None, (chosen, meaning, self._reason))))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.tip, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        rect = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        text = self.shown_text(rect.width())
        # Otherwise 1/√d_k would be reversed in right-to-left languages.
        option.currentText = f"{FIRST_STRONG}{text}{END_OF_ISOLATE}"
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()


class HeadsBox(QSpinBox):
    """A spin box that steps through the numbers of heads that divide the columns.

    Parameters
    ----------
    parent : QWidget, optional
        Qt's owner.
    caption, symbol : str
        Stands before the number; the symbol where the caption has no room.
    """

    def __init__(self, parent: QWidget, caption: str, symbol: str) -> None:
        super().__init__(parent)
        self._caption, self._symbol = f"{caption}: ", f"{symbol}: "
        self.setPrefix(self._caption)
        self.setKeyboardTracking(False)
        # Invalid numbers can be typed, too, so that the reason can be given.
        self.setRange(-9999, 9999)
        WheelFilter(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._possible = [1]

    @property
    def captioned(self) -> bool:
        """Whether the caption is shown."""
        return self.prefix() == self._caption

    @property
    def spare(self) -> int:
        """The width that the symbol saves, in pixels."""
        measure = self.fontMetrics().horizontalAdvance
        return measure(self._caption) - measure(self._symbol)

    def set_captioned(self, *, captioned: bool) -> None:
        """Show the caption, or the symbol."""
        prefix = self._caption if captioned else self._symbol
        if prefix != self.prefix():
            self.setPrefix(prefix)
            self.updateGeometry()

    def set_possible(self, counts: list[int]) -> None:
        """Set the numbers that the arrows step through, in ascending order."""
        self._possible = counts

    def sizeHint(self) -> QSize:
        # Qt would leave room for everything that can be typed.
        measure = self.fontMetrics().horizontalAdvance
        width = measure("0") * _HEADS_CHARACTERS + measure(self.prefix())
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def stepBy(self, steps: int) -> None:
        value = self.value()
        further = [n for n in self._possible if (n > value if steps > 0 else n < value)]
        if further:
            self.setValue(further[0] if steps > 0 else further[-1])
