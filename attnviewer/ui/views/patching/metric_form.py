"""The number by which runs are compared."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLineEdit, QWidget

from attnviewer.ui.state.patching import Patching
from attnviewer.ui.views.patching.fields import (
    RefusableField,
    choice,
    offer,
)
from attnviewer.ui.views.patching.texts import METRICS
from attnviewer.ui.widgets.forms import plain_form


class MetricForm(QWidget):
    """The form of the metric, with the tokens that it is about."""

    def __init__(self, patching: Patching, parent: QWidget) -> None:
        super().__init__(parent)
        self._patching = patching
        self._form = form = plain_form(self)
        title = self.tr("Metric")
        self.kind = choice(self, "metric", title, METRICS)
        self._kind = RefusableField(self.kind, self)
        form.addRow(title, self._kind)
        self.token, self._token = self._field("token", self.tr("Token"))
        self.minus, self._minus = self._field("minus", self.tr("Minus"))
        self.kind.activated.connect(self._on_kind)
        self.token.textEdited.connect(self._on_token)
        self.minus.textEdited.connect(self._on_minus)

    def refresh(self) -> None:
        """Show the metric and its tokens, and why they are refused."""
        reading, choices = self._patching.reading, self._patching.choices
        kind, typed = choices.metric, (choices.token, choices.minus)
        known = reading is not None and self._patching.read
        if reading is not None:
            offer(self.kind, {str(k): text for k, text in reading.missing.items()})
            kind = reading.metric_kind or kind
        self.kind.setCurrentIndex(self.kind.findData(kind))
        self._form.setRowVisible(self._token, kind != "cosine")
        self._form.setRowVisible(self._minus, kind == "difference")
        refused = reading.refused if reading is not None and known else {}
        self._kind.refuse(refused.get("metric", ""))
        self._token.refuse(refused.get("token", ""))
        self._minus.refuse(refused.get("minus", ""))
        best = ("", "") if reading is None or not reading.best else reading.best
        fields = zip((self.token, self.minus), typed, best, strict=True)
        for field, text, default in fields:
            field.setPlaceholderText(default)
            if field.text() != text:
                field.setText(text)

    def _field(self, name: str, title: str) -> tuple[QLineEdit, RefusableField]:
        field = QLineEdit(self)
        field.setObjectName(f"patching.{name}")
        field.setAccessibleName(title)
        field.setToolTip(
            self.tr(
                "A token as the vocabulary spells it, a text of one token, or an id "
                "such as #17; empty for the token that is shown"
            )
        )
        refusable = RefusableField(field, self)
        self._form.addRow(title, refusable)
        return field, refusable

    @Slot()
    def _on_kind(self) -> None:
        self._patching.choose(metric=self.kind.currentData())

    @Slot(str)
    def _on_token(self, text: str) -> None:
        self._patching.choose(token=text)

    @Slot(str)
    def _on_minus(self, text: str) -> None:
        self._patching.choose(minus=text)
