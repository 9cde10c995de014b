"""The heatmap of the open step, and the connection of a heatmap to the selection."""

from dataclasses import replace

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.links import Linked, linked
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step.heatmap.grouped import GroupedHeatmap
from attnviewer.ui.views.step.heatmap.heatmap import Heatmap


def heatmap_page(workbench: Workbench, parent: QWidget) -> GroupedHeatmap:
    """Return the heatmap as a page of the step view."""
    heatmap = GroupedHeatmap(parent)
    HeatmapSelection(workbench, heatmap)
    HeatmapFolding(workbench, heatmap)
    _Caching(workbench, heatmap)
    return heatmap


class HeatmapFolding(QObject):
    """Folds and opens groups from a heatmap of the open step."""

    def __init__(self, workbench: Workbench, heatmap: GroupedHeatmap) -> None:
        super().__init__(heatmap)
        self._workbench = workbench
        heatmap.group_toggled.connect(workbench.folds.toggle)
        heatmap.fold_wanted.connect(self._toggle_here)

    @Slot()
    def _toggle_here(self) -> None:
        workbench, cell = self._workbench, self._workbench.selection.cell
        if cell is not None:
            step = workbench.selection.step
            axes = workbench.engine.current.trace.stages[step].axes
            workbench.folds.toggle_at(axes, cell)


class _Caching(QObject):
    """Marks in a heatmap of the open step what a generation has in its cache."""

    def __init__(self, workbench: Workbench, heatmap: GroupedHeatmap) -> None:
        super().__init__(heatmap)
        self._keys, self._heatmap = workbench.cached_keys, heatmap
        self._keys.changed.connect(self._mark)
        self._mark()

    @Slot()
    def _mark(self) -> None:
        tokens = self._keys.tokens
        rows = {tokens.stop} if tokens else set()
        self._heatmap.mark_cached(Marked(frozenset(rows), frozenset(tokens)))


class HeatmapSelection(QObject):
    """Keeps a heatmap and the selection in step.

    The page handles the selected cell, as the heatmap may show another matrix.
    """

    def __init__(self, workbench: Workbench, heatmap: Heatmap) -> None:
        super().__init__(heatmap)
        self._workbench, self._heatmap = workbench, heatmap
        selection = workbench.selection
        heatmap.cell_chosen.connect(selection.choose_here)
        heatmap.cell_hovered.connect(self._on_cell_hovered)
        heatmap.look_chosen.connect(self._on_look_chosen)
        heatmap.fit_chosen.connect(self._on_fit_chosen)
        heatmap.marks_chosen.connect(selection.mark)
        selection.marked_changed.connect(self._on_marked)
        selection.hover_changed.connect(self._on_hovered)
        self._on_marked()

    @Slot(object)
    def _on_cell_hovered(self, cell: Position | None) -> None:
        selection = self._workbench.selection
        selection.hover(selection.step, cell)

    @Slot(object)
    def _on_look_chosen(self, look: Look) -> None:
        self._workbench.looks.set(self._workbench.selection.step, look)

    @Slot(str)
    def _on_fit_chosen(self, remedy: str) -> None:
        workbench = self._workbench
        step = workbench.selection.step
        look = workbench.looks.of(step)
        if remedy == "logarithm":
            workbench.looks.set(step, replace(look, log=True))
            return
        # Other heads may use more of the scale.
        several = workbench.engine.current.trace.n_heads(step) > 1
        fitted = replace(look, policy="extremes", per_head=look.per_head or several)
        workbench.looks.set(step, fitted)

    @Slot()
    def _on_marked(self) -> None:
        self._heatmap.mark(self._workbench.selection.marked)

    @Slot(str, object)
    def _on_hovered(self, step: str, cell: Position | None) -> None:
        trace = self._workbench.engine.current.trace
        shown = self._workbench.selection.step
        there = Linked()
        if cell is not None and step in trace and shown in trace:
            there = linked(trace, step, cell, shown)
        self._heatmap.light(there)
