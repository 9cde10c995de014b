"""The widget that shows the picture of a step, with its mouse and keys."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from attnviewer.compute import Cell
from attnviewer.document import cell_name
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.selection import Position
from attnviewer.ui.text.numbers import full_number
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.step.how.drawing import Drawing, Sheet
from attnviewer.ui.views.step.how.measures import Measures
from attnviewer.ui.views.step.how.operands import Operands
from attnviewer.ui.views.step.how.painting import DrawingPainter
from attnviewer.ui.views.step.how.pictures import compose
from attnviewer.ui.views.step.how.repainting import changed_region, still_shows
from attnviewer.ui.views.step.how.subject import Progress, Subject
from attnviewer.ui.views.step.how.zoom import Zoom
from attnviewer.ui.widgets.arrow_keys import walk
from attnviewer.ui.widgets.tool_tips import plain_tip

_MARGIN = 8
_ALONG = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


class Stage(QWidget):
    """Shows the operation behind a step.

    Attributes
    ----------
    painted : Signal
        The picture has been painted.
    composed : Signal
        Carries each new `Drawing`.
    cell_chosen : Signal
        Carries a step and a cell of it that the user selects.
    operands : Operands
        The tables of the operands that are inputs.
    zoom : Zoom
        Lets the picture grow out of a card.
    cell_hovered : Signal
        Carries a step and the cell under the pointer, or None.
    """

    painted = Signal()
    composed = Signal(object)
    cell_chosen = Signal(str, object)
    cell_hovered = Signal(str, object)

    def __init__(self, look_of: Callable[[str], Look], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("step.how")
        self.setAccessibleName(self.tr("How the step is computed"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._look_of = look_of
        self._shown: DisplayedStep | None = None
        self._cell: Position | None = None
        self._progress: Progress | None = None
        self._drawing: Drawing | None = None
        self._painted: Drawing | None = None
        self._looks: tuple[Look, ...] = ()
        self._hovered: tuple[str, Position] | None = None
        self._covered: frozenset[str] = frozenset()
        self._numbers = 1.0
        self._measures: Measures | None = None
        self._resized = False
        self.operands = Operands(self)
        self.zoom = Zoom(self)

    @property
    def drawing(self) -> Drawing:
        """The picture, up to date."""
        if self._drawing is None:
            self._drawing = self._composed()
            self.composed.emit(self._drawing)
        return self._drawing

    @property
    def shown(self) -> DisplayedStep | None:
        """The step that is shown."""
        return self._shown

    def show_step(self, shown: DisplayedStep | None) -> None:
        """Show a step; None for nothing."""
        before, self._shown = self._shown, shown
        if shown is None or before is None or shown.theme != before.theme:
            self._compose_anew()
            return
        drawing, covered = self._drawing, self._covered
        if (
            drawing is None
            or self._looks != self._looks_of(drawing)
            or not still_shows(drawing, before, shown)
        ):
            self._compose()
        if covered == self._covered:
            self._update_changes()
        else:
            self.update()

    def choose(self, cell: Position | None) -> None:
        """Show the operation of another cell."""
        if cell != self._cell:
            self._cell = cell
            self._compose_anew()

    def play(self, progress: Progress | None) -> None:
        """Show how far the operation has been played; None if it is not."""
        self._progress = progress
        self._compose_anew()

    def enlarge_numbers(self, times: float) -> None:
        """Show the numbers in cells larger than usual."""
        if times != self._numbers:
            self._numbers = times
            self._compose_anew()

    def zoom_from(self, card: QRect) -> None:
        """Let the picture grow out of a rectangle on the screen."""
        if self._shown is not None:
            start = QRect(self.mapFromGlobal(card.topLeft()), card.size())
            self.zoom.grow(start, QColor(self._shown.theme.stage))

    def _compose_anew(self) -> None:
        self._measures = None
        self._compose()
        self.update()

    def _compose(self) -> None:
        self._drawing, self._resized = None, False
        if self.isVisible():
            self._lay_operands()
            self.setAccessibleDescription(self._description())

    def _update_changes(self) -> None:
        """Schedule a repaint of the dirty region."""
        region = None
        if self._painted is not None and self._drawing is not None:
            region = changed_region(self._painted, self._drawing)
        if region is None:
            self.update()
        else:
            # `painted` tells of edits that change nothing here as well.
            self.update(region + QRect(0, 0, 1, 1))

    def _looks_of(self, drawing: Drawing) -> tuple[Look, ...]:
        return tuple(self._look_of(sheet.step) for sheet in drawing.sheets)

    def _description(self) -> str:
        """Return the selected cell and its number."""
        shown, cell = self._shown, self._cell
        if shown is None or cell is None:
            return ""
        computed = shown.computed
        trace, stage = computed.trace, computed.trace.stages[shown.step]
        rows, columns = trace.matrix_shape(shown.step)
        if cell[0] >= rows or cell[1] >= columns:
            return ""
        head = present_head(trace, shown.head)
        index = (*trace.matrix_index(shown.step, head), *cell)
        value = trace.value(Cell(shown.step, index))
        name = cell_name(stage, computed.labels, index, token_label)
        return f"{name} = {full_number(value)}"

    def _lay_operands(self) -> None:
        shown = self._shown
        if shown is None:
            self.operands.put_away()
            self._covered = frozenset()
        else:
            self._covered = self.operands.lay(self.drawing, shown.theme)

    def _composed(self) -> Drawing:
        shown = self._shown
        if shown is None:
            return Drawing((), frozenset())
        room = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        if self._measures is None:
            self._measures = Measures(self.font(), self._numbers, room.height())
        measures = self._measures
        subject = Subject(shown, self._cell, self._look_of, measures, self._progress)
        drawing = compose(subject, room)
        self._looks = self._looks_of(drawing)
        return drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self._shown
        if shown is not None:
            painter.fillRect(self.rect(), QColor(shown.theme.stage))
            pictures = DrawingPainter(painter, shown.theme, self.font())
            pictures.paint(self.drawing, self._covered, event.region())
        painter.end()
        self._painted = self._drawing
        self.painted.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._compose_anew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Windows resize their parts several times before they paint.
        self._measures = self._drawing = None
        self._resized = True
        self.update()
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._compose_anew()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._tip(event)
            return True
        if event.type() == QEvent.Type.LayoutRequest and self._resized:
            self._compose()
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self._cell_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        found = self._cell_at(event)
        if event.button() == Qt.MouseButton.LeftButton and found is not None:
            self.cell_chosen.emit(*self._meant(*found))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shown = self._shown
        if shown is None:
            event.ignore()
            return
        shape = shown.computed.trace.matrix_shape(shown.step)
        if event.key() in _ALONG and not event.modifiers():
            event.ignore()  # the page handles it: it moves in the order of filling
            return
        cell = walk(event, self._cell, shape, shape[0])
        if cell is not None:
            self.cell_chosen.emit(shown.step, cell)
        else:
            event.ignore()

    def _cell_at(self, event: QMouseEvent) -> tuple[str, Position] | None:
        point = event.position()
        sheet = self.drawing.sheet_at(point)
        cell = sheet.cell_at(point) if sheet is not None else None
        return None if sheet is None or cell is None else (sheet.step, cell)

    def _meant(self, step: str, cell: Position) -> tuple[str, Position]:
        """Return the cell that a click selects: of the open step where it has one.

        A cell of the scores stands for the same cell of the weights made of them.
        """
        shown = self._shown
        assert shown is not None
        stages = shown.computed.trace.stages
        if stages[step].axes == stages[shown.step].axes == ("queries", "keys"):
            return shown.step, cell
        return step, cell

    def _hover(self, found: tuple[str, Position] | None) -> None:
        if found != self._hovered:
            self._hovered = found
            step = found[0] if found else self._shown.step if self._shown else ""
            self.cell_hovered.emit(step, found[1] if found else None)

    def _tip(self, event: QHelpEvent) -> None:
        point = event.pos().toPointF()
        sheet = self.drawing.sheet_at(point)
        cell = sheet.cell_at(point) if sheet is not None else None
        if sheet is None or cell is None:
            QToolTip.hideText()
        else:
            tip = plain_tip(self._described(sheet, cell))
            QToolTip.showText(event.globalPos(), tip)

    def _described(self, sheet: Sheet, cell: Position) -> str:
        assert self._shown is not None
        trace = self._shown.computed.trace
        lead = trace.matrix_index(sheet.step, 0)
        index = (*lead[:-1], sheet.head, *cell) if lead else cell
        text = step_title(sheet.step)
        if sheet.step not in self._shown.computed.withheld:
            text += f": {full_number(float(trace[sheet.step][index]))}"
        inputs = trace.stages[sheet.step].inputs
        if inputs:
            made = self.tr("computed from {inputs}").format(inputs=", ".join(inputs))
            return f"{text}\n{made}"
        return text
