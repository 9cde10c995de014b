"""Training runs in the window: the choices, and the run that views follow."""

from attnviewer.ui.state.training.choices import TrainingChoices
from attnviewer.ui.state.training.trainer import Trainer

__all__ = ["Trainer", "TrainingChoices"]
