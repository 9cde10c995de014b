"""The Goal Seek dialog: the question, and the proposal before it is applied."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QRadioButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import EditError, Region
from attnviewer.goal_seek import Proposal
from attnviewer.goal_seek.free_numbers import Free
from attnviewer.ui.goal_seek.cell_reference import CellReference, Quantity
from attnviewer.ui.goal_seek.change_rows import InputCell
from attnviewer.ui.goal_seek.free_list import FreeList
from attnviewer.ui.goal_seek.preview import Preview
from attnviewer.ui.goal_seek.seeker import Question, Seeker
from attnviewer.ui.goal_seek.target_entry import TargetEntry
from attnviewer.ui.goal_seek.target_list import TargetList
from attnviewer.ui.goal_seek.vertical_scroll_area import VerticalScrollArea
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.concepts import GOAL_SEEK, what_is
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.companion_dialog import CompanionDialog
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.widgets.push_button import push_button
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.tool_tips import plain_tip

if TYPE_CHECKING:
    from attnviewer.goal_seek.seeking import Norm

WIDTH, HEIGHT = 36, 40
"""Its size at first, in heights of a line; never beyond the screen."""
BESIDE = 40
"""Pixels of the screen that it leaves free."""
PERCENT = 100
MARGINS = (0, 0, 8, 0)
"""The margin of scrolled content beside the scroll bar."""


class GoalSeekDialog(CompanionDialog):
    """Asks for targets, shows the proposal, and applies it.

    It is not modal, so that further cells can be chosen in the window.

    Parameters
    ----------
    workbench : Workbench
        The open document.
    seeker : Seeker
        Searches in the background.
    parent : QWidget
        The window.
    """

    def __init__(self, workbench: Workbench, seeker: Seeker, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("seek")
        self.setWindowTitle(self.tr("Goal Seek"))
        self._workbench, self._seeker = workbench, seeker
        self._asked: Sequence[TargetEntry] = ()
        self._question: Question | None = None
        self._proposal: Proposal | None = None
        self.targets = TargetList(workbench, self)
        self.free = FreeList(workbench, self)
        self._fewest = QRadioButton(self.tr("Change the &fewest numbers"), self)
        self._fewest.setObjectName("seek.fewest")
        self._least = QRadioButton(self.tr("Change as &little as possible"), self)
        self._least.setObjectName("seek.least")
        self._least.setChecked(True)
        explained = {self._least: "least_change", self._fewest: "fewest_numbers"}
        for choice, name in explained.items():
            concept = GOAL_SEEK[name]
            choice.setToolTip(plain_tip(concept.tip))
            choice.setWhatsThis(what_is(choice.text().replace("&", ""), concept))
        self.preview = Preview(self)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(VerticalScrollArea(self._question_page(), self))
        self.preview.setContentsMargins(*MARGINS)
        self._pages.addWidget(VerticalScrollArea(self.preview, self))
        self._reason = ReasonLabel("seek.reason", self)
        self._progress = QProgressBar(self)
        self._progress.setObjectName("seek.progress")
        self._progress.setAccessibleName(self.tr("Progress of the search"))
        self._progress.setTextVisible(False)
        self._seek = push_button("seek.start", self.tr("&Seek"), self._start, self)
        self._cancel = push_button("seek.cancel", self.tr("&Cancel"), self._stop, self)
        self._back = push_button("seek.back", self.tr("&Back"), self._go_back, self)
        self._apply = push_button("seek.apply", self.tr("A&pply"), self._submit, self)
        self._nearest = push_button(
            "seek.nearest", self.tr("Apply the &nearest"), self._submit, self
        )
        self._nearest.setToolTip(
            self.tr("Makes these changes although not all targets are met")
        )
        close = push_button("seek.close", self.tr("Close"), self.reject, self)
        buttons = QHBoxLayout()
        buttons.addWidget(self._progress, 1)
        buttons.addStretch(0)
        for button in (
            *(self._cancel, self._back, self._seek),
            *(self._nearest, self._apply, close),
        ):
            buttons.addWidget(button)
        column = dialog_column(self)
        column.setSpacing(10)
        column.addWidget(self._pages, 1)
        column.addWidget(self._reason)
        column.addLayout(buttons)
        self._connect()
        self._follow()
        self._show_buttons()
        self._take_room()

    def _connect(self) -> None:
        self.targets.changed.connect(self._on_changed)
        self.targets.refused.connect(self._say)
        self.free.changed.connect(self._on_changed)
        self.preview.cell_chosen.connect(self._show_input)
        self.preview.weight_chosen.connect(self._show_weight)
        seeker, workbench = self._seeker, self._workbench
        seeker.found.connect(self._on_found)
        seeker.failed.connect(self._on_failed)
        seeker.outdated.connect(self._on_outdated)
        seeker.progressed.connect(self._on_progressed)
        workbench.engine.computed.connect(self._follow)
        workbench.opened.connect(self._on_opened)
        workbench.edits.indexChanged.connect(self._on_edited)

    def add(self, reference: CellReference, quantity: Quantity) -> None:
        """Add a target, and show the question."""
        self._seeker.cancel()
        self._go_back()
        self.targets.add(reference, quantity)
        self._follow()

    def reject(self) -> None:
        self._seeker.cancel()
        super().reject()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._seeker.is_seeking:
            self._stop()
            event.accept()
        else:
            super().keyPressEvent(event)

    # ----------------------------------------------------------------- layout

    def _question_page(self) -> QWidget:
        page = QWidget(self)
        page.setObjectName("seek.question")
        column = QVBoxLayout(page)
        column.setContentsMargins(*MARGINS)
        column.setSpacing(12)
        column.addWidget(self.targets)
        column.addWidget(self.free)
        choice = QHBoxLayout()
        choice.addWidget(self._least)
        choice.addWidget(self._fewest)
        choice.addStretch(1)
        column.addLayout(choice)
        column.addStretch(1)
        return page

    def _take_room(self) -> None:
        """Take the usual size at the right of the window, as far as there is room."""
        line = self.fontMetrics().lineSpacing()
        room = self.screen().availableSize()
        self.resize(
            min(WIDTH * line, room.width() - BESIDE),
            min(HEIGHT * line, room.height() - 2 * BESIDE),
        )
        window = self.parentWidget()
        assert window is not None
        right = window.mapToGlobal(window.rect().topRight())
        self.move(right.x() - self.width() - BESIDE, right.y() + BESIDE)

    def _show_buttons(self) -> None:
        seeking, asks = self._seeker.is_seeking, self._pages.currentIndex() == 0
        proposal, current = self._proposal, self._is_current
        edit = None if proposal is None else proposal.edit
        reached = proposal is not None and proposal.reached
        self._progress.setVisible(seeking)
        self._cancel.setVisible(seeking)
        self._seek.setVisible(not seeking and (asks or not current))
        self._back.setVisible(not seeking and not asks)
        self._apply.setVisible(not asks and reached)
        self._apply.setEnabled(current and edit is not None)
        self._nearest.setVisible(not asks and not reached and edit is not None)
        self._nearest.setEnabled(current)
        self._pages.setEnabled(not seeking)
        first = self._seek if asks or not current else self._apply
        first.setDefault(True)

    # --------------------------------------------------------------- question

    @Slot()
    def _follow(self) -> None:
        """Show the present numbers and inputs."""
        self.targets.follow()
        self.free.follow(self.targets.steps)

    @Slot()
    def _on_changed(self) -> None:
        self._reason.say("")
        self.free.follow(self.targets.steps)

    @Slot()
    def _on_opened(self) -> None:
        """Put the targets of another document aside, and take those of this one."""
        self._go_back()
        had_targets = bool(self.targets.rows)
        self.targets.turn_to(self._workbench.document)
        self.free.forget_cells()
        self._follow()
        if had_targets:
            text = self.tr(
                "Another document is open now. The targets of the one before are kept "
                "until it is open again."
            )
            self._reason.say(text, error=False)

    @Slot()
    def _start(self) -> None:
        commit_pending_input()
        self._workbench.engine.catch_up()
        self._follow()
        self._go_back()
        asked, free = self.targets.asked(), self.free.free()
        if asked is None or free is None:
            self._say(self.tr("Correct what is marked above first."))
        elif not asked:
            self._say(self.tr("Add a target first."))
        elif not free:
            self._say(self.tr("Tick what may change first."))
        else:
            self._ask(asked, free)

    def _ask(self, asked: Sequence[TargetEntry], free: Sequence[Free]) -> None:
        trace = self._workbench.engine.current.trace
        try:
            targets = [each.target(trace) for each in asked]
        except ValueError as error:
            self._say(str(error))
            return
        document, limits = self._workbench.document, self.free.limits()
        self._asked = asked
        self._progress.setRange(0, 0)  # until the progress of the search is known
        self._seeker.start(Question.of(document, targets, free, limits, self._norm))
        self._reason.say("")
        self._show_buttons()
        self._cancel.setFocus()

    @property
    def _norm(self) -> "Norm":
        return "fewest-cells" if self._fewest.isChecked() else "least-squares"

    @Slot(str)
    def _say(self, reason: str) -> None:
        self._reason.say(reason)
        announce(self, reason, urgent=True)

    # ----------------------------------------------------------------- search

    @Slot()
    def _stop(self) -> None:
        self._seeker.cancel()
        self._end(self.tr("The search was cancelled. Nothing has changed."))

    @Slot(str)
    def _on_failed(self, reason: str) -> None:
        self._end(reason)

    @Slot()
    def _on_outdated(self) -> None:
        self._end(
            self.tr("The document has changed, which ended the search. Seek again.")
        )

    def _end(self, reason: str) -> None:
        self._show_buttons()
        self._say(reason)
        self._seek.setFocus()

    @Slot(float)
    def _on_progressed(self, share: float) -> None:
        self._progress.setRange(0, PERCENT)
        self._progress.setValue(round(PERCENT * share))

    @Slot(object, object)
    def _on_found(self, question: Question, proposal: Proposal) -> None:
        self._question, self._proposal = question, proposal
        computed = self._workbench.engine.current
        self.preview.show_proposal(question, self._asked, proposal, computed)
        self._pages.setCurrentIndex(1)
        self._show_buttons()
        announce(self, self.preview.outcome.text())
        can_apply = proposal.reached and proposal.edit is not None
        (self._apply if can_apply else self._back).setFocus()

    # --------------------------------------------------------------- proposal

    @property
    def _is_current(self) -> bool:
        """Whether the proposal is for the document as it is now."""
        question = self._question
        return question is not None and question.is_about(self._workbench.document)

    @Slot()
    def _on_edited(self) -> None:
        if self._pages.currentIndex() == 1 and not self._is_current:
            self.preview.say(
                self.tr("The document has changed since this was found. Seek again.")
            )
            self._show_buttons()

    @Slot()
    def _go_back(self) -> None:
        """Show the question again."""
        self._question = self._proposal = None
        self._pages.setCurrentIndex(0)
        self._reason.say("")
        self._show_buttons()

    @Slot()
    def _submit(self) -> None:
        proposal = self._proposal
        assert proposal is not None
        assert proposal.edit is not None
        edit = replace(proposal.edit, label=self.tr("Goal Seek"))
        try:
            self._workbench.edits.submit(edit)
        except (EditError, ValueError) as error:
            self._say(str(error))
            return
        self.accept()

    @Slot(object)
    def _show_input(self, cell: InputCell) -> None:
        if cell.name in self._workbench.document.matrices:
            region = Region(cell.row, cell.column, 1, 1)
            self._workbench.edits.cursor.go(InputSelection(cell.name, region))

    @Slot(object)
    def _show_weight(self, reference: object) -> None:
        shown, workbench = cast("CellReference", reference), self._workbench
        if shown.is_in(workbench.engine.current.trace):
            if shown.head is not None:
                workbench.selection.choose_head(shown.head)
            workbench.open_step(shown.step, (shown.row, shown.column))
