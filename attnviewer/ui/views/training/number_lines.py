"""Fields of the learning rate and of the other options of an optimiser."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QLineEdit, QWidget

from attnviewer.document import exact_text, parse_number
from attnviewer.training.optimizers import OPTIMIZERS
from attnviewer.ui.state.training.choices import TrainingChoices
from attnviewer.ui.views.training.texts import OPTIONS, words
from attnviewer.ui.widgets.style_properties import set_styled

LR = "lr"


class NumberLines(QWidget):
    """Form rows of the learning rate and the options of an optimiser.

    Attributes
    ----------
    changed : Signal
        The user has typed.
    """

    changed = Signal()

    def __init__(self, form: QFormLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._form = form
        self._optimizer = "adam"
        self._titles = {LR: self.tr("Learning rate")}
        self._titles |= {name: words(OPTIONS, name) for name in OPTIONS}
        self._lines: dict[str, QLineEdit] = {}
        for name, title in self._titles.items():
            line = QLineEdit(parent)
            line.setObjectName(f"training.{name}")
            line.setAccessibleName(title)
            line.textEdited.connect(self.changed)
            form.addRow(title, line)
            self._lines[name] = line

    def show_optimizer(self, optimizer: str) -> None:
        """Show the options of an optimiser, with their defaults."""
        self._optimizer = optimizer
        for name, line in self._lines.items():
            usual = OPTIMIZERS[optimizer].defaults
            self._form.setRowVisible(line, name == LR or name in usual)
            if name in usual:
                line.setText(exact_text(usual[name]))

    def show_choices(self, choices: TrainingChoices) -> None:
        """Show the numbers that were chosen."""
        self.show_optimizer(choices.optimizer)
        for name, number in ((LR, choices.lr), *choices.options):
            self._lines[name].setText(exact_text(number))

    @property
    def rate(self) -> float:
        """The learning rate.

        Raises
        ------
        ValueError
            If none above 0 is typed.
        """
        rate = self._read(LR)
        if rate <= 0:
            set_styled(self._lines[LR], "invalid", True)
            title = self._titles[LR]
            raise ValueError(
                self.tr("{title}: It must be above 0.").format(title=title)
            )
        return rate

    @property
    def options(self) -> tuple[tuple[str, float], ...]:
        """The options that differ from their defaults.

        Raises
        ------
        ValueError
            If one is no number.
        """
        usual = OPTIMIZERS[self._optimizer].defaults
        numbers = [(name, self._read(name)) for name in usual]
        return tuple((name, value) for name, value in numbers if value != usual[name])

    def _read(self, name: str) -> float:
        line = self._lines[name]
        try:
            number = parse_number(line.text())
        except ValueError as error:
            set_styled(line, "invalid", True)
            raise ValueError(f"{self._titles[name]}: {error}") from None
        set_styled(line, "invalid", False)
        return number
