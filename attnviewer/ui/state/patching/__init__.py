"""Causal effects of heads and activations of the open model on a number."""

from attnviewer.ui.state.patching.choices import PatchingChoices
from attnviewer.ui.state.patching.patching import Patching

__all__ = ["Patching", "PatchingChoices"]
