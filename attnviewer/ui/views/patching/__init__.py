"""The Patching dock: what heads and activations do to a number of the model."""

from attnviewer.ui.views.patching.panel import PatchingPanel

__all__ = ["PatchingPanel"]
