"""The second sentence, to compare the open model over."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMainWindow, QToolButton

from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.presentable_bar import PresentableBar
from attnviewer.ui.widgets.symbol_button import symbol_button


class ComparingBar(PresentableBar):
    """Asks for another sentence and shows both side by side.

    Hidden until its button is pressed, and while the document is from no model. Closing
    it ends the comparison.

    Attributes
    ----------
    toggle : QToolButton
        Its button, for the model's bar.
    """

    def __init__(
        self, workbench: Workbench, step_view: StepView, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._workbench, self._model = workbench, workbench.model
        self._step_view = step_view
        self._wanted = False
        self._requested = self._shown = ""
        self._previous_view = ""
        self.setWindowTitle(self.tr("Compare with"))
        self.setObjectName("model.comparing")
        self.setMovable(False)
        self.toggle = QToolButton(self)
        self.toggle.setObjectName("model.compare")
        self.toggle.setText(self.tr("Compare…"))
        self.toggle.setAccessibleName(self.tr("Compare with another sentence"))
        self.toggle.setToolTip(self.tr("Show the same head over another sentence"))
        self.toggle.setCheckable(True)
        caption = QLabel(self.tr("Compare with"), self)
        caption.setProperty("muted", True)
        self.line = _Line(self)
        self.line.setObjectName("model.other")
        self.line.setAccessibleName(self.tr("Compare with"))
        self.line.setToolTip(self.tr("Enter runs the model over it, Escape ends it"))
        caption.setBuddy(self.line)
        self.count = QLabel(self)
        self.count.setObjectName("model.other.count")
        self.count.setProperty("muted", True)
        title = self.tr("End the comparison")
        self.leave = symbol_button("model.other.end", "✕", title, self)
        for widget in (caption, self.line, self.count, self.leave):
            self.addWidget(widget)
        self.toggle.clicked.connect(self._on_toggled)
        self.leave.clicked.connect(self.end)
        self.line.escaped.connect(self.end)
        self.line.returnPressed.connect(self._on_entered)
        self._model.changed.connect(self._follow)
        self._model.refused.connect(self._stop_waiting)
        self._model.sentence_refused.connect(self._stop_waiting)
        self._model.cancelled.connect(self._stop_waiting)
        workbench.opened.connect(self._update_visibility)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        # restoreState() would show the bar even without a model.
        super().setVisible(visible and self._wanted and self._is_of_model())

    @Slot()
    def end(self) -> None:
        """End the comparison, and go back to the previous view."""
        if self._model.other or self._requested:
            self._model.compare("", stays=self._is_of_model())
        self._hide()
        self.toggle.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(bool)
    def _on_toggled(self, checked: bool) -> None:
        if not checked:
            self.end()
            return
        self._wanted = True
        # Prefilled, as most comparisons change a word or two.
        self.line.setText(self._model.text)
        self.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_entered(self) -> None:
        sentence = self.line.text()
        if not sentence.strip():
            self.end()
            return
        self._requested = sentence
        self._model.compare(sentence, stays=self._is_of_model())

    @Slot()
    def _follow(self) -> None:
        """Show the sentence that the model is compared over."""
        experiment, other = self._model.experiment, self._model.other
        if experiment is None or experiment.other is None:
            if self._shown:
                self._hide()
            return
        self.count.setText(how_many_tokens(len(experiment.other.tokens)))
        if other != self._shown:  # do not overwrite what is being typed
            self._shown = other
            self.line.setText(other)
        self._wanted = True
        self.toggle.setChecked(True)
        self._update_visibility()
        if self._requested == other:
            self._show_both()

    def _show_both(self) -> None:
        self._requested = ""
        if self._step_view.view != "difference":
            self._previous_view = self._step_view.view
            self._step_view.set_view("difference")

    def _hide(self) -> None:
        self._wanted = False
        self._requested = self._shown = ""
        self.count.clear()
        self.toggle.setChecked(False)
        self.hide()
        if self._previous_view and self._step_view.view == "difference":
            self._step_view.set_view(self._previous_view)
        self._previous_view = ""

    @Slot()
    def _stop_waiting(self) -> None:
        """Stop waiting for the sentence, which stays in the line."""
        self._requested = ""

    def _is_of_model(self) -> bool:
        return self._workbench.link is not None


class _Line(QLineEdit):
    """A line edit with a signal for Escape."""

    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
