"""Several heads that are shown as one matrix."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from PySide6.QtCore import QCoreApplication

from attnviewer.compute import Combination, Combined, HeadLocation
from attnviewer.ui.paint.step_content import StepContent
from attnviewer.ui.state.layer_map import LayerWay
from attnviewer.ui.views.step.heads.card_content import Card

Way: TypeAlias = Combination | LayerWay
"""How heads are combined."""


def combined_title(
    how: Combination, locations: Sequence[HeadLocation], count: int
) -> str:
    """Return what a combination of heads is called: ``mean of H0, H2``.

    Parameters
    ----------
    how : str
        ``mean`` or ``max``.
    locations : sequence of HeadLocation
        The heads.
    count : int
        How many there are.
    """
    translate = QCoreApplication.translate
    if len(locations) == count:
        texts = {
            "mean": translate("Heads", "mean of all {count} heads"),
            "max": translate("Heads", "maximum of all {count} heads"),
        }
        return texts[how].format(count=count)
    texts = {
        "mean": translate("Heads", "mean of {heads}"),
        "max": translate("Heads", "maximum of {heads}"),
    }
    return texts[how].format(heads=", ".join(location.name for location in locations))


class HeadCombining:
    """Makes the card of several heads combined, the same until something changes."""

    def __init__(self) -> None:
        self._cards: Mapping[HeadLocation, Card] = {}
        self._all: tuple[HeadLocation, ...] = ()
        self._included: frozenset[HeadLocation] = frozenset()
        self._made: tuple[object, Card] | None = None

    @property
    def heads(self) -> tuple[HeadLocation, ...]:
        """The combined heads: those included, or all if none is."""
        return tuple(filter(self.includes, self._all)) or self._all

    def includes(self, head: HeadLocation) -> bool:
        """Return whether a head was included."""
        return head in self._included

    def toggle(self, head: HeadLocation) -> None:
        """Include a head, or no longer."""
        self._included ^= {head}

    def show_heads(self, cards: Mapping[HeadLocation, Card]) -> None:
        """Combine other heads, or heads with other numbers, by their cards."""
        self._cards, self._all = cards, tuple(cards)
        self._included &= cards.keys()
        self._made = None

    def forget(self) -> None:
        """Let go of the numbers; the same heads stay included."""
        self._cards, self._made = {}, None

    def combined(self, way: Combination, content: StepContent) -> Card:
        """Return the card of the combined heads.

        Parameters
        ----------
        way : str
            ``mean`` or ``max``.
        content : StepContent
            Labels and colours; its matrix is that of any head.
        """
        heads = self.heads
        key = way, heads
        if self._made is None or self._made[0] != key:
            cards = [self._cards[head] for head in heads]
            combination = Combined([card.content.matrix for card in cards], way)
            title = combined_title(way, heads, len(self._all))
            numbers = way, tuple(card.numbers for card in cards)
            card = Card(
                *(None, title, "", content.with_matrix(combination)), numbers=numbers
            )
            self._made = key, card
        return self._made[1]
