"""Gradients of a number of a run on its activations, and what is estimated by them."""

from attnviewer.models.gradients.attention_gradient import (
    AttentionGradient,
    attention_gradient,
)
from attnviewer.models.gradients.attribution import attribution_patching
from attnviewer.models.gradients.gradients import Gradients

__all__ = [
    "AttentionGradient",
    "Gradients",
    "attention_gradient",
    "attribution_patching",
]
