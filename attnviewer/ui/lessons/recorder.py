"""Record a task: the dialog in which a teacher makes one of the open document."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from PySide6.QtCore import QT_TRANSLATE_NOOP, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from attnviewer.compute import Trace
from attnviewer.document import Document, exact_text
from attnviewer.io import FileError, save_session
from attnviewer.io.atomic import write_atomically
from attnviewer.io.export import file_stem
from attnviewer.io.session import SUFFIX
from attnviewer.teaching.drafting import (
    Draft,
    DraftKind,
    Reach,
    asked_about,
    kinds_for,
    lesson_of,
    page_of,
)
from attnviewer.teaching.mistaken import mistake_title
from attnviewer.teaching.planting import mistakes_in
from attnviewer.teaching.recording import FileNeededError
from attnviewer.ui.files.file_dialogs import ask_where_to_save, check_is_new
from attnviewer.ui.paint.fonts import fixed_font
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.text.translation import translate_in
from attnviewer.ui.widgets.choice_boxes import ChoiceBox
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.initial_size import resize_to_text
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.reason import ReasonLabel

_tr = translate_in("RecordDialog")
LINES, CHARACTERS = 36, 92
HINT_LINES = 3
MOST_DIGITS = 12
_KINDS = {
    "numbers": QT_TRANSLATE_NOOP("RecordDialog", "Type the numbers"),
    "largest": QT_TRANSLATE_NOOP("RecordDialog", "Choose the largest of a row"),
    "choice": QT_TRANSLATE_NOOP("RecordDialog", "Choose among answers"),
    "make": QT_TRANSLATE_NOOP(
        "RecordDialog", "Change the document until something holds"
    ),
    "wrong-step": QT_TRANSLATE_NOOP("RecordDialog", "Find the wrong step"),
    "mistake": QT_TRANSLATE_NOOP("RecordDialog", "Name the mistake"),
}
_REACHES = {
    "cell": QT_TRANSLATE_NOOP("RecordDialog", "The selected cell"),
    "row": QT_TRANSLATE_NOOP("RecordDialog", "Its row"),
    "column": QT_TRANSLATE_NOOP("RecordDialog", "Its column"),
    "all": QT_TRANSLATE_NOOP("RecordDialog", "The whole matrix"),
}


class RecordDialog(QDialog):
    """Asks for the kind of task and its words, and shows the text as it will be.

    Parameters
    ----------
    document : Document
        The document.
    trace : Trace
        Its computation.
    place : tuple of (str, int, int, int)
        The selected step, row, column and head.
    notice : NoticeBar
        Tells where the lesson was saved.
    parent : QWidget
        The window.
    """

    def __init__(
        self,
        document: Document,
        trace: Trace,
        place: tuple[str, int, int, int],
        notice: NoticeBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("record")
        self.setWindowTitle(self.tr("Record a task"))
        self._document, self._notice = document, notice
        self._step, self._row, self._column, self._head = place
        self._file = ""
        self._form = QFormLayout()
        self._form.setFieldGrowthPolicy(
            QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow
        )
        self._build_form(trace)
        self._preview = QPlainTextEdit(self)
        self._preview.setObjectName("record.preview")
        self._preview.setAccessibleName(self.tr("Text of the task"))
        self._preview.setReadOnly(True)
        self._preview.setTabChangesFocus(True)
        self._preview.setFont(fixed_font())
        self._reason = ReasonLabel("record.reason", self, lines=2)
        self._copy = QPushButton(self.tr("&Copy"), self)
        self._copy.setObjectName("record.copy")
        self._save = QPushButton(self.tr("&Save as a lesson…"), self)
        self._save.setObjectName("record.save")
        self._save.setDefault(True)
        close = QPushButton(self.tr("C&lose"), self)
        close.setObjectName("record.close")
        buttons = QDialogButtonBox(self)
        roles = QDialogButtonBox.ButtonRole
        buttons.addButton(self._copy, roles.ActionRole)
        buttons.addButton(self._save, roles.ActionRole)
        buttons.addButton(close, roles.RejectRole)
        self._copy.clicked.connect(self._on_copy)
        self._save.clicked.connect(self._on_save)
        buttons.rejected.connect(self.reject)
        self._lay_out(buttons)
        self._show()
        self._kind.setFocus()

    @property
    def text(self) -> str:
        """The text of the task."""
        return self._preview.toPlainText()

    def _draft(self) -> Draft:
        return Draft(
            cast("DraftKind", self._kind.currentData()),
            self._step,
            self._row,
            self._column,
            self._head,
            cast("Reach", self._reach.currentData()),
            self._title.text(),
            self._ask.text(),
            self._digits.value(),
            self._condition.text(),
            self._only.text(),
            tuple(self._hints.toPlainText().splitlines()),
            tuple(self._options.toPlainText().splitlines()),
            self._mistake.currentData() or "",
        )

    @Slot()
    def _show(self) -> None:
        """Show the text, or say why there can be none."""
        kind = self._kind.currentData()
        for field, kinds in (
            (self._reach, ("numbers",)),
            (self._digits, ("numbers",)),
            (self._condition, ("make",)),
            (self._only, ("make",)),
            (self._options, ("choice",)),
            (self._mistake, ("wrong-step", "mistake")),
        ):
            self._form.setRowVisible(field, kind in kinds)
        text, reason = self._made()
        self._preview.setPlainText(text)
        self._reason.say(reason, error=not text)
        for button in (self._copy, self._save):
            button.setEnabled(bool(text))

    def _made(self) -> tuple[str, str]:
        """Return the text, and a notice about it."""
        draft, self._file = self._draft(), ""
        try:
            return page_of(self._document, draft), ""
        except FileNeededError:
            self._file = f"{self._stem()}{SUFFIX}"
        except ValueError as error:
            return "", str(error)
        try:
            text = page_of(self._document, draft, self._file)
        except ValueError as error:
            return "", str(error)
        notice = self.tr(
            "The text cannot hold this document. It is saved beside the lesson, as "
            "“{file}”."
        )
        return text, notice.format(file=self._file)

    def _stem(self) -> str:
        return file_stem(self._title.text() or self._document.title)

    @Slot()
    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self._notice.show_message(self.tr("The task was copied."))

    @Slot()
    def _on_save(self) -> None:
        try:
            path = ask_where_to_save(
                self,
                self.tr("Save the lesson"),
                documents_folder() / f"{self._stem()}.md",
                self.tr("Lesson"),
            )
            if path is None:
                return
            self._write(path)
        except (FileError, ValueError) as error:
            self._reason.say(str(error))
            return
        self._notice.show_message(
            self.tr("The lesson was saved as “{name}”.").format(name=path.name)
        )
        self.accept()

    def _write(self, path: Path) -> None:
        text = self.text
        if self._file:
            beside = path.with_suffix(SUFFIX)
            check_is_new(beside)
            draft = self._draft()
            save_session(asked_about(self._document, draft), beside)
            text = page_of(self._document, draft, beside.name)
        write_atomically(path, lesson_of(text, self._title.text()).encode())

    def _build_form(self, trace: Trace) -> None:
        self._kind = self._choice(
            "kind",
            self.tr("&Kind"),
            [(k, _KINDS[k]) for k in kinds_for(self._document, trace, self._step)],
        )
        self._title = self._line("title", self.tr("&Heading"), self.tr("A task"))
        self._ask = self._line("ask", self.tr("&Question"), "")
        self._ask.setPlaceholderText(self.tr("The usual one"))
        self._reach = self._choice("reach", self.tr("&Numbers"), list(_REACHES.items()))
        self._digits = number_field(self)
        self._digits.setObjectName("record.digits")
        self._digits.setAccessibleName(self.tr("Digits after the point"))
        self._digits.setRange(0, MOST_DIGITS)
        self._digits.setValue(2)
        self._digits.valueChanged.connect(self._show)
        self._form.addRow(self.tr("&Digits after the point"), self._digits)
        number = 0.5
        if self._step in trace:
            here = (
                slice(self._row, self._row + 1),
                slice(self._column, self._column + 1),
            )
            number = float(trace.window(self._step, *here, head=self._head)[0, 0])
        condition = f"{self._step}[{self._row}, {self._column}] >= {_round(number)}"
        self._condition = self._line("condition", self.tr("&Until"), condition)
        self._only = self._line("only", self.tr("&May change"), "")
        self._only.setPlaceholderText(self.tr("Everything; or such as W_Q, options"))
        one_each = self.tr("One in each line")
        self._options = self._lines(
            "options",
            self.tr("&Answers"),
            self.tr("One in each line; * before a right one, | before the feedback"),
        )
        own = self._document.spec.mistakes
        mistakes = [("", own[0].title)] if own else []
        if not own:
            ids = mistakes_in(self._document)
            mistakes = [(id, mistake_title(id)) for id in ids]
        self._mistake = self._choice("mistake", self.tr("M&istake"), mistakes)
        self._hints = self._lines("hints", self.tr("Hin&ts"), one_each)

    def _lines(self, name: str, title: str, placeholder: str) -> QPlainTextEdit:
        lines = QPlainTextEdit(self)
        lines.setObjectName(f"record.{name}")
        lines.setAccessibleName(title.replace("&", ""))
        lines.setPlaceholderText(placeholder)
        lines.setTabChangesFocus(True)
        lines.setFixedHeight(HINT_LINES * self.fontMetrics().lineSpacing() + 14)
        lines.textChanged.connect(self._show)
        self._form.addRow(title, lines)
        return lines

    def _line(self, name: str, title: str, text: str) -> QLineEdit:
        line = QLineEdit(text, self)
        line.setObjectName(f"record.{name}")
        line.setAccessibleName(title.replace("&", ""))
        line.textChanged.connect(self._show)
        self._form.addRow(title, line)
        return line

    def _choice(
        self, name: str, title: str, entries: Sequence[tuple[str, object]]
    ) -> ChoiceBox:
        box = ChoiceBox(self)
        box.setObjectName(f"record.{name}")
        box.setAccessibleName(title.replace("&", ""))
        for data, text in entries:
            box.addItem(_tr(str(text)), data)
        box.currentIndexChanged.connect(self._show)
        self._form.addRow(title, box)
        return box

    def _lay_out(self, buttons: QDialogButtonBox) -> None:
        intro = QLabel(
            self.tr(
                "A page of a lesson about the document as it is now. Select another "
                "cell first to ask for that one."
            ),
            self,
        )
        intro.setObjectName("record.intro")
        intro.setWordWrap(True)
        below = QHBoxLayout()
        below.addWidget(buttons)
        column = dialog_column(self)
        column.setSpacing(10)
        column.addWidget(intro)
        column.addLayout(self._form)
        column.addWidget(self._preview, 1)
        column.addWidget(self._reason)
        column.addLayout(below)
        resize_to_text(self, CHARACTERS, LINES)


def _round(number: float) -> str:
    return exact_text(round(number, 2)) if abs(number) < 1e6 else "1"
