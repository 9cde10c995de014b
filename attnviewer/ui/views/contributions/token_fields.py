"""Whose logit is split: one token, or the difference of two."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from attnviewer.ui.widgets.reason import ReasonLabel


class TokenFields(QWidget):
    """Two fields for tokens, and a line for why one is refused.

    Attributes
    ----------
    entered : Signal
        Tokens were typed.
    """

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("contributions.tokens")
        rows = QGridLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(8)
        rows.setColumnStretch(1, 1)
        tip = self.tr(
            "A single token of the vocabulary. Most tokens inside a sentence begin "
            "with a space."
        )
        self.token = self._field("token", self.tr("Logit of"), tip)
        self.against = self._field("against", self.tr("minus"), tip)
        self.token.setPlaceholderText(self.tr("the most probable"))
        self.against.setPlaceholderText(self.tr("nothing"))
        self._reason = ReasonLabel("contributions.tokens.reason", self)
        rows.addWidget(self._reason, 2, 0, 1, 2)

    @property
    def tokens(self) -> tuple[str | None, str | None]:
        """The typed text; None for nothing."""
        return self.token.text() or None, self.against.text() or None

    def say(self, reason: str) -> None:
        """Say why a token is refused; "" if none is."""
        self._reason.say(reason)

    def clear(self) -> None:
        """Take out what was typed."""
        for field in (self.token, self.against):
            field.clear()
        self.say("")

    def _field(self, name: str, caption: str, tip: str) -> QLineEdit:
        field, label = QLineEdit(self), QLabel(caption, self)
        field.setObjectName(f"contributions.{name}")
        field.setAccessibleName(caption)
        field.setToolTip(tip)
        label.setBuddy(field)
        field.editingFinished.connect(self._on_entered)
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        row = layout.rowCount() if name == "against" else 0
        layout.addWidget(label, row, 0)
        layout.addWidget(field, row, 1)
        return field

    @Slot()
    def _on_entered(self) -> None:
        self.entered.emit()
