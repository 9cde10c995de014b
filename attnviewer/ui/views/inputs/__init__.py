"""The inputs: tokens and matrices as editable tables."""

from attnviewer.ui.views.inputs.dock import InputsPanel
from attnviewer.ui.views.inputs.token_commands import TokenCommands

__all__ = ["InputsPanel", "TokenCommands"]
