"""Real models: checkpoints, their forward pass, and their heads as documents."""

from attnviewer.models.activations import Site
from attnviewer.models.circuits import circuit, composition, copying_score
from attnviewer.models.flow import flow
from attnviewer.models.generation import Generation, Sampling, generate
from attnviewer.models.gradients import (
    AttentionGradient,
    Gradients,
    attention_gradient,
    attribution_patching,
)
from attnviewer.models.grid import Grid
from attnviewer.models.head_row import HeadRow
from attnviewer.models.head_table import head_table
from attnviewer.models.model import Model, load
from attnviewer.models.next_token import NextToken
from attnviewer.models.patching import (
    EmbeddingCosine,
    Logit,
    Probability,
    ablate,
    patch,
)
from attnviewer.models.predicted_classes import PredictedClass
from attnviewer.models.residual import Contributions, LogitLens, ScoreParts
from attnviewer.models.rollout import rollout
from attnviewer.models.survey import Survey, open_survey, survey
from attnviewer.models.trace import ModelTrace
from attnviewer.models.weight_differences import WeightDifferences, weight_differences

__all__ = [
    "AttentionGradient",
    "Contributions",
    "EmbeddingCosine",
    "Generation",
    "Gradients",
    "Grid",
    "HeadRow",
    "Logit",
    "LogitLens",
    "Model",
    "ModelTrace",
    "NextToken",
    "PredictedClass",
    "Probability",
    "Sampling",
    "ScoreParts",
    "Site",
    "Survey",
    "WeightDifferences",
    "ablate",
    "attention_gradient",
    "attribution_patching",
    "circuit",
    "composition",
    "copying_score",
    "flow",
    "generate",
    "head_table",
    "load",
    "open_survey",
    "patch",
    "rollout",
    "survey",
    "weight_differences",
]
