"""The question before the very first number is pinned."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QWidget

from attnviewer.document import Edit
from attnviewer.ui.state.settings import own_settings
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.edit_dialog import EditDialog

_KNOWN = "pins/known"
_CHARACTERS = 46
"""The width of the texts, in average characters."""


def knows_pins() -> bool:
    """Return whether the user has pinned a number by typing before."""
    return bool(own_settings().value(_KNOWN, False, type=bool))


class PinQuestion(EditDialog):
    """Asks whether a number that follows from the inputs shall be pinned.

    Parameters
    ----------
    edits : EditStack
        Where the edit goes.
    edit : Edit
        What pins the number.
    question : str
        What is asked.
    cells : str
        The name of the cells.
    parent : QWidget
        The window.
    """

    def __init__(
        self, edits: EditStack, edit: Edit, question: str, cells: str, parent: QWidget
    ) -> None:
        super().__init__(edits, parent)
        self.setObjectName("pin.question")
        self.setWindowTitle(self.tr("Pin numbers"))
        self._edit = edit
        asked = QLabel(
            self.tr("Computed numbers follow from the inputs. {question}").format(
                question=question
            ),
            self,
        )
        asked.setObjectName("pin.question.asked")
        means = QLabel(
            self.tr(
                "A pin holds {cells} whatever the inputs are, and every later step is "
                "computed from it, until Delete unpins it."
            ).format(cells=cells),
            self,
        )
        means.setObjectName("pin.question.means")
        buttons = QDialogButtonBox.StandardButton
        box = QDialogButtonBox(buttons.Ok | buttons.Cancel, self)
        pin = box.button(buttons.Ok)
        pin.setText(self.tr("Pin"))
        pin.setDefault(True)
        box.accepted.connect(self._pin)
        box.rejected.connect(self.reject)
        layout = dialog_column(self)
        layout.setSpacing(10)
        for label in (asked, means):
            label.setWordWrap(True)
            label.setFixedWidth(_CHARACTERS * self.fontMetrics().averageCharWidth())
            layout.addWidget(label)
        layout.addWidget(box)
        pin.setFocus()

    @Slot()
    def _pin(self) -> None:
        own_settings().setValue(_KNOWN, True)
        self.submit(self._edit)
        self.accept()
