"""The form in which a training run is chosen."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import MASK, Document
from attnviewer.ui.state.training.choices import (
    MATCHED,
    WITH_READOUT,
    TrainingChoices,
)
from attnviewer.ui.views.training.matrix_boxes import MatrixBoxes
from attnviewer.ui.views.training.number_lines import NumberLines
from attnviewer.ui.views.training.pace_box import PaceBox
from attnviewer.ui.views.training.texts import LOSSES, OPTIMIZERS, TASKS, words
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.forms import plain_form
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.tab_order import chain_tabs
from attnviewer.ui.widgets.wheel_filter import WheelFilter

READOUT = "readout"
MOST_STEPS, MOST_SEQUENCES, MOST_SEED = 100_000, 4096, 2**31 - 1
TARGET_LINES = 5
"""The height of the field of a target."""


class TrainingForm(QWidget):
    """The form of the choices for a training run.

    Attributes
    ----------
    pace : PaceBox
        How fast the run is played.
    changed : Signal
        The user has chosen something else.
    target_wanted : Signal
        The step whose present numbers the user wants as the target.
    """

    changed = Signal()
    target_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("training.form")
        self._shown: tuple[object, ...] = ()
        self._form = form = plain_form(self)
        # Created in the order of the form, which Tab follows.
        self._task = self._choice("task", self.tr("Task"), TASKS)
        self._target = self._target_field()
        self._loss = self._choice("loss", self.tr("Loss"), LOSSES)
        self._free = MatrixBoxes(self)
        form.addRow(self.tr("Train"), self._free)
        self._optimizer = self._choice("optimizer", self.tr("Optimiser"), OPTIMIZERS)
        self._numbers = NumberLines(form, self)
        self._steps = self._count("steps", self.tr("Steps"), 1, MOST_STEPS)
        self._batch = self._count("batch", self.tr("Sequences"), 0, MOST_SEQUENCES)
        self._batch.setSpecialValueText(self.tr("the document’s"))
        self._batch.setSuffix(self.tr(" random per step"))
        self._batch.setToolTip(
            self.tr(
                "0 trains on the document’s own tokens; other numbers draw as many new "
                "random sequences of the same tokens in each step"
            )
        )
        self._seed = self._count("seed", self.tr("Seed"), 0, MOST_SEED)
        self._seed.setToolTip(self.tr("The seed of the random numbers"))
        self.pace = PaceBox(self)
        form.addRow(self.tr("Pace"), self.pace)
        self._task.activated.connect(self._on_task)
        self._optimizer.activated.connect(self._on_optimizer)
        self._free.changed.connect(self.changed)
        self._numbers.changed.connect(self.changed)
        self._loss.activated.connect(self.changed)
        for box in (self._steps, self._batch, self._seed):
            box.valueChanged.connect(self.changed)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def choices(self) -> TrainingChoices:
        """Return what is chosen.

        Raises
        ------
        ValueError
            With the reason, if nothing is trained or a number cannot be read.
        """
        task = self._task.currentData()
        if not self._free.checked:
            raise ValueError(self.tr("Check at least one matrix that is trained."))
        return TrainingChoices(
            task,
            self._loss.currentData(),
            self._target.toPlainText() if task in MATCHED else "",
            self._free.checked,
            self._optimizer.currentData(),
            self._numbers.rate,
            self._numbers.options,
            self._steps.value(),
            self._seed.value(),
            self._batch.value() or None,
        )

    def show_choices(self, choices: TrainingChoices, document: Document) -> None:
        """Show choices, without a signal."""
        blocked = self.blockSignals(True)
        self._task.setCurrentIndex(self._task.findData(choices.task))
        self._loss.setCurrentIndex(self._loss.findData(choices.loss))
        self._target.setPlainText(choices.target)
        self.show_document(document)
        self._free.check(choices.free)
        self._optimizer.setCurrentIndex(self._optimizer.findData(choices.optimizer))
        self._numbers.show_choices(choices)
        self._steps.setValue(choices.steps)
        self._seed.setValue(choices.seed)
        self._batch.setValue(choices.batch or 0)
        self.blockSignals(blocked)

    def show_document(self, document: Document) -> None:
        """Offer the matrices of a document."""
        task = self._task.currentData()
        if (task, document.spec.input_names) == self._shown:
            return
        self._shown = task, document.spec.input_names
        names = [name for name in document.spec.input_names if name != MASK]
        self._free.offer([*names, READOUT] if task == WITH_READOUT else names)
        chain_tabs([self._loss, *self._free.boxes])
        self._form.setRowVisible(self._around_target, task in MATCHED)
        self._form.setRowVisible(self._loss, task != WITH_READOUT)

    def show_target(self, text: str) -> None:
        """Show other numbers as the target."""
        self._target.setPlainText(text)

    @Slot()
    def _on_task(self) -> None:
        # Numbers may be below 0; a pattern is a distribution.
        loss = "mse" if self._task.currentData() in MATCHED else "cross_entropy"
        self._loss.setCurrentIndex(self._loss.findData(loss))
        self.changed.emit()

    @Slot()
    def _on_optimizer(self) -> None:
        self._numbers.show_optimizer(self._optimizer.currentData())
        self.changed.emit()

    @Slot()
    def _want_target(self) -> None:
        self.target_wanted.emit(MATCHED[self._task.currentData()])

    def _fit(self) -> None:
        """Give the target its lines in the present font."""
        self._target.setFixedHeight(TARGET_LINES * self.fontMetrics().lineSpacing())

    def _target_field(self) -> QPlainTextEdit:
        self._around_target = QWidget(self)
        field = QPlainTextEdit(self._around_target)
        field.setObjectName("training.target")
        field.setAccessibleName(self.tr("Target"))
        field.setPlaceholderText(self.tr("A row of numbers in each line"))
        field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        field.setTabChangesFocus(True)
        field.textChanged.connect(self.changed)
        take = QPushButton(self.tr("The present numbers"), self._around_target)
        take.setObjectName("training.present")
        take.setToolTip(self.tr("Write down the numbers of the step as they are now"))
        take.clicked.connect(self._want_target)
        column = QVBoxLayout(self._around_target)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(field)
        row = QHBoxLayout()
        row.addWidget(take)
        row.addStretch(1)
        column.addLayout(row)
        self._form.addRow(self.tr("Target"), self._around_target)
        return field

    def _choice(self, name: str, title: str, table: Mapping[str, object]) -> ChoiceBox:
        box = ChoiceBox(self)
        box.setObjectName(f"training.{name}")
        box.setAccessibleName(title)
        box.setToolTip(title)
        for each in table:
            box.addItem(words(table, each), each)
        self._form.addRow(title, box)
        return box

    def _count(self, name: str, title: str, least: int, most: int) -> QSpinBox:
        box = number_field(self)
        box.setObjectName(f"training.{name}")
        box.setAccessibleName(title)
        box.setRange(least, most)
        box.setKeyboardTracking(False)
        WheelFilter(box)
        self._form.addRow(title, box)
        # As wide as the column, whatever its texts.
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return box
