"""The inputs: tokens and matrices as tables that a person types into."""

from attnviewer.ui.inputs.dock import InputsPanel

__all__ = ["InputsPanel"]
