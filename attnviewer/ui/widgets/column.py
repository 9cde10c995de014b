"""The vertically scrolling contents of a panel."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QWidget

from attnviewer.ui.widgets.vertical_scroll import VerticalScroll


class Column(VerticalScroll):
    """Scrolls vertically only: it is as wide as its contents require."""

    def __init__(self, name: str, content: QWidget) -> None:
        super().__init__(name)
        self._content = content
        self.setWidget(content)

    def minimumSizeHint(self) -> QSize:
        hint, content = super().minimumSizeHint(), self._content.minimumSizeHint()
        bar = self.verticalScrollBar().sizeHint().width()
        return QSize(content.width() + bar, hint.height())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().event(event)
