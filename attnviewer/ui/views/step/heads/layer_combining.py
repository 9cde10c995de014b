"""The layers of a model as one map beside the cards of their heads."""

from dataclasses import dataclass

from PySide6.QtCore import QObject

from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.layer_maps import LayerMaps, LayerWay
from attnviewer.ui.views.step.heads.card_content import Card
from attnviewer.ui.views.step.heads.combining import Way
from attnviewer.ui.views.step.heads.layer_words import left_out, map_title
from attnviewer.ui.views.step.heads.layers import content_of_map


@dataclass(frozen=True, slots=True, eq=False)
class CombinedLayers:
    """All layers as one map.

    Parameters
    ----------
    way : str
        How they are combined.
    said : str
        What that leaves out, or why there is none.
    card : Card or None
        The map; None while there is none.
    """

    way: LayerWay
    said: str
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
        self._way: LayerWay | None = None
        self._made: tuple[object, CombinedLayers] | None = None

    def combined(
        self, way: Way | None, tokens: tuple[str, ...], theme: Theme
    ) -> CombinedLayers | None:
        """Return all layers combined; None if single heads are."""
        of_layers = None if way == "mean" or way == "max" else way
        if self._way is not None and of_layers != self._way:
            self.maps.leave(self._way)
        self._way = of_layers
        if of_layers is None:
            return None
        found, trouble = self.maps.map(of_layers), self.maps.trouble(of_layers)
        key = of_layers, found, trouble, theme
        if self._made is None or self._made[0] != key:
            combined = CombinedLayers(of_layers, trouble or self.tr("Computing …"))
            if found is not None:
                content = content_of_map(found, tokens, theme)
                card = Card(None, map_title(found), "", content, numbers=content)
                combined = CombinedLayers(of_layers, left_out(found), card)
            self._made = key, combined
        return self._made[1]
