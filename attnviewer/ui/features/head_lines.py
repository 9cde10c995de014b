"""The lines of the chosen head: in a dock, and beside the heatmap of a model."""

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.views.head_lines import LinesBeside
from attnviewer.ui.widgets.docks import Panel

# Imported when a model is first open: the window must not wait for its pictures.
if TYPE_CHECKING:
    from attnviewer.ui.views.step.lines.in_rows import LinesInRows

LINES_FOR_BOTH = 80
"""Window width from which lines stand beside the heatmap, in line heights."""


class HeadLinesFeature(Feature):
    """Shows the lines of the chosen head, whatever the central view shows."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._dock = dock = frame.dock(self.tr("Lines"))
        frame.panels.append(
            Panel(
                "lines",
                dock,
                self.tr("&Lines"),
                self._parts,
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=26,
                opened=False,
                beside="explain",
            )
        )

    _beside = False
    _stands_in = False
    """Whether the dock is open because there was no room beside the heatmap."""

    def _parts(self) -> tuple[QWidget, QWidget]:
        frame = self.frame
        panel = LinesBeside(frame.workbench, frame.appearance, self._dock)
        panel.filled.connect(frame.order_tabs)
        return panel, panel.heading

    @cached_property
    def lines(self) -> "LinesInRows":
        """The lines that share the rows of the heatmap."""
        from attnviewer.ui.views.step.lines.in_rows import LinesInRows

        lines = LinesInRows(self.frame.workbench.selection, "step.heatmap.lines")
        lines.threshold.refused.connect(self.frame.notice.refuse)
        return lines

    @property
    def has_room(self) -> bool:
        """Whether the window is wide enough for a heatmap with lines beside it."""
        window = self.frame.window
        return window.width() >= LINES_FOR_BOTH * usual_line(window.font())

    def open_first(self) -> None:
        """Open Explain for the first model; Lines if they have no room elsewhere."""
        self._stands_in = not self.has_room
        self.frame.docks.open_panel("lines" if self._stands_in else "explain")

    def fit(self) -> None:
        self._follow()

    def join(self) -> None:
        self.frame.workbench.opened.connect(self._follow)
        self.frame.workbench.model.changed.connect(self._follow)

    @Slot()
    def _follow(self) -> None:
        """Put lines beside the heatmap while a model is open, where there is room."""
        wanted = self.frame.workbench.link is not None and self.has_room
        if wanted != self._beside:
            self._beside = wanted
            self.frame.step_view.heatmap.accompany(self.lines if wanted else None)
            if wanted and self._stands_in:
                self._stands_in = False
                self._give_way()
            self.frame.order_tabs()

    def _give_way(self) -> None:
        """Close the dock and show Explain: the lines are beside the heatmap now."""
        if self._dock.isHidden() or self._dock.isFloating():
            return
        behind = self._dock.isVisible() and self._dock.visibleRegion().isEmpty()
        self._dock.hide()
        if not behind:
            self.frame.docks.open_panel("explain")
