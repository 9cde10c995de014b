"""The dialog that fills cells, with a preview."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QRadioButton,
    QStackedLayout,
    QWidget,
)

from attnviewer.compute import Array, BoolArray
from attnviewer.document import Edit, Recipe, SetCells
from attnviewer.document.drawing.distributions import GeneratorName
from attnviewer.document.drawing.draws import MOST_REDRAWN
from attnviewer.document.matrices import BIAS
from attnviewer.document.rows import GIVEN
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.views.inputs.fills.choices import (
    Field,
    FillChoice,
    choices,
    order,
)
from attnviewer.ui.views.inputs.fills.preview import FillPreview
from attnviewer.ui.views.inputs.fills.targets import Target, selection_after
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.edit_dialog import EditDialog
from attnviewer.ui.widgets.form_row import add_row
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.style_properties import set_styled

_TOGETHER_COLUMNS = 4
_DRAWN = ("W_Q", "W_K", "W_V", *GIVEN)
"""The matrices that are drawn together by default."""


@dataclass(slots=True)
class FillMemory:
    """The last choices, for the next time.

    Parameters
    ----------
    choice : str
        The name of the fill.
    texts : dict of str to str
        The texts of the line edits, by object name.
    generator : GeneratorName
        NumPy's generator.
    goes_on : bool
        Whether the last draw was continued.
    """

    choice: str = "integers"
    texts: dict[str, str] = field(default_factory=dict)
    generator: GeneratorName = "legacy"
    goes_on: bool = False


class FillDialog(EditDialog):
    """Asks for a fill, previews it, and carries it out.

    Parameters
    ----------
    edits : EditStack
        Where the edit goes.
    targets : sequence of Target
        The cells that may be filled.
    memory : FillMemory
        The last choices; kept up to date.
    together : bool
        Whether all targets are drawn in sequence, rather than one of them filled.
    parent : QWidget
        The Qt parent.
    """

    def __init__(
        self,
        edits: EditStack,
        targets: Sequence[Target],
        memory: FillMemory,
        parent: QWidget,
        *,
        together: bool = False,
    ) -> None:
        super().__init__(edits, parent)
        self.setObjectName("fill")
        self.setWindowTitle(self.tr("Draw matrices") if together else self.tr("Fill"))
        self._targets = list(targets)
        self._memory = memory
        self._together = together
        self._choices = {
            name: choice
            for name, choice in choices().items()
            if (choice.draw is not None or not together)
            and all(choice.suits(target.matrix) for target in targets)
        }
        self._form = QFormLayout()
        self._what = self._add_choices()
        self._fields = {
            choice.name: [self._add_field(choice, f) for f in choice.fields]
            for choice in self._choices.values()
        }
        self._seed = self._add_line("seed", self.tr("Se&ed"), "42")
        self._generator = self._add_generators()
        self._goes_on = self._add_goes_on()
        self._into = self._add_targets()
        self._preview = FillPreview(self)
        self._reason = ReasonLabel("fill.reason", self)
        self._reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._shown = QStackedLayout()  # the preview, or why there is none
        self._build()
        self._show_rows()

    def _build(self) -> None:
        buttons = QDialogButtonBox(self)
        fill = buttons.addButton(
            self.tr("&Draw") if self._together else self.tr("&Fill"),
            QDialogButtonBox.ButtonRole.AcceptRole,
        )
        fill.setObjectName("fill.fill")
        fill.setDefault(True)
        close = buttons.addButton(QDialogButtonBox.StandardButton.Close)
        close.setObjectName("fill.close")
        buttons.accepted.connect(self._fill)
        buttons.rejected.connect(self.reject)
        layout = dialog_column(self)
        layout.setSpacing(10)
        layout.addLayout(self._form)
        self._shown.addWidget(self._preview)
        self._shown.addWidget(self._reason)
        layout.addLayout(self._shown)
        layout.addWidget(buttons)

    # ------------------------------------------------------------------- lines

    def _add_choices(self) -> QComboBox:
        box = self._add_box("what", self.tr("Fill &with"))
        for name, choice in self._choices.items():
            box.addItem(choice.title, name)
        known = self._memory.choice in self._choices
        start = box.findData(self._memory.choice if known else "integers")
        box.setCurrentIndex(max(start, 0))
        box.currentIndexChanged.connect(self._show_rows)
        return box

    def _add_field(self, choice: FillChoice, asked: Field) -> QLineEdit:
        return self._add_line(f"{choice.name}.{asked.name}", asked.label, asked.start)

    def _add_line(self, name: str, label: str, start: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setObjectName(f"fill.{name}")
        line.setText(self._memory.texts.get(line.objectName(), start))
        line.textChanged.connect(self._look)
        add_row(self._form, label, line)
        return line

    def _add_generators(self) -> QComboBox:
        box = self._add_box("generator", self.tr("&Generator"))
        box.addItem(self.tr("NumPy legacy (RandomState), as np.random.seed"), "legacy")
        box.addItem(self.tr("NumPy default_rng"), "default")
        box.setCurrentIndex(box.findData(self._memory.generator))
        box.currentIndexChanged.connect(self._look)
        return box

    def _add_box(self, name: str, label: str) -> QComboBox:
        box = QComboBox(self)
        box.setObjectName(f"fill.{name}")
        add_row(self._form, label, box)
        return box

    def _add_goes_on(self) -> QCheckBox:
        box = QCheckBox(self)
        box.setObjectName("fill.continue")
        recipes = self._edits.document.recipes
        if recipes:
            text = self.tr("&Continue the random stream of seed {seed}")
            box.setText(text.format(seed=recipes[-1].seed))
            box.setChecked(self._memory.goes_on)
        box.toggled.connect(self._show_rows)
        self._form.addRow("", box)
        return box

    def _add_targets(self) -> list[QAbstractButton]:
        # No group: in one, Tab would visit only one of the check boxes. Radio buttons
        # of one parent exclude each other anyway.
        buttons: list[QAbstractButton] = []
        container = QWidget(self)
        grid = QGridLayout(container)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        # All matrices in one column would be higher than a small screen.
        columns = _TOGETHER_COLUMNS if self._together else 1
        for number, target in enumerate(self._targets):
            kind = QCheckBox if self._together else QRadioButton
            button: QAbstractButton = kind(self._target_text(target), container)
            button.setObjectName(f"fill.into.{number}")
            first = target.matrix in _DRAWN
            button.setChecked(first if self._together else number == 0)
            button.toggled.connect(self._look)
            buttons.append(button)
            grid.addWidget(button, *divmod(number, columns))
        self._form.addRow(self.tr("Into"), container)
        return buttons

    def _target_text(self, target: Target) -> str:
        if not target.is_whole:
            return self.tr("The &selection: {cells}").format(cells=target.text)
        rows, columns = target.shape
        text, matrix = self.tr("{matrix}, {rows}×{columns}"), target.matrix
        if self._together and matrix in _DRAWN:
            matrix = f"{matrix[:-1]}&{matrix[-1]}"
        elif not self._together:
            text = self.tr("The w&hole of {matrix}, {rows}×{columns}")
            if len(self._targets) > 1 and self._targets[0] is target:
                text = self.tr(
                    "The w&hole of {matrix}, {rows}×{columns}, "
                    "as only one cell is selected"
                )
        return text.format(matrix=matrix, rows=rows, columns=columns)

    # ------------------------------------------------------------------ looking

    @Slot()
    def _show_rows(self) -> None:
        chosen = self._choice()
        for name, lines in self._fields.items():
            for line in lines:
                self._form.setRowVisible(line, name == chosen.name)
        random = chosen.draw is not None
        goes_on = bool(self._edits.document.recipes)
        for row, there in (
            (self._seed, random),
            (self._generator, random),
            (self._goes_on, random and goes_on),
        ):
            self._form.setRowVisible(row, there)
        self._seed.setEnabled(not self._goes_on.isChecked())
        self._generator.setEnabled(not self._goes_on.isChecked())
        self._look()

    @Slot()
    def _look(self) -> None:
        """Preview the cells, or show why they cannot be filled like this."""
        for line in self.findChildren(QLineEdit):
            set_styled(line, "invalid", False)
        try:
            if self._is_large():
                self._stream()
                self._numbers()
                text = self.tr("Too many cells for a preview.")
                self._preview.show_text(text)
            else:
                self._show_cells(self._edit())
        except ValueError as error:
            self._refuse(str(error))
        else:
            self._refuse("")

    def _refuse(self, reason: str) -> None:
        self._reason.say(reason)
        if reason:
            self._preview.show_text("")
        self._shown.setCurrentWidget(self._reason if reason else self._preview)

    def _is_large(self) -> bool:
        cells = [t.block.height * t.block.width for t in self._checked()]
        random = self._choice().draw is not None
        before = self._edits.document.recipes[-1:] if self._goes_on.isChecked() else ()
        drawn = sum(recipe.cells for recipe in before) if random else 0
        return sum(cells) + drawn > MOST_REDRAWN

    def _show_cells(self, edit: Edit | None) -> None:
        filled = {t.matrix: self._filled(t, edit) for t in self._checked()}
        note = self.tr("The cells already hold this.") if edit is None else ""
        self._preview.show_cells(filled, note)

    def _filled(self, target: Target, edit: Edit | None) -> Array | BoolArray:
        """Return the preview of a target's cells."""
        if isinstance(edit, SetCells):
            return edit.values
        kept = self._edits.document.matrix(target.matrix)
        whole = kept if edit is None else edit.matrices[target.matrix]
        assert whole is not None
        return whole[target.block.rows, target.block.columns]

    # ------------------------------------------------------------------ filling

    @Slot()
    def _fill(self) -> None:
        try:
            edit = self._edit()
            if edit is not None:
                self.submit(edit, then=self._then())
        except ValueError as error:
            self._refuse(str(error))
            wrong = [w for w in self.findChildren(QLineEdit) if w.property("invalid")]
            for line in wrong[:1]:
                line.setFocus()
                line.selectAll()
            return
        self._remember()
        self.accept()

    def _then(self) -> InputSelection | None:
        if self._together:
            return None
        return selection_after(self._edits.cursor.selection, self._checked()[0])

    def _edit(self) -> Edit | None:
        chosen = self._choice()
        numbers = self._numbers()
        stream = self._stream() if chosen.draw is not None else None
        targets = self._checked()
        if not targets:
            raise ValueError(self.tr("Check at least one matrix."))
        return order(self._edits.document, chosen, numbers, targets, stream)

    def _choice(self) -> FillChoice:
        return self._choices[self._what.currentData()]

    def _checked(self) -> list[Target]:
        pairs = zip(self._targets, self._into, strict=True)
        return [target for target, button in pairs if button.isChecked()]

    def _numbers(self) -> list[float | int]:
        chosen = self._choice()
        pairs = zip(chosen.fields, self._fields[chosen.name], strict=True)
        infinite = all(target.matrix == BIAS for target in self._checked())
        return [_read(line, asked, infinite=infinite) for asked, line in pairs]

    def _stream(self) -> Recipe:
        if self._goes_on.isChecked():
            return self._edits.document.recipes[-1]
        seed = _read(self._seed, Field("seed", "", "", whole=True))
        try:
            return Recipe(int(seed), (), self._generator.currentData())
        except ValueError:
            set_styled(self._seed, "invalid", True)
            raise

    def _remember(self) -> None:
        memory = self._memory
        memory.choice = self._what.currentData()
        memory.texts |= {
            line.objectName(): line.text() for line in self.findChildren(QLineEdit)
        }
        memory.generator = self._generator.currentData()
        memory.goes_on = self._goes_on.isChecked()


def _read(line: QLineEdit, asked: Field, *, infinite: bool = False) -> float | int:
    try:
        return asked.read(line.text(), infinite=infinite)
    except ValueError:
        set_styled(line, "invalid", True)
        raise
