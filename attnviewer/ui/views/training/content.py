"""The content of the training panel: the run above, and the choices below."""

from time import perf_counter

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QMenu,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import Document
from attnviewer.document.text.blocks import MOST_COPIED, block_text
from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.training import Trainer, TrainingChoices
from attnviewer.ui.state.training.run import Run
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.training.curve import LossCurve
from attnviewer.ui.views.training.form import TrainingForm
from attnviewer.ui.views.training.norms import NormBars
from attnviewer.ui.views.training.refusals import in_panel_words
from attnviewer.ui.views.training.texts import summary
from attnviewer.ui.views.training.transport import TrainingTransport
from attnviewer.ui.widgets.actions import ActionRow, fill_menu
from attnviewer.ui.widgets.pending_input import commit_pending_input
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll

LIVE_SECONDS = 0.1
"""The interval at which the curve is drawn while a run plays."""


class TrainingContent(VerticalScroll):
    """The run and its choices.

    Attributes
    ----------
    play_button : QToolButton
        Plays and pauses.
    export_wanted : Signal
        See `TrainingPanel`.
    """

    export_wanted = Signal(str, bool)

    def __init__(
        self,
        workbench: Workbench,
        trainer: Trainer,
        appearance: Appearance,
        parent: QWidget,
    ) -> None:
        super().__init__("training.scroll", parent)
        self._workbench, self._trainer = workbench, trainer
        self._appearance = appearance
        self._shown: Run | None = None
        self._refusal = ""
        self._drawn_at = 0.0
        inside = QWidget(self)
        inside.setObjectName("training.content")
        self._sentence = QLabel(inside)
        self._sentence.setObjectName("training.sentence")
        self._sentence.setWordWrap(True)
        self._transport = TrainingTransport(inside)
        self.play_button = self._transport.play
        self._curve = LossCurve(inside)
        self._log = QCheckBox(self.tr("log scale"), inside)
        self._log.setObjectName("training.log")
        self._log.setChecked(True)
        self._norms = NormBars(inside)
        self._remark = ReasonLabel("training.remark", inside)
        self._more = QToolButton(inside)
        self._more.setObjectName("training.more")
        self._more.setText(self.tr("Choices"))
        self._more.setCheckable(True)
        self._more.setChecked(True)
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._export = self._export_button(inside)
        self._form = TrainingForm(inside)
        self._lay_out(inside)
        self._connect()
        self._form.show_choices(TrainingChoices(), self._document)
        self._show_theme()
        self._show()

    @property
    def _document(self) -> Document:
        return self._workbench.document

    def offer(self, choices: TrainingChoices) -> None:
        """Show choices with the form collapsed, ready to be played."""
        self._refusal = ""
        self._form.show_choices(choices, self._document)
        self._more.setChecked(False)
        self._show()

    def minimumSizeHint(self) -> QSize:
        # The buttons of the run cannot be scrolled to.
        hint, content = super().minimumSizeHint(), self.widget()
        if content is not None:
            beside = self.verticalScrollBar().sizeHint().width()
            hint.setWidth(content.minimumSizeHint().width() + beside)
        return hint

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Buttons and boxes handle the key themselves; the slider does not.
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            self._toggle()
        else:
            super().keyPressEvent(event)

    def _connect(self) -> None:
        trainer, transport = self._trainer, self._transport
        trainer.changed.connect(self._show)
        trainer.refused.connect(self._refuse)
        transport.toggled.connect(self._toggle)
        transport.stepped.connect(self._step)
        transport.ended.connect(self._run_to_end)
        transport.renewed.connect(self._renew)
        transport.moved.connect(trainer.go)
        self._form.pace.activated.connect(self._choose_rate)
        self._form.changed.connect(self._on_form)
        self._form.target_wanted.connect(self._take_target)
        self._log.toggled.connect(self._choose_log)
        self._more.toggled.connect(self._show_form)
        self._workbench.engine.computed.connect(self._follow_document)
        self._workbench.opened.connect(self._on_opened)
        self._appearance.changed.connect(self._show_theme)
        self._show_form(True)

    def _choices(self) -> TrainingChoices | None:
        """Return what is chosen; None, with the reason shown, if it cannot be read."""
        commit_pending_input()
        try:
            choices = self._form.choices()
        except ValueError as error:
            self._refuse(str(error))
            return None
        self._refusal = ""
        return choices

    @Slot()
    def _toggle(self) -> None:
        if self._trainer.playing:
            self._trainer.pause()
        else:
            self._play(self._form.pace.rate)

    @Slot()
    def _run_to_end(self) -> None:
        self._play(None)

    def _play(self, rate: float | None) -> None:
        choices = self._choices()
        if choices is not None:
            self._trainer.play(choices, rate)

    @Slot()
    def _step(self) -> None:
        choices = self._choices()
        if choices is not None:
            self._trainer.step(choices)

    @Slot()
    def _renew(self) -> None:
        choices = self._choices()
        if choices is not None:
            self._trainer.restart(choices)

    @Slot()
    def _choose_rate(self) -> None:
        self._trainer.set_rate(self._form.pace.rate)

    @Slot(bool)
    def _choose_log(self, log: bool) -> None:
        self._curve.choose_log(log=log)

    @Slot(bool)
    def _show_form(self, shown: bool) -> None:
        arrow = Qt.ArrowType.DownArrow if shown else Qt.ArrowType.RightArrow
        self._more.setArrowType(arrow)
        self._form.setVisible(shown)

    @Slot(str)
    def _refuse(self, reason: str) -> None:
        self._refusal = in_panel_words(reason)
        self._show()

    @Slot()
    def _on_form(self) -> None:
        self._refusal = ""
        self._form.show_document(self._document)
        self._show()

    @Slot(str)
    def _take_target(self, step: str) -> None:
        self._workbench.engine.catch_up()
        if step in self._workbench.engine.current.withheld:
            self._refuse(self._workbench.withheld_reason)
            return
        numbers = self._workbench.engine.current.trace[step]  # ([h,] n, columns)
        if numbers.size > MOST_COPIED:
            self._refuse(
                self.tr(
                    "{step} has {count:,} cells; at most {most:,} can be shown."
                ).format(step=step, count=numbers.size, most=MOST_COPIED)
            )
            return
        self._form.show_target(block_text(numbers.reshape(-1, numbers.shape[-1])))

    @Slot()
    def _follow_document(self) -> None:
        self._form.show_document(self._document)

    @Slot()
    def _on_opened(self) -> None:
        run = self._trainer.run
        self._refusal = ""
        if run is not None:
            self._form.show_choices(run.choices, self._document)
        else:
            self._form.show_document(self._document)
        self._show()

    @Slot()
    def _show_theme(self) -> None:
        theme = self._appearance.theme
        self._curve.show_theme(theme)
        self._norms.show_norms(self._norms.norms, theme)

    @Slot()
    def _show(self) -> None:
        trainer, run = self._trainer, self._trainer.run
        if run is not self._shown:
            self._shown = run
            self._norms.forget()
        busy = trainer.playing or trainer.starting
        self._transport.show_playing(playing=busy)
        self._transport.show_place(*(run.index, run.steps) if run else (None, 0))
        self._export.setEnabled(run is not None)
        if run is not None:
            state = run.state
            index = state.index if run.index is None else run.index
            if not busy or perf_counter() - self._drawn_at > LIVE_SECONDS:
                self._drawn_at = perf_counter()
                self._curve.show_losses(state.losses, index, run.steps)
            self._norms.show_norms(state.norms, self._appearance.theme)
        else:
            self._curve.show_losses((), 0, 0)
            self._norms.show_norms({}, self._appearance.theme)
        self._norms.setVisible(bool(self._norms.norms))
        self._say(run)

    def _say(self, run: Run | None) -> None:
        """Show what is trained, with errors and warnings."""
        try:
            choices = self._form.choices()
        except ValueError as error:
            self._remark.say(str(error))
            return
        self._sentence.setText(summary(choices))
        if self._refusal:
            self._remark.say(self._refusal)
        elif run is not None and run.index is None:
            self._remark.say(
                self.tr(
                    "The document was changed after step {index}. Play trains on from "
                    "its present numbers, as a new run."
                ).format(index=run.state.index),
                error=False,
            )
        elif run is not None and run.choices != choices:
            self._remark.say(
                self.tr("Play begins a new run, from the present numbers."),
                error=False,
            )
        else:
            advice = () if run is None else run.advice
            stopped = any(each.kind == "diverged" for each in advice)
            text = "\n".join(each.message for each in advice)
            self._remark.say(text, error=stopped)

    def _export_button(self, parent: QWidget) -> QToolButton:
        button = QToolButton(parent)
        button.setObjectName("training.export")
        button.setText(self.tr("Export the run"))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(button)
        rows = [
            (self.tr("NumPy script…"), ("numpy", False)),
            (self.tr("NumPy notebook…"), ("numpy", True)),
            (self.tr("PyTorch script…"), ("torch", False)),
            (self.tr("PyTorch notebook…"), ("torch", True)),
        ]
        fill_menu(
            menu,
            [
                ActionRow(
                    f"training.export.{library}.{'notebook' if notebook else 'script'}",
                    text,
                    self._want_export,
                    data=(library, notebook),
                )
                for text, (library, notebook) in rows
            ],
        )
        button.setMenu(menu)
        return button

    def _want_export(self, wanted: tuple[str, bool]) -> None:
        self.export_wanted.emit(*wanted)

    def _lay_out(self, inside: QWidget) -> None:
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(12, 8, 12, 12)
        layout.setSpacing(8)
        layout.addWidget(self._sentence)
        layout.addWidget(self._transport)
        layout.addWidget(self._remark)
        above = QHBoxLayout()
        title = QLabel(self.tr("Loss"), inside)
        title.setProperty("heading", True)
        above.addWidget(title)
        above.addStretch(1)
        above.addWidget(self._log)
        layout.addLayout(above)
        layout.addWidget(self._curve, 1)
        layout.addWidget(self._norms)
        below = QHBoxLayout()
        below.addWidget(self._more)
        below.addStretch(1)
        below.addWidget(self._export)
        layout.addLayout(below)
        layout.addWidget(self._form)
        self.setWidget(inside)
