"""The section of the Head dock on the weights alone."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.head_page import HeadPage
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.views.head_page.composition_list import CompositionList
from attnviewer.ui.views.head_page.direction_list import DirectionList
from attnviewer.ui.views.head_page.spectrum import Spectrum
from attnviewer.ui.views.head_page.texts import (
    DECIMALS,
    about_keys,
    copying_text,
    eigenvalues_text,
    norm_text,
)
from attnviewer.ui.widgets.labels import heading, note
from attnviewer.ui.widgets.number_field import number_field
from attnviewer.ui.widgets.wheel_filter import WheelFilter

FARTHEST = 9999
"""The largest distance that can be typed."""


class WeightsBox(QWidget):
    """Shows circuits, tokens, copying score and compositions as they are computed.

    Attributes
    ----------
    qk, ov : Spectrum
        The singular values.
    tokens : DirectionList
        What the chosen singular direction of OV reads and writes.
    compositions : CompositionList
        The strongest compositions.
    """

    head_chosen = Signal(object)
    """The `HeadLocation` of a head that a link leads to."""

    def __init__(self, page: HeadPage, appearance: Appearance) -> None:
        super().__init__()
        self._page, self._appearance = page, appearance
        self._title = heading("head.weights.title")
        self._title.setText(self.tr("From the weights alone"))
        self._title.setToolTip(
            self.tr(
                "QK circuit: scale · N W_Q R W_Kᵀ Nᵀ, OV circuit: N W_V W_O, with N "
                "the linear part of the norm before attention and R the rotation by "
                "the distance.\nElhage et al. 2021, A Mathematical Framework for "
                "Transformer Circuits"
            )
        )
        self._about = note("head.weights.about")
        self._trouble = note("head.weights.trouble")
        self.qk = Spectrum("head.qk", self.tr("Singular values of QK"), appearance)
        self.ov = Spectrum("head.ov", self.tr("Singular values of OV"), appearance)
        self._qk_note, self._ov_note = note("head.qk.note"), note("head.ov.note")
        self._qk_title, self._ov_title = QLabel(self.tr("QK circuit")), QLabel()
        self._ov_title.setText(self.tr("OV circuit"))
        self._distance_label = QLabel(self.tr("tokens back"))
        self.distance = number_field(self)
        self.distance.setObjectName("head.distance")
        self.distance.setAccessibleName(self.tr("Distance of the QK circuit"))
        self.distance.setToolTip(
            self.tr(
                "How many tokens before the query the key stands: the rotation of "
                "the QK circuit, and of Q- and K-composition"
            )
        )
        self.distance.setRange(0, FARTHEST)
        self.distance.setKeyboardTracking(False)
        WheelFilter(self.distance)
        self.tokens = DirectionList()
        self._tokens_note = note("head.tokens.note")
        self._eigenvalues = note("head.eigenvalues")
        self._copying = note("head.copying")
        self._copying.setToolTip(
            self.tr(
                "Σ λ / Σ |λ| over the eigenvalues of W_E · OV · W_U: 1 if the head "
                "raises the logits of the tokens it attends to, −1 if it lowers them.\n"
                "Elhage et al. 2021, A Mathematical Framework for Transformer Circuits"
            )
        )
        self._composed_title = heading("head.compositions.title")
        self._composed_title.setText(self.tr("Composition"))
        self._composed_title.setToolTip(
            self.tr(
                "‖M₁ M₂‖ / ‖M₁‖‖M₂‖ with M₁ the OV circuit of the earlier head and M₂ "
                "the QK circuit of the later one (Q), its transpose (K), or its OV "
                "circuit (V).\nElhage et al. 2021, A Mathematical Framework for "
                "Transformer Circuits"
            )
        )
        self._composed_note = note("head.compositions.note")
        self.compositions = CompositionList()
        self._lay_out()
        self.qk.chosen.connect(page.set_qk_direction)
        self.ov.chosen.connect(page.set_direction)
        self.distance.valueChanged.connect(page.set_tokens_back)
        self.compositions.chosen.connect(
            self.head_chosen, Qt.ConnectionType.QueuedConnection
        )

    @Slot()
    def refresh(self) -> None:
        """Show what is known of the chosen head's weights."""
        page, run, head = self._page, self._page.run, self._page.head
        if run is None or head is None:
            return
        theme = self._appearance.theme
        for rows in (self.tokens, self.compositions):
            rows.set_theme(theme)
        remarks = [about_keys(run.model, head.head)]
        if run.changed_layers:
            remarks.append(self.tr("These are the model's own weights, without yours."))
        self._about.setText(" ".join(filter(None, remarks)))
        self._about.setVisible(bool(self._about.text()))
        for widget in (self._distance_label, self.distance):
            widget.setVisible(page.rotary)
        self._show_circuits()
        self._show_tokens()
        self._copying.setText(copying_text(page.copying, page.trouble("copying")))
        self._show_compositions()

    def _show_circuits(self) -> None:
        page, circuits = self._page, self._page.circuits
        parts = (self.qk, self.ov, self._qk_note, self._ov_note, self._eigenvalues)
        trouble = page.trouble("circuits")
        self._trouble.setText(trouble or self.tr("Computing…"))
        self._trouble.setVisible(circuits is None)
        # While other circuits are computed, their room stays.
        for part in parts:
            part.setVisible(not trouble)
        if circuits is None:
            return
        self.qk.show_circuit(circuits.qk, page.qk_direction)
        self.ov.show_circuit(circuits.ov, page.direction)
        self._qk_note.setText(norm_text(circuits.qk, self.qk.index))
        self._ov_note.setText(norm_text(circuits.ov, self.ov.index))
        self._eigenvalues.setText(eigenvalues_text(circuits))

    def _show_tokens(self) -> None:
        page, tokens = self._page, self._page.tokens
        self.tokens.setVisible(tokens is not None)
        text = page.trouble("tokens") or self.tr("Tokens: computing…")
        if tokens is not None:
            text = self.tr(
                "Tokens with the largest products with direction {number} of OV; signs "
                "tell those of a side apart."
            ).format(number=page.direction + 1)
            if tokens.missing:
                text += " " + self.tr("Without an output vocabulary it writes none.")
            self.tokens.show_tokens(tokens)
        self._tokens_note.setText(text)

    def _show_compositions(self) -> None:
        page, head, composed = self._page, self._page.head, self._page.compositions
        self.compositions.setVisible(bool(composed))
        text = page.trouble("compositions") or self.tr("Computing…")
        if composed is not None and head is not None and page.run is not None:
            self.compositions.show_compositions(composed, head)
            width = page.run.model.architecture.d_model
            text = self.tr(
                "Random directions would give 1/√d_model = {number}. No text enters."
            ).format(number=format_number(width**-0.5, DECIMALS))
            if not composed:
                text = self.tr("The model has no other layers.")
        self._composed_note.setText(text)

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.addWidget(self._qk_title, 1)
        first.addWidget(self._distance_label)
        first.addWidget(self.distance)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(8)
        for label in (self._title, self._about, self._trouble):
            column.addWidget(label)
        column.addLayout(first)
        for widget in (
            self.qk,
            self._qk_note,
            self._ov_title,
            self.ov,
            self._ov_note,
            self._eigenvalues,
            self._copying,
            self._tokens_note,
            self.tokens,
            self._composed_title,
            self._composed_note,
            self.compositions,
        ):
            column.addWidget(widget)
