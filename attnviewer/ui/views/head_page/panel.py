"""The Head dock: the chosen head of the open model on a page of its own."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QHideEvent, QShowEvent
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.head_page import HeadPage
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.views.head_page.examples_box import ExamplesBox
from attnviewer.ui.views.head_page.report_list import ReportList
from attnviewer.ui.views.head_page.weights_box import WeightsBox
from attnviewer.ui.widgets.column import Column
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.tab_order import forward_focus

INSIDE = 12


class HeadPagePanel(QWidget):
    """Shows what the chosen head does here, and what its weights and examples tell.

    Attributes
    ----------
    heading : QWidget
        The head, in one line.
    report : ReportList
        Its numbers in the open sentence.
    weights : WeightsBox
        From the weights alone.
    examples : ExamplesBox
        Texts for which its numbers are largest.
    head_chosen, text_chosen : Signal
        The `HeadLocation` of a followed link; a text to run over.
    effect_wanted : Signal
        The effect of the head on the model is to be shown.
    """

    head_chosen = Signal(object)
    text_chosen = Signal(str)
    effect_wanted = Signal()

    def __init__(
        self, page: HeadPage, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("head")
        self.setAccessibleName(self.tr("Head"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._page, self._appearance = page, appearance
        self._name = heading("head.title")
        self._about = ElidedLabel("head.about", Qt.TextElideMode.ElideRight)
        self._here = heading("head.report.title")
        self._here.setText(self.tr("What it does here"))
        self._note = note("head.report.note")
        self.report = ReportList()
        self._effect = QToolButton()
        self._effect.setObjectName("head.effect")
        self._effect.setText(self.tr("Effect of switching it off"))
        self._effect.setToolTip(
            self.tr(
                "These numbers tell where the head looks, not whether it matters: run "
                "the model without its output, and see the effect in the Model panel"
            )
        )
        self.weights = WeightsBox(page, appearance)
        self.examples = ExamplesBox(page, appearance)
        self._empty = EmptyState("head", self)
        self._empty.say(
            self.tr("Open a model to see what a head does: File ▸ Open model…")
        )
        self._lay_out()
        self._effect.clicked.connect(self.effect_wanted)
        self.weights.head_chosen.connect(self.head_chosen)
        self.examples.text_chosen.connect(self.text_chosen)
        page.changed.connect(self._refresh)
        appearance.changed.connect(self._refresh)
        self._refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        forward_focus(self, self.report, event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._page.set_wanted(True)
        self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._page.set_wanted(False)

    @Slot()
    def _refresh(self) -> None:
        head, run = self._page.head, self._page.run
        self._name.setText(self.tr("Head") if head is None else head.name)
        self._about.setText(
            "" if run is None else f"{run.model.name} · {how_many_tokens(len(run.ids))}"
        )
        self._empty.setVisible(head is None)
        self._column.setVisible(head is not None)
        if head is None or not self.isVisible():
            return
        self._show_report()
        self.weights.refresh()
        self.examples.refresh()

    def _show_report(self) -> None:
        page, report, head = self._page, self._page.report, self._page.head
        self.report.set_theme(self._appearance.theme)
        self.report.setVisible(report is not None)
        text = page.trouble("report") or self.tr("Computing all heads…")
        if report is not None and head is not None:
            self.report.show_report(report, head)
            text = self.tr(
                "In the open sentence, with the rank among all heads. Tool tips have "
                "definitions and sources."
            )
        self._note.setText(text)

    def _lay_out(self) -> None:
        self.heading = heading_row(self._name, self._about, self)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(INSIDE, 0, INSIDE, INSIDE)
        column.setSpacing(8)
        for widget in (self._here, self._note, self.report):
            column.addWidget(widget)
        column.addWidget(self._effect, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.weights)
        column.addWidget(self.examples)
        column.addStretch(1)
        self._column = Column("head.scroll", content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.heading)
        layout.addWidget(self._empty, 1)
        layout.addWidget(self._column, 1)
