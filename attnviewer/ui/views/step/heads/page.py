"""The page with all heads of the chosen step."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from attnviewer.compute import HeadLocation, StepHeads
from attnviewer.document import spec_edit
from attnviewer.document.variants.variants import heads_spec
from attnviewer.ui.paint.folded_content import grouped_content
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.heads import ablated_heads, own_head, query_head
from attnviewer.ui.state.looks import Look
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.views.step.heads.layer_combining import LayerCombining
from attnviewer.ui.views.step.heads.layers import (
    choose_in_model,
    content_of_layers,
    content_of_written,
    tokens_of,
)
from attnviewer.ui.views.step.heads.no_heads import least_heads, why_none
from attnviewer.ui.views.step.heads.pending_menu import PendingMenu
from attnviewer.ui.views.step.heads.sharing import sharing_note
from attnviewer.ui.views.step.heads.view import HeadsView
from attnviewer.ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from attnviewer.models.heads import ModelHeads
    from attnviewer.models.layer_documents import Link


class HeadsPage(QWidget):
    """Shows all heads of the chosen step, or says why there are none.

    Of a layer of the open model, it shows the heads of all other layers as well where
    that is asked for.

    Attributes
    ----------
    head_opened : Signal
        The chosen head is to be seen large.
    head_menu_wanted : Signal
        What can be done with the chosen head is asked for, at a place of the screen.
    painted : Signal
        What is in sight has been painted.
    """

    head_opened = Signal()
    head_menu_wanted = Signal(QPoint)
    painted = Signal()

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("step.heads")
        self.setAccessibleName(self.tr("All heads"))
        self._workbench = workbench
        self._shown: DisplayedStep | None = None
        self._maps = workbench.layer_maps
        self._cards_of: object = None
        self._combining = LayerCombining(self._maps, self)
        self._wall: ModelHeads | None = None
        self._trouble = ""
        self._menu = PendingMenu(workbench, self)
        self._cell: Position | None = None
        self._ablated: frozenset[HeadLocation] = frozenset()
        self.heads = HeadsView(self, workbench.head_report)
        self.none = EmptyState("heads", self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.heads)
        self._stack.addWidget(self.none)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)
        self.heads.chosen.connect(self._on_chosen)
        self.heads.opened.connect(self._on_opened)
        self.heads.hovered.connect(self._on_hovered)
        self.heads.menu_wanted.connect(self._on_menu_wanted)
        self._menu.wanted.connect(self.head_menu_wanted)
        self.heads.cell_chosen.connect(self._on_cell_chosen)
        self.heads.look_chosen.connect(self._on_look_chosen)
        self.heads.large.group_toggled.connect(workbench.folds.toggle)
        self.heads.painted.connect(self.painted)
        self.none.painted.connect(self.painted)
        self.none.button.clicked.connect(self._remedy)
        self.heads.choices.layers_chosen.connect(self._maps.retry)
        self.heads.choices.layers_chosen.connect(self._show_again)
        self.heads.choices.changed.connect(self._combine_layers)
        workbench.layer_maps.changed.connect(self._on_model)
        workbench.selection.hover_changed.connect(self._mark)
        workbench.opened.connect(self._on_model)
        workbench.model.changed.connect(self._on_changed)
        workbench.model.completed.connect(self._on_model)
        workbench.model.worker.progressed.connect(self._on_late)
        workbench.model.interrupted.connect(self._on_interrupted)
        workbench.model.refused.connect(self._on_refused)

    def show_step(self, shown: DisplayedStep) -> None:
        """Show all heads of a step."""
        self._shown = shown
        link = self._link
        self.heads.choices.offer_layers(offered=link is not None)
        if link is not None and self.of_layers:
            self._show_layers(shown, link)
        else:
            self._show_own(shown)

    @property
    def of_layers(self) -> bool:
        """Whether the heads of all layers are shown."""
        return self._link is not None and self.heads.choices.all_layers

    def finish(self) -> None:
        """Read all heads at once instead of in turns."""
        self.heads.finish()

    @property
    def _link(self) -> "Link | None":
        """The document's place in the open model, if that step is shown."""
        if self._shown is None or self._shown.step != STEP_OF_ALL:
            return None
        return self._workbench.link

    def _show_layers(self, shown: DisplayedStep, link: "Link") -> None:
        """Show the heads of all layers of a model."""
        self._stack.setCurrentWidget(self.heads)
        heads = self._workbench.model.heads
        if heads is None:
            # Heads that were there stay in sight unless one has to wait.
            if self._wall is None or self._wall.model is not link.run.model:
                self._cards_of = self._wall = None
                waiting = self.tr("The layers are still being computed.")
                self.heads.say(self._trouble or waiting)
            return
        source, written = heads, None
        if self.heads.choices.written:
            written = self._maps.written
            if written is None:
                self._cards_of = self._wall = None
                self.heads.say(self._maps.trouble("written") or self.tr("Computing…"))
                return
            source = written.heads
        # Another layer changes no card but its frame.
        cards_of = source, shown.look, shown.theme, shown.folds
        if cards_of != self._cards_of:
            self._cards_of, self._wall = cards_of, source
            content = (
                content_of_layers(heads, shown)
                if written is None
                else content_of_written(written, shown.theme)
            )
            self.heads.show_heads(source, content, shown.theme)
        self._combine_layers()
        self.heads.choose_head(self._workbench.head_location(shown.head))
        self._mark()
        self._menu.follow()

    @Slot()
    def _combine_layers(self) -> None:
        """Show all layers as one matrix, if that is chosen."""
        heads, layers = self._workbench.model.heads, None
        if self._shown is not None and heads is not None and self._wall is not None:
            ends = heads.tokens if heads.model.kind == "decoder" else ()
            choice = self.heads.choices.layer_choice(len(heads.layers), ends)
            (tokens, _), theme = tokens_of(heads), self._shown.theme
            layers = self._combining.combined(choice, tokens, theme)
        self.heads.show_layers(layers)

    def _show_own(self, shown: DisplayedStep) -> None:
        """Show the heads of the document."""
        trace, step = shown.computed.trace, shown.step
        self._wall = None
        if not self._has_heads(shown):
            self._cards_of = None
            self.none.say(*why_none(self._workbench, shown))
            self._stack.setCurrentWidget(self.none)
            return
        self._stack.setCurrentWidget(self.heads)
        chosen = HeadLocation(None, own_head(trace, step, shown.head))
        # Another chosen head changes no card but its frame.
        cards_of = replace(shown, head=0, changed=None)
        if cards_of != self._cards_of:
            kept = _heads_alike(self._cards_of, cards_of)
            self._cards_of = cards_of
            # One scale for all, or they could not be compared.
            shared = replace(shown, look=replace(shown.look, per_head=False))
            source = StepHeads(trace, step)
            self._ablated = ablated_heads(trace, step)
            self.heads.show_heads(
                *(source, grouped_content(shared), shown.theme),
                *(self._note, self._ablated, kept),
            )
        self.heads.choose_head(chosen)
        self._mark()

    def forget(self) -> None:
        """Let go of the numbers; the order of the heads stays."""
        self._shown = self._cards_of = self._wall = None
        self.heads.forget()

    def choose(self, cell: Position | None) -> None:
        """Mark the selected cell in all heads."""
        self._cell = cell
        self.heads.choose(cell)
        self._mark()

    @staticmethod
    def _has_heads(shown: DisplayedStep) -> bool:
        trace, step = shown.computed.trace, shown.step
        if trace.n_heads(STEP_OF_ALL) == 1 or not trace.stages[step].per_head:
            return False
        return len(trace.shape(step)) > 2  # a mask may be one for all heads

    def _note(self, location: HeadLocation) -> str:
        assert self._shown is not None
        trace, step = self._shown.computed.trace, self._shown.step
        ablated = self.tr("ablated") if location in self._ablated else ""
        notes = ablated, sharing_note(trace, step, location.head)
        return ", ".join(note for note in notes if note)

    @Slot()
    def _remedy(self) -> None:
        assert self._shown is not None
        if self._shown.computed.trace.n_heads(STEP_OF_ALL) > 1:
            self._workbench.selection.choose_step(STEP_OF_ALL)
            return
        if self._workbench.link is not None:
            self._workbench.selection.choose_step(STEP_OF_ALL)
            self.heads.choices.show_all_layers()
            return
        document, count = self._workbench.document, least_heads(self._workbench)
        label = self.tr("Set heads to {}").format(count)
        edit = spec_edit(document, heads_spec(document.spec, count), label)
        self._workbench.edits.submit(edit)

    @Slot()
    def _mark(self) -> None:
        if self._shown is None:
            return
        self.heads.mark(self._cell, self._hovered_cell(self._shown))

    def _hovered_cell(self, shown: DisplayedStep) -> Position | None:
        """Return the cell under the pointer if it is of such a step as is shown."""
        step, cell = self._workbench.selection.hovered
        stages = shown.computed.trace.stages
        alike = step in stages and stages[step].axes == stages[shown.step].axes
        return cell if alike else None

    @Slot(object)
    def _on_chosen(self, location: HeadLocation) -> None:
        self._menu.forget()
        if location.layer is None:
            self._workbench.selection.choose_head(self._query_head(location))
            return
        link = self._link
        if link is not None:
            choose_in_model(self._workbench, link, location)

    def _query_head(self, location: HeadLocation) -> int:
        assert self._shown is not None
        trace, step = self._shown.computed.trace, self._shown.step
        return query_head(trace, step, location.head, self._workbench.selection.head)

    @Slot(object)
    def _on_opened(self, location: HeadLocation) -> None:
        self._on_chosen(location)
        self.head_opened.emit()

    @Slot(object, QPoint)
    def _on_menu_wanted(self, location: HeadLocation, spot: QPoint) -> None:
        self._on_chosen(location)
        self._menu.ask(location, spot)

    @Slot(object, object)
    def _on_hovered(
        self, cell: Position | None, locations: tuple[HeadLocation, ...]
    ) -> None:
        selection = self._workbench.selection
        # The pointer may leave a page that is out of sight by now.
        known = locations if self._shown is not None else ()
        # The document has no step with the numbers of other layers.
        heads = tuple(
            self._query_head(location) for location in known if location.layer is None
        )
        if known and cell is not None and not self._is_inside(cell):
            cell = None  # of heads that were there before another sentence
        selection.hover(selection.step, cell, heads)

    @Slot()
    def _on_changed(self) -> None:
        self._trouble = ""
        self._on_model()

    @Slot(object)
    def _on_late(self, _job: object) -> None:
        self._say_layers("")

    @Slot()
    def _on_interrupted(self) -> None:
        self._say_layers(self.tr("Not all layers were computed."))

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        if not self._workbench.model.computing:
            self._say_layers(reason)

    def _say_layers(self, trouble: str) -> None:
        """Show no heads of another sentence while those of this one are not known."""
        if self._workbench.model.heads is None and (
            self._wall or self._trouble != trouble
        ):
            self._trouble, self._wall = trouble, None
            self._on_model()

    @Slot()
    def _on_model(self) -> None:
        """Follow the model; what is out of sight waits, see `showEvent`."""
        if self.isVisible():
            self._show_again()

    @Slot()
    def _show_again(self) -> None:
        if self._shown is not None:
            self.show_step(self._shown)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_again()

    def _is_inside(self, cell: Position) -> bool:
        assert self._shown is not None
        rows, columns = self._shown.computed.trace.shape(self._shown.step)[-2:]
        return cell[0] < rows and cell[1] < columns

    @Slot(object)
    def _on_cell_chosen(self, cell: Position | None) -> None:
        selection = self._workbench.selection
        selection.choose_cell(selection.step, cell)

    @Slot(object)
    def _on_look_chosen(self, look: Look) -> None:
        self._workbench.looks.set(self._workbench.selection.step, look)


def _heads_alike(before: object, now: DisplayedStep) -> frozenset[HeadLocation]:
    """Return the heads of a step whose numbers are still those before."""
    if (
        not isinstance(before, DisplayedStep)
        or replace(before, computed=now.computed) != now
    ):
        return frozenset()
    computed, step = now.computed, now.step
    return frozenset(
        HeadLocation(None, head)
        for head in range(computed.trace.n_heads(step))
        if computed.changed_since(before.computed, step, head) == ()
    )
