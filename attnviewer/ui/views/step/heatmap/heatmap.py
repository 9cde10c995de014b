"""A step as a labelled heatmap with zoom, hovering and keyboard navigation."""

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QWidget

from attnviewer.ui.paint.fonts import enlargement, scaled
from attnviewer.ui.paint.paper import density_of, for_paper
from attnviewer.ui.paint.step_content import DisplayedStep, StepContent, content_of
from attnviewer.ui.paint.theme import LIGHT, Theme
from attnviewer.ui.state.links import Linked
from attnviewer.ui.state.selection import Marked, Position
from attnviewer.ui.text.step_titles import axis_name
from attnviewer.ui.views.step.heatmap.beside_rows import BesideRows
from attnviewer.ui.views.step.heatmap.cell_box import CellBox
from attnviewer.ui.views.step.heatmap.cells import CellsItem
from attnviewer.ui.views.step.heatmap.color_bar import ColorBar
from attnviewer.ui.views.step.heatmap.colors_item import ColorsItem
from attnviewer.ui.views.step.heatmap.description import description_of
from attnviewer.ui.views.step.heatmap.fit_button import FitButton
from attnviewer.ui.views.step.heatmap.footer import Footer
from attnviewer.ui.views.step.heatmap.group_axis import GroupAxes
from attnviewer.ui.views.step.heatmap.line_marking import LineMarking
from attnviewer.ui.views.step.heatmap.margins import Margins
from attnviewer.ui.views.step.heatmap.marks import SelectionMarks
from attnviewer.ui.views.step.heatmap.navigation import CellNavigation
from attnviewer.ui.views.step.heatmap.pin_marks import PinMarks
from attnviewer.ui.views.step.heatmap.placing import Placing
from attnviewer.ui.views.step.heatmap.profiles import Profiles
from attnviewer.ui.views.step.heatmap.row_statistics import RowStatistics
from attnviewer.ui.views.step.heatmap.scene_view import SceneView
from attnviewer.ui.views.step.heatmap.token_axis import TokenAxis
from attnviewer.ui.widgets.row_companion import RowCompanion


