"""The dialog for a new document: its variant, sizes and numbers."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from attnviewer.document import VARIANT_TITLES, Document
from attnviewer.document.blank import Sizes
from attnviewer.ui.files.new_numbers import NewNumbers
from attnviewer.ui.files.new_tokens import names_of
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.form_row import add_row
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.style_properties import set_styled
from attnviewer.ui.widgets.wheel_filter import WheelFilter

_LARGEST = 99_999
"""More than is possible, so that the reason can be shown for too large a size."""
_NUMBER_CHARACTERS = 12
"""Width of a spin box with its frame and arrows, in characters."""
_CHARACTERS = 84
"""Minimum width, in characters."""
_GROUP = "new"
"""The settings group of the last choices."""


class NewDialog(QDialog):
    """Asks for a new document, and previews the shapes of its matrices.

    Starts with the choices of the last time.

    Attributes
    ----------
    made : Signal
        The new `Document`.
    """

    made = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("new")
        self.setWindowTitle(self.tr("New document"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings = own_settings()
        self._form = QFormLayout()
        self._title = self._add_line("title", self.tr("&Title"))
        self._title.setPlaceholderText(self.tr("Untitled"))
        self._variant = self._add_variants()
        self._spins: dict[str, QSpinBox] = {}
        self._names: dict[str, QLineEdit] = {}
        self._add_tokens("n_tokens", self.tr("T&okens"))
        self._add_tokens("n_context", self.tr("&Second sequence"))
        for title, caption in (
            ("d_&model", self.tr("width of an embedding")),
            ("d_&k", self.tr("width of a head's queries and keys")),
            ("d_&v", self.tr("width of a head's values")),
            ("n_&heads", self.tr("number of heads")),
        ):
            name = title.replace("&", "")
            spin = self._spin(name)
            spin.setAccessibleName(f"{name}, {caption}")
            row = _beside(self, spin, self._muted(caption))
            add_row(self._form, title, spin, row)
        self._numbers = NewNumbers(self._settings, self._form, self)
        self._shapes = self._muted("")
        self._shapes.setObjectName("new.shapes")
        self._shapes.setWordWrap(True)
        self._reason = ReasonLabel("new.reason", self, lines=2)
        self._build()
        self._numbers.changed.connect(self._check)
        self._variant.currentIndexChanged.connect(self._check)
        for spin in self._spins.values():
            spin.valueChanged.connect(self._check)
        for line in self._names.values():
            line.textChanged.connect(self._check)
        self._check()
        self._spins["n_tokens"].setFocus()
        self._spins["n_tokens"].selectAll()

    # ------------------------------------------------------------------- parts

    def _build(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._create = QPushButton(self.tr("&Create"), self)
        self._create.setObjectName("new.create")
        self._create.setDefault(True)
        buttons.addButton(self._create, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._form.setHorizontalSpacing(12)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * _CHARACTERS)
        layout = dialog_column(self)
        layout.setSpacing(12)
        layout.addLayout(self._form)
        layout.addWidget(self._shapes)
        layout.addStretch()
        layout.addWidget(self._reason)
        layout.addWidget(buttons)

    def _add_variants(self) -> QComboBox:
        box = QComboBox(self)
        for variant, title in VARIANT_TITLES.items():
            box.addItem(title, variant)
        box.setObjectName("new.variant")
        box.setCurrentIndex(
            max(0, box.findData(self._recalled("variant", Sizes().variant)))
        )
        WheelFilter(box)
        add_row(self._form, self.tr("Va&riant"), box)
        return box

    def _add_tokens(self, name: str, title: str) -> None:
        spin = self._spin(name)
        line = QLineEdit(self)
        line.setObjectName(f"new.{name}.names")
        line.setAccessibleName(self.tr("Sentence or names"))
        line.setPlaceholderText(self.tr("A sentence, or names: word 1; word 2"))
        self._names[name] = line
        add_row(self._form, title, spin, _beside(self, spin, line))

    def _add_line(self, name: str, title: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(f"new.{name}")
        add_row(self._form, title, line)
        return line

    def _spin(self, name: str) -> QSpinBox:
        spin = number_field(self)
        spin.setObjectName(f"new.{name}")
        spin.setRange(0, _LARGEST)
        recalled = self._recalled(name, str(getattr(Sizes(), name)))
        spin.setValue(int(recalled) if recalled.isdecimal() else getattr(Sizes(), name))
        character = self.fontMetrics().horizontalAdvance("0")
        spin.setFixedWidth(character * _NUMBER_CHARACTERS)
        spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        WheelFilter(spin)
        self._spins[name] = spin
        return spin

    def _muted(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setProperty("muted", True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label

    def _recalled(self, name: str, otherwise: str) -> str:
        return str(self._settings.value(f"{_GROUP}/{name}", otherwise))

    # ----------------------------------------------------------------- choices

    @property
    def _sizes(self) -> Sizes:
        counts = {name: spin.value() for name, spin in self._spins.items()}
        for name, line in self._names.items():
            counts[name] = len(names_of(line.text())) or counts[name]
        return Sizes(self._variant.currentData(), **counts)

    @Slot()
    def _check(self) -> None:
        """Show the shapes of the new document, or why it cannot be created."""
        sizes = self._sizes
        for name, spin in self._spins.items():
            row = spin.parentWidget()
            assert row is not None
            self._form.setRowVisible(row, name in sizes.used)
            line = self._names.get(name)
            named = line is not None and bool(names_of(line.text()))
            if named:
                blocker = QSignalBlocker(spin)
                spin.setValue(getattr(sizes, name))
                blocker.unblock()
            spin.setEnabled(not named)
            wrong = not getattr(sizes, name) >= 1 and name in sizes.used
            set_styled(spin, "invalid", wrong)
        try:
            shapes = sizes.shapes()
            self._numbers.check(shapes)
        except ValueError as error:
            self._refuse(str(error))
            return
        self._refuse("")
        texts = (f"{name} {rows}×{columns}" for name, (rows, columns) in shapes.items())
        self._shapes.setText(" · ".join(texts))

    def _refuse(self, reason: str) -> None:
        self._reason.say(reason)
        self._create.setEnabled(not reason)
        if reason:
            self._shapes.setText("")

    def accept(self) -> None:
        try:
            document = self._document()
        except MemoryError:
            self._refuse(self.tr("There is not enough memory for that."))
            return
        except ValueError as error:
            self._refuse(str(error))
            return
        self._remember()
        super().accept()
        self.made.emit(document)

    def _document(self) -> Document:
        names = {name: names_of(line.text()) for name, line in self._names.items()}
        title = " ".join(self._title.text().split())
        if not title:
            title = " ".join(names["n_tokens"]) or self._title.placeholderText()
        sizes = self._sizes
        context = names["n_context"] if "n_context" in sizes.used else ()
        return self._numbers.document(title, sizes, names["n_tokens"], context)

    def _remember(self) -> None:
        self._settings.setValue(f"{_GROUP}/variant", self._variant.currentData())
        for name, spin in self._spins.items():
            self._settings.setValue(f"{_GROUP}/{name}", str(spin.value()))
        self._numbers.remember()


def _beside(parent: QWidget, *widgets: QWidget) -> QWidget:
    """Return a row of widgets."""
    row = QWidget(parent)
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(10)
    for widget in widgets:
        layout.addWidget(widget)
    return row
