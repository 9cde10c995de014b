"""The dialog that lists unsaved documents of crashed processes."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal, Slot
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QLabel,
    QPushButton,
    QWidget,
)

from attnviewer.io.recovery import RecoverableDocument
from attnviewer.ui.files.checklist import Checklist, ListedDocument, usual_width
from attnviewer.ui.widgets.companion_dialog import CompanionDialog
from attnviewer.ui.widgets.dialog_column import dialog_column


class RecoveryDialog(CompanionDialog):
    """Offers unsaved documents for recovery; it does not block the window.

    Documents neither recovered nor discarded are offered again at the next start.

    Attributes
    ----------
    wanted : Signal
        A `RecoverableDocument` to recover.
    """

    wanted = Signal(object)

    def __init__(
        self, recoverables: Sequence[RecoverableDocument], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("recovery")
        self.setWindowTitle(self.tr("Unsaved documents"))
        label = QLabel(
            self.tr(
                "attnviewer closed unexpectedly. These documents can be recovered as "
                "they were last autosaved; edits of the last few seconds may be "
                "missing. Their files stay as they are until you save."
            )
        )
        label.setWordWrap(True)
        self._list = Checklist(map(_listed, recoverables), "recovery.list", self)
        roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox(self)
        # Created here: PySide may lose buttons that the box creates itself.
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
        layout = dialog_column(self)
        layout.addWidget(label)
        layout.addWidget(self._list, 1)
        layout.addWidget(buttons)
        width = usual_width(self)
        # The size hint underestimates the height of word-wrapped text.
        self.setMinimumHeight(layout.totalHeightForWidth(width))
        self.resize(width, self.minimumHeight())

    @Slot()
    def _enable(self) -> None:
        some = bool(self._list.checked)
        self._recover.setEnabled(some)
        self._discard.setEnabled(some)

    @Slot()
    def _want(self) -> None:
        # The newest comes first in the list, and last here: it stays open.
        for recoverable in reversed(self._list.take_checked()):
            self.wanted.emit(recoverable)
        self._leave_if_empty()

    @Slot()
    def _remove(self) -> None:
        for recoverable in self._list.take_checked():
            assert isinstance(recoverable, RecoverableDocument)
            recoverable.discard()
        self._leave_if_empty()

    def _leave_if_empty(self) -> None:
        if not self._list.topLevelItemCount():
            self.accept()


def title_of(recoverable: RecoverableDocument) -> str:
    """Return its title for the user."""
    if recoverable.about is None:
        return QCoreApplication.translate("recovery", "A document of unknown title")
    return f"“{recoverable.about.title}”"


def _listed(recoverable: RecoverableDocument) -> ListedDocument:
    about = recoverable.about
    return ListedDocument(
        title_of(recoverable),
        about.content if about else "",
        about.change if about else "",
        recoverable.time,
        about.file if about else None,
        recoverable,
    )
