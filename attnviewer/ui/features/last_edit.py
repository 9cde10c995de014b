"""The effect of the last edit: how much it changed, and how long it took."""

from collections.abc import Mapping

from PySide6.QtCore import Slot

from attnviewer.compute import CellChange
from attnviewer.ui.features.edit_speed import EditSpeed
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.views.step.difference.last_edit_note import LastEditNote


class LastEditFeature(Feature):
    """Sums up the last edit in the status bar, and shows it as a difference."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        self._note = LastEditNote(frame.workbench, frame.window)
        frame.status.insertPermanentWidget(1, self._note)
        self._note.wanted.connect(self._show)
        EditSpeed(frame.workbench, frame.step_view, frame.status)

    @property
    def offers(self) -> Mapping[str, object]:
        return {"last_edit": self._note}

    def release(self) -> None:
        self._note.release()

    @Slot(object)
    def _show(self, largest: CellChange | None) -> None:
        step_view = self.frame.step_view
        self.frame.workbench.baseline.choose("last_edit")
        step_view.set_view("difference")
        if largest is not None:
            step_view.difference.open_change(largest)
