"""The head that a model opens on: the one with the most telling weight."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.step.heads.layers import choose_in_model
from attnviewer.ui.widgets.notice import NoticeBar

if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads
    from attnviewer.models.telling import TellingHead

DECIMALS = 2


class FirstHead(QObject):
    """Goes to the most telling head of a model, and says why.

    That is known only when all layers are computed; who has chosen something until
    then stays there.
    """

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._workbench, self._model = workbench, workbench.model
        self._notice = notice
        self._opened_on: object = None
        self._goal: TellingHead | None = None
        workbench.opened.connect(self._on_opened)
        self._model.changed.connect(self._arrive)
        self._model.completed.connect(self._on_completed)

    @property
    def _place(self) -> object:
        """The layer or head that is looked at."""
        selection = self._workbench.selection
        where = self._workbench.document, selection.head
        return where, selection.step, selection.cell

    @Slot()
    def _on_opened(self) -> None:
        if self._goal is None:
            self._opened_on = self._place
        self._arrive()

    @Slot()
    def _on_completed(self) -> None:
        telling, link = self._model.telling, self._workbench.link
        moved = self._opened_on is not None and self._opened_on != self._place
        if telling is None or link is None or moved:
            return
        self._goal = telling
        choose_in_model(self._workbench, link, telling.location)
        self._arrive()

    @Slot()
    def _arrive(self) -> None:
        """Select the cell as soon as the layer is open."""
        goal, link = self._goal, self._workbench.link
        if goal is None:
            return
        location, cell = goal
        asked = self._model.requested
        if asked.layer != location.layer or link is None:
            self._goal = None  # something else was asked for meanwhile
            return
        selection = self._workbench.selection
        if self._workbench.head_location(selection.head) != location:
            return
        self._goal = None
        selection.choose_cell(STEP_OF_ALL, (cell.query, cell.key))
        heads = self._model.heads
        if heads is not None:
            self._notice.add(self._reason(heads, goal))

    def _reason(self, heads: "ModelHeads", found: "TellingHead") -> str:
        tokens, (location, cell) = heads.tokens, found
        return self.tr(
            "{head}: {query} → {key}, {weight}, the strongest link between distant "
            "words."
        ).format(
            head=location.name,
            query=token_label(tokens[cell.query]),
            key=token_label(tokens[cell.key]),
            weight=format_number(cell.weight, DECIMALS),
        )
