"""The header of the step view: title, formula and tabs."""

from html import escape

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QColor,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QTabBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Spec, Stage, Trace
from attnviewer.ui.paint.subscripts import print_at, print_in
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.concepts import concepts_of, line, tip, what_is
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.text.subscripts import has_subscripts
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.named import name_control
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.widgets.wheel_filter import WheelFilter

NARROWEST_TITLE = 40
SPACING = 10


class StepHeader(QWidget):
    """The row above the step.

    Attributes
    ----------
    head_chosen : Signal
        The user chose a head.
    view_chosen : Signal
        The index of the chosen view.
    hidden_line_changed : Signal
        Another `hidden_line`.
    play : QToolButton
        Plays the computation.
    """

    head_chosen = Signal(int)
    view_chosen = Signal(int)
    hidden_line_changed = Signal()

    def __init__(self, views: list[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("step.header")
        self._shown: tuple[Stage, Spec, int, int, Theme] | None = None
        self._hidden_line = "", ""
        self._chooses_head = True
        self.title = _Title(self)
        self.title.setObjectName("step.title")
        self.title.setTextFormat(Qt.TextFormat.RichText)
        # In a narrow window the tabs take precedence.
        self.title.setMinimumWidth(NARROWEST_TITLE)
        self.hint = _Formula("step.hint", Qt.TextElideMode.ElideRight)
        self.hint.setAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.head = QComboBox(self)
        self.head.setObjectName("step.head")
        name_control(self.head, self.tr("Head"))
        self.head.setToolTip(self.tr("The head that is shown"))
        self.head.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.head.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        WheelFilter(self.head)
        self.head.activated.connect(self.head_chosen)
        self.tabs = QTabBar(self)
        self.tabs.setObjectName("step.tabs")
        self.tabs.setAccessibleName(self.tr("How the step is shown"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        self.tabs.setUsesScrollButtons(True)
        for number, view in enumerate(views):
            self.tabs.addTab(view)
            self.tabs.setTabToolTip(number, view)
        self.tabs.currentChanged.connect(self.view_chosen)
        self.tabs.currentChanged.connect(self._make_room)
        self._concept = ElidedLabel("step.concept", Qt.TextElideMode.ElideRight)
        self._concept.setAlignment(self.hint.alignment())
        self.play = QToolButton(self)
        self.play.setObjectName("step.play")
        self.play.setText(self.tr("▶ Step by step"))
        self._low = self._bare = self._roomy = False
        # In a narrow window the choices go below the title.
        self._above, self._below = QHBoxLayout(), QHBoxLayout()
        middle = QHBoxLayout()
        layout = QVBoxLayout(self)
        self._rows = layout
        self._space_rows(low=False)
        for row in (self._above, middle, self._below):
            row.setSpacing(SPACING)
            layout.addLayout(row)
        # It gets what space is left: title and tabs take precedence.
        policy = QSizePolicy.Policy
        self.hint.setSizePolicy(policy.Ignored, policy.Preferred)
        self._above.addWidget(self.title)
        self._above.addWidget(self.hint, 1)
        self._concept.setSizePolicy(policy.Ignored, policy.Preferred)
        middle.addWidget(self._concept, 1)
        middle.addWidget(self.play)
        self._put_choices((self._above, self._above))

    @property
    def hidden_line(self) -> tuple[str, str]:
        """The line below the title where that has no room for it, and its tool tip."""
        return self._hidden_line

    def set_low(self, low: bool) -> None:
        """Take less height if the step has little: without the line below the title.

        Where the title is not beside the tabs, it gives way, too.
        """
        self._low = low
        self._space_rows(low=low)
        self._show_parts()

    def _space_rows(self, *, low: bool) -> None:
        top, between, bottom = (2, 2, 2) if low else (10, 6, 6)
        self._rows.setContentsMargins(16, top, 16, bottom)
        self._rows.setSpacing(between)

    def set_bare(self, bare: bool) -> None:
        """Leave the controls to the page, and the line below the title if it is high.

        See `set_roomy`.
        """
        self._bare = bare
        self._show_parts()

    def set_roomy(self, roomy: bool) -> None:
        """Say whether a page with its own controls has height for the line, too."""
        self._roomy = roomy
        self._show_parts()

    def offer_view(self, number: int, *, offered: bool) -> None:
        """Show or hide the tab of a view; the current one stays."""
        visible = offered or number == self.tabs.currentIndex()
        if visible != self.tabs.isTabVisible(number):
            self.tabs.setTabVisible(number, visible)
            self._make_room()

    def offer_heads(self, *, offered: bool) -> None:
        """Show the box of heads, or leave the choice to another control."""
        self._chooses_head = offered
        self._show_parts()

    def offer_play(self, action: QAction) -> None:
        """Give the button an action."""
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tip = self.tr("Play the computation, cell by cell ({keys})")
        self.play.setToolTip(tip.format(keys=keys))
        self.play.clicked.connect(action.trigger)

    def show_step(self, step: str, trace: Trace, head: int, theme: Theme) -> None:
        """Describe the step that is shown.

        Parameters
        ----------
        step : str
            The step.
        trace : Trace
            The computation that it is a step of.
        head : int
            The head that is shown.
        theme : Theme
            The current theme.
        """
        stage, n_heads = trace.stages[step], trace.n_heads(step)
        asked = stage, trace.spec, n_heads, head, theme
        if asked == self._shown:
            return
        self._shown = asked
        title = step_title(step)
        self.title.show_title(title, step, theme)
        concepts = concepts_of(step, trace)
        self._concept.setText(line(concepts))
        explanation = plain_tip(tip(concepts))
        for label in (self.title, self._concept):
            label.setToolTip(explanation)
        self.setWhatsThis(what_is(title, *concepts))
        self.hint.setText(stage.formula)
        if self.head.count() != n_heads:
            self.head.clear()
            self.head.addItems([f"H{number}" for number in range(n_heads)])
        self.head.setCurrentIndex(head)
        self._show_parts()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.tabs.minimumSizeHint().width(), self.sizeHint().height())

    def _show_parts(self) -> None:
        hidden = self._low or (self._bare and not self._roomy)
        self._concept.setHidden(hidden)
        line = self._concept.text(), self._concept.toolTip()
        hidden_line = line if hidden else ("", "")
        if hidden_line != self._hidden_line:
            self._hidden_line = hidden_line
            self.hidden_line_changed.emit()
        self.play.setHidden(self._low or self._bare)
        offered = self._chooses_head and not self._bare
        self.head.setVisible(offered and self.head.count() > 1)
        self._make_room()

    def _arrange(self) -> None:
        """Put the choices beside the title if both fit."""
        widgets = [self.title, *([] if self.head.isHidden() else [self.head])]
        needed = sum(widget.sizeHint().width() + SPACING for widget in widgets)
        needed += SPACING + self.tabs.sizeHint().width()
        beside = needed <= self.contentsRect().width() - 2 * 16
        # In a low window the picture gets the height of the title: the strip marks
        # the step, and the status bar names it.
        for label in (self.title, self.hint):
            label.setHidden(self._low and not beside)
        of_tabs = self._above if beside else self._below
        # Narrow tabs need the whole row; the box goes beside the title, if it is shown.
        rows = of_tabs if self._low else self._above, of_tabs
        if rows != self._choices:
            self._put_choices(rows)

    @Slot()
    def _make_room(self) -> None:
        # The current tab is bold, of which Qt does not notify the layout.
        self.tabs.updateGeometry()
        self._arrange()

    def _put_choices(self, rows: tuple[QHBoxLayout, QHBoxLayout]) -> None:
        """Put the box of heads into a row, and the tabs into the same or another."""
        of_head, of_tabs = rows
        for row in (self._above, self._below):
            row.removeWidget(self.head)
            row.removeWidget(self.tabs)
        of_head.addWidget(self.head)
        of_tabs.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        self._choices = rows


class _Formula(ElidedLabel):
    """A formula whose names have subscripts."""

    def write(self, painter: QPainter, text: str) -> None:
        print_in(painter, self.contentsRect(), self.alignment(), text)


class _Title(QLabel):
    """A title that ends with a coloured name; elided, it has a single colour."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts = "", ""
        self._color: str | None = None

    def show_title(self, title: str, step: str, theme: Theme) -> None:
        """Show the title of a step."""
        self._parts = title.removesuffix(step), step if title.endswith(step) else ""
        self._color = theme.color_of(step)
        self.setText(_colored(title, step, theme))
        self.setAccessibleName(title)

    def paintEvent(self, event: QPaintEvent) -> None:
        fits = self.width() >= self.sizeHint().width()
        if fits and not has_subscripts(self._parts[1]):
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        if fits:
            self._print(painter)
            painter.end()
            return
        title = self.fontMetrics().elidedText(
            self.accessibleName(), Qt.TextElideMode.ElideRight, self.width()
        )
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter.value, title)
        painter.end()

    def _print(self, painter: QPainter) -> None:
        """Draw the title with subscripts, for which rich text would make it higher."""
        metrics, (words, name) = self.fontMetrics(), self._parts
        top = (self.height() - metrics.height()) / 2
        start = QPointF(0, top + metrics.ascent())
        painter.drawText(start, words)
        if self._color is not None:
            painter.setPen(QColor(self._color))
        start += QPointF(metrics.horizontalAdvance(words), 0)
        print_at(painter, start, name)


def _colored(title: str, step: str, theme: Theme) -> str:
    color = theme.color_of(step)
    if color is None:
        return escape(title)
    words = escape(title.removesuffix(step))
    return f'{words}<span style="color: {color}">{step}</span>'
