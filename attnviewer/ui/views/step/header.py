"""The header of the step view: title, formula and tabs."""

from html import escape

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
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

from attnviewer.compute import Spec, Stage
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.text.concepts import concepts_of, line, tip, what_is
from attnviewer.ui.text.step_titles import axis_name, step_title
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.tool_tips import plain_tip

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
    walk : QToolButton
        Opens the walk through the computation for one query.
    """

    head_chosen = Signal(int)
    view_chosen = Signal(int)

    def __init__(self, views: list[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("step.header")
        self._shown: tuple[Stage, Spec, int, int, Theme] | None = None
        self.title = _Title(self)
        self.title.setObjectName("step.title")
        self.title.setTextFormat(Qt.TextFormat.RichText)
        # In a narrow window the tabs take precedence.
        self.title.setMinimumWidth(NARROWEST_TITLE)
        self.hint = ElidedLabel("step.hint", Qt.TextElideMode.ElideRight)
        self.hint.setAlignment(
            Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        )
        self.head = QComboBox(self)
        self.head.setObjectName("step.head")
        self.head.setAccessibleName(self.tr("Head"))
        self.head.setToolTip(self.tr("The head that is shown"))
        self.head.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.head.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
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
        self._said = ElidedLabel("step.concept", Qt.TextElideMode.ElideRight)
        self._said.setAlignment(self.hint.alignment())
        self.walk = QToolButton(self)
        self.walk.setObjectName("step.walk")
        self.walk.setText(self.tr("▶ Step by step"))
        self.walk.setCheckable(True)
        # In a narrow window the choices go below the title.
        self._above, self._below = QHBoxLayout(), QHBoxLayout()
        said = QHBoxLayout()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 6)
        layout.setSpacing(6)
        for row in (self._above, said, self._below):
            row.setSpacing(SPACING)
            layout.addLayout(row)
        # It gets what space is left: title and tabs take precedence.
        policy = QSizePolicy.Policy
        self.hint.setSizePolicy(policy.Ignored, policy.Preferred)
        self._above.addWidget(self.title)
        self._above.addWidget(self.hint, 1)
        self._said.setSizePolicy(policy.Ignored, policy.Preferred)
        said.addWidget(self._said, 1)
        said.addWidget(self.walk)
        self._choices = self._above
        self._put_choices(self._above)

    def set_low(self, low: bool) -> None:
        """Hide the line below the title if the step has little height."""
        self._said.setHidden(low)
        self.walk.setHidden(low)

    def offer_walk(self, action: QAction) -> None:
        """Give the button an action."""
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        tip = self.tr("Play the computation for one query, number by number ({keys})")
        self.walk.setToolTip(tip.format(keys=keys))
        self.walk.setChecked(action.isChecked())
        self.walk.clicked.connect(action.trigger)
        action.toggled.connect(self.walk.setChecked)

    def show_step(
        self, stage: Stage, spec: Spec, n_heads: int, head: int, theme: Theme
    ) -> None:
        """Describe the step that is shown.

        Parameters
        ----------
        stage : Stage
            The step.
        spec : Spec
            The variant that it belongs to.
        n_heads, head : int
            The number of heads, and the one that is shown.
        theme : Theme
            The current theme.
        """
        asked = stage, spec, n_heads, head, theme
        if asked == self._shown:
            return
        self._shown = asked
        title = step_title(stage.name)
        self.title.setText(_colored(title, stage.name, theme))
        self.title.setAccessibleName(title)
        concepts = concepts_of(stage.name, spec)
        self._said.setText(line(concepts))
        explanation = plain_tip(tip(concepts))
        for label in (self.title, self._said):
            label.setToolTip(explanation)
        self.setWhatsThis(what_is(title, *concepts))
        hint = self.tr("{formula} · {rows} down, {columns} across").format(
            formula=stage.formula,
            rows=axis_name(stage.axes[0]),
            columns=axis_name(stage.axes[1]),
        )
        self.hint.setText(hint)
        if self.head.count() != n_heads:
            self.head.clear()
            self.head.addItems([f"H{number}" for number in range(n_heads)])
        self.head.setCurrentIndex(head)
        self.head.setVisible(n_heads > 1)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.tabs.minimumSizeHint().width(), self.sizeHint().height())

    def _arrange(self) -> None:
        """Put the choices beside the title if both fit."""
        widgets = [self.title, *([] if self.head.isHidden() else [self.head])]
        needed = sum(widget.sizeHint().width() + SPACING for widget in widgets)
        needed += SPACING + self.tabs.sizeHint().width()
        beside = needed <= self.contentsRect().width() - 2 * 16
        row = self._above if beside else self._below
        if row is not self._choices:
            self._put_choices(row)

    @Slot()
    def _make_room(self) -> None:
        # The current tab is bold, of which Qt does not notify the layout.
        self.tabs.updateGeometry()
        self._arrange()

    def _put_choices(self, row: QHBoxLayout) -> None:
        for widget in (self.tabs, self.head):
            self._choices.removeWidget(widget)
        row.addWidget(self.head)
        row.addWidget(self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        self._choices = row


class _Title(QLabel):
    """A coloured title; elided, it has a single colour."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.width() >= self.sizeHint().width():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().windowText().color())
        title = self.fontMetrics().elidedText(
            self.accessibleName(), Qt.TextElideMode.ElideRight, self.width()
        )
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter.value, title)
        painter.end()


def _colored(title: str, step: str, theme: Theme) -> str:
    color = theme.color_of(step)
    if color is None:
        return escape(title)
    words = escape(title.removesuffix(step))
    return f'{words}<span style="color: {color}">{step}</span>'
