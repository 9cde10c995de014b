"""Activations of a run: where they are, and what replaces them."""

from attnviewer.models.activations.reading import activation, activations
from attnviewer.models.activations.replacement import (
    Replaced,
    Replacement,
    with_replaced,
)
from attnviewer.models.activations.replacing import NewValues
from attnviewer.models.activations.site import KINDS, PER_HEAD, Kind, Site

__all__ = [
    "KINDS",
    "PER_HEAD",
    "Kind",
    "NewValues",
    "Replaced",
    "Replacement",
    "Site",
    "activation",
    "activations",
    "with_replaced",
]
