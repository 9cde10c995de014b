"""A grid of effects with its title, its baselines, and what can be done with it."""

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.patching.effects import Effect
from attnviewer.ui.views.patching.grid_picture import GridPicture
from attnviewer.ui.views.patching.texts import baselines, method, title
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.push_button import push_button


class EffectBox(QWidget):
    """Shows one grid.

    Attributes
    ----------
    picture : GridPicture
        The grid.
    copied, exported : Signal
        The effects that the user wants to copy, or to write to a file.
    moved : Signal
        The rectangle of this widget that is to be in sight.
    """

    copied = Signal(object)
    exported = Signal(object)
    moved = Signal(QRect)

    def __init__(self, name: str, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._title = heading(f"{name}.title")
        self._title.setWordWrap(True)
        self._note = note(f"{name}.note")
        self.picture = GridPicture(f"{name}.grid", appearance)
        self._area = QScrollArea(self)
        self._area.setObjectName(f"{name}.scroll")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._area.setWidget(self.picture)
        self._area.installEventFilter(self)
        buttons = QHBoxLayout()
        buttons.addWidget(
            push_button(f"{name}.copy", self.tr("Copy"), self._copy, self)
        )
        export = self.tr("Export as CSV…")
        buttons.addWidget(push_button(f"{name}.export", export, self._export, self))
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (self._title, self._note, self._area):
            column.addWidget(widget)
        column.addLayout(buttons)
        column.addStretch(1)
        self.picture.copied.connect(self._copy)
        self.picture.moved.connect(self._on_moved)

    def show_effect(self, effect: Effect | None, limit: float) -> None:
        """Show a grid with colours up to a limit; None hides it."""
        self.setVisible(effect is not None)
        if effect is None:
            return
        self._title.setText(title(effect))
        self._note.setText(baselines(effect))
        for label in (self._title, self._note):
            label.setToolTip(method(effect))
        self.picture.setAccessibleName(f"{title(effect)}. {baselines(effect)}")
        self.picture.show_effect(effect, limit)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        """Make the grid as wide as there is room, and the area as high as the grid."""
        room = self._area.width()
        self.picture.set_width(room)
        size = self.picture.sizeHint()
        across = self._area.horizontalScrollBar().sizeHint().height()
        self._area.setFixedHeight(
            size.height() + (across if size.width() > room else 0)
        )

    @Slot(QRect)
    def _on_moved(self, cell: QRect) -> None:
        middle = cell.center()
        self._area.ensureVisible(middle.x(), 0, cell.width(), 0)
        corner = self.picture.mapTo(self, cell.topLeft())
        self.moved.emit(QRect(corner, cell.size()))

    @Slot()
    def _copy(self) -> None:
        self.copied.emit(self.picture.effect)

    @Slot()
    def _export(self) -> None:
        self.exported.emit(self.picture.effect)
