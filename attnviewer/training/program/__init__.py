"""Training runs as standalone programs that check their own losses."""

from attnviewer.training.program.script import training_notebook, training_script

__all__ = ["training_notebook", "training_script"]
