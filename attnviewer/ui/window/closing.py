"""Asking what to do with changed documents when the window closes."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPushButton,
)

from attnviewer.document import Document
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.files.checklist import (
    Checklist,
    ListedDocument,
    change_text,
    summary_of,
    usual_width,
)
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.window.main_window import MainWindow


class ClosingDialog(QDialog):
    """Lists the changed documents; the checked ones can be saved.

    Attributes
    ----------
    choice : str
        ``save`` the checked ones, ``discard`` all changes, or ``cancel``.
    """

    def __init__(self, window: MainWindow, documents: Sequence[Document]) -> None:
        super().__init__(window)
        self.setObjectName("closing")
        self.setWindowTitle(self.tr("Close attnviewer"))
        self.choice: Literal["save", "discard", "cancel"] = "cancel"
        label = QLabel(self.tr("Save the changes to these documents?"), self)
        rows = [_listed(window, document) for document in documents]
        self._list = Checklist(rows, "closing.list", self)
        self._lost = QLabel(self)
        self._lost.setObjectName("closing.lost")
        roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox(self)
        self._save = QPushButton(self.tr("&Save checked"), self)
        self._discard = QPushButton(self.tr("&Discard all"), self)
        cancel = QPushButton(self.tr("&Cancel"), self)
        for name, button, role in (
            ("save", self._save, roles.AcceptRole),
            ("discard", self._discard, roles.DestructiveRole),
            ("cancel", cancel, roles.RejectRole),
        ):
            button.setObjectName(f"closing.{name}")
            buttons.addButton(button, role)
        self._save.setDefault(True)
        self._save.clicked.connect(self._choose_save)
        self._discard.clicked.connect(self._choose_discard)
        cancel.clicked.connect(self.reject)
        self._list.checked_changed.connect(self._show_lost)
        layout = dialog_column(self)
        layout.addWidget(label)
        layout.addWidget(self._list, 1)
        layout.addWidget(self._lost)
        layout.addWidget(buttons)
        self.resize(usual_width(self), self.sizeHint().height())
        self._show_lost()
        self._list.setFocus()

    @property
    def checked(self) -> list[Document]:
        """The documents to be saved."""
        return [d for d in self._list.checked if isinstance(d, Document)]

    @Slot()
    def _show_lost(self) -> None:
        checked, others = len(self._list.checked), len(self._list.unchecked)
        self._save.setEnabled(checked > 0)
        text = self.tr("The changes to 1 unchecked document will be lost.")
        if others != 1:
            text = self.tr("The changes to {count} unchecked documents will be lost.")
        self._lost.setText(text.format(count=others) if checked and others else "")

    @Slot()
    def _choose_save(self) -> None:
        self.choice = "save"
        self.accept()

    @Slot()
    def _choose_discard(self) -> None:
        self.choice = "discard"
        self.accept()


def confirm_close(window: MainWindow, documents: Sequence[Document]) -> bool:
    """Ask whether to save changes; return whether the window may close."""
    dialog = ClosingDialog(window, documents)
    dialog.exec()
    choice, checked = dialog.choice, dialog.checked
    dialog.deleteLater()
    if choice == "save":
        return window.feature(FilesFeature).saver.save_each(checked)
    return choice == "discard"


def _listed(window: MainWindow, document: Document) -> ListedDocument:
    changes = window.workbench.edits.changes(document)
    origin = window.feature(FilesFeature).origins.origin(document)
    return ListedDocument(
        f"“{document.title}”",
        summary_of(document),
        change_text(changes),
        changes.time,
        str(origin.path) if origin is not None else None,
        document,
    )
