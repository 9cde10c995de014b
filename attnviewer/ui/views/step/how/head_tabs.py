"""The heads of a step as tabs of a stack of sheets, and what the step is."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QTabBar, QWidget

from attnviewer.compute import Trace
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.views.step.how.transport import MARGIN
from attnviewer.ui.widgets.elided_label import ElidedLabel


class HeadTabs(QWidget):
    """A tab for each head of the queries, and which of them share keys and values.

    A line that says what the step is stands beside the tabs, or alone in a high page.

    Attributes
    ----------
    head_chosen : Signal
        Carries the head that the user chooses.
    """

    head_chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("how.sheets")
        self.tabs = QTabBar(self)
        self.tabs.setObjectName("how.heads")
        self.tabs.setAccessibleName(self.tr("Heads"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        self.tabs.tabBarClicked.connect(self._on_clicked)
        self.tabs.currentChanged.connect(self._on_changed)
        self._text = QLabel(self)
        self._text.setProperty("muted", True)
        self._line = ElidedLabel("how.line", Qt.TextElideMode.ElideRight)
        self._line.setAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        # What is left of the row is the line's.
        self._line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 0, MARGIN, 0)
        row.setSpacing(12)
        row.addWidget(self.tabs)
        row.addWidget(self._text)
        row.addWidget(self._line, 1)
        self._showing = False
        self._several = self._narrow = self._high = False

    def set_room(self, *, narrow: bool, high: bool) -> None:
        """Say how much room there is.

        Parameters
        ----------
        narrow : bool
            Whether the tabs are shown alone.
        high : bool
            Whether the line may have a row of its own where there are no tabs.
        """
        self._narrow, self._high = narrow, high
        self._show_parts()

    def show_line(self, line: str, tip: str) -> None:
        """Show a line with its tool tip; "" for none."""
        self._line.setText(line)
        self._line.setToolTip(tip)
        self._show_parts()

    def show_heads(self, trace: Trace, step: str, head: int) -> None:
        """Show the heads of a step; no tabs for a step with a single one.

        Parameters
        ----------
        trace : Trace
            The steps.
        step : str
            The step.
        head : int
            The chosen head of the queries.
        """
        count = trace.n_query_heads
        self._several = trace.n_heads(step) > 1
        self._show_parts()
        if not self._several:
            return
        self._showing = True
        while self.tabs.count() > count:
            self.tabs.removeTab(self.tabs.count() - 1)
        for number in range(self.tabs.count(), count):
            self.tabs.addTab(f"H{number}")
        self.tabs.setCurrentIndex(present_head(trace, head))
        self._showing = False
        self._text.setText(self._sharing(trace, head))

    def _show_parts(self) -> None:
        self.tabs.setVisible(self._several)
        self._text.setVisible(self._several and not self._narrow)
        self._line.setHidden(self._narrow)
        self.setVisible(self._several or (self._high and bool(self._line.text())))

    def _sharing(self, trace: Trace, head: int) -> str:
        """Return which heads share keys and values with the chosen one."""
        keys = trace.pipeline.comparison.inputs[1]
        if trace.n_heads(keys) in (1, trace.n_query_heads):
            if trace.n_heads(keys) > 1:
                return ""
            return self.tr("all heads share K and V")
        served = trace.served_by(keys, trace.head_of(keys, present_head(trace, head)))
        names = ", ".join(f"H{number}" for number in served)
        return self.tr("{heads} share K and V").format(heads=names)

    @Slot(int)
    def _on_clicked(self, index: int) -> None:
        if index >= 0:
            self.head_chosen.emit(index)

    @Slot(int)
    def _on_changed(self, index: int) -> None:
        if not self._showing and index >= 0:
            self.head_chosen.emit(index)
