"""The inputs: tokens and matrices as tables that a person types into."""

from attnviewer.ui.views.inputs.dock import InputsPanel
from attnviewer.ui.views.inputs.token_commands import TokenCommands

__all__ = ["InputsPanel", "TokenCommands"]
