"""The layers of a transformer block besides attention, in single precision."""

from attnviewer.models.layers.activations import ACTIVATIONS, Activation
from attnviewer.models.layers.derivatives import DERIVATIVES, Derivative
from attnviewer.models.layers.experts import (
    Expert,
    ReadExpert,
    routed,
    routed_backward,
)
from attnviewer.models.layers.feed_forward import (
    Linear,
    feed_forward,
    feed_forward_backward,
)
from attnviewer.models.layers.norms import (
    layer_norm,
    layer_norm_backward,
    rms_norm,
    rms_norm_backward,
)

__all__ = [
    "ACTIVATIONS",
    "DERIVATIVES",
    "Activation",
    "Derivative",
    "Expert",
    "Linear",
    "ReadExpert",
    "feed_forward",
    "feed_forward_backward",
    "layer_norm",
    "layer_norm_backward",
    "rms_norm",
    "rms_norm_backward",
    "routed",
    "routed_backward",
]
