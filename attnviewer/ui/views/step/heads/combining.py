"""The title of several heads that are shown as one matrix."""

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import QCoreApplication

from attnviewer.compute import Combination, HeadLocation
from attnviewer.ui.state.layer_map import LayerWay

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
