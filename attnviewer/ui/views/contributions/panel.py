"""The Contributions dock: what the parts of a model write towards its output."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.output_split import OutputSplit, Prediction
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import quoted_token
from attnviewer.ui.views.contributions.lens_list import LensList
from attnviewer.ui.views.contributions.next_list import NextTokenList
from attnviewer.ui.views.contributions.part_list import PartList
from attnviewer.ui.views.contributions.texts import (
    formula,
    lens_formula,
    output_name,
    summary,
)
from attnviewer.ui.views.contributions.token_fields import TokenFields
from attnviewer.ui.views.contributions.written_map import WrittenMap
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.tab_order import forward_focus
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll


class ContributionsPanel(QWidget):
    """Shows what a logit, or a sentence embedding, is the sum of.

    Attributes
    ----------
    heading : QWidget
        What is split, in one line.
    next, parts, lens
        The lists.
    written : WrittenMap
        What the chosen head writes.
    fields : TokenFields
        Whose logit is split.
    followed : Signal
        Where a link leads: a `HeadLocation` or a `ModelLocation`.
    """

    followed = Signal(object)

    def __init__(
        self,
        split: OutputSplit,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("contributions")
        self.setAccessibleName(self.tr("Contributions"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._split, self._appearance = split, appearance
        self._of = ElidedLabel("contributions.of", Qt.TextElideMode.ElideRight)
        title = heading("contributions.title")
        title.setText(self.tr("Contributions"))
        self.heading = heading_row(title, self._of, self)
        self._empty = EmptyState("contributions", self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._scroll = VerticalScroll("contributions.scroll", self._stack)
        content = QWidget(self._scroll.viewport())
        self._next_title = heading("contributions.next.title")
        self._next_title.setWordWrap(True)
        self.next = NextTokenList()
        self.fields = TokenFields()
        self._summary = note("contributions.summary")
        self.parts = PartList()
        self._lens_title = heading("contributions.lens.title")
        self._lens_title.setText(self.tr("Logit lens"))
        self._lens_note = note("contributions.lens.note")
        self.lens = LensList()
        self.written = WrittenMap(workbench, appearance, self.lens)
        self._of_decoders = (
            self._next_title,
            self.next,
            self.fields,
            self._lens_title,
            self._lens_note,
            self.lens,
        )
        body = QVBoxLayout(content)
        body.setContentsMargins(12, 0, 12, 12)
        body.setSpacing(8)
        for widget in (
            self._next_title,
            self.next,
            self.fields,
            self._summary,
            self.parts,
            self._lens_title,
            self._lens_note,
            self.lens,
            self.written,
        ):
            body.addWidget(widget)
        body.addStretch(1)
        self._scroll.setWidget(content)
        self._stack.addWidget(self._scroll)
        for label in (self._lens_title, self._lens_note):
            label.setToolTip(lens_formula())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(7)
        column.addWidget(self.heading)
        column.addWidget(self._stack, 1)
        later = Qt.ConnectionType.QueuedConnection
        self.parts.chosen.connect(self.followed, later)
        self.lens.chosen.connect(self.followed, later)
        self.next.chosen.connect(self._on_next_chosen, later)
        self.fields.entered.connect(self._on_entered)
        split.changed.connect(self.refresh)
        split.model_changed.connect(self.fields.clear)
        appearance.changed.connect(self.refresh)
        self.refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        forward_focus(self, self.parts, event.reason())

    @Slot()
    def refresh(self) -> None:
        """Show the newest split, or why there is none."""
        split, parts = self._split, self._split.parts
        for rows in (self.next, self.parts, self.lens):
            rows.set_theme(self._appearance.theme)
        if parts is None:
            self._of.setText("")
            self._empty.say(self._reason())
            self._stack.setCurrentWidget(self._empty)
            return
        name = self.tr("computing…") if split.computing else output_name(parts)
        self._of.setText(name)
        self._stack.setCurrentWidget(self._scroll)
        for widget in self._of_decoders:
            widget.setVisible(parts.prediction is not None)
        if parts.prediction is not None:
            self._show_prediction(parts.prediction)
        self._summary.setText(summary(parts))
        self._summary.setToolTip(formula(parts))
        self.parts.show_contributions(parts.contributions)

    def _show_prediction(self, prediction: Prediction) -> None:
        title = self.tr("Next token after {token}, position {position}")
        after, position = quoted_token(prediction.after), prediction.lens.position
        self._next_title.setText(title.format(token=after, position=position))
        about_lens = self.tr(
            "What the model would predict if it ended after a layer, and the "
            "probability p of {token}."
        )
        self._lens_note.setText(about_lens.format(token=quoted_token(prediction.token)))
        self.next.show_prediction(prediction)
        self.lens.show_prediction(prediction)

    def _reason(self) -> str:
        if self._split.run is None:
            return self.tr(
                "Open a model to see what its parts contribute to its output."
            )
        return self._split.trouble or self.tr("The layers are still being computed.")

    @Slot()
    def _on_entered(self) -> None:
        token, against = self.fields.tokens
        self._choose(token, against)

    @Slot(object)
    def _on_next_chosen(self, id: int) -> None:
        token = self._split.name_of(id)
        self.fields.token.setText(token)
        self._choose(id, self.fields.tokens[1])

    def _choose(self, token: str | int | None, against: str | None) -> None:
        """Have another logit split, or say why it cannot be."""
        try:
            self._split.choose(token, against)
        except ValueError as error:
            self.fields.say(str(error))
        else:
            self.fields.say("")
