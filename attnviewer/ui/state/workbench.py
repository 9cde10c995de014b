"""The state that all views share: the open document, undo, trace and selection."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import Axis, HeadLocation
from attnviewer.compute.arguments import check_name
from attnviewer.document import Document, Labels
from attnviewer.ui.state.baseline import BaselineModel
from attnviewer.ui.state.cached_keys import CachedKeys
from attnviewer.ui.state.carried_cell import carried_cell
from attnviewer.ui.state.doctor import DoctorModel
from attnviewer.ui.state.edit_commands import Changes
from attnviewer.ui.state.engine import Computed, Engine
from attnviewer.ui.state.filling import Filler
from attnviewer.ui.state.first_look import first_weight
from attnviewer.ui.state.folds import FoldModel
from attnviewer.ui.state.head_report import HeadReport
from attnviewer.ui.state.heads import present_head
from attnviewer.ui.state.layer_maps import LayerMaps
from attnviewer.ui.state.live import NO_VEIL
from attnviewer.ui.state.looks import Looks
from attnviewer.ui.state.model import OpenModel
from attnviewer.ui.state.model.ablation import AblationPreview
from attnviewer.ui.state.selection import Marked, Moves, Position, SelectionModel
from attnviewer.ui.state.sensitivity import Sensitivity
from attnviewer.ui.state.undo import EditStack

if TYPE_CHECKING:
    from attnviewer.models.layer_documents import Link

STEP_OF_ALL = "weights"
"""The step that every variant has and most users want to see."""


def step_of_view(view: str, chosen: str) -> str:
    """Return which step a view shows: lines are those of the weights, whichever."""
    return STEP_OF_ALL if view == "lines" else chosen


class Workbench(QObject):
    """One open document and everything around it except the widgets.

    Attributes
    ----------
    opened : Signal
        Another document is open now.
    selection_restarted : Signal
        Another document is open, which does not keep the selection.
    """

    opened = Signal()
    selection_restarted = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._set_aside: list[Document] = []
        self._visited: Document | None = None
        self._host: Document | None = None
        self.edits = EditStack(document, self)
        self.engine = Engine(document, self)
        self.selection = SelectionModel(self._fit, self._carry, self)
        self.looks = Looks(self)
        self.folds = FoldModel(lambda: self._document, self)
        self.baseline = BaselineModel(self.edits, self)
        self.model = OpenModel(self)
        self.cached_keys = CachedKeys(self)
        self.doctor = DoctorModel(self.edits, self.baseline, self)
        # The tokens at the time of the selection; None after another document.
        self._labels: Labels | None = self.engine.current.labels
        # Before any view is connected, so that none sees an empty selection.
        self.engine.computed.connect(self._keep_selection_inside)
        self.engine.computed.connect(self.folds.follow)
        self._marked_axes = self._axes(self.selection.step)
        self.selection.step_changed.connect(self._keep_marks_inside)
        self._select_something()
        self.sensitivity = Sensitivity(self.engine, self.selection, self)
        self.filler = Filler(self.engine, self.selection, self)
        self.ablation = AblationPreview(self.model, lambda: self.chosen_head, self)
        self.layer_maps = LayerMaps(self.model, self)
        self.head_report = HeadReport(self.model, self)
        self.selection.head_changed.connect(self.ablation.follow)
        self.opened.connect(self.folds.follow)
        self.opened.connect(self.ablation.follow)

    @property
    def document(self) -> Document:
        """The open document."""
        return self._document

    @property
    def modified(self) -> bool:
        """Whether the document has unsaved changes that would be lost."""
        return not self.edits.isClean() and self._document is not self._visited

    @property
    def set_aside(self) -> list[Document]:
        """Documents with unsaved changes that are not open any more."""
        return list(self._set_aside)

    @property
    def changed(self) -> list[Document]:
        """All documents with unsaved changes, the open one last."""
        every = [*self._set_aside, self._document]
        return [
            document
            for document in every
            if document is not self._visited and not self.edits.is_saved(document)
        ]

    @property
    def withheld_reason(self) -> str:
        """The reason why some steps are withheld; "" where none is."""
        if self.engine.current.veil == NO_VEIL:
            return ""
        return self.tr(
            "This would show what the lesson still asks for. Answer its task, or skip "
            "it, first."
        )

    def outdated_reason(self) -> str:
        """Take up the last edit; return why it cannot be shown yet, "" where it can."""
        if self.engine.catch_up():
            return ""
        return self.tr(
            "The last edit is still to be computed. Choose this again when it is."
        )

    @property
    def host(self) -> Document | None:
        """The document that waits while another is visited, as long as it does."""
        return self._host

    def visit(self, document: Document) -> None:
        """Open a document that nobody loses anything of, such as that of a lesson.

        The one that is left keeps its undo stack, changed or not, until a document is
        opened that is not visited.

        Parameters
        ----------
        document : Document
            The document.

        Raises
        ------
        MemoryError, ValueError
            As `open` does.
        """
        host = self._document if self._visited is None else self._host
        self._open(document, host=host, visited=document)

    def open(self, document: Document, *, stay: bool = False) -> None:
        """Open another document; one with unsaved changes is set aside.

        Parameters
        ----------
        document : Document
            The document.
        stay : bool
            Whether to keep the selection, as far as possible.

        Raises
        ------
        MemoryError
            If it is too large to be computed; the current one then stays open.
        ValueError
            If its numbers are too large for the chosen precision; likewise.
        """
        if document is self._document:
            return  # otherwise its edits would be dropped with the document being left
        self._open(document, stay=stay)

    def _open(
        self,
        document: Document,
        *,
        host: Document | None = None,
        visited: Document | None = None,
        stay: bool = False,
    ) -> None:
        left, waiting, before = self._document, self._host, self._visited
        self.engine.make_ready(document)  # which may fail
        if not stay:
            self._labels = None
            self.selection.mark(Marked())
        # Before its first trace is published: listeners ask which document it is of.
        self._document, self._host, self._visited = document, host, visited
        self.engine.set_document(document)
        self.edits.set_document(document)
        for each in (left, waiting):
            if each is not None and each is not document:
                self._leave(each, lost=each is not before)
        if not stay:
            self.selection.choose_head(0)
            self._select_something()
        waits = [] if host is None else [host]
        self.doctor.follow(document, [*self._set_aside, *waits])
        self.opened.emit()
        if not stay:
            self.selection_restarted.emit()

    def _leave(self, document: Document, *, lost: bool) -> None:
        """Set a document aside if its changes would be lost, or else forget it."""
        aside = any(document is each for each in self._set_aside)
        if lost and not aside and not self.edits.is_saved(document):
            if self._took_all(document):
                self.edits.hand_over(document)
                self.edits.forget(document)
                return
            self._set_aside.append(document)
        elif not aside and document is not self._host:
            self.edits.forget(document)

    def _took_all(self, left: Document) -> bool:
        """Return whether the open document has all that was changed in another one.

        So it has if both are of the open model, where groups of tokens are taken along.
        """
        linked = self.link is not None and self.model.link_of(left) is not None
        groups = [(each.groups, each.context_groups) for each in (left, self._document)]
        return linked and groups[0] == groups[1] and self.edits.only_grouped(left)

    def reopen(self, document: Document) -> None:
        """Open a document that was set aside, with its changes and its undo stack."""
        self.open(document)
        self._set_aside = [each for each in self._set_aside if each is not document]

    def set_unsaved_aside(self, document: Document, earlier: Changes) -> None:
        """Set aside a document that was never saved, with changes from before."""
        self.edits.add_unsaved(document, earlier)
        self._set_aside.append(document)

    def select_telling_cell(self) -> None:
        """Select the cell of the chosen head that tells most; see `telling_cell`."""
        trace = self.engine.current.trace
        head = present_head(trace, self.selection.head)
        cell = first_weight(trace, head, self.engine.current.labels)
        self.selection.choose_cell(STEP_OF_ALL, cell)

    def open_head(self, head: int) -> None:
        """Show a head of all steps that have heads.

        Parameters
        ----------
        head : int
            The head of the queries, counted from zero.

        Raises
        ------
        ValueError
            If there is no such head.
        """
        n_heads = self.engine.current.trace.n_query_heads
        if not 0 <= head < n_heads:
            raise ValueError(
                f"The 'head' must be from 0 to {n_heads - 1}. Got {head} instead."
            )
        self.selection.choose_head(head)

    def open_step(self, step: str | None, cell: Position | None = None) -> None:
        """Open a step and select a cell of it.

        Parameters
        ----------
        step : str or None
            The step; None for the current one.
        cell : tuple of two int or None
            Row and column; None keeps the selection.

        Raises
        ------
        ValueError
            If there is no such step or cell.
        """
        trace = self.engine.current.trace
        step = self.selection.step if step is None else step
        check_name("step", step, trace)
        if cell is not None:
            rows, columns = trace.shape(step)[-2:]
            if not (0 <= cell[0] < rows and 0 <= cell[1] < columns):
                raise ValueError(
                    f"The 'cell' must lie inside {step} ({rows}, {columns}). "
                    f"Got {cell[0]},{cell[1]} instead."
                )
        # At once: views would follow the cell that was selected before, too.
        if cell is None:
            self.selection.choose_step(step)
        else:
            self.selection.choose_cell(step, cell)

    @property
    def link(self) -> "Link | None":
        """The document's link to the open model; None if it is not from it."""
        return self.model.link_of(self._document)

    @property
    def location(self) -> str:
        """The layer or head in short: ``L3``, ``L3 H1``; "" without a model."""
        return "" if self.link is None else self.link.name

    def head_location(self, head: int) -> HeadLocation:
        """Return the place of a query head, in the open model if it is from there.

        Parameters
        ----------
        head : int
            Its number in the document, which may hold a single head of a model.
        """
        link = self.link
        if link is None:
            return HeadLocation(None, head)
        return HeadLocation(link.layer, head if link.head is None else link.head)

    @property
    def chosen_head(self) -> HeadLocation | None:
        """The chosen head of the open model; None if the document is not from it."""
        if self.link is None:
            return None
        return self.head_location(self.selection.head)

    def close(self) -> None:
        """Stop computing, and drop the undo stacks."""
        self.ablation.close()
        self.layer_maps.close()
        self.head_report.close()
        self.model.close()
        self.sensitivity.close()
        self.filler.close()
        self.engine.close()
        self.baseline.close()
        self.doctor.close()
        self.edits.close()

    @Slot(object)
    def _keep_selection_inside(self, computed: Computed) -> None:
        last_head = computed.trace.spec.n_heads - 1
        self.selection.choose_head(min(self.selection.head, last_head))
        before, self._labels = self._labels, computed.labels
        if before is not None and before != computed.labels:
            self._follow_tokens(before, computed.labels)
        self.selection.refit()
        self._keep_marks_inside(self.selection.step)

    def _follow_tokens(self, before: Labels, after: Labels) -> None:
        axes = self._marked_axes  # of the step before the edit
        if self.selection.step in self.engine.current.trace:
            self.selection.follow(Moves.between(before, after, axes))

    def _axes(self, step: str) -> tuple[Axis, Axis]:
        return self.engine.current.trace.stages[step].axes

    @Slot(str)
    def _keep_marks_inside(self, step: str) -> None:
        """Drop marks on rows and columns that now stand for something else."""
        trace, marked = self.engine.current.trace, self.selection.marked
        axes, before = self._axes(step), self._marked_axes
        self._marked_axes = axes
        n_rows, n_columns = trace.matrix_shape(step)
        same = axes == before
        inside = marked.within((n_rows, n_columns)) if same else Marked()
        self.selection.mark(inside)

    def _fit(self, step: str, cell: Position | None) -> tuple[str, Position | None]:
        trace = self.engine.current.trace
        step = step if step in trace else STEP_OF_ALL
        if cell is None:
            return step, None
        rows, columns = trace.matrix_shape(step)
        return step, (min(cell[0], rows - 1), min(cell[1], columns - 1))

    def _carry(
        self, origin: str, cell: Position, step: str, head: int
    ) -> tuple[int, Position]:
        trace = self.engine.current.trace
        if origin not in trace or step not in trace:
            return head, cell
        return carried_cell(trace, origin, cell, step, head)

    def _select_something(self) -> None:
        first, trace = self._document.first_cell, self.engine.current.trace
        if first is not None:
            self.selection.choose_head(min(first.head, trace.spec.n_heads - 1))
            self.selection.choose_cell(STEP_OF_ALL, (first.query, first.key))
            return
        self.select_telling_cell()
