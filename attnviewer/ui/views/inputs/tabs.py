"""Tabs for the inputs that are shown one at a time."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTabBar, QWidget


class InputTabs(QTabBar):
    """Shows the panel of the chosen tab and hides the others.

    With at most one panel there is no tab bar. Titles are long if all of them fit, and
    short otherwise.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inputs.tabs")
        self.setAccessibleName(self.tr("Inputs by row"))
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self._panels: dict[str, QWidget] = {}
        self.currentChanged.connect(self._show)

    @property
    def front(self) -> str:
        """The name of the panel that is shown."""
        name: str = self.tabData(self.currentIndex())
        return name

    def set_panels(self, panels: dict[str, QWidget]) -> None:
        """Set the panels by name, in order; the current one stays."""
        if panels == self._panels:
            return
        front = self.tabData(self.currentIndex())
        self.currentChanged.disconnect(self._show)
        while self.count():
            self.removeTab(0)
        self._panels = panels
        for name in panels:
            self.setTabData(self.addTab(""), name)
        self._fit_titles()
        self.currentChanged.connect(self._show)
        names = list(panels)
        self.setCurrentIndex(names.index(front) if front in panels else 0)
        self.setVisible(len(panels) > 1)
        self._show(self.currentIndex())

    def bring_forward(self, name: str) -> None:
        """Show a panel, if it has a tab."""
        if name in self._panels:
            self.setCurrentIndex(list(self._panels).index(name))

    def turn(self, by: int) -> None:
        """Switch to another tab, wrapping around."""
        if self.count():
            self.setCurrentIndex((self.currentIndex() + by) % self.count())

    def _show(self, index: int) -> None:
        for panel in self._panels.values():
            panel.setVisible(panel is self._panels[self.tabData(index)])

    def minimumSizeHint(self) -> QSize:
        # In a narrow dock tabs are elided rather than widening it.
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_titles()
        super().resizeEvent(event)

    def _fit_titles(self) -> None:
        for titles in (self._titles(), self._short_titles()):
            for index, name in enumerate(self._panels):
                self.setTabText(index, titles[name])
            if self.sizeHint().width() <= self.width():
                return

    def _titles(self) -> dict[str, str]:
        whole = {
            "X": self.tr("X embeddings"),
            "Q": self.tr("Q queries"),
            "S": self.tr("S scores"),
            "context": self.tr("Second sequence"),
            "bias": self.tr("Score bias"),
        }
        return self._short_titles() | whole

    def _short_titles(self) -> dict[str, str]:
        return {
            "X": "X",
            "Q": "Q",
            "S": "S",
            "context": self.tr("Second"),
            "P": self.tr("Position"),
            "mask": self.tr("Mask"),
            "bias": self.tr("Bias"),
        }
