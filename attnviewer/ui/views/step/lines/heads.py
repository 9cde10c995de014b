"""The heads that have lines, and their colours: a choice and a legend."""

from typing import Literal, get_args

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QToolButton, QWidget

from attnviewer.ui.paint.head_hues import hue
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.symbol_button import symbol_button
from attnviewer.ui.widgets.wheel_filter import WheelFilter

Overlay = Literal["one", "hues", "plain"]
"""The chosen head alone, all heads each in its hue, all heads in one colour."""
OVERLAYS: tuple[Overlay, ...] = get_args(Overlay)
SPACING = 4


class OverlayBox(QComboBox):
    """Chooses which heads are drawn."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        WheelFilter(self)
        name_control(self, self.tr("Heads that have lines"))
        self.addItems(
            [
                self.tr("The chosen head"),
                self.tr("All heads, in colours"),
                self.tr("All heads, one colour"),
            ]
        )

    def minimumSizeHint(self) -> QSize:
        # In a narrow window its text may be cut; the list has it in full.
        hint = super().minimumSizeHint()
        return QSize(hint.width() // 2, hint.height())

    @property
    def overlay(self) -> Overlay:
        """The heads that are drawn."""
        return OVERLAYS[self.currentIndex()]


class HeadLegend(QWidget):
    """One switch for each head, with the colour of its lines.

    Attributes
    ----------
    switched : Signal
        A head was switched on or off.
    """

    switched = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(self.tr("Heads"))
        self._buttons: list[QToolButton] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACING)
        self._columns = 0

    @property
    def heads(self) -> tuple[int, ...]:
        """The heads that are switched on."""
        buttons = enumerate(self._buttons)
        return tuple(head for head, button in buttons if button.isChecked())

    def show_heads(self, count: int, theme: Theme, *, hues: bool) -> None:
        """Show so many heads; another number of them switches all on.

        Parameters
        ----------
        count : int
            How many there are.
        theme : Theme
            The theme in force.
        hues : bool
            Whether each has its own colour.
        """
        if count != len(self._buttons):
            for button in self._buttons:
                self._grid.removeWidget(button)
                button.deleteLater()
            self._buttons = [self._button(head) for head in range(count)]
            self._columns = 0
        side = self.fontMetrics().height() * 2 // 3
        for head, button in enumerate(self._buttons):
            color = QColor(hue(theme, head) if hues else theme.muted)
            button.setIcon(_swatch(color, side))
            button.setIconSize(QSize(side, side))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        # As wide as one button: the others move to rows below.
        hint = super().minimumSizeHint()
        return QSize(self._widest(), hint.height())

    def _button(self, head: int) -> QToolButton:
        title = self.tr("Lines of head {head}").format(head=head)
        button = symbol_button(f"{self.objectName()}.{head}", f"H{head}", title, self)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setCheckable(True)
        button.setChecked(True)
        button.toggled.connect(self._on_toggled)
        return button

    def _widest(self) -> int:
        return max((b.sizeHint().width() for b in self._buttons), default=0)

    def _arrange(self) -> None:
        """Put as many beside each other as there is room for."""
        columns = max(1, (self.width() + SPACING) // (self._widest() + SPACING))
        if columns == self._columns:
            return
        if self._columns:
            self._grid.setColumnStretch(self._columns, 0)
        self._columns = columns
        for head, button in enumerate(self._buttons):
            self._grid.addWidget(button, head // columns, head % columns)
        self._grid.setColumnStretch(columns, 1)

    @Slot()
    def _on_toggled(self) -> None:
        self.switched.emit()


def _swatch(color: QColor, side: int) -> QIcon:
    """Return a square that is filled while the button is switched on."""
    icon = QIcon()
    for state in (QIcon.State.On, QIcon.State.Off):
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setPen(QPen(color, 2))
        painter.setBrush(color if state == QIcon.State.On else Qt.BrushStyle.NoBrush)
        painter.drawRect(1, 1, side - 2, side - 2)
        painter.end()
        icon.addPixmap(pixmap, QIcon.Mode.Normal, state)
    return icon
