"""The training panel: choices, transport, loss and warnings of a run."""

from attnviewer.ui.views.training.panel import TrainingPanel

__all__ = ["TrainingPanel"]
