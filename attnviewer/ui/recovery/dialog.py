"""The list of what was not saved when a process ended."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.io.recovery import Leftover
from attnviewer.ui.files.checklist import CHARACTERS, Checklist, ListedDocument


class RecoveryDialog(QDialog):
    """Offers what was left behind; it keeps nobody from going on with the window.

    What is neither recovered nor discarded is offered at the next start again.

    Attributes
    ----------
    wanted : Signal
        A `Leftover` that is to be recovered.
    """

    wanted = Signal(object)

    def __init__(self, leftovers: Sequence[Leftover], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("recovery")
        self.setWindowTitle(self.tr("Unsaved documents"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        told = QLabel(
            self.tr(
                "attnviewer ended before these documents were saved. They can be "
                "opened as they were last kept; edits of the last seconds may be "
                "missing. Their files stay as they are until you save."
            )
        )
        told.setWordWrap(True)
        self._list = Checklist(map(_listed, leftovers), "recovery.list", self)
        roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox(self)
        # Made here: PySide lets go of those that the box makes while they are shown.
        self._recover = QPushButton(self.tr("&Recover checked"), self)
        self._discard = QPushButton(self.tr("&Discard checked"), self)
        later = QPushButton(self.tr("&Later"), self)
        for name, button, role in (
            ("recover", self._recover, roles.AcceptRole),
            ("discard", self._discard, roles.DestructiveRole),
            ("later", later, roles.RejectRole),
        ):
            button.setObjectName(f"recovery.{name}")
            buttons.addButton(button, role)
        self._recover.setDefault(True)
        self._recover.clicked.connect(self._want)
        self._discard.clicked.connect(self._remove)
        later.clicked.connect(self.reject)
        self._list.checked_changed.connect(self._enable)
        layout = QVBoxLayout(self)
        layout.addWidget(told)
        layout.addWidget(self._list, 1)
        layout.addWidget(buttons)
        width = self.fontMetrics().averageCharWidth() * CHARACTERS
        # By itself it takes the text for shorter than it is when it is broken.
        self.setMinimumHeight(layout.totalHeightForWidth(width))
        self.resize(width, self.minimumHeight())

    @Slot()
    def _enable(self) -> None:
        some = bool(self._list.checked)
        self._recover.setEnabled(some)
        self._discard.setEnabled(some)

    @Slot()
    def _want(self) -> None:
        for leftover in self._list.take_checked():
            self.wanted.emit(leftover)
        self._leave_if_empty()

    @Slot()
    def _remove(self) -> None:
        for leftover in self._list.take_checked():
            assert isinstance(leftover, Leftover)
            leftover.discard()
        self._leave_if_empty()

    def _leave_if_empty(self) -> None:
        if not self._list.topLevelItemCount():
            self.accept()


def title_of(leftover: Leftover) -> str:
    """Return what a person calls it."""
    if leftover.about is None:
        return QCoreApplication.translate("recovery", "A document of unknown title")
    return f"“{leftover.about.title}”"


def _listed(leftover: Leftover) -> ListedDocument:
    about = leftover.about
    return ListedDocument(
        title_of(leftover),
        about.content if about else "",
        about.change if about else "",
        leftover.time,
        about.file if about else None,
        leftover,
    )
