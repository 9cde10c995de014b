"""The open model: its input text, and the layer or head that is shown."""

from attnviewer.ui.state.model.open_model import OpenModel

__all__ = ["OpenModel"]
