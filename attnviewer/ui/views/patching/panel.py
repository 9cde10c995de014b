"""The Patching dock: whether a head or an activation matters."""

from PySide6.QtCore import QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.state.patching import Patching
from attnviewer.ui.state.patching.choices import Way
from attnviewer.ui.state.patching.effects import Effect, EffectJob
from attnviewer.ui.views.patching.ablation_form import AblationForm
from attnviewer.ui.views.patching.effect_box import EffectBox
from attnviewer.ui.views.patching.fields import align_labels
from attnviewer.ui.views.patching.metric_form import MetricForm
from attnviewer.ui.views.patching.pair_form import PairForm
from attnviewer.ui.views.patching.texts import agreement
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.labels import note
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.segment import Segment
from attnviewer.ui.widgets.tab_order import forward_focus
from attnviewer.ui.widgets.tool_tips import plain_tip
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll

WAYS: tuple[Way, ...] = ("patch", "ablate")
INSIDE = 12
BOTH = 60
"""Width from which the grids are side by side, in line heights."""


class PatchingPanel(QWidget):
    """Asks what to intervene on, and shows the effects.

    Parameters
    ----------
    patching : Patching
        Computes them.
    appearance : Appearance
        The theme in force.
    parent : QWidget
        The dock.

    Attributes
    ----------
    heading : QWidget
        For the title bar.
    empty : EmptyState
        Shown without a model.
    measured, estimate : EffectBox
        The effects, and their estimate.
    copied, exported : Signal
        The effects that the user wants to copy, or to write to a file.
    """

    copied = Signal(object)
    exported = Signal(object)

    def __init__(
        self, patching: Patching, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("patching")
        self.setAccessibleName(self.tr("Patching"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._patching = patching
        self._summary = ElidedLabel("patching.summary")
        title = QLabel(self.tr("Patching"))
        self.heading = heading_row(title, self._summary, self)
        self.empty = EmptyState("patching", self)
        self._scroll = VerticalScroll("patching.scroll", self)
        content = QWidget(self._scroll.viewport())
        content.setObjectName("patching.content")
        self._ways = QButtonGroup(self)
        # Created in the order of the column, which Tab follows.
        switch = self._build_switch(content)
        self._about = note("patching.about")
        self.ablation = AblationForm(patching, content)
        self.pair = PairForm(patching, appearance, content)
        self.metric_form = MetricForm(patching, content)
        self.estimated = QCheckBox(self.tr("Estimate by gradients"), content)
        self.estimated.setObjectName("patching.estimated")
        self.estimated.setToolTip(
            self.tr(
                "To first order, from one backward pass instead of a run for each "
                "cell: fast, but no measurement"
            )
        )
        self.run = QPushButton(self.tr("Compute"), content)
        self.run.setObjectName("patching.run")
        self.cancel = QPushButton(self.tr("Cancel"), content)
        self.cancel.setObjectName("patching.cancel")
        self.cancel.setAccessibleName(self.tr("Cancel the computation"))
        self._bar = QProgressBar(content)
        self._bar.setObjectName("patching.bar")
        self._bar.setTextVisible(False)
        self._progress = note("patching.progress")
        self._trouble = ReasonLabel("patching.trouble", content)
        self._outdated = note("patching.outdated")
        self.measured = EffectBox("patching.measured", appearance, content)
        self.estimate = EffectBox("patching.estimate", appearance, content)
        self._agreement = note("patching.agreement")
        self._shown: tuple[Effect | None, Effect | None] = (None, None)
        # Once the grid has its height.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._reveal)
        self._lay_out(content, switch)
        align_labels((self.ablation, self.pair, self.metric_form))
        self.run.clicked.connect(patching.start)
        self.cancel.clicked.connect(patching.cancel)
        self.estimated.toggled.connect(self._on_estimated)
        self._ways.idClicked.connect(self._on_way)
        for box in (self.measured, self.estimate):
            box.picture.chosen.connect(patching.open_cell)
            box.copied.connect(self.copied)
            box.exported.connect(self.exported)
            box.moved.connect(self._on_moved)
        self.pair.other.returnPressed.connect(patching.start)
        for field in (self.metric_form.token, self.metric_form.minus):
            field.returnPressed.connect(patching.start)
        patching.worker.progressed.connect(self._on_progressed)
        patching.changed.connect(self.refresh)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._patching.set_wanted(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._patching.set_wanted(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        patched = self._patching.choices.way == "patch"
        first = self.pair.other if patched else self.ablation.to
        forward_focus(self, first, event.reason())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= BOTH * usual_line(self.font())
        direction = QBoxLayout.Direction
        self._both.setDirection(
            direction.LeftToRight if wide else direction.TopToBottom
        )

    @Slot()
    def refresh(self) -> None:
        """Show the choices, what was read, and the effects."""
        patching, choices = self._patching, self._patching.choices
        self.empty.setVisible(not patching.has_model)
        self._scroll.setVisible(patching.has_model)
        patched = choices.way == "patch"
        self._ways.button(WAYS.index(choices.way)).setChecked(True)
        self._about.setText(self._description())
        self.pair.setVisible(patched)
        self.ablation.setVisible(not patched)
        for form in (self.ablation, self.pair, self.metric_form):
            form.refresh()
        self.estimated.setVisible(patched)
        self.estimated.setChecked(choices.estimated)
        self._show_work()
        self._outdated.setVisible(patching.outdated)
        self._outdated.setText(
            self.tr("These are the effects of earlier choices: compute again.")
            if patching.computing is None
            else self.tr("Until then, these are the effects of earlier choices.")
        )
        shown, self._shown = self._shown, (patching.effect, patching.estimate)
        for box, effect in zip(
            (self.measured, self.estimate), self._shown, strict=True
        ):
            box.show_effect(effect, patching.limit)
        if shown != self._shown and any(self._shown):
            self._soon.start()
        agreed = patching.correlation
        self._agreement.setVisible(agreed is not None)
        if agreed is not None:
            self._agreement.setText(agreement(agreed))

    def _show_work(self) -> None:
        """Show what is being computed, what can be, or why nothing can."""
        patching, reading = self._patching, self._patching.reading
        job = patching.computing
        self._trouble.setMinimumHeight(0)
        self._trouble.say(patching.trouble)
        refused = patching.read and reading is not None and not reading.complete
        started, ended = job is not None, job is None
        # A button that is disabled or hidden would pass the focus on to anything.
        if started:
            self.cancel.show()
            self._pass_focus(self.run, self.cancel)
        self.run.setEnabled(ended and not refused)
        if ended:
            self._pass_focus(self.cancel, self.run)
        for widget in (self._bar, self._progress, self.cancel):
            widget.setVisible(started)
        self.run.setToolTip(plain_tip(self._lacking()) if refused else "")
        self._summary.setText("")
        if job is not None:
            self._on_progressed(job)

    def _pass_focus(self, before: QWidget, after: QWidget) -> None:
        if before.hasFocus():
            after.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lacking(self) -> str:
        reading = self._patching.reading
        assert reading is not None
        if reading.refused:
            return next(iter(reading.refused.values()))
        if reading.choices.way == "patch":
            return self.tr("Type the corrupted sentence first.")
        return self.tr("Type the other sentences first.")

    @Slot(object)
    def _on_progressed(self, job: EffectJob) -> None:
        text = self._patching.progress(job)
        self._bar.setRange(0, 0 if job.estimated else job.total)
        self._bar.setValue(job.done)
        self._progress.setText(text)
        self._summary.setText(text)

    def _description(self) -> str:
        if self._patching.choices.way == "patch":
            return self.tr(
                "One activation at a time is taken from one sentence into the other: "
                "how much of the metric does it carry along?"
            )
        return self.tr(
            "One head at a time has its output replaced in the open sentence: how much "
            "does the metric change?"
        )

    @Slot(int)
    def _on_way(self, number: int) -> None:
        self._patching.choose(way=WAYS[number])

    @Slot(bool)
    def _on_estimated(self, estimated: bool) -> None:
        self._patching.choose(estimated=estimated)

    @Slot()
    def _reveal(self) -> None:
        """Scroll to the grid that has come."""
        first = self.measured if self.measured.isVisible() else self.estimate
        self._scroll.ensureWidgetVisible(first, 0, 0)

    @Slot(QRect)
    def _on_moved(self, rect: QRect) -> None:
        box, content = self.sender(), self._scroll.widget()
        assert isinstance(box, EffectBox)
        assert content is not None
        middle = box.mapTo(content, rect.center())
        self._scroll.ensureVisible(0, middle.y(), 0, 2 * rect.height())

    def _build_switch(self, content: QWidget) -> QWidget:
        switch = QWidget(content)
        switch.setObjectName("patching.ways")
        ways = QHBoxLayout(switch)
        ways.setContentsMargins(0, 0, 0, 0)
        ways.setSpacing(0)
        titles = self.tr("Patch"), self.tr("Switch off")
        for number, text in enumerate(titles):
            name = f"patching.way.{WAYS[number]}"
            button = Segment(name, text, number, self._ways, switch)
            policy = QSizePolicy.Policy
            button.setSizePolicy(policy.Expanding, policy.Fixed)
            ways.addWidget(button)
        return switch

    def _lay_out(self, content: QWidget, switch: QWidget) -> None:
        self.empty.say(self.tr("No model is open. Choose File ▸ Open model…"))
        row = QHBoxLayout()
        row.addWidget(self.run)
        row.addWidget(self.cancel)
        row.addStretch(1)
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._both.setSpacing(16)
        self._both.addWidget(self.measured, 1)
        self._both.addWidget(self.estimate, 1)
        column = QVBoxLayout(content)
        column.setContentsMargins(INSIDE, 4, INSIDE, INSIDE)
        column.setSpacing(8)
        column.addWidget(switch)
        asked: list[QWidget] = [self._about, self.pair, self.ablation, self.metric_form]
        notes = (
            self._bar,
            self._progress,
            self._trouble,
            self._outdated,
            self._agreement,
        )
        for widget in asked:
            column.addWidget(widget)
        column.addWidget(self.estimated)
        column.addLayout(row)
        for each in notes:
            column.addWidget(each)
        column.addLayout(self._both)
        column.addStretch(1)
        self._scroll.setWidget(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self._scroll, 1)
