"""Pinning numbers that are typed or pasted into the cells of a computed step."""

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from attnviewer.compute import Array
from attnviewer.document import Edit, Region, exact_text
from attnviewer.document.pasting import tiled
from attnviewer.document.pins import add_pins, change_pin
from attnviewer.document.text.blocks import parse_block
from attnviewer.document.text.parsing import parse_number
from attnviewer.ui.pins.question import PinQuestion, knows_pins
from attnviewer.ui.pins.target import Target, name_of
from attnviewer.ui.state.workbench import Workbench


class PinWriter(QObject):
    """Pins what is written into cells; asks once whether that is wanted.

    Attributes
    ----------
    asking : bool
        Whether what was written last waits for the answer.
    """

    def __init__(self, workbench: Workbench, window: QWidget) -> None:
        super().__init__(window)
        self._workbench, self._window = workbench, window
        self.asking = False

    def takes(self, step: str) -> bool:
        """Return whether a step is computed; others are edited as inputs."""
        trace = self._workbench.engine.current.trace
        return step in trace and bool(trace.stages[step].inputs)

    def write(self, target: Target, text: str) -> None:
        """Pin cells to a typed number.

        Raises
        ------
        ValueError
            With the reason why the text, or the pin, is refused.
        """
        value = parse_number(text, infinite=True)
        question = self.tr("Pin this number to {value}?")
        if target.count > 1:
            question = self.tr("Pin these {count:,} numbers to {value}?")
        shown = exact_text(value).replace("-", "−")
        self._submit(target, value, question.format(count=target.count, value=shown))

    def paste(self, target: Target, text: str) -> str:
        """Pin a copied block of numbers to where some cells begin.

        One number goes into all of the cells, and a block is repeated over a multiple
        of its size.

        Returns
        -------
        str
            How the text was read, where that is not obvious.

        Raises
        ------
        ValueError
            With the reason why the text, or the pin, is refused.
        """
        block = parse_block(text, infinite=True)
        values = block.values
        if values.size == 1 and target.count > 1:
            self._submit_numbers(target, float(values[0, 0]))
            return " ".join(block.notices)
        row, column = target.rows[0], target.columns[0]
        region = Region(row, column, len(target.rows), len(target.columns))
        if target.rows[-1] < region.rows.stop and target.columns[-1] < (
            region.columns.stop
        ):
            values = tiled(values, region)
        within = self._cells_of(target, row, column, values)
        one = values.size == 1
        self._submit_numbers(within, float(values[0, 0]) if one else values)
        return " ".join(block.notices)

    def _cells_of(self, target: Target, row: int, column: int, values: Array) -> Target:
        """Return the cells that a block covers from one cell on.

        Raises
        ------
        ValueError
            If it reaches beyond the step.
        """
        height, width = values.shape
        n_rows, n_columns = target.shape
        if row + height > n_rows or column + width > n_columns:
            text = self.tr(
                "The block of {height}×{width} cells does not fit into {step} from "
                "row {row}, column {column} on, where there is room for "
                "{rows}×{columns}."
            )
            raise ValueError(
                text.format(
                    height=height,
                    width=width,
                    step=target.step,
                    row=row,
                    column=column,
                    rows=n_rows - row,
                    columns=n_columns - column,
                )
            )
        rows = tuple(range(row, row + height))
        columns = tuple(range(column, column + width))
        return replace(target, rows=rows, columns=columns)

    def _submit_numbers(self, target: Target, value: float | Array) -> None:
        question = self.tr("Pin these {count:,} numbers?")
        if target.count == 1:
            question = self.tr("Pin this number?")
        self._submit(target, value, question.format(count=target.count))

    def _submit(self, target: Target, value: float | Array, question: str) -> None:
        edit = self._edit(target, value)
        self.asking = not knows_pins()
        if not self.asking:
            self._workbench.edits.submit(edit)
            return
        cells = name_of(self._workbench, target)
        asked = PinQuestion(self._workbench.edits, edit, question, cells, self._window)
        asked.finished.connect(self._be_answered)
        asked.open()

    def _be_answered(self) -> None:
        self.asking = False

    def _edit(self, target: Target, value: float | Array) -> Edit:
        """Return the edit that changes the pin of these cells, or adds one."""
        document = self._workbench.document
        pin = target.pin(value)
        label = self.tr("Pin {step}").format(step=target.step)
        acting = [k for k in target.pins_on(document.pins) if document.pins[k].enabled]
        # Cells show the last acting pin, not those before it.
        last = document.pins[acting[-1]] if acting else None
        if (
            last is not None
            and last.how == "set"
            and (last.head == target.head or target.head is None)
            and target.is_pinned_by(last)
        ):
            changed = replace(last, value=pin.value)
            return change_pin(document, acting[-1], changed, label)
        return add_pins(document, [pin], label)
