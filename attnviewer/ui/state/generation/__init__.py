"""The open decoder goes on token by token."""

from attnviewer.ui.state.generation.choices import GenerationChoices
from attnviewer.ui.state.generation.generating import Generating

__all__ = ["Generating", "GenerationChoices"]
