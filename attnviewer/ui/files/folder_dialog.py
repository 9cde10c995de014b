"""Asking for a folder to write to, which need not be there yet."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)


class FolderDialog(QFileDialog):
    """Takes the name of a new folder as well; whoever writes there makes it.

    Qt's own dialogs refuse one that is not there.
    """

    def __init__(self, parent: QWidget, title: str, folder: str) -> None:
        super().__init__(parent, title, folder)
        self.setObjectName("folder")
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptOpen)
        label = QFileDialog.DialogLabel
        self.setLabelText(label.FileName, self.tr("&Folder, existing or new:"))
        self.setLabelText(label.Accept, self.tr("&Choose"))
        name = self.findChild(QLineEdit)
        assert name is not None
        name.textChanged.connect(self._allow)  # after Qt, which has just refused it

    @staticmethod
    def ask(parent: QWidget, title: str, folder: str) -> str:
        """Return the folder that a person chooses; "" for none."""
        dialog = FolderDialog(parent, title, folder)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        names = dialog.selectedFiles() if accepted else []
        dialog.deleteLater()
        return names[0] if names else ""

    @Slot(str)
    def _allow(self, name: str) -> None:
        """Let a folder be chosen that is not there yet."""
        box = self.findChild(QDialogButtonBox)
        assert box is not None
        box.button(QDialogButtonBox.StandardButton.Open).setEnabled(bool(name))

    def accept(self) -> None:
        names = self.selectedFiles()
        if len(names) == 1 and not self.directory().exists(names[0]):
            self.done(QDialog.DialogCode.Accepted)
        else:
            super().accept()
