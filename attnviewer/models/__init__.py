"""Real models: checkpoints, their forward pass, and their heads as documents."""

from attnviewer.models.head_table import HeadRow, head_table
from attnviewer.models.model import Model, load
from attnviewer.models.next_token import NextToken
from attnviewer.models.trace import ModelTrace

__all__ = ["HeadRow", "Model", "ModelTrace", "NextToken", "head_table", "load"]
