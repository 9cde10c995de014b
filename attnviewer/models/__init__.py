"""Real models: checkpoints, their forward pass, and their heads as documents."""

from attnviewer.models.head_table import HeadRow, head_table
from attnviewer.models.model import Model, load
from attnviewer.models.trace import ModelTrace, NextToken

__all__ = ["HeadRow", "Model", "ModelTrace", "NextToken", "head_table", "load"]
