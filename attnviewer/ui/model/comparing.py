"""The second sentence, which the open model is compared over."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QMainWindow, QToolBar, QToolButton

from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.tokens import how_many_tokens
from attnviewer.ui.views.step import StepView


class ComparingBar(QToolBar):
    """Asks for another sentence and has both shown side by side.

    Out of sight until its button is pressed, and while what is open is from no model.
    The other sentence goes with it.

    Attributes
    ----------
    toggle : QToolButton
        Its button, for the model's own bar.
    """

    def __init__(
        self, workbench: Workbench, step_view: StepView, window: QMainWindow
    ) -> None:
        super().__init__(window)
        self._workbench, self._model = workbench, workbench.model
        self._step_view = step_view
        self._wanted = False
        self._asked = self._shown = ""
        self._view_before = ""
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
        self.leave = QToolButton(self)
        self.leave.setObjectName("model.other.end")
        self.leave.setText("✕")
        self.leave.setAccessibleName(self.tr("End the comparison"))
        self.leave.setToolTip(self.leave.accessibleName())
        for widget in (caption, self.line, self.count, self.leave):
            self.addWidget(widget)
        self.toggle.clicked.connect(self._on_toggled)
        self.leave.clicked.connect(self.end)
        self.line.left.connect(self.end)
        self.line.returnPressed.connect(self._on_entered)
        self._model.changed.connect(self._follow)
        self._model.refused.connect(self._give_up)
        self._model.sentence_refused.connect(self._give_up)
        self._model.cancelled.connect(self._give_up)
        workbench.opened.connect(self._come_or_go)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        # The window restores its bars as they once were, with or without a model.
        super().setVisible(visible and self._wanted and self._is_of_model())

    @Slot()
    def end(self) -> None:
        """Compare with no other sentence, and show what was shown before."""
        if self._model.other or self._asked:
            self._model.compare("", stays=self._is_of_model())
        self._go()
        self.toggle.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(bool)
    def _on_toggled(self, checked: bool) -> None:
        if not checked:
            self.end()
            return
        self._wanted = True
        # Most people change a word or two.
        self.line.setText(self._model.text)
        self.show()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _on_entered(self) -> None:
        sentence = self.line.text()
        if not sentence.strip():
            self.end()
            return
        self._asked = sentence
        self._model.compare(sentence, stays=self._is_of_model())

    @Slot()
    def _follow(self) -> None:
        """Show what the model is compared with now."""
        experiment, other = self._model.experiment, self._model.other
        if experiment is None or experiment.other is None:
            if self._shown:
                self._go()
            return
        self.count.setText(how_many_tokens(len(experiment.other.tokens)))
        if other != self._shown:  # or it would take away what is being typed
            self._shown = other
            self.line.setText(other)
        self._wanted = True
        self.toggle.setChecked(True)
        self._come_or_go()
        if self._asked == other:
            self._show_both()

    def _show_both(self) -> None:
        self._asked = ""
        if self._step_view.view != "difference":
            self._view_before = self._step_view.view
            self._step_view.set_view("difference")

    def _go(self) -> None:
        self._wanted = False
        self._asked = self._shown = ""
        self.count.clear()
        self.toggle.setChecked(False)
        self.hide()
        if self._view_before and self._step_view.view == "difference":
            self._step_view.set_view(self._view_before)
        self._view_before = ""

    @Slot()
    def _give_up(self) -> None:
        """Wait for no sentence any more; it stays in its line."""
        self._asked = ""

    @Slot()
    def _come_or_go(self) -> None:
        self.setVisible(True)

    def _is_of_model(self) -> bool:
        return self._workbench.link is not None


class _Line(QLineEdit):
    """A line that tells when it is left by Escape."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            event.accept()
            self.left.emit()
        else:
            super().keyPressEvent(event)
