"""Position schemes: added to embeddings, as rotations, or added to the scores."""

from attnviewer.compute.positions.alibi import alibi_bias, alibi_slopes
from attnviewer.compute.positions.disentangled import Disentangled
from attnviewer.compute.positions.frequencies import base_frequencies, check_count
from attnviewer.compute.positions.relative_bias import relative_buckets
from attnviewer.compute.positions.rotary import (
    pair_columns,
    rotary_angles,
    rotary_embedding,
    rotate,
)
from attnviewer.compute.positions.rotary_axes import RotaryAxes, check_axes
from attnviewer.compute.positions.rotary_scaling import (
    linear_frequencies,
    llama3_frequencies,
    yarn_attention_factor,
    yarn_frequencies,
)
from attnviewer.compute.positions.scheme import (
    Alibi,
    Learned,
    Positions,
    RelativeBias,
    Rotary,
    Sinusoidal,
)
from attnviewer.compute.positions.sinusoidal import sinusoidal_encoding
from attnviewer.compute.positions.stretching import (
    longrope_attention_factor,
    longrope_frequencies,
    scheme_angles,
)

__all__ = [
    "Alibi",
    "Disentangled",
    "Learned",
    "Positions",
    "RelativeBias",
    "Rotary",
    "RotaryAxes",
    "Sinusoidal",
    "alibi_bias",
    "alibi_slopes",
    "base_frequencies",
    "check_axes",
    "check_count",
    "linear_frequencies",
    "llama3_frequencies",
    "longrope_attention_factor",
    "longrope_frequencies",
    "pair_columns",
    "relative_buckets",
    "rotary_angles",
    "rotary_embedding",
    "rotate",
    "scheme_angles",
    "sinusoidal_encoding",
    "yarn_attention_factor",
    "yarn_frequencies",
]
