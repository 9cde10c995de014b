"""Training: what is learned and how, the run, its loss and its warnings."""

from attnviewer.ui.views.training.panel import TrainingPanel

__all__ = ["TrainingPanel"]
