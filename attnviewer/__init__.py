"""The attention mechanism of transformers: computed, explained and on a workbench."""

from attnviewer.compute import (
    Alibi,
    Rotary,
    Sinusoidal,
    Trace,
    alibi_bias,
    alibi_slopes,
    attention,
    causal_mask,
    multi_head_attention,
    normalize,
    rotary_embedding,
    sinusoidal_encoding,
    window_mask,
)

__version__ = "0.1.0"

__all__ = [
    "Alibi",
    "Rotary",
    "Sinusoidal",
    "Trace",
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "causal_mask",
    "multi_head_attention",
    "normalize",
    "rotary_embedding",
    "sinusoidal_encoding",
    "window_mask",
]
