"""The choice of the activations to patch, and of the two sentences."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.patching import Patching
from attnviewer.ui.views.patching.fields import (
    RefusableField,
    choice,
    offer,
)
from attnviewer.ui.views.patching.texts import SITES
from attnviewer.ui.views.patching.token_pairs import TokenPairs
from attnviewer.ui.widgets.forms import plain_form

DIRECTIONS = {
    "corrupted": QT_TRANSLATE_NOOP("Patching", "clean into corrupted"),
    "clean": QT_TRANSLATE_NOOP("Patching", "corrupted into clean"),
}
BY = {
    "head": QT_TRANSLATE_NOOP("Patching", "layer × head"),
    "token": QT_TRANSLATE_NOOP("Patching", "layer × token"),
}


class PairForm(QWidget):
    """The form of patching: the other sentence, the activations, and where to."""

    def __init__(
        self, patching: Patching, appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._patching = patching
        form = plain_form(self)
        self.other = QLineEdit(self)
        self.other.setObjectName("patching.other")
        self.other.setAccessibleName(self.tr("Corrupted sentence"))
        self.other.setPlaceholderText(self.tr("As many tokens as the open sentence"))
        self._other = RefusableField(self.other, self)
        form.addRow(self.tr("Corrupted"), self._other)
        self.tokens = TokenPairs(appearance)
        form.addRow(self.tokens)
        title = self.tr("Put")
        self.direction = choice(self, "direction", title, DIRECTIONS)
        form.addRow(title, self.direction)
        title = self.tr("Activations")
        self.sites = choice(self, "sites", title, SITES)
        form.addRow(title, self.sites)
        title = self.tr("Grid")
        self.by = choice(self, "by", title, BY)
        form.addRow(title, self.by)
        self.other.textEdited.connect(self._on_other)
        self.direction.activated.connect(self._on_direction)
        self.sites.activated.connect(self._on_sites)
        self.by.activated.connect(self._on_by)

    def refresh(self) -> None:
        """Show the choices, both sentences, and why the other one is refused."""
        choices, reading = self._patching.choices, self._patching.reading
        if self.other.text() != choices.other:
            self.other.setText(choices.other)
        direction = "clean" if choices.into_clean else "corrupted"
        self.direction.setCurrentIndex(self.direction.findData(direction))
        self.sites.setCurrentIndex(self.sites.findData(choices.sites))
        by = "token" if choices.by_token else "head"
        self.by.setCurrentIndex(self.by.findData(by))
        shared = self.tr("All heads share these activations.")
        offer(self.by, {} if choices.of_heads else {"head": shared})
        known = reading is not None and reading.corrupted is not None
        self.tokens.setVisible(known and bool(choices.other.strip()))
        if reading is None or not self._patching.read:
            self._other.refuse("")
            return
        self._other.refuse(reading.refused.get("other", ""))
        if reading.corrupted is not None:
            readable = reading.clean.model.readable
            clean, corrupted = reading.clean.tokens, reading.corrupted.tokens
            self.tokens.show_tokens(readable(clean), readable(corrupted))

    @Slot(str)
    def _on_other(self, text: str) -> None:
        self._patching.choose(other=text)

    @Slot()
    def _on_direction(self) -> None:
        into_clean = self.direction.currentData() == "clean"
        self._patching.choose(into_clean=into_clean)

    @Slot()
    def _on_sites(self) -> None:
        self._patching.choose(sites=self.sites.currentData())

    @Slot()
    def _on_by(self) -> None:
        self._patching.choose(each=self.by.currentData() == "token")
