"""The numbers of a new document: zeros, or drawn at random."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, QSettings, Signal, Slot
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from attnviewer.document import Document, Draw, Recipe
from attnviewer.document.blank import Sizes, blank_document
from attnviewer.document.drawing.distributions import Distribution
from attnviewer.document.drawing.draws import draw_edit
from attnviewer.ui.views.inputs.fills.choices import Field, FillChoice, choices
from attnviewer.ui.widgets.form_row import add_row
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.wheel_filter import WheelFilter

_GROUP = "new/numbers"
_ZEROS = "zeros"


class NewNumbers(QObject):
    """Form rows that choose between zeros and a distribution.

    Attributes
    ----------
    changed : Signal
        The choice has changed.
    """

    changed = Signal()

    def __init__(self, settings: QSettings, form: QFormLayout, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._form = form
        self._parent = parent
        self._lines: dict[str, QLineEdit] = {}
        drawn = {name: c for name, c in choices().items() if c.draw is not None}
        self._choices: dict[str, FillChoice] = drawn
        self._what = self._add_box("what", self.tr("&Numbers"))
        self._what.addItem(self.tr("Zeros"), _ZEROS)
        for name, choice in drawn.items():
            self._what.addItem(choice.title, name)
        for name, choice in drawn.items():
            for field in choice.fields:
                self._add_line(f"{name}.{field.name}", field.label, field.start)
        self._add_line("seed", self.tr("Se&ed"), "42")
        self._generator = self._add_box("generator", self.tr("&Generator"))
        legacy = self.tr("NumPy legacy (RandomState), as np.random.seed")
        self._generator.addItem(legacy, "legacy")
        self._generator.addItem(self.tr("NumPy default_rng"), "default")
        for box, name in ((self._what, "what"), (self._generator, "generator")):
            known = box.findData(settings.value(f"{_GROUP}/{name}"))
            box.setCurrentIndex(max(0, known))
            box.currentIndexChanged.connect(self._show_rows)
        self._show_rows()

    def check(self, shapes: Mapping[str, tuple[int, int]]) -> None:
        """Raise `ValueError` with the reason if these numbers cannot be drawn."""
        for line in self._lines.values():
            set_styled(line, "invalid", False)
        if self._chosen is not None:
            self._stream()
            for shape in shapes.values():
                self._distribution(self._chosen, shape)

    def document(
        self,
        title: str,
        sizes: Sizes,
        tokens: Sequence[str],
        context_tokens: Sequence[str],
    ) -> Document:
        """Return the new document, see `blank_document`.

        Raises
        ------
        ValueError
            With the reason, if it cannot be created.
        """
        document = blank_document(title, sizes, tokens, context_tokens)
        if self._chosen is None:
            return document
        draws = [
            Draw(m.shape, self._distribution(self._chosen, m.shape), name)
            for name, m in document.matrices.items()
        ]
        document.apply(draw_edit(document, self._stream(), draws, ""))
        return document

    def remember(self) -> None:
        """Store the choices for the next time."""
        keep = self._settings.setValue
        keep(f"{_GROUP}/what", self._what.currentData())
        keep(f"{_GROUP}/generator", self._generator.currentData())
        for name, line in self._lines.items():
            keep(f"{_GROUP}/{name}", line.text())

    @property
    def _chosen(self) -> FillChoice | None:
        return self._choices.get(self._what.currentData())

    @Slot()
    def _show_rows(self) -> None:
        what = self._what.currentData()
        for name, line in self._lines.items():
            visible = what != _ZEROS if name == "seed" else name.startswith(f"{what}.")
            self._form.setRowVisible(line, visible)
        self._form.setRowVisible(self._generator, what != _ZEROS)
        self.changed.emit()

    def _distribution(self, choice: FillChoice, shape: tuple[int, int]) -> Distribution:
        numbers = [
            self._read(f"{choice.name}.{field.name}", field) for field in choice.fields
        ]
        assert choice.draw is not None
        return choice.draw(numbers, shape)

    def _stream(self) -> Recipe:
        seed = self._read("seed", Field("seed", "", "", whole=True))
        try:
            return Recipe(int(seed), (), self._generator.currentData())
        except ValueError:
            set_styled(self._lines["seed"], "invalid", True)
            raise

    def _read(self, name: str, field: Field) -> float | int:
        try:
            return field.read(self._lines[name].text())
        except ValueError:
            set_styled(self._lines[name], "invalid", True)
            raise

    def _add_line(self, name: str, title: str, start: str) -> None:
        line = QLineEdit(self._parent)
        line.setText(str(self._settings.value(f"{_GROUP}/{name}", start)))
        line.textChanged.connect(self.changed)
        self._add_row(name, title, line)
        self._lines[name] = line

    def _add_box(self, name: str, title: str) -> QComboBox:
        box = QComboBox(self._parent)
        WheelFilter(box)
        self._add_row(name, title, box)
        return box

    def _add_row(self, name: str, title: str, control: QWidget) -> None:
        control.setObjectName(f"new.{name}")
        add_row(self._form, title, control)
