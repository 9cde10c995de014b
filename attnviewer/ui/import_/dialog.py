"""The dialog that assigns the arrays of a file to roles."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from attnviewer.document.array_roles.assignment import (
    EMBEDDED_ROLES,
    GIVEN_ROLES,
    SCORED_ROLES,
    Assignment,
    excess,
    joined_heads,
    role_shapes,
)
from attnviewer.document.array_roles.problems import N_HEADS, problems
from attnviewer.document.array_roles.suggesting import BLOCK, Suggestion
from attnviewer.document.matrices import MASK
from attnviewer.io.importing import Arrays
from attnviewer.ui.import_.preview import RolePreview
from attnviewer.ui.import_.role_row import RoleRow
from attnviewer.ui.import_.texts import first_problem, outcome, role_titles
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.initial_size import resize_to_text
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.reason import ReasonLabel
from attnviewer.ui.widgets.wheel_filter import WheelFilter

MOST_HEADS = 1024
MOST_TOKENS = 4096
_LINES, _CHARACTERS = 52, 124
"""The largest initial size of the dialog."""


class AssignDialog(QDialog):
    """A row for each role; below, the resulting document, or why there is none.

    Attributes
    ----------
    chosen : Signal
        The `Assignment` that the user wants to open; the dialog stays open until it
        is accepted.
    more_wanted : Signal
        The user wants to add the arrays of another file.
    """

    chosen = Signal(object)
    more_wanted = Signal()

    def __init__(self, arrays: Arrays, suggestion: Suggestion, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("assign")
        self.setWindowTitle(self.tr("Import “{title}”").format(title=arrays.title))
        self._arrays = arrays
        self._shapes = arrays.shapes
        self._doubts: dict[str, str] = {}
        self._rows: dict[str, RoleRow] = {}
        self._trial_heads = 1
        """The suggested head count, used until the user sets one."""
        self._notices = QLabel(" ".join(arrays.notices), self)
        self._notices.setObjectName("assign.notices")
        self._notices.setTextFormat(Qt.TextFormat.PlainText)
        self._notices.setWordWrap(True)
        self._notices.setVisible(bool(arrays.notices))
        layout = dialog_column(self)
        layout.setSpacing(10)
        layout.addLayout(self._head(suggestion))
        layout.addWidget(self._notices)
        self._block_doubt = ReasonLabel("assign.block.reason", self)
        layout.addWidget(self._block_doubt)
        layout.addWidget(self._table(), 1)
        layout.addLayout(self._foot())
        layout.addWidget(self._heads_reason)
        layout.addLayout(self._end())
        layout.addWidget(self._buttons)
        embedding = self._embedding.findData(suggestion.assignment.embedding)
        self._embedding.setCurrentIndex(embedding)
        self._tokens.setValue(suggestion.assignment.n_tokens)
        self._causal.setChecked(suggestion.assignment.causal)
        self._apply_suggestion(suggestion)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)
        resize_to_text(self, _CHARACTERS, _LINES)
        chosen = (row for row in self._rows.values() if row.pick() is not None)
        first = next(chosen, self._rows["X"])
        first.array.setFocus()
        self._preview_of(first.role)

    # ------------------------------------------------------------------- parts

    def _head(self, suggestion: Suggestion) -> QHBoxLayout:
        self._title = QLineEdit(suggestion.assignment.title, self)
        self._title.setObjectName("assign.title")
        self._title.setAccessibleName(self.tr("Title of the document"))
        self._kind = self._combo("kind", self.tr("What the arrays are"))
        self._kind.addItem(self.tr("Embeddings and weights"), EMBEDDED_ROLES)
        self._kind.addItem(self.tr("Queries, keys and values"), GIVEN_ROLES)
        self._kind.addItem(self.tr("Attention weights, or scores"), SCORED_ROLES)
        self._kind.activated.connect(self._on_kind)
        self._block = self._combo("block", self.tr("Layer"))
        for block in suggestion.blocks:
            self._block.addItem(block.rstrip("./") or "—", block)
        self._block.activated.connect(self._suggest_block)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self._caption(self.tr("&Title"), self._title))
        row.addWidget(self._title, 1)
        row.addWidget(self._caption(self.tr("The &arrays are"), self._kind))
        row.addWidget(self._kind)
        if len(suggestion.blocks) > 1:
            row.addWidget(self._caption(self.tr("&Layer"), self._block))
            row.addWidget(self._block)
        else:
            self._block.hide()
        return row

    def _table(self) -> QScrollArea:
        area = QScrollArea(self)
        area.setObjectName("assign.roles")
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        # Where it stays: all its rows would be styled anew with another parent.
        content = QWidget(area.viewport())
        content.setObjectName("assign.content")
        grid = QGridLayout(content)
        grid.setContentsMargins(8, 6, 8, 6)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        titles = role_titles()
        # Masks and biases come last.
        scored = [role for role in SCORED_ROLES if role not in GIVEN_ROLES]
        first = [r for r in (*scored, *GIVEN_ROLES) if r not in EMBEDDED_ROLES]
        for line, role in enumerate((*first, *EMBEDDED_ROLES)):
            row = RoleRow(role, titles[role], self._shapes, content)
            row.add_to(grid, 2 * line)
            row.changed.connect(self._on_row)
            self._rows[role] = row
        grid.setRowStretch(grid.rowCount(), 1)
        grid.setColumnStretch(1, 1)
        area.setWidget(content)
        return area

    def _foot(self) -> QHBoxLayout:
        self._heads = self._spin("heads", 1, MOST_HEADS, self.tr("Number of heads"))
        self._heads_reason = ReasonLabel("assign.heads.reason", self)
        self._causal = self._check("causal", self.tr("&Causal mask"))
        self._hides = self._check("hides", self.tr("1 in the &mask hides"))
        self._made = QWidget(self)
        self._embedding = self._combo("embedding", self.tr("How embeddings are made"))
        self._embedding.addItem(self.tr("random numbers"), "random")
        self._embedding.addItem(self.tr("one-hot rows"), "one-hot")
        self._embedding.activated.connect(self._show)
        self._tokens = self._spin("tokens", 4, MOST_TOKENS, self.tr("Tokens to make"))
        made = QHBoxLayout(self._made)
        made.setContentsMargins(0, 0, 0, 0)
        made.setSpacing(10)
        made.addWidget(self._caption(self.tr("&X is made:"), self._tokens))
        made.addWidget(self._tokens)
        made.addWidget(self._caption(self.tr("tokens o&f"), self._embedding))
        made.addWidget(self._embedding)
        row = QHBoxLayout()
        row.setSpacing(10)
        self._heads_caption = self._caption(self.tr("&Heads"), self._heads)
        row.addWidget(self._heads_caption)
        row.addWidget(self._heads)
        row.addWidget(self._causal)
        row.addWidget(self._hides)
        row.addSpacing(12)
        row.addWidget(self._made)
        row.addStretch()
        return row

    def _end(self) -> QHBoxLayout:
        self._preview = RolePreview(self._arrays, self)
        self._outcome = QLabel(self)
        self._outcome.setObjectName("assign.outcome")
        self._outcome.setTextFormat(Qt.TextFormat.PlainText)
        self._outcome.setWordWrap(True)
        self._reason = ReasonLabel("assign.reason", self, lines=2)
        self._anyway = self._check("anyway", self.tr("Load it an&yway"))
        self._anyway.hide()
        buttons = QDialogButtonBox.StandardButton
        self._buttons = QDialogButtonBox(buttons.Open | buttons.Cancel, self)
        self._open.setObjectName("assign.open")
        # Created here: PySide may lose buttons that the box creates itself.
        self._more = QPushButton(self.tr("A&dd file…"), self)
        self._buttons.addButton(self._more, QDialogButtonBox.ButtonRole.ActionRole)
        self._more.setObjectName("assign.more")
        self._more.clicked.connect(self.more_wanted)
        self._buttons.accepted.connect(self._choose)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout()
        column.addWidget(self._outcome)
        column.addWidget(self._reason)
        column.addWidget(self._anyway)
        column.addStretch()
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addWidget(self._preview)
        row.addLayout(column, 1)
        return row

    def _caption(self, text: str, buddy: QWidget) -> QLabel:
        label = QLabel(text, self)
        label.setBuddy(buddy)
        return label

    def _combo(self, name: str, called: str) -> QComboBox:
        combo = QComboBox(self)
        combo.setObjectName(f"assign.{name}")
        combo.setAccessibleName(called)
        WheelFilter(combo)
        return combo

    def _spin(self, name: str, value: int, most: int, called: str) -> QSpinBox:
        spin = number_field(self)
        spin.setObjectName(f"assign.{name}")
        spin.setAccessibleName(called)
        spin.setRange(1, most)
        spin.setValue(value)
        spin.setAlignment(Qt.AlignmentFlag.AlignCenter)
        spin.valueChanged.connect(self._on_spin)
        WheelFilter(spin)
        return spin

    @property
    def _open(self) -> QPushButton:
        return self._buttons.button(QDialogButtonBox.StandardButton.Open)

    def _check(self, name: str, text: str) -> QCheckBox:
        check = QCheckBox(text, self)
        check.setObjectName(f"assign.{name}")
        check.toggled.connect(self._show)
        return check

    # ----------------------------------------------------------------- choices

    def forbid_adding(self) -> None:
        """Do not offer to add files to what was pasted."""
        self._more.hide()

    def wait(self) -> None:
        """Offer no more while files are read or the document is created."""
        self._open.setEnabled(False)
        self._more.setEnabled(False)

    def refuse(self, reason: str) -> None:
        """Show why a file was not added, or the document not created after all."""
        self._more.setEnabled(True)
        self._show()
        self._reason.say(reason)

    def assignment(self) -> Assignment:
        """Return the chosen assignment."""
        picks = {
            role: pick
            for role in self._kind.currentData()
            if (pick := self._rows[role].pick()) is not None
        }
        n_heads = self._heads.value() or self._trial_heads
        if self._kind.currentData() == SCORED_ROLES:
            n_heads = joined_heads(picks, self._shapes, SCORED_ROLES)
        return Assignment(
            picks,
            n_heads,
            self._causal.isChecked(),
            self._embedding.currentData(),
            self._tokens.value(),
            self._title.text().strip() or self._arrays.title,
            self._hides.isChecked(),
        )

    def _apply_suggestion(self, suggestion: Suggestion) -> None:
        self._doubts = dict(suggestion.doubts)
        assignment = suggestion.assignment
        for role, row in self._rows.items():
            row.choose(assignment.picks.get(role))
        self._trial_heads = assignment.n_heads
        unknown = N_HEADS in suggestion.doubts
        blocker = QSignalBlocker(self._heads)
        self._heads.setMinimum(0 if unknown else 1)
        self._heads.setSpecialValueText("?" if unknown else "")
        self._heads.setValue(0 if unknown else assignment.n_heads)
        blocker.unblock()
        self._hides.setChecked(assignment.mask_hides)
        self._kind.setCurrentIndex(self._kind.findData(assignment.roles))
        self._show_rows()
        self._show()

    @Slot()
    def _suggest_block(self) -> None:
        block = self._block.currentData()
        self._apply_suggestion(self._arrays.suggestion(block))

    @Slot()
    def _on_kind(self) -> None:
        self._show_rows()
        self._show()

    @Slot()
    def _on_row(self) -> None:
        row = self.sender()
        assert isinstance(row, RoleRow)
        self._doubts.pop(row.role, None)  # the user has decided
        self._show()
        self._preview_of(row.role)

    @Slot()
    def _on_spin(self) -> None:
        if self.sender() is self._heads:
            self._doubts.pop(N_HEADS, None)
            self._heads.setSpecialValueText("")  # the question is answered
            self._heads.setMinimum(1)
        self._show()

    @Slot()
    def _choose(self) -> None:
        self.wait()
        self.chosen.emit(self.assignment())

    # ------------------------------------------------------------------- show

    def _show_rows(self) -> None:
        for role, row in self._rows.items():
            row.set_visible(role in self._kind.currentData())

    @Slot()
    def _show(self) -> None:
        assignment = self.assignment()
        kind = self._kind.currentData()
        found = role_shapes(assignment, self._shapes)
        wrong = problems(assignment, self._shapes)
        if kind == GIVEN_ROLES and not assignment.given:
            wrong = {"Q": self.tr("Choose queries, keys and values.")}
        elif kind == SCORED_ROLES and not assignment.scored:
            wrong = {"weights": self.tr("Choose attention weights, or scores.")}
        elif assignment.projected and not self._heads.value():
            wrong = {
                role: problem for role, problem in wrong.items() if role != N_HEADS
            }
            wrong[N_HEADS] = self._doubts[N_HEADS]
        for role, row in self._rows.items():
            row.show_result(
                found.get(role), wrong.get(role, ""), self._doubts.get(role, "")
            )
        self._block_doubt.say(self._doubts.get(BLOCK, ""), error=False)
        heads = wrong.get(N_HEADS, "") or self._doubts.get(N_HEADS, "")
        self._heads_reason.say(heads, error=N_HEADS in wrong)
        for widget in (self._heads_caption, self._heads):
            widget.setEnabled(assignment.projected or assignment.given)
            widget.setVisible(kind != SCORED_ROLES)
        self._hides.setEnabled(MASK in assignment.picks)
        self._made.setVisible(assignment.makes_embeddings and kind == EMBEDDED_ROLES)
        large = "" if wrong else excess(assignment, self._shapes)
        self._anyway.setVisible(bool(large))
        self._outcome.setText("" if wrong else outcome(assignment, found))
        self._reason.say(first_problem(wrong) if wrong else large)
        self._open.setEnabled(not wrong and (not large or self._anyway.isChecked()))

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        for role, row in self._rows.items():
            if row.has(new):
                self._preview_of(role)

    def _preview_of(self, role: str) -> None:
        self._preview.show_pick(role, self._rows[role].pick())
