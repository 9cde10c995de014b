"""The explanation of each value of a choice about the variant."""

from collections.abc import Callable
from typing import Any

from attnviewer.ui.text.concepts.choices import CHOICES, VARIANTS, scale_concept
from attnviewer.ui.text.concepts.concept import Concept
from attnviewer.ui.text.concepts.masks import MASKS
from attnviewer.ui.text.concepts.normalizers import NORMALIZERS
from attnviewer.ui.text.concepts.options import (
    GATES,
    cap_concept,
    length_concept,
    norm_concept,
)
from attnviewer.ui.text.concepts.positions import position_concept

_OF_VALUES: dict[str, Callable[[Any], Concept]] = {
    "variant": VARIANTS.__getitem__,
    "mask": MASKS.__getitem__,
    "positions": position_concept,
    "qk_norm": norm_concept,
    "output_gate": GATES.__getitem__,
    "scale": scale_concept,
    "length_scale": length_concept,
    "softcap": cap_concept,
    "normalizer": NORMALIZERS.__getitem__,
}


def value_concept(choice: str, value: object) -> Concept:
    """Return the explanation of a value of a choice.

    Parameters
    ----------
    choice : str
        The choice, one of `CHOICES`.
    value : object
        Its value. All numbers of a choice that is a number are explained alike.
    """
    explained = _OF_VALUES.get(choice)
    return CHOICES[choice] if explained is None else explained(value)
