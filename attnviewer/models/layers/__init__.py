"""The layers of a transformer block besides attention, in single precision."""

from attnviewer.models.layers.activations import ACTIVATIONS, Activation
from attnviewer.models.layers.feed_forward import Linear, feed_forward
from attnviewer.models.layers.norms import layer_norm, rms_norm

__all__ = [
    "ACTIVATIONS",
    "Activation",
    "Linear",
    "feed_forward",
    "layer_norm",
    "rms_norm",
]
