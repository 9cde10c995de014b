"""Record what transformers makes of a gate on the output of each head.

Not a test. By hand, from the root of the repository, with torch and transformers 5.24
installed:

    python -m tests.compute.record_output_gate

The attention of Qwen3-Next is run over a few tokens, and its input, weights, attention
and output are written to tests/data/output_gate.npz.
"""

from pathlib import Path

import numpy as np
import torch
from transformers.models.qwen3_next.configuration_qwen3_next import Qwen3NextConfig
from transformers.models.qwen3_next.modeling_qwen3_next import (
    Qwen3NextAttention,
    Qwen3NextRotaryEmbedding,
)

PATH = Path(__file__).parents[1] / "data" / "output_gate.npz"
HEADS, WIDTH = 4, 8


def main() -> None:
    torch.manual_seed(7)
    config = Qwen3NextConfig(
        hidden_size=12,
        num_attention_heads=HEADS,
        num_key_value_heads=2,
        head_dim=WIDTH,
        num_hidden_layers=1,
        partial_rotary_factor=0.5,
        max_position_embeddings=64,
        attention_bias=False,
    )
    config._attn_implementation = "eager"
    layer = Qwen3NextAttention(config, 0).double().eval()
    for norm in (layer.q_norm, layer.k_norm):
        norm.weight.data.normal_(std=0.3)
    n = 9
    x = torch.randn(1, n, 12, dtype=torch.float64)
    turns = Qwen3NextRotaryEmbedding(config)(x, torch.arange(n)[None])
    mask = torch.full((1, 1, n, n), float("-inf"), dtype=torch.float64).triu(1)
    with torch.no_grad():
        output, weights = layer(x, turns, mask)
    # Of each head, the columns of the query come first, then those of its gate.
    both = layer.q_proj.weight.detach().numpy().T.reshape(12, HEADS, 2, WIDTH)
    projections = {
        letter: getattr(layer, f"{letter.lower()}_proj").weight.detach().numpy().T
        for letter in "KVO"
    }
    np.savez_compressed(
        PATH,
        X=x[0].numpy(),
        W_Q=both[:, :, 0].reshape(12, -1),
        W_G=both[:, :, 1].reshape(12, -1),
        **{f"W_{letter}": matrix for letter, matrix in projections.items()},
        gain_Q=layer.q_norm.weight.detach().numpy(),
        gain_K=layer.k_norm.weight.detach().numpy(),
        epsilon=layer.q_norm.eps,
        base=config.rope_parameters["rope_theta"],
        weights=weights[0].numpy(),
        output=output[0].numpy(),
    )


if __name__ == "__main__":
    main()
