"""The dialog that replaces a sequence by the tokens of a sentence."""

from PySide6.QtCore import QStringListModel, Qt, Slot
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QListView,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from attnviewer.compute import Array
from attnviewer.document import EditError, Recipe, Region
from attnviewer.document.embeddings import (
    Embedding,
    check_one_hot,
    embed,
    random_recipe,
    with_kept_rows,
)
from attnviewer.document.matrices import same_bits
from attnviewer.document.rearranging import tokens_of
from attnviewer.document.rows import SequenceName
from attnviewer.document.text.tokenizing import split_sentence
from attnviewer.ui.state.cursor import InputSelection
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.inputs.tokens.edits import sentence_edit, token_table
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.edit_dialog import EditDialog
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.reason import ReasonLabel

MOST_SHOWN = 500
"""The most tokens in the preview."""

_LARGEST_SEED = 2**31 - 1
_SEED_CHARACTERS = 16
"""Width of its field, with the frame and arrows."""


class SentenceDialog(EditDialog):
    """Asks for a sentence; shows its tokens and the origin of their embeddings."""

    def __init__(
        self, edits: EditStack, sequence: SequenceName, parent: QWidget
    ) -> None:
        super().__init__(edits, parent)
        self.setObjectName("sentence")
        self.setWindowTitle(self.tr("Sentence"))
        self._tokens: tuple[str, ...] = ()
        self._unreadable = ""

        self._text = QPlainTextEdit(self)
        self._text.setObjectName("sentence.text")
        self._text.setAccessibleName(self.tr("Sentence"))
        self._text.setPlaceholderText(self.tr("Type or paste a sentence"))
        self._text.setTabChangesFocus(True)
        self._chips = QStringListModel(self)
        self._count = QLabel(self)
        self._count.setObjectName("sentence.count")
        self._count.setProperty("muted", True)
        self._reason = ReasonLabel("sentence.reason", self, lines=2)
        self._sequence = QComboBox(self)
        self._sequence.addItem(self.tr("Tokens of X"), "X")
        self._sequence.addItem(self.tr("Second sequence"), "context")
        self._sequence.setCurrentIndex(self._sequence.findData(sequence))
        self._method = QComboBox(self)
        for title, method in (
            (self.tr("Random"), "random"),
            (self.tr("One-hot"), "one-hot"),
            (self.tr("Hashed: a word always gets the same row"), "hashed"),
        ):
            self._method.addItem(title, method)
        self._seed = number_field(self)
        self._seed.setRange(0, _LARGEST_SEED)
        character = self.fontMetrics().horizontalAdvance("0")
        self._seed.setFixedWidth(_SEED_CHARACTERS * character)
        self._seed.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._alike = QCheckBox(self.tr("E&qual words get equal rows"), self)
        self._keep = QCheckBox(self.tr("&Keep embeddings of unchanged words"), self)
        self._keep.setChecked(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        self._accept = QPushButton(self.tr("Set &tokens"), self)
        self._accept.setObjectName("sentence.accept")
        QShortcut("Ctrl+Return", self).activated.connect(self._accept.click)
        buttons.addButton(self._accept, QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out(buttons)

        self._text.textChanged.connect(self._read)
        self._sequence.currentIndexChanged.connect(self._check)
        self._method.currentIndexChanged.connect(self._check)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._offer_present_tokens()
        self._check()

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        preview = QListView(self)
        preview.setObjectName("sentence.tokens")
        preview.setAccessibleName(self.tr("Tokens"))
        preview.setModel(self._chips)
        preview.setFlow(QListView.Flow.LeftToRight)
        preview.setWrapping(True)
        preview.setResizeMode(QListView.ResizeMode.Adjust)
        preview.setSpacing(2)
        preview.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        preview.setSelectionMode(QListView.SelectionMode.NoSelection)
        QWidget.setTabOrder(self._text, preview)
        form = QFormLayout()
        has_context = "context" in self._edits.document.matrices
        for name, title, control in (
            ("sequence", self.tr("&Sequence"), self._sequence),
            ("method", self.tr("&Embeddings"), self._method),
            ("seed", self.tr("See&d"), self._seed),
            ("alike", "", self._alike),
            ("keep", "", self._keep),
        ):
            control.setObjectName(f"sentence.{name}")
            form.addRow(title, control)
            if title:
                control.setAccessibleName(title.replace("&", ""))
                # A form layout aligns labels with the top of their rows.
                control.ensurePolished()
                label = form.labelForField(control)
                label.setMinimumHeight(control.sizeHint().height())
        form.setRowVisible(self._sequence, has_context)
        column = dialog_column(self)
        column.addWidget(self._text, 1)
        column.addWidget(self._count)
        column.addWidget(preview, 1)
        column.addLayout(form)
        column.addWidget(self._reason)
        column.addWidget(buttons)
        self.resize(480, 460)

    def _offer_present_tokens(self) -> None:
        tokens = tokens_of(self._edits.document, self._sequence.currentData())
        text = " ".join(tokens)
        if split_sentence(text) == tokens:
            self._text.setPlainText(text)
            self._text.selectAll()

    # -------------------------------------------------------------- what is typed

    @Slot()
    def _read(self) -> None:
        try:
            self._tokens = split_sentence(self._text.toPlainText())
            self._unreadable = ""
        except ValueError as error:
            self._tokens, self._unreadable = (), str(error)
        shown = [token_label(token) for token in self._tokens[:MOST_SHOWN]]
        if len(shown) < len(self._tokens):
            shown.append("…")
        self._chips.setStringList(shown)
        self._check()

    @Slot()
    def _check(self) -> None:
        method, tokens = self._method.currentData(), self._tokens
        self._alike.setEnabled(method == "random")
        self._seed.setEnabled(method != "one-hot")
        text = self.tr("{count:,} tokens, {distinct:,} distinct")
        if len(tokens) < 2:
            text = self.tr("1 token") if tokens else self.tr("No tokens yet")
        self._count.setText(text.format(count=len(tokens), distinct=len(set(tokens))))
        self._refuse(self._unreadable)
        if method == "one-hot":
            try:
                check_one_hot(tokens, self._present().shape[1])
            except EditError as error:
                self._refuse(str(error))

    def _refuse(self, reason: str) -> None:
        self._reason.say(reason)
        self._reason.setVisible(bool(reason))
        self._accept.setEnabled(not reason and bool(self._tokens))

    # -------------------------------------------------------------- taking it over

    def _present(self) -> Array:
        return self._edits.document.matrix(self._sequence.currentData())

    def _drawn(self) -> tuple[Array, Recipe | None]:
        """Return the embeddings, and their recipe if all of them were drawn."""
        method: Embedding = self._method.currentData()
        sequence: SequenceName = self._sequence.currentData()
        seed, alike = self._seed.value(), self._alike.isChecked()
        present, tokens = self._present(), self._tokens
        drawn = embed(tokens, present.shape[1], method, seed, alike=alike)
        rows = drawn
        if self._keep.isChecked():
            before = tokens_of(self._edits.document, sequence)
            rows = with_kept_rows(tokens, drawn, before, present)
        if method != "random" or alike or not same_bits(rows, drawn):
            return rows, None
        return rows, random_recipe(sequence, (len(tokens), present.shape[1]), seed)

    def accept(self) -> None:
        document, tokens = self._edits.document, self._tokens
        sequence: SequenceName = self._sequence.currentData()
        before = tokens_of(document, sequence)
        rows, recipe = self._drawn()
        if tokens != before or not same_bits(rows, self._present()):
            table = token_table(document, sequence)
            then = InputSelection(table, Region(0, 0, len(tokens), 1))
            edit = sentence_edit(document, sequence, tokens, rows, recipe)
            try:
                self.submit(edit, then=then)
            except EditError as error:
                self._refuse(str(error))
                return
        super().accept()
