"""Real models: checkpoints, their forward pass, and their heads as documents."""

from attnviewer.models.model import Model, load
from attnviewer.models.trace import ModelTrace, NextToken

__all__ = ["Model", "ModelTrace", "NextToken", "load"]
