"""Training: matrices of a document learn a task, step by step."""

from attnviewer.training.advice import Advice
from attnviewer.training.start import train
from attnviewer.training.tasks import Task
from attnviewer.training.training import Step, Training

__all__ = ["Advice", "Step", "Task", "Training", "train"]
