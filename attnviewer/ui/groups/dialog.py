"""The dialog that asks for the name of a new group."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from attnviewer.document.grouping import group_tokens
from attnviewer.document.token_groups import LONGEST_NAME, overlapping
from attnviewer.ui.groups.pointed import PointedTokens
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.tokens import how_many_tokens, token_label
from attnviewer.ui.widgets.dialog_column import dialog_column
from attnviewer.ui.widgets.edit_dialog import EditDialog
from attnviewer.ui.widgets.labels import note


class GroupDialog(EditDialog):
    """Asks for the name of a group of neighbouring tokens.

    Parameters
    ----------
    edits : EditStack
        Where the edit goes.
    pointed : PointedTokens
        The tokens.
    parent : QWidget
        The window.
    """

    def __init__(
        self, edits: EditStack, pointed: PointedTokens, parent: QWidget
    ) -> None:
        super().__init__(edits, parent)
        self.setObjectName("group")
        self.setWindowTitle(self.tr("Group tokens"))
        self._pointed = pointed
        labels = edits.document.labels.of(pointed.side)
        tokens = labels[pointed.start : pointed.stop]
        self._name = QLineEdit(" ".join(map(str.strip, tokens))[:LONGEST_NAME], self)
        self._name.setObjectName("group.name")
        self._name.setMaxLength(LONGEST_NAME)
        self._name.selectAll()
        ends = token_label(tokens[0]), token_label(tokens[-1])
        which = ends[0]
        if len(tokens) > 1:
            which = self.tr("{count}, from {first} to {last}").format(
                count=how_many_tokens(len(tokens)), first=ends[0], last=ends[1]
            )
        form = QFormLayout()
        form.addRow(self.tr("Tokens"), QLabel(which, self))
        form.addRow(self.tr("&Name"), self._name)
        document, keys = edits.document, pointed.side == "keys"
        groups = document.key_groups if keys else document.groups
        if gone := overlapping(groups, pointed.start, pointed.stop):
            replaced = note("group.replaced")
            replaced.setText(", ".join(token_label(group.name) for group in gone))
            form.addRow(self.tr("Replaces"), replaced)
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel, self)
        self._ok = buttons.button(kinds.Ok)
        self._ok.setText(self.tr("Group"))
        layout = dialog_column(self)
        layout.addLayout(form)
        layout.addWidget(buttons)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._name.textChanged.connect(self._check)
        self._check()

    def accept(self) -> None:
        """Group the tokens."""
        _, start, stop = self._pointed
        name = self._name.text().strip()
        label = self.tr("Group the tokens {name}").format(name=token_label(name))
        keys = self._pointed.side == "keys"
        document = self._edits.document
        self.submit(group_tokens(document, start, stop, name, label, keys=keys))
        super().accept()

    @Slot()
    def _check(self) -> None:
        self._ok.setEnabled(bool(self._name.text().strip()))
