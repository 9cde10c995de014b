"""Real models: checkpoints, their forward pass, and their heads as documents."""

from attnviewer.models.activations import Site
from attnviewer.models.circuits import circuit, composition, copying_score
from attnviewer.models.grid import Grid
from attnviewer.models.head_table import HeadRow, head_table
from attnviewer.models.model import Model, load
from attnviewer.models.next_token import NextToken
from attnviewer.models.patching import (
    EmbeddingCosine,
    Logit,
    Probability,
    ablate,
    patch,
)
from attnviewer.models.trace import ModelTrace

__all__ = [
    "EmbeddingCosine",
    "Grid",
    "HeadRow",
    "Logit",
    "Model",
    "ModelTrace",
    "NextToken",
    "Probability",
    "Site",
    "ablate",
    "circuit",
    "composition",
    "copying_score",
    "head_table",
    "load",
    "patch",
]
