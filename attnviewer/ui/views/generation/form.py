"""The form in which the user says how the next token is chosen."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QSpinBox, QWidget

from attnviewer.document import exact_text, parse_number
from attnviewer.ui.state.generation import GenerationChoices
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.forms import plain_form
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.wheel_filter import WheelFilter

MOST_TOKENS, MOST_SEED = 1_000_000, 2**31 - 1


class SamplingForm(QWidget):
    """Greedy or sampled; of sampling, the temperature, top-k, top-p and the seed.

    Attributes
    ----------
    changed : Signal
        The user has chosen something else.
    """

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("generation.form")
        self._form = form = plain_form(self)
        usual, title = GenerationChoices(), self.tr("Next token")
        self.way = ChoiceBox(self)
        self.way.setObjectName("generation.way")
        self.way.setAccessibleName(title)
        self.way.setToolTip(title)
        self.way.addItem(self.tr("the most probable (greedy)"), False)
        self.way.addItem(self.tr("sampled at random"), True)
        form.addRow(title, self.way)
        self.temperature = self._line(
            "temperature",
            self.tr("Temperature"),
            usual.temperature,
            self.tr(
                "Divides the logits: below 1, probable tokens are sampled more often"
            ),
        )
        self.top_k = self._count(
            "top_k",
            self.tr("Top-k"),
            MOST_TOKENS,
            self.tr("Samples from the k most probable tokens; 0 means all"),
        )
        self.top_k.setSpecialValueText(self.tr("all tokens"))
        self.top_p = self._line(
            "top_p",
            self.tr("Top-p"),
            usual.top_p,
            self.tr(
                "Samples from the smallest set of tokens whose probabilities add up to "
                "at least p"
            ),
        )
        self.seed = self._count(
            "seed",
            self.tr("Seed"),
            MOST_SEED,
            self.tr("A different seed samples different tokens"),
        )
        self.way.activated.connect(self._on_changed)
        for line in (self.temperature, self.top_p):
            line.textEdited.connect(self._on_changed)
        for box in (self.top_k, self.seed):
            box.valueChanged.connect(self._on_changed)
        self._show_rows()

    def choices(self) -> GenerationChoices:
        """Return what is chosen.

        Raises
        ------
        ValueError
            With the reason, if a number cannot be read or is out of its range.
        """
        if not self.way.currentData():
            return GenerationChoices()
        temperature = self._read(self.temperature)
        if temperature <= 0:
            self._refuse(self.temperature, self.tr("It must be above 0."))
        top_p = self._read(self.top_p)
        if not 0 < top_p <= 1:
            self._refuse(self.top_p, self.tr("It must be above 0 and at most 1."))
        return GenerationChoices(
            True, temperature, self.top_k.value(), top_p, self.seed.value()
        )

    def _read(self, line: QLineEdit) -> float:
        set_styled(line, "invalid", False)
        try:
            return parse_number(line.text())
        except ValueError as error:
            self._refuse(line, str(error))
            raise

    def _refuse(self, line: QLineEdit, reason: str) -> None:
        set_styled(line, "invalid", True)
        raise ValueError(f"{line.accessibleName()}: {reason}")

    @Slot()
    def _on_changed(self) -> None:
        self._show_rows()
        self.changed.emit()

    def _show_rows(self) -> None:
        sampled = bool(self.way.currentData())
        for field in (self.temperature, self.top_k, self.top_p, self.seed):
            self._form.setRowVisible(field, sampled)

    def _line(self, name: str, title: str, usual: float, tip: str) -> QLineEdit:
        line = QLineEdit(exact_text(usual), self)
        self._add(line, name, title, tip)
        return line

    def _count(self, name: str, title: str, most: int, tip: str) -> QSpinBox:
        box = number_field(self)
        box.setRange(0, most)
        box.setKeyboardTracking(False)
        WheelFilter(box)
        self._add(box, name, title, tip)
        # As wide as the column, whatever its texts.
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return box

    def _add(self, field: QWidget, name: str, title: str, tip: str) -> None:
        field.setObjectName(f"generation.{name}")
        field.setAccessibleName(title)
        field.setToolTip(tip)
        self._form.addRow(title, field)
