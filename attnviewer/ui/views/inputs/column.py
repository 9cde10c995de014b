"""The inputs above what shares their dock."""

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from attnviewer.ui.views.inputs.dock import InputsPanel


class InputsColumn(QWidget):
    """The inputs, and below them a widget that takes the height that they leave.

    Attributes
    ----------
    freed : Signal
        Carries the height that the inputs do not need, in pixels.
    """

    freed = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._inputs: InputsPanel | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)

    def set_inputs(self, inputs: InputsPanel) -> None:
        """Show the inputs, which have this widget as their parent."""
        self._inputs = inputs
        inputs.resized.connect(self._tell)
        self._layout.addWidget(inputs, 1)
        self.setFocusProxy(inputs)

    def add_below(self, widget: QWidget) -> None:
        """Put a widget below the inputs."""
        self._layout.addWidget(widget)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._tell()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    @Slot()
    def _tell(self) -> None:
        if self._inputs is not None:
            self.freed.emit(max(0, self.height() - self._inputs.needed_height))
