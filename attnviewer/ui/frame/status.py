"""The status bar: cells and their statistics, speed, and document state."""

from datetime import datetime

from PySide6.QtCore import QDate, QDateTime, QEvent, QLocale, Qt, QTimer, Slot
from PySide6.QtWidgets import QLabel, QStatusBar, QWidget

from attnviewer.compute import StepHead, row_sums
from attnviewer.document import cell_name
from attnviewer.ui.frame.cell_line import CellLine
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.heads import own_head, present_head
from attnviewer.ui.state.selection import Position, SelectionModel
from attnviewer.ui.text.numbers import format_number, full_number
from attnviewer.ui.text.pins import pinned_words
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.layouts import lay_out


class StatusBar(QStatusBar):
    """Shows the cell under the pointer, or else the focused or selected one."""

    def __init__(
        self, engine: Engine, selection: SelectionModel, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("status")
        self.setAccessibleName(self.tr("Status"))
        self.setSizeGripEnabled(False)
        self._engine = engine
        self._selection = selection
        self._input = self._model_path = ""
        self._seconds: float | None = None
        # Deferred: set during a paint, the text would cause another paint.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._show_seconds)
        line = CellLine(self)
        self.cell, self._caption = line.text, line.caption
        self.addWidget(line, 1)
        self.statistics = ElidedLabel("status.statistics", Qt.TextElideMode.ElideRight)
        self.addPermanentWidget(self.statistics)
        self.statistics.hide()
        usual = self.tr("updated in {:.1f} ms").format(888.8)
        self.speed = self._add("status.speed", _SteadyLabel(usual, self))
        self.speed.setToolTip(
            self.tr("Time from the last edit until the open step was repainted")
        )
        self.precision = self._add("status.precision", QLabel(self))
        self.saved = self._add("status.saved", QLabel(self))
        selection.hover_changed.connect(self._on_hover)
        selection.cell_changed.connect(self._show_selected)
        selection.head_changed.connect(self._show_selected)
        engine.computed.connect(self._on_computed)
        engine.delayed.connect(self._on_delayed)
        engine.failed.connect(self._rest)
        engine.cancelled.connect(self._rest)
        engine.unprepared.connect(self._rest)
        self._on_computed(engine.current)

    def show_speed(self, seconds: float | None) -> None:
        """Show the time from an edit to its paint; None if there was no edit."""
        self._seconds = seconds
        self._soon.start()

    @Slot()
    def _show_seconds(self) -> None:
        if self._seconds is None:
            self.speed.setText("")
        else:
            text = self.tr("updated in {:.1f} ms").format(self._seconds * 1e3)
            self.speed.setText(text)
        lay_out(self)

    @Slot(str)
    def show_input(self, text: str) -> None:
        """Show the content of an input cell; "" for the selected cell."""
        self._input = text
        self._show_selected()

    @Slot(str)
    def show_statistics(self, text: str) -> None:
        """Show the statistics of the selected input cells; "" for none."""
        self.statistics.setText(text)
        self.statistics.setVisible(bool(text))

    def show_model_path(self, path: str) -> None:
        """Show where in a model the cells are; "" outside any model."""
        self._model_path = path
        self._show_selected()

    def show_saved(self, *, modified: bool, time: datetime | None) -> None:
        """Show whether the document differs from what was opened or saved, and when.

        Parameters
        ----------
        modified : bool
            Whether it differs.
        time : datetime or None
            When its file was saved; None without a file.
        """
        if modified:
            self.saved.setText(self.tr("● modified"))
        elif time is None:
            self.saved.setText(self.tr("no changes"))
        else:
            local = QDateTime.fromSecsSinceEpoch(int(time.timestamp()))
            today = local.date() == QDate.currentDate()
            shown = local.time() if today else local.date()
            short = QLocale().toString(shown, QLocale.FormatType.ShortFormat)
            self.saved.setText(self.tr("saved {time}").format(time=short))

    def _add(self, name: str, label: QLabel) -> QLabel:
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        self.addPermanentWidget(label)
        return label

    @Slot(object)
    def _on_computed(self, computed: Computed) -> None:
        trace = computed.trace
        self.precision.setText(str(trace[trace.spec.sources[0]].dtype))
        self._on_hover(*self._selection.hovered)

    @Slot()
    def _on_delayed(self) -> None:
        self._soon.stop()
        self.speed.setText(self.tr("computing…"))

    @Slot()
    def _rest(self) -> None:
        self._soon.stop()
        self.speed.setText("")

    @Slot(str, object)
    def _on_hover(self, step: str, cell: Position | None) -> None:
        heads = self._selection.hovered_heads
        if cell is None or len(heads) != 1:  # an average of heads is in no step
            self._show_selected()
        else:
            self._show(step, cell, heads[0], self.tr("Pointer:"))

    @Slot()
    def _show_selected(self) -> None:
        cell = self._selection.cell
        if self._input:
            self.cell.setText(self._input)
            self._caption.setText(self.tr("Input:"))
        elif cell is None:
            self._clear()
        else:
            selection, caption = self._selection, self.tr("Selected:")
            self._show(selection.step, cell, selection.head, caption)

    def _clear(self) -> None:
        self.cell.clear()
        self._caption.clear()

    def _show(self, step: str, cell: Position, head: int, caption: str) -> None:
        computed = self._engine.current
        trace = computed.trace
        if step not in trace:
            self._clear()
            return
        *heads, rows, columns = trace.shape(step)
        if cell[0] >= rows or cell[1] >= columns:
            self._clear()
            return
        row_index = slice(cell[0], cell[0] + 1)
        head = present_head(trace, head)
        (row,) = trace.window(step, row_index, head=head)  # (columns,)
        index = (own_head(trace, step, head), *cell) if heads else cell
        name = cell_name(trace.stages[step], computed.labels, index, token_label)
        if step in computed.withheld:
            self.cell.setText(
                self.tr("{cell}: hidden until you answer").format(cell=name)
            )
            self._caption.setText(caption)
            return
        text = f"{name} = {full_number(row[cell[1]])}"
        computed_value = StepHead(trace, step, head).computed_value(*cell)
        if computed_value is not None:
            text += f", {pinned_words(computed_value)}"
        if self._model_path:
            text = f"{self._model_path} · {text}"
        if step == "weights":
            total = format_number(float(row_sums(row)), 4)
            text += "     " + self.tr("row sum {}").format(total)
        self.cell.setText(text)
        self._caption.setText(caption)


class _SteadyLabel(QLabel):
    """A label as wide as its usual text, or its longest one until it is empty.

    With a fixed size, only the label is repainted when its text changes; otherwise the
    whole bar would be laid out and repainted.
    """

    def __init__(self, usual: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._usual = usual

    def setText(self, text: str) -> None:
        least = self.minimumWidth() or self._usual_width()
        super().setText(text)
        self._fit(least if text else 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.setMinimumHeight(0)  # smaller text needs less
            self._fit(self._usual_width() if self.text() else 0)

    def _usual_width(self) -> int:
        return self.fontMetrics().horizontalAdvance(self._usual)

    def _fit(self, least: int) -> None:
        self.setMinimumWidth(least)  # the size hint includes it
        needed = self.sizeHint()
        self.setFixedSize(max(least, needed.width()), needed.height())
