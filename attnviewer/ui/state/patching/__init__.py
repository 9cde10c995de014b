"""What heads and activations do to a number of the open model."""

from attnviewer.ui.state.patching.choices import PatchingChoices
from attnviewer.ui.state.patching.patching import Patching

__all__ = ["Patching", "PatchingChoices"]
