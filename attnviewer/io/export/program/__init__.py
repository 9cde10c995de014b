"""Computations as standalone programs that check their own numbers."""

from attnviewer.io.export.program.notebook import notebook
from attnviewer.io.export.program.script import numpy_script, torch_script

__all__ = ["notebook", "numpy_script", "torch_script"]
