"""The training panel, whose content is made when it is first seen."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFocusEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.training import Trainer, TrainingChoices
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.text.numbers import significant_number
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel

# Loaded when it is first seen: pyqtgraph alone takes longer than the window.
if TYPE_CHECKING:
    from attnviewer.ui.views.training.content import TrainingContent

DIGITS = 3


class TrainingPanel(QWidget):
    """Trains matrices of the open document, and shows the progress.

    Parameters
    ----------
    workbench : Workbench
        The open document.
    trainer : Trainer
        Its run.
    appearance : Appearance
        The theme in force.
    parent : QWidget, optional
        The Qt parent.

    Attributes
    ----------
    heading : QWidget
        The step that is shown and its loss, in one line.
    export_wanted : Signal
        The library of the program that the user wants of the run, and whether it
        shall be a notebook.
    """

    export_wanted = Signal(str, bool)

    def __init__(
        self,
        workbench: Workbench,
        trainer: Trainer,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("training")
        self._workbench, self._trainer = workbench, trainer
        self._appearance = appearance
        self._content: TrainingContent | None = None
        self._first: TrainingChoices | None = None
        self._summary = ElidedLabel("training.summary")
        self._summary.setProperty("muted", False)
        title = QLabel(self.tr("Training"))
        self.heading = heading_row(title, self._summary, self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.heading)
        trainer.changed.connect(self._show_summary)

    def offer(self, choices: TrainingChoices) -> None:
        """Show choices that a document begins with, ready to be played."""
        self._first = choices
        if self._content is not None:
            self._content.offer(choices)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._content is None:
            from attnviewer.ui.views.training.content import TrainingContent

            self._content = TrainingContent(
                self._workbench, self._trainer, self._appearance, self
            )
            self._content.export_wanted.connect(self.export_wanted)
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self._content)
            if self._first is not None:
                self._content.offer(self._first)

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        if self._content is not None:
            self._content.play_button.setFocus(event.reason())

    @Slot()
    def _show_summary(self) -> None:
        run = self._trainer.run
        if run is None or run.index is None:
            document = self._workbench.document
            record = document.training
            self._summary.setText(record.words(document.matrices) if record else "")
            return
        self._summary.setText(
            self.tr("step {index}, loss {loss}").format(
                index=run.index,
                loss=significant_number(run.state.losses[run.index], DIGITS),
            )
        )
