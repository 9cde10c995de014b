"""Causal effects of heads and activations: ablation and activation patching."""

from attnviewer.models.patching.ablating import ablate
from attnviewer.models.patching.metrics import EmbeddingCosine, Logit, Probability
from attnviewer.models.patching.sweep import patch

__all__ = ["EmbeddingCosine", "Logit", "Probability", "ablate", "patch"]
