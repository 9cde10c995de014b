"""A combo box of arrays, whose long names often differ only at the end."""

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
    """Elides names at the start; the list and the tool tip show them in full."""

    def __init__(self, arrays: ArrayList, wanted: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._arrays = arrays
        self._wanted = wanted
        arrays.setParent(self)
        self.setModel(arrays)
        view = self.view()
        assert isinstance(view, QListView)
        view.setUniformItemSizes(True)  # there may be thousands
        self.setMinimumContentsLength(_CHARACTERS)
        self.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.currentTextChanged.connect(self._update_tool_tip)
        self._update_tool_tip(self.currentText())

    @property
    def array(self) -> str | None:
        """The chosen array; None for none."""
        return self._arrays.name(self.currentIndex())

    def choose(self, name: str | None) -> None:
        """Choose an array, or none."""
        self.setCurrentIndex(self._arrays.row(name))

    @Slot(str)
    def _update_tool_tip(self, text: str) -> None:
        unassigned = self.array is None
        self.setToolTip(plain_tip(self._wanted if unassigned else text))
        set_styled(self, "muted", unassigned)

    def showPopup(self) -> None:
        # As wide as the longest name, but within the screen.
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
