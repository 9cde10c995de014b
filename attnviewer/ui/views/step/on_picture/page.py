"""The page on which attention lies over a picture, or why it cannot."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from attnviewer.compute import Combination
from attnviewer.ui.paint.step_content import DisplayedStep
from attnviewer.ui.state.looks.look import AUTOMATIC
from attnviewer.ui.state.selection import Position
from attnviewer.ui.state.workbench import STEP_OF_ALL, Workbench
from attnviewer.ui.text.step_titles import step_title
from attnviewer.ui.views.step.on_picture.content import grid_content
from attnviewer.ui.views.step.on_picture.picture import GridPicture
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.token_grid_dialog import TokenGridDialog

_HEADS: tuple[Combination | None, ...] = (None, "mean", "max")
_MARGIN = 16


class OnPicturePage(QStackedWidget):
    """Shows what the chosen token attends to on the grid of tokens.

    Attributes
    ----------
    painted : Signal
        What is in sight has been painted.
    """

    painted = Signal()

    def __init__(self, workbench: Workbench, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("step.on_picture")
        self.setAccessibleName(self.tr("On the picture"))
        self._workbench = workbench
        self._shown: DisplayedStep | None = None
        self._cell: Position | None = None
        self.heads = ChoiceBox(self, self.tr("Heads"))
        self.heads.setObjectName("step.on_picture.heads")
        self.heads.addItems(
            [
                self.tr("the chosen head"),
                self.tr("mean of all heads"),
                self.tr("maximum of all heads"),
            ]
        )
        self.smooth = QCheckBox(self.tr("S&moothed"), self)
        self.smooth.setObjectName("step.on_picture.smooth")
        self.smooth.setToolTip(self.tr("numbers are interpolated between patches"))
        self.beneath = QCheckBox(self.tr("Picture &beneath"), self)
        self.beneath.setObjectName("step.on_picture.beneath")
        self.beneath.setChecked(True)
        self.fit = QCheckBox(self.tr("F&it colours"), self)
        self.fit.setObjectName("step.on_picture.fit")
        self.fit.setToolTip(
            self.tr(
                "colours end at the largest number on the grid; without it, they are "
                "those of the heatmap"
            )
        )
        self.fit.setChecked(True)
        self.reading = ElidedLabel(
            "step.on_picture.reading", Qt.TextElideMode.ElideRight
        )
        self.grid = GridPicture(self)
        self.none = EmptyState("on_picture", self)
        self.addWidget(self._page())
        self.addWidget(self.none)
        self.heads.currentIndexChanged.connect(self._refresh)
        self.smooth.toggled.connect(self._refresh)
        self.beneath.toggled.connect(self._refresh)
        self.fit.toggled.connect(self._refresh)
        self.grid.asked.connect(self._on_asked)
        self.grid.hovered.connect(self._on_hovered)
        self.grid.painted.connect(self.painted)
        self.none.painted.connect(self.painted)
        self.none.button.clicked.connect(self._remedy)

    @property
    def combination(self) -> Combination | None:
        """The way in which heads are combined; None for the chosen one alone."""
        several = not self.heads.isHidden()
        return _HEADS[self.heads.currentIndex()] if several else None

    def show_step(self, shown: DisplayedStep) -> None:
        """Show a step, whose rows are those of the chosen token."""
        self._shown = shown
        self._refresh()

    def forget(self) -> None:
        """Let go of the numbers; the choices stay."""
        self._shown = None
        self.grid.forget()

    def choose(self, cell: Position | None) -> None:
        """Ask from the query of the selected cell."""
        self._cell = cell
        self._refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        shown = self.grid if self.currentIndex() == 0 else self.none.button
        shown.setFocus(event.reason())

    def _page(self) -> QWidget:
        page = QWidget(self)
        controls = QHBoxLayout()
        controls.setContentsMargins(_MARGIN, 4, _MARGIN, 0)
        controls.setSpacing(_MARGIN)
        controls.addWidget(self.heads)
        controls.addWidget(self.fit)
        controls.addWidget(self.smooth)
        controls.addWidget(self.beneath)
        controls.addWidget(self.reading, 1)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(controls)
        column.addWidget(self.grid, 1)
        return page

    @Slot()
    def _refresh(self) -> None:
        shown = self._shown
        if shown is None:  # out of sight
            return
        reason, remedy = self._why_none(shown)
        if reason:
            self.none.say(reason, remedy)
            self.setCurrentWidget(self.none)
            return
        self.setCurrentIndex(0)
        trace, step = shown.computed.trace, shown.step
        self.heads.setVisible(trace.n_heads(step) > 1)
        content = grid_content(shown, self._query(shown), self.combination)
        fits = self.fit.isChecked() and shown.look == AUTOMATIC
        self.fit.setEnabled(shown.look == AUTOMATIC)
        if fits:
            content = content.fitted()
        self.beneath.setVisible(content.grid.image is not None)
        self.grid.show_content(
            content,
            smooth=self.smooth.isChecked(),
            with_image=self.beneath.isChecked(),
        )
        self._read(None)

    def _why_none(self, shown: DisplayedStep) -> tuple[str, str]:
        """Return why there is nothing to see, and what can be done; "" if there is."""
        trace, labels = shown.computed.trace, shown.computed.labels
        if trace.spec.context:
            return self.tr("The keys are a second sequence, which has no grid."), ""
        grid = labels.grid
        if grid is None or grid.n_tokens != len(labels.keys):
            return (
                self.tr(
                    "The tokens do not lie on a grid. Where they are the patches of a "
                    "picture, row by row, say how many rows and columns there are."
                ),
                self.tr("Declare a &grid…"),
            )
        if trace.stages[shown.step].axes != ("queries", "keys"):
            return (
                self.tr(
                    "“{step}” does not have a number for each query and key. Choose a "
                    "step that does, such as the attention weights."
                ).format(step=step_title(shown.step)),
                self.tr("Open the attention &weights"),
            )
        return "", ""

    def _query(self, shown: DisplayedStep) -> int:
        row = 0 if self._cell is None else self._cell[0]
        return min(row, len(shown.computed.labels.queries) - 1)

    @Slot()
    def _remedy(self) -> None:
        assert self._shown is not None
        if self._shown.computed.labels.grid is None:
            TokenGridDialog(self._workbench.edits, self.window()).open()
        else:
            self._workbench.selection.choose_step(STEP_OF_ALL)

    @Slot(int)
    def _on_asked(self, token: int) -> None:
        column = token if self._cell is None else self._cell[1]
        self._workbench.selection.choose_here((token, column))
        # The pointer stays, and is now at a number of another query.
        self._on_hovered(self.grid.pointed)

    @Slot(object)
    def _on_hovered(self, token: int | None) -> None:
        content, selection = self.grid.content, self._workbench.selection
        cell = None if token is None or content is None else (content.query, token)
        # Of several heads no cell of the step has the number.
        if self.combination is None:
            selection.hover(selection.step, cell)
        self._read(token)

    def _read(self, token: int | None) -> None:
        """Say the number of a token."""
        content = self.grid.content
        if token is None or content is None:
            name = "" if content is None else content.labels[content.query]
            self.reading.setText(self.tr("from {token}").format(token=name))
            return
        self.reading.setText(self.grid.reading(token))
