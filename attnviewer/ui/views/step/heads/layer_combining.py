"""The layers of a model as one map beside the cards of their heads."""

from dataclasses import dataclass

from PySide6.QtCore import QObject

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.layer_map import LayerChoice
from attnviewer.ui.state.layer_maps import LayerMaps
from attnviewer.ui.views.step.heads.card_content import Card
from attnviewer.ui.views.step.heads.layer_words import left_out, map_title
from attnviewer.ui.views.step.heads.layers import content_of_map


@dataclass(frozen=True, slots=True, eq=False)
class CombinedLayers:
    """All layers as one map.

    Parameters
    ----------
    remark : str
        What that leaves out, or why there is none.
    card : Card or None
        The map; None while there is none.
    """

    remark: str
    card: Card | None = None


class LayerCombining(QObject):
    """Makes the card of all layers, the same until something changes.

    Parameters
    ----------
    maps : LayerMaps
        Computes the maps.
    parent : QObject
        The parent object.
    """

    def __init__(self, maps: LayerMaps, parent: QObject) -> None:
        super().__init__(parent)
        self.maps = maps
        self._choice: LayerChoice | None = None
        self._made: tuple[object, CombinedLayers] | None = None

    def combined(
        self, choice: LayerChoice | None, tokens: tuple[str, ...], theme: Theme
    ) -> CombinedLayers | None:
        """Return all layers combined; None if single heads are."""
        if self._choice is not None and choice != self._choice:
            self.maps.leave(self._choice)
        self._choice = choice
        if choice is None:
            return None
        found, trouble = self.maps.map(choice), self.maps.trouble(choice)
        key = choice, found, trouble, theme
        if self._made is None or self._made[0] != key:
            combined = CombinedLayers(trouble or self.tr("Computing…"))
            if found is not None:
                content = content_of_map(found, tokens, theme)
                card = Card(None, map_title(found), "", content, numbers=content)
                combined = CombinedLayers(left_out(found), card)
            self._made = key, combined
        return self._made[1]
