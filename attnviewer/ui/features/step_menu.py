"""Copying from the heatmap and the cards of steps, by keys and context menus."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QMenu, QWidget

from attnviewer.compute import Array
from attnviewer.document import cell_name
from attnviewer.document.text.blocks import MOST_COPIED, block_text
from attnviewer.document.text.numpy_text import numpy_text
from attnviewer.ui.goal_seek.commands import GoalSeekCommands
from attnviewer.ui.groups.commands import GroupCommands
from attnviewer.ui.navigation.commands import GoToCommand
from attnviewer.ui.pictures.commands import PictureCommands
from attnviewer.ui.pins.commands import PinCommands
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.flow import FlowStrip
from attnviewer.ui.views.flow.card import FlowCard
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.actions import SEPARATOR, ActionRow, Rows, fill_menu
from attnviewer.ui.widgets.marking import Line
from attnviewer.ui.widgets.notice import NoticeBar

Writer = Callable[[Array], str]
"""Formats copied numbers, shape (rows, columns)."""


class StepMenu(QObject):
    """Context menus of the heatmap, its colour bar and the step cards.

    In the heatmap, Ctrl+C copies the marked rows and columns, or else the selected
    cell. A card is copied as a whole.
    """

    def __init__(
        self,
        workbench: Workbench,
        step_view: StepView,
        flow: FlowStrip,
        pictures: PictureCommands,
        pins: PinCommands,
        seek: GoalSeekCommands,
        groups: GroupCommands,
        go_to: GoToCommand,
        notice: NoticeBar,
    ) -> None:
        super().__init__(step_view)
        self._workbench = workbench
        self._step_view = step_view
        self._flow = flow
        self._pictures, self._pins, self._seek = pictures, pins, seek
        self._groups, self._go_to = groups, go_to
        self._notice = notice
        for view in (step_view, flow):
            view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Child widgets of the views ignore these events, so they arrive here.
        in_heatmap = watched is self._step_view and self._step_view.view == "heatmap"
        if isinstance(event, QContextMenuEvent):
            if in_heatmap:
                self._open_on_heatmap(event)
                return True
            if watched is self._flow:
                return self._open_on_card(event)
        elif (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and in_heatmap
            and event.matches(QKeySequence.StandardKey.Copy)
        ):
            self.copy()
            return True
        return False

    # ------------------------------------------------------------------ menus

    def _open_on_heatmap(self, event: QContextMenuEvent) -> None:
        heatmap, selection = self._step_view.heatmap, self._workbench.selection
        own: Rows = [*self._pins.rows("heatmap"), *self._seek.rows("heatmap")]
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            position = QPointF(heatmap.mapFrom(self._step_view, event.pos()))
            row, column = (
                axis.index_at(position) for axis in (heatmap.rows, heatmap.columns)
            )
            if row is not None:
                own = self._line_rows("row", row)
            elif column is not None:
                own = self._line_rows("column", column)
            cell = heatmap.cell_at(position)
            if cell is not None:
                selection.choose_cell(selection.step, cell)
        # Pins and targets are of one number of the step, not of several together.
        if heatmap.is_folded:
            own = []
        copy, numpy = self.tr("&Copy"), self.tr("Copy as &NumPy")
        picture, save = self.tr("Copy &picture"), self.tr("&Save picture…")
        colors = self.tr("C&olours and limits…")
        rows: Rows = [
            ActionRow("heatmap.copy", copy, self._copy, data=block_text),
            ActionRow("heatmap.numpy", numpy, self._copy, data=numpy_text),
            SEPARATOR,
            *([*own, SEPARATOR] if own else []),
            *self._groups.rows("heatmap"),
            SEPARATOR,
            ActionRow("heatmap.copy_picture", picture, self._pictures.copy),
            ActionRow("heatmap.picture", save, self._pictures.ask),
            SEPARATOR,
            ActionRow("heatmap.colors", colors, self._click, data=heatmap.bar),
            self._go_to.context_row,
            ActionRow("heatmap.fit", self.tr("Show &all"), self._fit),
        ]
        self._open(rows, heatmap, event.globalPos())

    def _open_on_card(self, event: QContextMenuEvent) -> bool:
        widget: QWidget | None = self._flow.childAt(event.pos())
        while widget is not None and not isinstance(widget, FlowCard):
            widget = widget.parentWidget()
        if widget is None:
            return False
        step, card = widget.step, widget
        copy, numpy = self.tr("&Copy"), self.tr("Copy as &NumPy")
        rows: Rows = [
            ActionRow("card.open", self.tr("&Open"), self._click, data=card),
            SEPARATOR,
            ActionRow("card.copy", copy, self._copy_step, data=(step, block_text)),
            ActionRow("card.numpy", numpy, self._copy_step, data=(step, numpy_text)),
        ]
        cell = card.grid.cell_at(card.mapFrom(self._flow, event.pos()) - card.corner)
        own = [
            *self._pins.step_rows("card", step),
            *self._seek.cell_rows("card", step, cell),
        ]
        if own:
            rows = [*rows, SEPARATOR, *own]
        self._open(rows, card, event.globalPos())
        return True

    def _line_rows(self, line: Line, index: int) -> Rows:
        """Return the rows for the label of a row or column of the heatmap."""
        pins = self._pins.line_rows("heatmap", line, index)
        return [*pins, *self._seek.line_rows("heatmap", line, index)]

    def _open(self, rows: Rows, parent: QWidget, position: QPoint) -> None:
        menu = QMenu(parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_menu(menu, rows)
        menu.popup(position)

    def _click(self, button: QAbstractButton) -> None:
        button.click()

    def _fit(self, _data: object) -> None:
        self._step_view.heatmap.fit()

    # ---------------------------------------------------------------- copying

    def copy(self) -> None:
        """Copy the marked cells of the heatmap, or else the selected one."""
        self._copy(block_text)

    def copy_as_numpy(self) -> None:
        """Copy the same cells as NumPy code."""
        self._copy(numpy_text)

    def _copy(self, write: Writer) -> None:
        """Copy the marked rows and columns, or else the selected cell."""
        if reason := self._workbench.outdated_reason():
            self._notice.refuse(reason)
            return
        selection, marked = self._workbench.selection, self._workbench.selection.marked
        step, cell = selection.step, selection.cell
        combined = self._step_view.heatmap.combined_block()
        if combined is not None:
            self._copy_combined(step, combined, write)
            return
        n_rows, n_columns = self._step_view.shape
        if marked:
            rows = sorted(marked.rows) or list(range(n_rows))
            columns = sorted(marked.columns) or list(range(n_columns))
            self._copy_cells(step, rows, columns, write)
        elif cell is not None:
            self._copy_cells(step, [cell[0]], [cell[1]], write)
        else:
            self._notice.refuse(self.tr("Select a cell or mark rows to copy."))

    def _copy_combined(self, step: str, values: Array, write: Writer) -> None:
        """Copy numbers as they are shown with folded groups."""
        if step in self._workbench.engine.current.withheld:
            self._notice.refuse(self._workbench.withheld_reason)
            return
        QGuiApplication.clipboard().setText(write(values))
        rows, columns = values.shape
        self._notice.show_message(
            self.tr("{rows}×{columns} numbers of {step} copied, groups folded").format(
                rows=rows, columns=columns, step=step
            )
        )

    def _copy_step(self, request: tuple[str, Writer]) -> None:
        if reason := self._workbench.outdated_reason():
            self._notice.refuse(reason)
            return
        step, write = request
        shape = self._workbench.engine.current.trace.matrix_shape(step)
        rows, columns = (list(range(count)) for count in shape)
        self._copy_cells(step, rows, columns, write)

    def _copy_cells(
        self, step: str, rows: list[int], columns: list[int], write: Writer
    ) -> None:
        if step in self._workbench.engine.current.withheld:
            self._notice.refuse(self._workbench.withheld_reason)
            return
        count = len(rows) * len(columns)
        if count > MOST_COPIED:
            self._notice.refuse(
                self.tr(
                    "At most {most:,} cells can be copied. Got {count:,} instead."
                ).format(most=MOST_COPIED, count=count)
            )
            return
        values = self._values(step, rows, columns)
        QGuiApplication.clipboard().setText(write(values))
        name = self._name(step, rows, columns)
        self._notice.show_message(self.tr("{cells} copied").format(cells=name))

    def _values(self, step: str, rows: list[int], columns: list[int]) -> Array:
        trace = self._workbench.engine.current.trace
        head = present_head(trace, self._workbench.selection.head)
        # Row by row, as a whole step may not fit in memory.
        parts = [trace.window(step, slice(r, r + 1), head=head) for r in rows]
        values: Array = np.concatenate(parts)[:, columns]
        return values  # (rows, columns)

    def _name(self, step: str, rows: list[int], columns: list[int]) -> str:
        computed = self._workbench.engine.current
        trace = computed.trace
        if len(rows) == len(columns) == 1:
            head = present_head(trace, self._workbench.selection.head)
            heads = len(trace.shape(step)) > 2
            lead = (own_head(trace, step, head),) if heads else ()
            index = (*lead, rows[0], columns[0])
            return cell_name(trace.stages[step], computed.labels, index, token_label)
        return self.tr("{rows}×{columns} cells of {step}").format(
            rows=len(rows), columns=len(columns), step=step
        )
