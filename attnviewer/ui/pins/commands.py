"""Pinning and unpinning the selected cells."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from attnviewer.compute import Pin
from attnviewer.document.pins import remove_pins
from attnviewer.ui.pins.dialog import PinDialog
from attnviewer.ui.pins.target import (
    Target,
    cells_target,
    name_of,
    selected_target,
    target_of,
    whole_step,
)
from attnviewer.ui.state.heads import query_head
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.actions import ActionRow, Rows
from attnviewer.ui.widgets.marking import Line
from attnviewer.ui.widgets.notice import NoticeBar

Chosen = Callable[[], Target | None]
"""Returns the cells that are meant; None where nothing can be pinned."""


class PinCommands(QObject):
    """Pins the selected cells, or removes their pins."""

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._workbench, self._notice, self._window = workbench, notice, window

    def rows(
        self, prefix: str, *, keys: bool = False, of: Chosen | None = None
    ) -> Rows:
        """Return rows for a menu.

        Parameters
        ----------
        prefix : str
            What the names of the actions begin with.
        keys : bool
            Whether they have shortcuts, which one menu can give.
        of : callable, optional
            Returns the cells; by default those that are selected or marked.
        """
        pin = ActionRow(
            f"{prefix}.pin",
            self.tr("Pin num&bers…"),
            self.ask,
            "Ctrl+P" if keys else "",
            of,
        )
        unpin = ActionRow(f"{prefix}.unpin", self.tr("Unp&in"), self.unpin, data=of)
        return [pin, unpin]

    def line_rows(self, prefix: str, line: Line, index: int) -> Rows:
        """Return rows for the menu of the label of a row or column.

        None for an input.
        """
        step = self._workbench.selection.step
        if not self._is_computed(step):
            return []
        cell = cells_target(self._workbench, step, [index], [index])
        if line == "row":
            return self._rows_of(prefix, self.tr("Pin ro&w…"), cell.row)
        return self._rows_of(prefix, self.tr("Pin colu&mn…"), cell.column)

    def step_rows(self, prefix: str, step: str) -> Rows:
        """Return rows for the menu of a step; none for an input."""
        if not self._is_computed(step):
            return []
        target = whole_step(self._workbench, step)
        return self._rows_of(prefix, self.tr("Pin the &whole step…"), target)

    def _is_computed(self, step: str) -> bool:
        return bool(self._workbench.engine.current.trace.stages[step].inputs)

    def _rows_of(self, prefix: str, text: str, target: Target) -> Rows:
        def chosen() -> Target:
            return target

        return [
            ActionRow(f"{prefix}.pin", text, self.ask, data=chosen),
            ActionRow(f"{prefix}.unpin", self.tr("Unp&in"), self.unpin, data=chosen),
        ]

    def ask(self, of: Chosen | None = None) -> None:
        """Ask what cells shall be, by default the selected ones."""
        self._workbench.engine.catch_up()
        target = self._chosen(of)
        if target is None:
            self.refuse()
            return
        if target.step in self._workbench.engine.current.withheld:
            self._notice.refuse(self._workbench.withheld_reason)
            return
        pins = self._workbench.document.pins
        acting = target.pins_on(pins)
        if len(acting) == 1 and target.is_pinned_by(pins[acting[0]]):
            self.change(acting[0])
        else:
            self._open(target, self.value_of(target))

    def change(self, number: int) -> None:
        """Ask for another number of a pin."""
        self._workbench.engine.catch_up()
        pin = self._workbench.document.pins[number]
        shape = self._workbench.engine.current.trace.matrix_shape(pin.step)
        target = target_of(pin, shape)
        self._open(target, float(pin.array()[0, 0]), number)

    def unpin(self, of: Chosen | None = None) -> None:
        """Remove the pins of cells, by default of the selected ones."""
        target = self._chosen(of)
        found = [] if target is None else target.pins_on(self._workbench.document.pins)
        if not found:
            self._notice.refuse(self.tr("None of the selected cells is pinned."))
            return
        label = self.tr("Unpin")
        edit = remove_pins(self._workbench.document, found, label)
        self._workbench.edits.submit(edit)

    def show_cells(self, number: int) -> None:
        """Select the first cell of a pin in the views."""
        workbench = self._workbench
        workbench.engine.catch_up()
        trace, pin = workbench.engine.current.trace, workbench.document.pins[number]
        selection = workbench.selection
        if pin.head is not None and trace.n_heads(pin.step) > 1:
            selection.choose_head(query_head(trace, pin.step, pin.head, selection.head))
        workbench.open_step(pin.step, (pin.rows[0], pin.columns[0]))

    def text_of(self, pin: Pin) -> str:
        """Return a pin in words, its cells by name: ``scores[the, cat] = 5``."""
        trace = self._workbench.engine.current.trace
        if pin.step not in trace:
            return str(pin)  # until the edit that brings the step is computed
        target = target_of(pin, trace.matrix_shape(pin.step))
        if not target.count:
            return str(pin)  # likewise, the edit that adds its tokens
        return f"{name_of(self._workbench, target)} {pin.effect}"

    def value_of(self, target: Target) -> float:
        """Return the first number of some cells."""
        trace = self._workbench.engine.current.trace
        row, column = target.rows[0], target.columns[0]
        here = slice(row, row + 1), slice(column, column + 1)
        own = target.head
        served = 0 if own is None else trace.served_by(target.step, own)[0]
        return float(trace.window(target.step, *here, head=served)[0, 0])

    def refuse(self) -> None:
        """Say what can be pinned."""
        self._notice.refuse(
            self.tr("Select a cell of a computed step, such as scores, to pin it.")
        )

    def _chosen(self, of: Chosen | None) -> Target | None:
        return selected_target(self._workbench) if of is None else of()

    def _open(self, target: Target, value: float, changed: int | None = None) -> None:
        choices = [target]
        if target.count == 1 and changed is None:
            choices = [target, target.row, target.column, target.whole]
        named = [(name_of(self._workbench, each), each) for each in choices]
        PinDialog(self._workbench.edits, named, value, self._window, changed).open()
