"""The choice of what replaces the outputs of heads that are switched off."""

from PySide6.QtCore import QEvent, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from attnviewer.ui.state.patching import Patching
from attnviewer.ui.views.patching.fields import RefusableField, choice
from attnviewer.ui.views.patching.texts import ABLATIONS
from attnviewer.ui.widgets.forms import plain_form

LINES = 4
"""Height of the field for sentences."""


class AblationForm(QWidget):
    """The form of switching heads off."""

    def __init__(self, patching: Patching, parent: QWidget) -> None:
        super().__init__(parent)
        self._patching = patching
        self._form = form = plain_form(self)
        title = self.tr("Replace by")
        self.to = choice(self, "to", title, ABLATIONS)
        form.addRow(title, self.to)
        self.over = QPlainTextEdit(self)
        self.over.setObjectName("patching.over")
        self.over.setAccessibleName(self.tr("Sentences, one in each line"))
        self.over.setTabChangesFocus(True)
        self._over = RefusableField(self.over, self)
        form.addRow(self.tr("Sentences"), self._over)
        self.to.activated.connect(self._on_to)
        self.over.textChanged.connect(self._on_over)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def refresh(self) -> None:
        """Show the choices, and why the sentences are refused."""
        choices, reading = self._patching.choices, self._patching.reading
        if self.over.toPlainText() != choices.over:
            self.over.setPlainText(choices.over)
        self.to.setCurrentIndex(self.to.findData(choices.to))
        self._form.setRowVisible(self._over, choices.to != "zero")
        if choices.to == "mean":
            text = self.tr("One in each line; empty for the open sentence alone")
        else:
            text = self.tr("One in each line, of as many tokens as the open sentence")
        self.over.setPlaceholderText(text)
        refused = "" if reading is None else reading.refused.get("over", "")
        self._over.refuse(refused if self._patching.read else "")

    def _fit(self) -> None:
        self.over.setFixedHeight(LINES * self.fontMetrics().lineSpacing() + 12)

    @Slot()
    def _on_to(self) -> None:
        self._patching.choose(to=self.to.currentData())

    @Slot()
    def _on_over(self) -> None:
        self._patching.choose(over=self.over.toPlainText())
