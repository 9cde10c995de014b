"""The inputs in the dialog, which may change or not."""

from collections.abc import Iterable

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from attnviewer.document import MASK
from attnviewer.goal_seek import sources_of
from attnviewer.goal_seek.free_numbers import TEMPERATURE, Free
from attnviewer.ui.goal_seek.free_row import FreeRow
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.concepts import GOAL_SEEK, what_is


class FreeList(QWidget):
    """Lists the inputs of the open document, and the temperature.

    Attributes
    ----------
    changed : Signal
        Something else may change now.
    """

    changed = Signal()

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self._workbench = workbench
        self._rows: dict[str, FreeRow] = {}
        self._steps: set[str] = set()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        headings = self.tr("What may change"), "", self.tr("At most ±")
        for column, text in enumerate(headings):
            heading = QLabel(text, self)
            heading.setProperty("heading", True)
            self._grid.addWidget(heading, 0, column)
        self.setWhatsThis(what_is(headings[0], GOAL_SEEK["free"]))
        self.follow(())

    def follow(self, steps: Iterable[str]) -> None:
        """List the inputs, and tick those that steps are computed from.

        Parameters
        ----------
        steps : iterable of str
            The steps that the targets are about.
        """
        trace = self._workbench.engine.current.trace
        self._steps = {step for step in steps if step in trace}
        inputs = [name for name in trace.spec.input_names if name != MASK]
        names = [*inputs, TEMPERATURE]
        if names != list(self._rows):
            self._list(names)
        reached = {name for step in self._steps for name in sources_of(trace, step)}
        for name, row in self._rows.items():
            row.let_reach(reaches=name in reached)
        self._show()

    def forget_cells(self) -> None:
        """Let all cells change, as the chosen ones are of another document."""
        for row in self._rows.values():
            row.forget_cells()

    def free(self) -> list[Free] | None:
        """Return what may change; None, with the reasons in place, if it is invalid."""
        rows = self._rows.items()
        valid = [row.check(self._shape(name)) for name, row in rows]
        if not all(valid):
            return None
        return [row.free(self._shape(name)) for name, row in rows if row.is_free]

    def limits(self) -> dict[str, float]:
        """Return the most that numbers may change by, of those that have a limit."""
        found = {name: row.limit() for name, row in self._rows.items() if row.is_free}
        return {name: limit for name, limit in found.items() if limit is not None}

    def _shape(self, name: str) -> tuple[int, int]:
        if name == TEMPERATURE:
            return 1, 1
        rows, columns = self._workbench.document.matrix(name).shape
        return rows, columns

    def _list(self, names: list[str]) -> None:
        for name in [name for name in self._rows if name not in names]:
            self._rows.pop(name).remove()
        kept, self._rows = self._rows, {}
        for name in names:
            self._rows[name] = kept.get(name) or FreeRow(name, self._workbench, self)
            self._rows[name].lay_into(self._grid)
            if name not in kept:
                self._rows[name].changed.connect(self._on_changed)

    @Slot()
    def _on_changed(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        for row in self._rows.values():
            row.follow()
