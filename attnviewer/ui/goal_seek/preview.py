"""The proposal before it is applied."""

import math
from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from attnviewer.goal_seek import Proposal
from attnviewer.ui.goal_seek.change_map import ChangeMap
from attnviewer.ui.goal_seek.change_rows import (
    InputCell,
    change_rows,
    effect_rows,
    reason_in_names,
    target_rows,
)
from attnviewer.ui.goal_seek.seeker import Question
from attnviewer.ui.goal_seek.target_entry import TargetEntry
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.widgets.link_lists.link_list import LinkList
from attnviewer.ui.widgets.link_lists.row_list import RowList
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.style_properties import set_styled

TARGETS, CHANGES, EFFECTS = 5, 6, 6
"""The most rows of a list that are visible without scrolling."""
DIGITS = 4
"""Significant digits of ‖Δ‖."""


class Preview(QWidget):
    """Shows what a proposal changes, and the effects.

    Attributes
    ----------
    outcome : QLabel
        Whether all targets are met, and by how much change.
    targets, changes, effects : RowList
        The targets, the numbers that change, and what else changes with them.
    cell_chosen : Signal
        An `InputCell` to be shown in its table.
    weight_chosen : Signal
        A `CellReference` to be shown in the views.
    """

    cell_chosen = Signal(object)
    weight_chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("seek.preview")
        self.outcome = QLabel(self)
        self.outcome.setObjectName("seek.outcome")
        self.outcome.setWordWrap(True)
        self.outcome.setTextFormat(Qt.TextFormat.PlainText)
        self._remark = ReasonLabel("seek.remark", self)
        self.targets = RowList(5, 0, parent=self)
        self.targets.setObjectName("seek.targets")
        self.targets.setAccessibleName(self.tr("Targets"))
        self.targets.rows.set_titles(
            (
                self.tr("Target"),
                self.tr("Wanted"),
                self.tr("Now"),
                self.tr("Result"),
                self.tr("Off by"),
            )
        )
        self.targets.horizontalHeader().show()
        self.changes = self._links(
            "seek.changes",
            self.tr("Changed numbers"),
            self.tr("Enter selects the number in its table."),
        )
        self.effects = self._links(
            "seek.effects",
            self.tr("Side effects"),
            self.tr("Enter selects the weight in the window."),
        )
        self.targets.be_as_high_as_rows(TARGETS)
        self.changes.be_as_high_as_rows(CHANGES)
        self.effects.be_as_high_as_rows(EFFECTS)
        self.changes.chosen.connect(self._choose_cell)
        self.effects.chosen.connect(self.weight_chosen)
        self._changes_title = self._heading("")
        self._effects_title = self._heading("")
        self._maps = QHBoxLayout()
        self._maps.setSpacing(14)
        held = QWidget(self)
        held.setObjectName("seek.maps.content")
        held.setLayout(self._maps)
        self._maps.setContentsMargins(0, 0, 0, 4)
        self._strip = strip = QScrollArea(self)
        strip.setObjectName("seek.maps")
        strip.setFrameShape(QFrame.Shape.NoFrame)
        strip.setWidgetResizable(True)
        strip.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        strip.setWidget(held)
        strip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for widget in (
            *(self.outcome, self._remark, self.targets),
            *(self._changes_title, strip, self.changes),
            *(self._effects_title, self.effects),
        ):
            column.addWidget(widget)
        column.addStretch(1)

    def _links(self, name: str, title: str, description: str) -> LinkList:
        links = LinkList(3, 0, 1, parent=self)
        links.setObjectName(name)
        links.setAccessibleName(title)
        links.setAccessibleDescription(description)
        return links

    def _heading(self, text: str) -> QLabel:
        heading = QLabel(text, self)
        heading.setProperty("heading", True)
        return heading

    def show_proposal(
        self,
        question: Question,
        asked: Sequence[TargetEntry],
        proposal: Proposal,
        computed: Computed,
    ) -> None:
        """Show a proposal.

        Parameters
        ----------
        question : Question
            What was sought.
        asked : sequence of TargetEntry
            Its targets, as they stand in the dialog.
        proposal : Proposal
            The answer.
        computed : Computed
            The present numbers.
        """
        self.say("")
        text = self._outcome(proposal)
        self.outcome.setText(reason_in_names(text, question, asked, computed))
        set_styled(self.outcome, "seek", "met" if proposal.reached else "missed")
        self.targets.show_rows(target_rows(asked, proposal, computed))
        rows = change_rows(proposal, question, computed)
        self.changes.show_rows(rows)
        self._show_maps(proposal)
        for widget in (self._changes_title, self._strip, self.changes):
            widget.setVisible(bool(rows))
        self._changes_title.setText(
            self._count(self.tr("Changed numbers, largest first"), proposal.cells, rows)
        )
        effects = effect_rows(proposal, computed)
        self.effects.show_rows(effects)
        self.effects.setVisible(bool(effects))
        text = self.tr("Other queries that change, largest first")
        if not effects:
            text = self.tr("No other query changes its weights.")
        self._effects_title.setText(
            self._count(text, len(proposal.side_effects), effects)
        )
        self._effects_title.setVisible(bool(rows))
        self._follow_theme()

    def say(self, remark: str) -> None:
        """Show a remark on the proposal, such as that it is out of date."""
        self._remark.say(remark)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._follow_theme()

    def _follow_theme(self) -> None:
        theme = Appearance.theme_in_force()
        for rows in (self.targets, self.changes, self.effects):
            rows.set_theme(theme)

    def _outcome(self, proposal: Proposal) -> str:
        if not proposal.reached:
            return proposal.reason
        if not proposal.cells:
            return self.tr("All targets are met already. Nothing has to change.")
        text = self.tr("All targets are met. {count:,} numbers change, ‖Δ‖ = {norm}.")
        if proposal.cells == 1:
            text = self.tr("All targets are met. One number changes, by {norm}.")
        norm = significant_number(proposal.norm, DIGITS)
        return text.format(count=proposal.cells, norm=norm)

    def _count(self, text: str, count: int, rows: Sequence[object]) -> str:
        if count <= len(rows):
            return text
        shown = self.tr("{text}: {shown} of {count:,}")
        return shown.format(text=text, shown=len(rows), count=count)

    def _show_maps(self, proposal: Proposal) -> None:
        """Show a map of each matrix that changes."""
        while self._maps.count():
            item = self._maps.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        changes = {
            name: change
            for name, change in proposal.changes.items()
            if change.ndim == 2 and change.any()
        }
        reach = max((float(np.abs(c).max()) for c in changes.values()), default=0.0)
        largest = sorted(changes, key=lambda name: -float(np.abs(changes[name]).max()))
        height = 0
        for name in largest:
            change = changes[name]
            text = self.tr("{name}: {count:,} of {all:,}").format(
                name=name, count=np.count_nonzero(change), all=math.prod(change.shape)
            )
            drawn = ChangeMap(text, change, reach, self._strip)
            height = max(height, drawn.sizeHint().height())
            self._maps.addWidget(drawn, 0, Qt.AlignmentFlag.AlignTop)
        self._maps.addStretch(1)
        bar = self._strip.horizontalScrollBar().sizeHint().height()
        self._strip.setFixedHeight(height + bar + 4)

    @Slot(object)
    def _choose_cell(self, key: object) -> None:
        assert isinstance(key, InputCell)
        self.cell_chosen.emit(key)
