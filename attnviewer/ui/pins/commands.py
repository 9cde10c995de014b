"""Pinning and unpinning the selected cells."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMainWindow

from attnviewer.compute import Pin
from attnviewer.document.pins import remove_pins
from attnviewer.ui.pins.dialog import PinDialog
from attnviewer.ui.pins.target import Target, name_of, selected_target
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.actions import ActionRow, Rows
from attnviewer.ui.widgets.notice import NoticeBar


class PinCommands(QObject):
    """Pins the selected cells, or removes their pins."""

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._workbench, self._notice, self._window = workbench, notice, window

    def rows(self, prefix: str, *, keys: bool = False) -> Rows:
        """Return rows for a menu.

        Parameters
        ----------
        prefix : str
            What the names of the actions begin with.
        keys : bool
            Whether they have shortcuts, which one menu can give.
        """
        pin = ActionRow(
            f"{prefix}.pin",
            self.tr("Pin num&bers…"),
            self.ask,
            "Ctrl+P" if keys else "",
        )
        unpin = ActionRow(f"{prefix}.unpin", self.tr("Unp&in"), self.unpin)
        return [pin, unpin]

    def ask(self, _data: object = None) -> None:
        """Ask what the selected cells shall be."""
        self._workbench.engine.catch_up()
        target = selected_target(self._workbench)
        if target is None:
            self._refuse()
            return
        trace = self._workbench.engine.current.trace
        row, column = target.rows[0], target.columns[0]
        head = self._workbench.selection.head
        window = trace.window(
            target.step, slice(row, row + 1), slice(column, column + 1), head=head
        )
        self._open(target, float(window[0, 0]))

    def change(self, number: int) -> None:
        """Ask for another number of a pin."""
        pin = self._workbench.document.pins[number]
        shape = self._workbench.engine.current.trace.matrix_shape(pin.step)
        target = target_of(pin, shape)
        self._open(target, float(pin.array()[0, 0]), number)

    def unpin(self, _data: object = None) -> None:
        """Remove the pins of the selected cells."""
        target = selected_target(self._workbench)
        found = [] if target is None else target.pins_on(self._workbench.document.pins)
        if not found:
            self._notice.refuse(self.tr("None of the selected cells is pinned."))
            return
        label = self.tr("Unpin")
        edit = remove_pins(self._workbench.document, found, label)
        self._workbench.edits.submit(edit)

    def _open(self, target: Target, value: float, changed: int | None = None) -> None:
        name = name_of(self._workbench, target)
        edits = self._workbench.edits
        PinDialog(edits, target, name, value, self._window, changed).open()

    def _refuse(self) -> None:
        self._notice.refuse(
            self.tr("Select a cell of a computed step, such as scores, to pin it.")
        )


def target_of(pin: Pin, shape: tuple[int, int]) -> Target:
    """Return the cells of a pin of a step of some shape."""
    rows, columns = (
        tuple(position for position in positions[:count] if position < count)
        for positions, count in zip((pin.rows, pin.columns), shape, strict=True)
    )
    return Target(pin.step, pin.head, rows, columns, shape)
