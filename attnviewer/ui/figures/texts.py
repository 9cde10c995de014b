"""The words of figures. They are English, as the papers are that they go to."""

from attnviewer.compute import Axis
from attnviewer.ui.text.step_titles import TITLES

_AXES: dict[Axis, str] = {
    "tokens": "Token",
    "queries": "Query",
    "keys": "Key",
    "distances": "Relative position",
    "features": "Feature",
}
_QUANTITIES = {
    "weights": "Attention weight",
    "scores": "Score",
    "summed": "Summed score",
    "scaled": "Scaled score",
    "tempered": "Score scaled by length",
    "capped": "Capped score",
    "biased": "Biased score",
    "masked": "Masked score",
    "heads": "Head output",
    "gated": "Gated head output",
    "G": "Gate logit",
    "mask": "Masked",
}


def place_words(model: str, layer: int, head: int | None = None) -> str:
    """Return where in a model something is: ``layer 3 of all-MiniLM-L6-v2``."""
    place = f"layer {layer} of {model}"
    return place if head is None else f"head {head} of {place}"


def axis_title(axis: Axis) -> str:
    """Return what one row or column of an axis is."""
    return _AXES[axis]


def step_words(step: str) -> str:
    """Return what a step is called in a sentence: ``Attention weights``."""
    return str(TITLES.get(step, step))


def quantity(step: str) -> str:
    """Return what one number of a step is: ``Attention weight``."""
    return _QUANTITIES.get(step, step_words(step))
