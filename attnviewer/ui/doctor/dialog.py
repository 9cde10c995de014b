"""The dialog that shows how an implementation's arrays are read, and checks them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)

from attnviewer.one_line import one_line
from attnviewer.ui.doctor.options_form import OptionsForm
from attnviewer.ui.doctor.recognised import RecognisedList
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.initial_size import resize_to_text
from attnviewer.ui.widgets.reason import ReasonLabel

if TYPE_CHECKING:
    from attnviewer.doctor.case import Case
    from attnviewer.doctor.reading import CaseArrays

LINES, CHARACTERS = 40, 92
"""The largest initial size of the dialog."""
LINES_OF_NOTES = 4


class CheckDialog(QDialog):
    """Shows what is recognised, asks for the intended variant, and starts the check.

    Attributes
    ----------
    meant : Signal
        The variant that is meant is another one, as on the command line.
    check_wanted : Signal
        The user wants the arrays to be checked with it.
    stop_wanted : Signal
        The user cancels the check.
    """

    meant = Signal(str)
    check_wanted = Signal(str)
    stop_wanted = Signal()

    def __init__(
        self,
        title: str,
        arrays: "CaseArrays",
        state: Mapping[str, str],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("check")
        self.setWindowTitle(
            self.tr("Check the implementation in “{title}”").format(
                title=one_line(title)
            )
        )
        self._checking = False
        intro = QLabel(
            self.tr(
                "Arrays whose names start with mine_ are what your code gave; all "
                "others are its inputs. Below, say what the code is meant to compute."
            ),
            self,
        )
        intro.setObjectName("check.intro")
        intro.setWordWrap(True)
        self._recognised = RecognisedList(arrays, self)
        self._notes = QPlainTextEdit(self)
        self._notes.setObjectName("check.notes")
        self._notes.setReadOnly(True)
        self._notes.setTabChangesFocus(True)
        self._notes.setAccessibleName(self.tr("How the arrays are read"))
        self._notes.setMinimumHeight(
            LINES_OF_NOTES * self.fontMetrics().lineSpacing() + 14
        )
        self._notes.hide()
        self._options = OptionsForm(self)
        self._options.restore(state)
        self._options.changed.connect(self._on_meant)
        self._reason = ReasonLabel("check.reason", self, lines=2)
        self._progress = QProgressBar(self)
        self._progress.setObjectName("check.progress")
        self._progress.setAccessibleName(self.tr("Progress of the check"))
        self._progress.setTextVisible(False)
        self._progress.setRange(0, 100)
        self._progress.hide()
        self._check = QPushButton(self.tr("&Check"), self)
        self._check.setObjectName("check.start")
        self._check.setDefault(True)
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._cancel.setObjectName("check.cancel")
        buttons = QDialogButtonBox(self)
        buttons.addButton(self._check, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self._cancel, QDialogButtonBox.ButtonRole.RejectRole)
        self._check.clicked.connect(self._start)
        buttons.rejected.connect(self.reject)
        below = QHBoxLayout()
        below.addWidget(self._progress, 1)
        below.addWidget(buttons)
        layout = dialog_column(self)
        layout.setSpacing(10)
        layout.addWidget(intro)
        layout.addWidget(self._recognised, 2)
        layout.addWidget(self._notes, 1)
        layout.addWidget(self._options)
        layout.addWidget(self._reason)
        layout.addLayout(below)
        resize_to_text(self, CHARACTERS, LINES)
        self._options.setFocus()

    @property
    def spec(self) -> str:
        """The intended variant, as on the command line."""
        return self._options.spec()

    @property
    def state(self) -> dict[str, str]:
        """The choices, for the next dialog on the same file."""
        return self._options.state()

    def show_case(self, case: "Case") -> None:
        """Show how the arrays are read."""
        self._recognised.show()
        self._recognised.show_case(case)
        self._note("\n".join(case.notes))
        self._reason.say("")

    def refuse(self, reason: str) -> None:
        """Show why the arrays cannot be read, or checked."""
        self.set_checking(False)
        self._recognised.show_case(None)
        self._note("")
        self._reason.say(reason)

    def show_result(self, text: str, reason: str) -> None:
        """Show a diagnosis here, and why no document shows it."""
        self.set_checking(False)
        self._recognised.hide()
        self._note(text)
        self._reason.say(reason)

    def _note(self, text: str) -> None:
        self._notes.setPlainText(text)
        self._notes.setVisible(bool(text))

    def show_progress(self, share: float) -> None:
        """Show how much of the check is done."""
        self._progress.setValue(round(100 * share))

    def set_checking(self, checking: bool) -> None:
        """Disable the controls while the arrays are checked."""
        self._checking = checking
        self._progress.setVisible(checking)
        self._progress.setValue(0)
        self._options.setEnabled(not checking)
        self._check.setEnabled(not checking)
        self._cancel.setText(self.tr("Stop") if checking else self.tr("Cancel"))

    def reject(self) -> None:
        """Stop the check, or else close."""
        if not self._checking:
            super().reject()
            return
        self.stop_wanted.emit()
        self.set_checking(False)
        self._reason.say(self.tr("The check was stopped."), error=False)
        self._check.setFocus()

    @Slot()
    def _start(self) -> None:
        self.set_checking(True)
        self._reason.say("")
        self._cancel.setFocus()
        self.check_wanted.emit(self.spec)

    @Slot()
    def _on_meant(self) -> None:
        self.meant.emit(self.spec)
