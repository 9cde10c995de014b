"""The choice of where the layers end that are combined."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from attnviewer.ui.state.layer_map import LAYER_WAYS, LayerChoice
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.views.step.heads.combining import Way
from attnviewer.ui.widgets.choice_boxes import ChoiceBox


class LayerEndBox(ChoiceBox):
    """Chooses the last layer, or the token after which the model predicts.

    It is hidden where there is nothing to choose. The last one stays chosen, whichever
    it is, when the model or the sentence changes.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("heads.end")
        self.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToContents)
        self.hide()
        self._offered: tuple[str, ...] = ()

    def offer(self, way: Way | None, layers: int, tokens: Sequence[str]) -> None:
        """Offer what a way to combine layers can end with.

        Parameters
        ----------
        way : str or None
            How heads are combined.
        layers : int
            The number of layers.
        tokens : sequence of str
            The tokens after which the model predicts; none of an encoder.
        """
        caption, texts = self._ends(way, layers, tokens)
        self.setVisible(len(texts) > 1)
        if not texts or texts == self._offered:
            return
        end, alike = self.currentData(), caption == self.accessibleName()
        self._offered = texts
        self.set_caption(caption)
        self.clear()
        for index, text in enumerate(texts):
            self.addItem(text, None if index == len(texts) - 1 else index)
        kept = self.findData(end) if alike and end is not None else -1
        self.setCurrentIndex(kept if kept >= 0 else len(texts) - 1)

    def choice(self, way: Way | None) -> LayerChoice | None:
        """Return what is asked for; None if no layers are combined."""
        if way is None or way == "mean" or way == "max":
            return None
        return LayerChoice(way, None if self.isHidden() else self.currentData())

    def _ends(
        self, way: Way | None, layers: int, tokens: Sequence[str]
    ) -> tuple[str, tuple[str, ...]]:
        """Return what is chosen, and the texts of the choices."""
        if way == "attention_gradient":
            named = enumerate(map(token_label, tokens))
            return self.tr("After token"), tuple(f"{k} {token}" for k, token in named)
        if way in LAYER_WAYS:
            return self.tr("Up to"), tuple(f"L{layer}" for layer in range(layers))
        return "", ()