class Heatmap(SceneView):
    """Shows one head of a step; holds no numbers of its own.

    Attributes
    ----------
    cell_chosen : Signal
        The user selected a cell: its position, or None to deselect.
    cell_hovered : Signal
        The pointer is over another cell: its position, or None.
    marks_chosen : Signal
        The user marked other rows and columns: `Marked`.
    look_chosen : Signal
        The user wants the step coloured by another `Look`.
    fit_chosen : Signal
        The user wants the colours to fit the numbers, see `FitButton`.
    sight_changed : Signal
        Something else is in sight: other cells, or another step.
    lit : Signal
        Other rows and columns are highlighted: `Linked`.
    """

    cell_chosen = Signal(object)
    cell_hovered = Signal(object)
    marks_chosen = Signal(object)
    look_chosen = Signal(object)
    fit_chosen = Signal(str)
    sight_changed = Signal()
    lit = Signal(object)

    # The base class requests a size before our constructor has run.
    _content: StepContent | None = None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, LIGHT.window)
        self.setObjectName("step.heatmap")
        self.setAccessibleName(self.tr("Heatmap"))
        self.viewport().setAccessibleName(self.tr("Heatmap"))
        self._theme = LIGHT
        self._shape: tuple[int, int] | None = None
        self._lettered = False
        self._source: tuple[object, ...] = ()
        self._ratio = 1.0
        self._beside = BesideRows(self)
        self.box = CellBox()
        self.image = ColorsItem()
        self.cells = CellsItem()
        self.pins, self.marks = PinMarks(), SelectionMarks()
        self.rows, self.columns = TokenAxis("left"), TokenAxis("top")
        self.bar = ColorBar(self)
        self.fit_button = FitButton(self)
        self.objectNameChanged.connect(self._name_bar)
        self._name_bar(self.objectName())
        self.statistics = RowStatistics()
        self.footer = Footer(self)
        scene = self.scene()
        self.groups = GroupAxes(scene, self)
        self.profiles = Profiles(self)
        self._margins = Margins(
            *(self.rows, self.columns, self.bar, self.fit_button),
            *(self.statistics, self.footer, self.groups, self.profiles),
        )
        self._placing = Placing(self, self.box, self._margins, self._beside)
        for part in (self.box, *self._margins.items):
            scene.addItem(part)
        self.box.stack(self.image, self.image.sharp, self.cells, self.pins, self.marks)
        self._marking = LineMarking(self.rows, self.columns, self)
        self._marking.chosen.connect(self.choose_marks)
        self._navigation = CellNavigation(self.box, self._marking, self)
        self._navigation.cell_chosen.connect(self.choose_shown)
        self._navigation.cell_hovered.connect(self._on_hovered)
        self._navigation.fit_wanted.connect(self.fit)
        self.bar.look_chosen.connect(self.look_chosen)
        self.image.pooled.connect(self.footer.set_block)
        self.image.sharpened.connect(self._detail)
        # Not while it paints.
        queued = Qt.ConnectionType.QueuedConnection
        self.cells.factored.connect(self.footer.set_exponent, queued)
        self.fit_button.chosen.connect(self.fit_chosen)
        self.footer.completed.connect(self._offer_fit)
        self.footer.resized.connect(self.rearrange)
        self.box.sigRangeChanged.connect(self._on_range_changed)

    @property
    def content(self) -> StepContent | None:
        """The shown step."""
        return self._content

    @property
    def theme(self) -> Theme:
        """The theme in which it is shown."""
        return self._theme

    def selected_rect(self) -> QRectF:
        """Return the rectangle of the selected cell in the viewport; empty for none."""
        cell = self._navigation.cell
        return QRectF() if cell is None else self.box.cell_rect(cell)

    def show_step(self, shown: DisplayedStep) -> None:
        """Show one head of a step."""
        self._beside.show_step(shown)
        content, theme = self.content_of(shown), shown.theme
        before = None if self._content is None else self._content.picture_key
        alike = (content.picture_key, theme) == (before, self._theme)
        source = shown.computed, shown.step, shown.head
        if alike and source == self._source:
            self.image.follow_overview(content)
        self._source = source
        if not alike or shown.changed != ():
            self.show_content(content, theme)
        else:
            self.paint_at_least(self.box.beside)

    def content_of(self, shown: DisplayedStep) -> StepContent:
        """Return what is to be shown of a step."""
        return content_of(shown)

    def show_content(self, content: StepContent, theme: Theme) -> None:
        """Show a step; the zoom is reset if the shape changes."""
        reshaped = content.shape != self._shape
        if theme is not self._theme or self._content is None:
            self._theme = theme
            self.viewport().update()
            self.setBackground(theme.window)
            self._margins.set_theme(theme)
            self.marks.set_theme(theme)
        self._content = content
        self._shape = self._navigation.shape = content.shape
        self._show_marks()
        self._name_labels(content)
        self.bar.set_scale(
            *(content.scale, theme, content.look, content.step), signed=content.signed
        )
        self.bar.setEnabled(content.choosable)
        self._margins.show_content(content, self.rows.font())
        self.cells.set_content(content, theme)
        self.pins.set_content(content, theme)
        self.marks.set_shape(content.shape)
        # Parts whose size has changed are arranged below.
        self._placing.busy = True
        self.footer.show_content(content, self._marked_here())
        self._describe()
        self._arrange(fit=reshaped)
        self.paint_at_least(self.box.beside)
        if reshaped:
            self._navigation.hover(None)

    def forget(self) -> None:
        """Release the numbers, but keep the zoom."""
        if self._content is not None:
            for part in (self.image, self.cells, self.pins, self._margins):
                part.forget()
            self._content, self._source = None, ()
            self._navigation.shape = None
        self._beside.forget()

    def accompany(self, companion: RowCompanion | None) -> None:
        """Put a widget beside the rows, where there is room; None for none."""
        self._beside.set_companion(companion)
        self.rearrange()

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell, and move to it where it was chosen elsewhere."""
        if cell not in (None, self._navigation.cell):
            self.box.follow(cell)
        self._navigation.cell = cell
        self.marks.set_cell(cell)
        self.cells.set_cell(cell)
        self.profiles.point(self._navigation.hovered or cell)
        self.rows.set_chosen(None if cell is None else cell[0])
        self.columns.set_chosen(None if cell is None else cell[1])
        self._describe()

    def mark(self, marked: Marked) -> None:
        """Show which rows and columns are marked."""
        self._marking.marked = marked
        self._show_marks()
        self.footer.mark(self._marked_here())
        self.rearrange()

    def _marked_here(self) -> Marked:
        # Until this page is visible, they may belong to another step.
        content, marked = self._content, self._marking.marked
        return Marked() if content is None else marked.within(content.shape)

    def _show_marks(self) -> None:
        marked = self._marked_here()
        self.marks.set_marked(marked)
        self.rows.set_marked(marked.rows)
        self.columns.set_marked(marked.columns)
        self.statistics.set_marked(marked.columns)

    def light(self, linked: Linked) -> None:
        """Highlight the rows and columns linked to the hovered cell."""
        self.light_shown(linked)
        self.lit.emit(linked)

    def light_shown(self, linked: Linked) -> None:
        """Highlight rows and columns as they are shown."""
        self.rows.set_lit(frozenset(linked.rows))
        self.columns.set_lit(frozenset(linked.columns))

    @Slot()
    def fit(self) -> None:
        """Show all cells."""
        self._arrange(fit=True)

    @Slot(object)
    def choose_shown(self, cell: Position | None) -> None:
        """Emit that a cell was chosen, as it is shown."""
        self.cell_chosen.emit(cell)

    def hover_shown(self, cell: Position | None) -> None:
        """Emit that the pointer is over another cell, as it is shown."""
        self.cell_hovered.emit(cell)

    @Slot(object)
    def choose_marks(self, marked: Marked) -> None:
        """Emit that other rows and columns were marked, as they are shown."""
        self.marks_chosen.emit(marked)

    def shown_at(self, position: QPointF) -> Position | None:
        """Return the cell at a position in the viewport, as it is shown."""
        return self._navigation.cell_at(position)

    def cell_rect(self, cell: Position) -> QRectF:
        """Return the rectangle of a cell in the viewport."""
        return self.box.cell_rect(cell)

    def paintEvent(self, event: QPaintEvent) -> None:
        # Another screen may have another device pixel ratio.
        if density_of(self) != self._ratio:
            self._on_range_changed()
        if for_paper():
            self.image.finish()
        super().paintEvent(event)

    def drawForeground(self, painter: QPainter, rect: QRectF) -> None:
        if self.hasFocus() and self._content is not None:
            painter.setPen(QPen(QColor(self._theme.accent), 2))
            painter.drawRect(self.box.geometry().adjusted(-3, -3, 3, 3))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.footer.reader.resume()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.footer.reader.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._content is not None:
            self._name_labels(self._content)
        self.rearrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._content is not None:
            self._name_labels(self._content)
            self._arrange()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._navigation.hover(self.shown_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        marked = self._is_marking
        super().mouseReleaseEvent(event)
        if marked:
            self.rearrange()

    @property
    def _is_marking(self) -> bool:
        return self.scene().mouseGrabberItem() in (self.rows, self.columns)

    def viewportEvent(self, event: QEvent) -> bool:
        # Also left where a widget lies over the cells, as the minimap does.
        if event.type() == QEvent.Type.Leave:
            self._navigation.hover(None)
        handled: bool = super().viewportEvent(event)
        return handled

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._navigation.press(event):
            event.ignore()

    def _name_labels(self, content: StepContent) -> None:
        line = self.fontMetrics().height()
        font = scaled(self.font(), enlargement(self.height(), line))
        row_axis, column_axis = content.axes
        self.rows.set_labels(content.row_labels, f"{axis_name(row_axis)} ↓", font)
        self.columns.set_labels(
            content.column_labels, f"{axis_name(column_axis)} →", font
        )
        # The colour bar is a widget: another font may have reached it by itself.
        if font == self.statistics.font() and self._lettered:
            return
        self._lettered = True
        self._margins.set_font(font)
        self.cells.set_font(self.font())

    @Slot()
    def rearrange(self) -> None:
        """Lay the parts out anew where one has another size."""
        if self._content is None or self._placing.busy:
            return
        # Labels that a drag marks stay under the pointer until it ends.
        if not self._is_marking:
            self._arrange()

    def _arrange(self, *, fit: bool = False) -> None:
        assert self._content is not None
        marked = bool(self._marked_here().columns)
        self._placing.arrange(self._content, marked=marked, fit=fit)
        self._on_range_changed()

    def _on_range_changed(self) -> None:
        if self._placing.busy or self._content is None:
            return
        sight = self.box.sight
        self._margins.set_sight(sight)
        for layer in (self.cells, self.pins, self.marks):
            layer.set_sight(sight)
        self._ratio = ratio = density_of(self)
        height, width = self.box.cell_size
        cell = ratio * height, ratio * width
        self.image.show_cells(self._content, self._theme, sight, cell)
        self._detail()
        self._beside.share(self.box.geometry(), height, sight.top())
        self.sight_changed.emit()

    @Slot()
    def _detail(self) -> None:
        """Show the numbers in cells once these have been read."""
        self.cells.set_detailed(detailed=self.image.is_sharp)

    @Slot(str)
    def _name_bar(self, name: str) -> None:
        self.bar.setObjectName(f"{name}.colors")
        self.fit_button.setObjectName(f"{name}.fit")

    @Slot()
    def _offer_fit(self) -> None:
        if self._content is not None:
            self.fit_button.offer(self._content, self.footer.reader.facts)
            self.rearrange()

    @Slot(object)
    def _on_hovered(self, cell: Position | None) -> None:
        self.profiles.point(cell or self._navigation.cell)
        self.hover_shown(cell)

    def _describe(self) -> None:
        if self._content is not None:
            words = description_of(self._content, self._navigation.cell)
            self.setAccessibleDescription(words)
