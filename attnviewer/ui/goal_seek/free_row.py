"""One input that may change: which of its cells, and by how much at most."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from attnviewer.compute import NUMBERED, Axis
from attnviewer.document import Labels, Region, distinct_label
from attnviewer.document.labels import indexed_name
from attnviewer.document.rearranging import destinations
from attnviewer.document.text.parsing import parse_number
from attnviewer.goal_seek.free_numbers import TEMPERATURE, Free
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.reason import ReasonLabel

ALL, ROWS, CELLS = range(3)
"""Which cells may change."""
CHARACTERS = 8
"""The least width of the limit's field, in digits."""


class FreeRow(QObject):
    """A tick, which cells, and a limit: one row of a grid.

    Parameters
    ----------
    name : str
        The input, or ``temperature``.
    workbench : Workbench
        The open document, and the selection in its tables.
    parent : QWidget
        The widget with the grid.

    Attributes
    ----------
    changed : Signal
        Something else may change now.
    """

    changed = Signal()

    def __init__(self, name: str, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self.name = name
        self._workbench = workbench
        self._region: Region | None = None
        # The region as chosen, with the tokens of that time, which it follows.
        self._chosen: tuple[Region, Labels] | None = None
        self._touched = False
        title = self.tr("temperature") if name == TEMPERATURE else name
        self.tick = QCheckBox(title, parent)
        self.tick.setObjectName(f"seek.free.{name}")
        self._cells = ChoiceBox(parent)
        self._cells.setObjectName(f"seek.cells.{name}")
        name_control(
            self._cells,
            self.tr("Which numbers of {name} may change").format(name=name),
        )
        self._cells.setToolTip(self._cells.accessibleName())
        self._cells.addItems(
            [self.tr("All"), self.tr("Selected rows"), self.tr("Selected cells")]
        )
        self._limit = QLineEdit(parent)
        self._limit.setObjectName(f"seek.limit.{name}")
        self._limit.setPlaceholderText(self.tr("no limit"))
        self._limit.setAccessibleName(
            self.tr("The most that a number of {name} may change by").format(name=name)
        )
        self._limit.setMinimumWidth(
            CHARACTERS * parent.fontMetrics().horizontalAdvance("0")
        )
        self._reason = ReasonLabel(f"seek.reason.{name}", parent)
        self.tick.clicked.connect(self._on_ticked)
        self._cells.activated.connect(self._on_cells)
        self._limit.textEdited.connect(self._on_limit)

    def lay_into(self, grid: QGridLayout) -> None:
        """Append the row to a grid."""
        row = grid.rowCount()
        grid.addWidget(self.tick, row, 0)
        if self.name != TEMPERATURE:
            grid.addWidget(self._cells, row, 1)
        self._cells.setVisible(self.name != TEMPERATURE)
        grid.addWidget(self._limit, row, 2)
        grid.addWidget(self._reason, row + 1, 0, 1, 3)

    def remove(self) -> None:
        """Remove the row from its grid."""
        for widget in (self.tick, self._cells, self._limit, self._reason):
            widget.hide()
            widget.deleteLater()
        self.deleteLater()

    @property
    def is_free(self) -> bool:
        """Whether it may change."""
        return self.tick.isChecked() and self.tick.isEnabled()

    def let_reach(self, *, reaches: bool) -> None:
        """Offer what a target is computed from, ticked until the user decides."""
        if not self._touched:
            self.tick.setChecked(reaches and self.name != TEMPERATURE)
        self.tick.setEnabled(reaches)
        self.tick.setToolTip(
            "" if reaches else self.tr("No target is computed from this.")
        )
        self._enable()

    def free(self, shape: tuple[int, int]) -> Free:
        """Return the numbers that may change, as `seek` takes them.

        Parameters
        ----------
        shape : tuple of two int
            The input's present shape.

        Raises
        ------
        ValueError
            If the chosen cells are not there any more.
        """
        region, which = self._region, self._cells.currentIndex()
        if which == ALL:
            return self.name
        if region is None or not region.is_inside(shape):
            raise ValueError(
                self.tr("These cells of {name} are not there now.").format(
                    name=self.name
                )
            )
        if which == ROWS:
            return (self.name, region.rows)
        return (self.name, region.rows, region.columns)

    def limit(self) -> float | None:
        """Return the most that a number may change by; None without a limit.

        Raises
        ------
        ValueError
            If that is no number from 0 on.
        """
        text = self._limit.text()
        if not text.strip():
            return None
        limit = parse_number(text)
        if limit < 0:
            raise ValueError(self.tr("Type a limit of at least 0, or none."))
        return limit

    def check(self, shape: tuple[int, int]) -> bool:
        """Return whether it is valid; say in place why not."""
        try:
            if self.is_free:
                self.free(shape)
                self.limit()
        except ValueError as error:
            self._reason.say(str(error))
            return False
        self._reason.say("")
        return True

    def forget_cells(self) -> None:
        """Let all cells change."""
        self._cells.setCurrentIndex(ALL)
        self._region = self._chosen = None
        self._unname_cells()

    def follow(self) -> None:
        """Follow the tokens of the cells that may change, and name them."""
        computed, which = self._workbench.engine.current, self._cells.currentIndex()
        if self._chosen is None or which == ALL or self.name not in computed.trace:
            return
        labels, axes = computed.labels, computed.trace.stages[self.name].axes
        self._region = region = _moved(*self._chosen, axes, labels)
        if region is None:
            self._unname_cells()
            return
        parts = region.rows, region.columns if which == CELLS else None
        texts = []
        for axis, part in zip(axes, parts, strict=True):
            if part is None:
                texts.append(":")
                continue
            ends = dict.fromkeys((part.start, part.stop - 1))
            named = (distinct_label(axis, labels, end, token_label) for end in ends)
            texts.append(" … ".join(named))
        text = indexed_name(self.name, *texts)
        self._cells.setItemText(which, text)

    @Slot()
    def _on_ticked(self) -> None:
        self._touched = True
        self._enable()
        self.changed.emit()

    @Slot()
    def _on_cells(self) -> None:
        which = self._cells.currentIndex()
        selection = self._workbench.edits.cursor.selection
        self._unname_cells()
        self._region = self._chosen = None
        self._reason.say("")
        if which != ALL and selection is not None and selection.table == self.name:
            self._region = selection.block
            self._chosen = selection.block, self._workbench.engine.current.labels
        elif which != ALL:
            self._cells.setCurrentIndex(ALL)
            text = self.tr("Select cells in the table of {name} first.")
            self._reason.say(text.format(name=self.name))
        self.changed.emit()

    @Slot()
    def _on_limit(self) -> None:
        try:
            self.limit()
        except ValueError as error:
            self._reason.say(str(error))
        else:
            self._reason.say("")
        self.changed.emit()

    def _unname_cells(self) -> None:
        self._cells.setItemText(ROWS, self.tr("Selected rows"))
        self._cells.setItemText(CELLS, self.tr("Selected cells"))

    def _enable(self) -> None:
        for widget in (self._cells, self._limit):
            widget.setEnabled(self.is_free)


def _moved(
    region: Region, before: Labels, axes: tuple[Axis, Axis], now: Labels
) -> Region | None:
    """Return where cells are now; None if they are gone or not together any more."""
    row, column = (
        start
        if axis in NUMBERED
        else _start(start, count, before.of(axis), now.of(axis))
        for axis, start, count in zip(
            axes,
            (region.row, region.column),
            (region.height, region.width),
            strict=True,
        )
    )
    if row is None or column is None:
        return None
    return replace(region, row=row, column=column)


def _start(
    start: int, count: int, before: tuple[str, ...], now: tuple[str, ...]
) -> int | None:
    """Return where neighbouring tokens begin; None if they are not neighbours."""
    moves = destinations(before, now)
    found = sorted(moves[k] for k in range(start, start + count) if k in moves)
    together = len(found) == count and found[-1] - found[0] == count - 1
    return found[0] if together else None
