"""The toolbar of the open model: layer, head, sentence, and head commands."""

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QMainWindow

from attnviewer.ui.model.commands import ModelCommands
from attnviewer.ui.model.controls import ModelControls
from attnviewer.ui.paint.fonts import usual_line
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.presentable_bar import PresentableBar
from attnviewer.ui.widgets.reason import ReasonBubble
from attnviewer.ui.widgets.tab_order import chain_tabs

LEAST_SENTENCE = 18
"""Width that a sentence needs beside other bars, in line heights."""


class ModelBar(PresentableBar):
    """Shows and sets layer and head, while the document belongs to the model.

    Its controls are made when there is first a model: most windows open none.

    Attributes
    ----------
    filled : Signal
        The controls have been made.
    """

    filled = Signal()

    def __init__(
        self,
        workbench: Workbench,
        commands: ModelCommands,
        reason: ReasonBubble,
        notice: NoticeBar,
        window: QMainWindow,
    ) -> None:
        super().__init__(window)
        self._workbench, self._model = workbench, workbench.model
        self._notice = notice
        self._make = partial(ModelControls, workbench, commands, reason, self)
        self._controls: ModelControls | None = None
        self._has_location = True
        self.setWindowTitle(self.tr("Model"))
        self.setObjectName("model.bar")
        self.setMovable(False)
        self._model.changed.connect(self._show)
        self._model.sentence_refused.connect(self._on_refused)
        workbench.opened.connect(self._show)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        # restoreState() would show the bar even without a model.
        super().setVisible(visible and self._is_of_model())

    def show_location(self, *, shown: bool) -> None:
        """Show the boxes of layer and head, or leave them to another control."""
        self._has_location = shown
        if self._controls is not None:
            self._controls.show_location(shown=shown)
        self.fit()

    def edit_sentence(self) -> None:
        """Put the focus into the sentence, all of which is replaced by typing."""
        if self._controls is not None:
            self._controls.sentence.setFocus(Qt.FocusReason.OtherFocusReason)
            self._controls.sentence.selectAll()

    def least_width(self) -> int:
        """Return the width with which the sentence can still be read."""
        controls = self._controls
        if controls is None:
            return self.sizeHint().width()
        for layout in (controls.layout(), self.layout()):
            assert layout is not None
            layout.invalidate()  # what comes and goes is noticed only later
        sentence = controls.sentence.sizeHint().width()
        others = self.sizeHint().width() - controls.sizeHint().width() - sentence
        least = LEAST_SENTENCE * usual_line(self.window().font())
        return others + controls.least_hint.width() + least

    def ask_for_width(self, width: int) -> None:
        """Ask for so much of a line that other bars share; 0 for no more than needed.

        The layout of a window stretches no toolbar that is not the last of its line.
        """
        if self._controls is not None:
            others = self.sizeHint().width() - self._controls.sizeHint().width()
            self._controls.ask_for_width(width - others)

    def fit(self) -> None:
        """Show captions and names as far as the window's width allows."""
        if self._controls is not None:
            self._controls.fit()

    def _is_of_model(self) -> bool:
        return self._workbench.link is not None

    @Slot()
    def _show(self) -> None:
        if self._model.experiment is None:
            return
        is_first = self._controls is None
        self._controls = controls = self._controls or self._fill()
        controls.show_model()
        self._update_visibility()
        if is_first:
            self.filled.emit()

    def _fill(self) -> ModelControls:
        """Make the controls, before what others have added to the bar."""
        controls, others = self._make(), self.actions()
        self.insertWidget(others[0], controls)
        chain_tabs([controls.last, *map(self.widgetForAction, others)])
        controls.show_location(shown=self._has_location)
        controls.fit()
        return controls

    @Slot(str, str)
    def _on_refused(self, reason: str, sentence: str) -> None:
        if self._controls is None or not self._controls.refuse(reason, sentence):
            self._notice.refuse(reason)
