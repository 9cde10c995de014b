"""The time from an edit to the repainted step."""

from time import perf_counter

from PySide6.QtCore import QObject, Slot

from attnviewer.ui.frame.status import StatusBar
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView


class EditSpeed(QObject):
    """Measures the time from each edit to the next paint, for the status bar."""

    def __init__(
        self, workbench: Workbench, step_view: StepView, status: StatusBar
    ) -> None:
        super().__init__(status)
        self._status = status
        self._edited_at: float | None = None
        workbench.engine.computed.connect(self._on_computed)
        workbench.model.changed.connect(self._on_model)
        step_view.painted.connect(self._on_painted)

    @Slot(object)
    def _on_computed(self, computed: Computed) -> None:
        self._edited_at = computed.edited_at
        if computed.edited_at is None:  # another document, no edit
            self._status.show_speed(None)

    @Slot()
    def _on_model(self) -> None:
        # The next paint shows the model's change, not the edit.
        self._edited_at = None

    @Slot()
    def _on_painted(self) -> None:
        if self._edited_at is not None:
            self._status.show_speed(perf_counter() - self._edited_at)
            self._edited_at = None
