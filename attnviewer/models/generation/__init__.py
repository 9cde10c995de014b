"""Generation: a decoder goes on token by token, with a KV cache."""

from attnviewer.models.generation.continuation import Continuation, Step
from attnviewer.models.generation.generation import Generation, generate
from attnviewer.models.generation.sampling import Sampling

__all__ = ["Continuation", "Generation", "Sampling", "Step", "generate"]
