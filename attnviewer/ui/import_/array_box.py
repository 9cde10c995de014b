"""A combo box of arrays, whose long names differ at their ends."""

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QListView,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from attnviewer.ui.import_.array_list import ArrayList
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.tool_tips import plain_tip

_CHARACTERS = 16


class ArrayBox(QComboBox):
    """Shows the end of a name that has no room; the list and the tip show all of it."""

    def __init__(self, arrays: ArrayList, wanted: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._arrays = arrays
        self._wanted = wanted
        arrays.setParent(self)
        self.setModel(arrays)
        view = self.view()
        assert isinstance(view, QListView)
        view.setUniformItemSizes(True)  # there may be very many
        self.setMinimumContentsLength(_CHARACTERS)
        self.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.currentTextChanged.connect(self._tell)
        self._tell(self.currentText())

    @property
    def array(self) -> str | None:
        """The array that is chosen; None for nothing."""
        return self._arrays.name(self.currentIndex())

    def choose(self, name: str | None) -> None:
        """Choose an array, or nothing."""
        self.setCurrentIndex(self._arrays.row(name))

    @Slot(str)
    def _tell(self, text: str) -> None:
        unassigned = self.array is None
        self.setToolTip(plain_tip(self._wanted if unassigned else text))
        set_styled(self, "muted", unassigned)

    def showPopup(self) -> None:
        # As wide as the longest name, as far as the screen goes.
        metrics = self.fontMetrics()
        widest = metrics.horizontalAdvance(self._arrays.longest) + 3 * metrics.height()
        room = self.screen().availableGeometry().width()
        self.view().setMinimumWidth(max(min(widest, room), self.width()))
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        name, elide = self.currentText(), Qt.TextElideMode.ElideLeft
        if self.array is None:
            name, elide = self._wanted, Qt.TextElideMode.ElideRight
        text = self.fontMetrics().elidedText(name, elide, room.width() - 4)
        option.currentText = text
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
