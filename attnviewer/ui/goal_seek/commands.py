"""Opening Goal Seek for a cell or a row."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMainWindow

from attnviewer.ui.goal_seek.cell_reference import (
    CellReference,
    Quantity,
    reference_to,
    selected_reference,
)
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.actions import ActionRow, Rows
from attnviewer.ui.widgets.marking import Line
from attnviewer.ui.widgets.notice import NoticeBar

# The first question imports them: most windows ask none.
if TYPE_CHECKING:
    from attnviewer.ui.goal_seek.dialog import GoalSeekDialog
    from attnviewer.ui.goal_seek.seeker import Seeker

Sought = Callable[[], tuple[CellReference, Quantity] | None]
"""Returns the number that is meant; None where there is none."""


class GoalSeekCommands(QObject):
    """Opens the dialog, which is one at a time, and adds targets to it."""

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._workbench, self._notice, self._window = workbench, notice, window
        self._dialog: GoalSeekDialog | None = None
        self._seeker: Seeker | None = None
        workbench.engine.computed.connect(self._on_computed)

    def rows(self, prefix: str, *, keys: bool = False) -> Rows:
        """Return rows for a menu, about the selected cell.

        Parameters
        ----------
        prefix : str
            What the names of the actions begin with.
        keys : bool
            Whether they have shortcuts, which one menu can give.
        """
        shortcut = "Ctrl+G" if keys else None
        return [ActionRow(f"{prefix}.seek", self._text, self.ask, shortcut)]

    def line_rows(self, prefix: str, line: Line, index: int) -> Rows:
        """Return rows for the menu of the label of a row or column.

        None for a column, and for the steps that are no target.
        """
        step = self._workbench.selection.step
        if line == "column" or not self._is_computed(step):
            return []
        reference = reference_to(self._workbench, step, (index, 0))
        quantity: Quantity = "entropy" if step == "weights" else "sum"

        def sought() -> tuple[CellReference, Quantity]:
            return reference, quantity

        text = self.tr("Goal See&k for this row…")
        return [ActionRow(f"{prefix}.seek", text, self.ask, data=sought)]

    def cell_rows(self, prefix: str, step: str, cell: Position | None) -> Rows:
        """Return rows for the menu of a cell; none without a computed one."""
        if cell is None or not self._is_computed(step):
            return []
        reference = reference_to(self._workbench, step, cell)

        def sought() -> tuple[CellReference, Quantity]:
            return reference, "cell"

        return [ActionRow(f"{prefix}.seek", self._text, self.ask, data=sought)]

    def pointed_rows(self, prefix: str, of: Sought) -> Rows:
        """Return rows for a menu that is filled once, about what is pointed at."""
        return [ActionRow(f"{prefix}.seek", self._text, self.ask, data=of)]

    @property
    def _text(self) -> str:
        return self.tr("Goal See&k…")

    def _is_computed(self, step: str) -> bool:
        return bool(self._workbench.engine.current.trace.stages[step].inputs)

    def ask(self, of: Sought | None = None) -> None:
        """Open the dialog for a number, by default that of the selected cell."""
        self._workbench.engine.catch_up()
        if reason := self._workbench.withheld_reason:
            self._notice.refuse(reason)
            return
        found = self._selected() if of is None else of()
        if found is None or not found[0].is_in(self._workbench.engine.current.trace):
            self._notice.refuse(
                self.tr(
                    "Select a cell of a computed step, such as the weights, to seek it."
                )
            )
            return
        dialog = self._dialog or self._open()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        dialog.add(*found)

    def close(self) -> None:
        """Close the dialog, and wait for the search."""
        if self._dialog is not None:
            self._dialog.reject()
        if self._seeker is not None:
            self._seeker.close()

    def _open(self) -> "GoalSeekDialog":
        from attnviewer.ui.goal_seek.dialog import GoalSeekDialog
        from attnviewer.ui.goal_seek.seeker import Seeker

        if self._seeker is None:
            self._seeker = Seeker(self._workbench, self)
        self._dialog = GoalSeekDialog(self._workbench, self._seeker, self._window)
        self._dialog.finished.connect(self._forget)
        return self._dialog

    def _selected(self) -> tuple[CellReference, Quantity] | None:
        reference = selected_reference(self._workbench)
        return None if reference is None else (reference, "cell")

    @Slot()
    def _on_computed(self) -> None:
        if self._dialog is not None and self._workbench.withheld_reason:
            self._dialog.reject()

    @Slot()
    def _forget(self) -> None:
        self._dialog = None
