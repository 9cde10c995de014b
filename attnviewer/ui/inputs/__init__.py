"""The inputs: tokens and matrices as tables that a person types into."""

from attnviewer.ui.inputs.dock import InputsPanel
from attnviewer.ui.inputs.tokens.commands import TokenCommands

__all__ = ["InputsPanel", "TokenCommands"]
