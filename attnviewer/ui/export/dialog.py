"""The dialog for exports to any format."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document import Region
from attnviewer.io.export import FORMATS, Choice, FoldedWeights
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.widgets.dialog_column import dialog_column

_FORMAT = "export/format"
_BOM = "export/bom"
_ROLE = Qt.ItemDataRole.UserRole.value


def remembered_bom() -> bool:
    """Return whether tables were last written with a byte order mark."""
    return bool(own_settings().value(_BOM, False, bool))


class ExportDialog(QDialog):
    """Formats on the left; what to export, and options, on the right.

    Attributes
    ----------
    chosen : Signal
        The name of the format, and a `Choice`.
    headers : QCheckBox
        Whether tables get token names and column numbers.
    """

    chosen = Signal(str, object)

    def __init__(
        self,
        step: str,
        head: int | None,
        block: Region | None,
        folded: FoldedWeights | None,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("export_dialog")
        self.setWindowTitle(self.tr("Export"))
        self._step, self._head, self._block = step, head, block
        self._formats = QListWidget(self)
        self._formats.setObjectName("export.formats")
        self._formats.setAccessibleName(self.tr("Format"))
        for name, wanted in FORMATS.items():
            item = QListWidgetItem(wanted.title, self._formats)
            item.setData(_ROLE, name)
        self._hint = QLabel(self)
        self._hint.setObjectName("export.hint")
        self._hint.setWordWrap(True)
        self._hint.setProperty("muted", True)
        self._scopes = self._build_scopes()
        self.headers = QCheckBox(self.tr("With &token names"), self)
        self.headers.setObjectName("export.headers")
        self._folded = folded
        self._folds = QCheckBox(self.tr("Weights with &groups folded"), self)
        self._folds.setObjectName("export.folds")
        self._folds.setToolTip(
            self.tr(
                "As the heatmap shows them; the file says how numbers are combined. "
                "Formulas and selected cells are of every token."
            )
        )
        self._folds.setVisible(folded is not None)
        self._folds.setChecked(True)
        self._formulas = QCheckBox(self.tr("With live &formulas"), self)
        self._formulas.setObjectName("export.formulas")
        self._bom = QCheckBox(self.tr("With a &byte order mark, for Excel"), self)
        self._bom.setObjectName("export.bom")
        self._bom.setToolTip(
            self.tr(
                "Excel needs it to recognise UTF-8; without it, “ü” becomes"
                " “Ã¼”. Other programs do not need it."
            )
        )
        self._bom.setChecked(remembered_bom())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        export = buttons.addButton(
            self.tr("&Export…"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        export.setObjectName("export.go")
        export.setDefault(True)
        buttons.accepted.connect(self._go)
        buttons.rejected.connect(self.reject)
        self._lay_out(buttons)
        self._formats.currentItemChanged.connect(self._on_format)
        self._formats.itemActivated.connect(self._go)
        stored = own_settings().value(_FORMAT)
        names = list(FORMATS)
        self._formats.setCurrentRow(names.index(stored) if stored in names else 0)
        self._formats.setFocus()

    def _build_scopes(self) -> QButtonGroup:
        group = QButtonGroup(self)
        texts = {
            "all": self.tr("&All steps"),
            "step": self.tr("The open &step, {step}").format(step=self._step),
        }
        if self._head is not None:
            texts["head"] = self.tr("All steps, &head {head} only").format(
                head=self._head
            )
            named = self.tr("The open step, {step}, head {head} &only")
            texts["step_head"] = named.format(step=self._step, head=self._head)
        texts["cells"] = self._cells_text()
        for number, (name, text) in enumerate(texts.items()):
            button = QRadioButton(text, self)
            button.setObjectName(f"export.{name}")
            group.addButton(button, number)
        group.buttons()[0].setChecked(True)
        group.buttons()[-1].setEnabled(self._block is not None)
        return group

    def _cells_text(self) -> str:
        block = self._block
        if block is None:
            return self.tr("The se&lection")
        return self.tr("The se&lection: {rows}×{columns} cells of {step}").format(
            rows=block.height, columns=block.width, step=self._step
        )

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self._hint)
        right.addSpacing(6)
        for button in self._scopes.buttons():
            right.addWidget(button)
        if self._block is None:
            right.addWidget(self._build_selection_hint())
        right.addSpacing(6)
        right.addWidget(self.headers)
        right.addWidget(self._folds)
        right.addWidget(self._formulas)
        right.addWidget(self._bom)
        right.addStretch()
        across = QHBoxLayout()
        across.setSpacing(18)
        across.addWidget(self._formats)
        across.addLayout(right, 1)
        self._column = layout = dialog_column(self)
        layout.setSpacing(14)
        layout.addLayout(across, 1)
        layout.addWidget(buttons)
        character = self.fontMetrics().horizontalAdvance("0")
        line = self.fontMetrics().lineSpacing()
        self._formats.setFixedWidth(28 * character)
        rows = self._formats.count() * self._formats.sizeHintForRow(0)
        self._formats.setMinimumHeight(min(rows + line, 30 * line))
        room = QSize(88 * character, 20 * line)
        self.resize(room.boundedTo(self.screen().availableSize()))

    def _build_selection_hint(self) -> QLabel:
        """Return the hint below the selection option while nothing is selected."""
        hint = QLabel(
            self.tr("Mark adjacent rows and columns, or select cells in the table.")
        )
        hint.setObjectName("export.way_to_select")
        hint.setWordWrap(True)
        hint.setProperty("muted", True)
        self._scopes.buttons()[-1].setAccessibleDescription(hint.text())
        return hint

    @property
    def _format(self) -> str:
        name: str = self._formats.currentItem().data(_ROLE)
        return name

    @property
    def _scope(self) -> str:
        checked = self._scopes.checkedButton()
        assert checked is not None
        return checked.objectName().removeprefix("export.")

    def _choice(self) -> Choice:
        scope = self._scope
        of_step = scope in ("step", "step_head", "cells")
        folds = self._folds.isChecked() and self._folds.isEnabled()
        of_head = scope in ("head", "step_head", "cells")
        return Choice(
            (self._step,) if of_step else None,
            self._head if of_head else None,
            self._block if scope == "cells" else None,
            headers=self.headers.isChecked(),
            formulas=self._formulas.isChecked() and self._formulas.isEnabled(),
            bom=self._bom.isChecked() and self._bom.isEnabled(),
            folded=self._folded if folds else None,
        )

    @Slot()
    def _on_format(self) -> None:
        wanted = FORMATS[self._format]
        hints = {
            "csv": self.tr(
                "A table for each matrix. Full precision. Spreadsheets take "
                "tokens such as 0012 or 2024-01-02 for numbers and dates; a workbook "
                "keeps them."
            ),
            "tsv": self.tr(
                "A table for each matrix, with tabs. Full precision. "
                "Spreadsheets take tokens such as 0012 for numbers, as with CSV."
            ),
            "npz": self.tr("One file for NumPy: np.load returns each step by name."),
            "json": self.tr("One JSON object: a nested list for each step."),
            "xlsx": self.tr(
                "A workbook with a sheet for each matrix; with live "
                "formulas it recomputes when a number changes."
            ),
            "py": self.tr(
                "A program that computes every step with NumPy alone and "
                "checks the numbers."
            ),
            "ipynb": self.tr("The same program as a notebook, with the formulas."),
            "torch": self.tr("A program that computes every step with PyTorch."),
            "tex": self.tr("The worked steps in LaTeX, ready to compile."),
            "md": self.tr("The worked steps in Markdown, with formulas."),
        }
        self._hint.setText(hints.get(self._format, wanted.title))
        self._make_room()
        self.headers.setEnabled(wanted.labelled)
        self._formulas.setEnabled(wanted.formulas)
        self._bom.setEnabled(wanted.is_table)
        self._folds.setEnabled(not wanted.writes)

    def _make_room(self) -> None:
        """Grow until the texts fit, as far as the screen allows."""
        needed = self._column.totalHeightForWidth(self.width())
        most = self.screen().availableSize().height()
        self.resize(self.width(), min(max(self.height(), needed), most))

    @Slot()
    def _go(self) -> None:
        own_settings().setValue(_FORMAT, self._format)
        if self._bom.isEnabled():
            own_settings().setValue(_BOM, self._bom.isChecked())
        format_, choice = self._format, self._choice()
        self.accept()
        self.chosen.emit(format_, choice)
