"""The Model dock: the effect of changes on the whole open model."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtGui import QFocusEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from attnviewer.ui.paint.appearance import Appearance
from attnviewer.ui.state.selected_token import selected_token
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.model_effect.head_switch import HeadSwitch
from attnviewer.ui.views.model_effect.layers_list import LayersList
from attnviewer.ui.views.model_effect.patch_list import PatchList
from attnviewer.ui.views.model_effect.texts import (
    Comparison,
    about_layers,
    alike,
    before_called,
    model_line,
    moved,
    result_title,
)
from attnviewer.ui.views.model_effect.tokens_list import TokensList
from attnviewer.ui.widgets.docks import heading_row
from attnviewer.ui.widgets.elided_label import ElidedLabel
from attnviewer.ui.widgets.empty_state import EmptyState
from attnviewer.ui.widgets.labels import heading, note, plain_box
from attnviewer.ui.widgets.tab_order import forward_focus
from attnviewer.ui.widgets.vertical_scroll import VerticalScroll

if TYPE_CHECKING:
    from attnviewer.models.effect import ModelEffect
    from attnviewer.models.experiment import Experiment


class EffectPanel(QWidget):
    """Shows the effect of replaced weights on later layers and on the output.

    Attributes
    ----------
    heading : QWidget
        The model, in one line.
    puts, layers, tokens
        The lists.
    """

    def __init__(
        self,
        workbench: Workbench,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("effect")
        self._workbench, self._model = workbench, workbench.model
        self._appearance = appearance
        self._trouble = ""
        self._name = ElidedLabel("effect.name")
        self._empty = EmptyState("effect", self)
        self._empty.say(self.tr("No model is open. Choose File ▸ Open model…"))
        self._about = note("effect.about")
        self._preview = workbench.ablation
        self._switch = HeadSwitch(self._preview, self)
        self._patches_title = heading("effect.puts.title")
        self.patches = PatchList()
        self._hint = note("effect.hint")
        self._take_out = QToolButton()
        self._take_out.setObjectName("effect.take_out")
        self._take_out.setText(self.tr("Remove all"))
        self.layers = LayersList()
        self._layers_note = note("effect.layers.note")
        self._result_title = heading("effect.result.title")
        self._result_title.setWordWrap(True)
        self.tokens = TokensList()
        self._embedding_title = heading("effect.embedding.title")
        self._embedding = plain_box("effect.embedding")
        self._result_note = note("effect.result.note")
        self._lay_out()
        self.patches.chosen.connect(self._model.show)
        self.patches.taken_out.connect(self._model.take_out)
        self._take_out.clicked.connect(self._take_all_out)
        self.layers.chosen.connect(self._model.show)
        model, selection = self._model, workbench.selection
        for signal in (model.changed, model.completed):
            signal.connect(self._on_changed)
        model.predicted.connect(self._show)
        self._preview.changed.connect(self._show)
        model.refused.connect(self._on_refused)
        model.interrupted.connect(self._on_interrupted)
        selection.cell_changed.connect(self._follow_query)
        appearance.changed.connect(self._show)
        self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Not a focus proxy, see `order_tabs`.
        forward_focus(self, self.layers, event.reason())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_query()

    @Slot()
    def _on_changed(self) -> None:
        self._trouble = ""
        self._follow_query()
        self._show()

    @Slot(str)
    def _on_refused(self, reason: str) -> None:
        if not self._model.computing:
            self._trouble = reason
            self._show()

    @Slot()
    def _on_interrupted(self) -> None:
        self._on_refused(self.tr("Not all layers were computed."))

    @Slot()
    def _follow_query(self) -> None:
        """Request the prediction at the selected query."""
        if self.isVisible() and self._model.experiment is not None:
            self._model.predict_after(selected_token(self._workbench))

    @Slot()
    def _take_all_out(self) -> None:
        self._model.take_out()

    @Slot()
    def _show(self) -> None:
        experiment, outcome = self._model.experiment, self._model.outcome
        self._empty.setVisible(experiment is None)
        self._scroll.setVisible(experiment is not None)
        if experiment is None:
            self._name.setText("")
            return
        self._name.setText(experiment.run.model.name)
        self._about.setText(model_line(experiment))
        self.patches.show_patches(experiment.patches)
        self.patches.setVisible(bool(experiment.patches))
        self._take_out.setVisible(bool(experiment.patches))
        comparison = Comparison.of(experiment)
        previewed = self._preview.kind is not None and self._preview.head is not None
        self._hint.setText(self._how_to_apply)
        self._hint.setVisible(not experiment.patches and not previewed)
        self._patches_title.setVisible(bool(experiment.patches) or not previewed)
        if previewed:
            effect, comparison = self._preview.effect, Comparison.BEFORE
            outcome = None if effect is None else effect.outcome
        self._show_layers(experiment, outcome, comparison)
        self._show_result(experiment, outcome, comparison)

    @property
    def _how_to_apply(self) -> str:
        link = self._workbench.link
        if link is None or link.head is None:
            return self.tr(
                "None yet. Choose “Edit this head”, change its weights and apply "
                "them to the model. What then changes in the other layers is shown "
                "here."
            )
        return self.tr(
            "None yet. Change the weights of this head, then choose “Apply to model”. "
            "What changes in the other layers is shown here."
        )

    def _show_layers(
        self,
        experiment: "Experiment",
        outcome: "ModelEffect | None",
        comparison: Comparison,
    ) -> None:
        theme = self._appearance.theme
        self.layers.set_theme(theme)
        changes = None if outcome is None else outcome.layers
        n_layers = experiment.run.model.n_layers
        self.layers.show_layers(changes, n_layers, self._model.location.layer)
        text = self._trouble or self._preview.trouble or self.tr("Computing…")
        if outcome is not None:
            text = about_layers(comparison, outcome)
        self._layers_note.setText(text)

    def _show_result(
        self,
        experiment: "Experiment",
        outcome: "ModelEffect | None",
        comparison: Comparison,
    ) -> None:
        tokens = None if outcome is None else outcome.next_tokens
        predicted = None if outcome is None else outcome.predicted
        similarity = None if outcome is None else outcome.similarity
        compared = before_called(comparison)
        self.tokens.set_theme(self._appearance.theme)
        of_labels = outcome is not None and outcome.classes is not None
        self.tokens.show_tokens(predicted, compared, of_labels=of_labels)
        self.tokens.setVisible(predicted is not None)
        changed = similarity is not None and bool(compared)
        self._embedding.setVisible(changed)
        self._embedding_title.setVisible(changed and predicted is not None)
        text = "" if outcome is None else outcome.missing
        if tokens is not None:
            text = moved(tokens) if compared else ""
        elif predicted is None and similarity is not None and not changed:
            text = self.tr("Nothing has been changed yet.")
        if changed:
            assert similarity is not None
            self._embedding.setText(alike(similarity, comparison))
        self._result_title.setText(result_title(experiment.run, predicted))
        self._result_note.setText(text)
        self._result_note.setVisible(bool(text))
        self._result_title.setVisible(bool(text) or outcome is not None)

    def _lay_out(self) -> None:
        title = heading("effect.title")
        title.setText(self.tr("Model"))
        self.heading = heading_row(title, self._name, self)
        layers_title = heading("effect.layers.title")
        self._patches_title.setText(self.tr("Weights applied to the model"))
        layers_title.setText(self.tr("Layers"))
        self._embedding.setAccessibleName(self.tr("Sentence embedding"))
        self._embedding_title.setText(self.tr("Sentence embedding"))
        # From the outermost in: Qt styles a widget with all that it contains again
        # when it gets another parent.
        scroll = self._scroll = VerticalScroll("effect.scroll", self)
        content = QWidget(scroll.viewport())
        content.setObjectName("effect.content")
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 0, 12, 12)
        column.setSpacing(8)
        column.addWidget(self._about)
        column.addWidget(self._switch)
        first = QHBoxLayout()
        self._patches_title.setWordWrap(True)
        first.addWidget(self._patches_title, 1)
        first.addWidget(self._take_out)
        column.addLayout(first)
        for widget in (
            self.patches,
            self._hint,
            layers_title,
            self._layers_note,
            self.layers,
            self._result_title,
            self.tokens,
            self._result_note,
            self._embedding_title,
            self._embedding,
        ):
            column.addWidget(widget)
        column.addStretch(1)
        scroll.setWidget(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(7)
        layout.addWidget(self.heading)
        layout.addWidget(self._empty, 1)
        layout.addWidget(scroll, 1)
