"""Asking for a folder to write to, which need not exist yet."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)


class FolderDialog(QFileDialog):
    """Accepts the name of a new folder as well; the caller creates it.

    Qt's own dialogs refuse a folder that does not exist.
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
        name.textChanged.connect(self._allow)  # after Qt's own slot, which disables it

    @staticmethod
    def ask(parent: QWidget, title: str, folder: str) -> str:
        """Return the folder that the user chooses; "" if cancelled."""
        dialog = FolderDialog(parent, title, folder)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        names = dialog.selectedFiles() if accepted else []
        dialog.deleteLater()
        return names[0] if names else ""

    @Slot(str)
    def _allow(self, name: str) -> None:
        """Enable the button for a folder that does not exist yet."""
        box = self.findChild(QDialogButtonBox)
        assert box is not None
        box.button(QDialogButtonBox.StandardButton.Open).setEnabled(bool(name))

    def accept(self) -> None:
        names = self.selectedFiles()
        if len(names) == 1 and not self.directory().exists(names[0]):
            self.done(QDialog.DialogCode.Accepted)
        else:
            super().accept()
