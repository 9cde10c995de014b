"""Highlights the tokens of the hovered cell among the inputs."""

from PySide6.QtCore import QObject, Slot

from attnviewer.ui.state.links import linked
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.inputs import InputsPanel


class TokenLights(QObject):
    """Frames the tokens of the query and key under the pointer."""

    def __init__(
        self, workbench: Workbench, inputs: InputsPanel, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._engine = workbench.engine
        self._inputs = inputs
        workbench.selection.hover_changed.connect(self._follow)

    @Slot(str, object)
    def _follow(self, step: str, cell: Position | None) -> None:
        trace = self._engine.current.trace
        for name in dict.fromkeys(trace.spec.sources):
            rows: tuple[int, ...] = ()
            if cell is not None and step in trace:
                rows = linked(trace, step, cell, name).rows
            self._inputs.light(name, rows)
