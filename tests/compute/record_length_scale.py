"""Record what transformers makes of scores that are scaled by position.

Not a test. By hand, from the root of the repository, with torch and transformers 5.23
installed:

    python -m tests.compute.record_length_scale

A layer of Llama 4 without rotary positions is run over a few tokens, and its input,
weights, attention and output are written to tests/data/length_scale.npz.
"""

from pathlib import Path

import numpy as np
import torch
from transformers.models.llama4.configuration_llama4 import Llama4TextConfig
from transformers.models.llama4.modeling_llama4 import Llama4TextAttention

PATH = Path(__file__).parents[1] / "data" / "length_scale.npz"


def main() -> None:
    torch.manual_seed(7)
    config = Llama4TextConfig(
        hidden_size=12,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=4,
        num_hidden_layers=1,
        no_rope_layers=[0],
        attn_temperature_tuning=True,
        attn_scale=0.3,
        floor_scale=3,
        attention_bias=False,
    )
    config._attn_implementation = "eager"
    layer = Llama4TextAttention(config, 0).double().eval()
    n = 11
    x = torch.randn(1, n, 12, dtype=torch.float64)
    mask = torch.full((1, 1, n, n), float("-inf"), dtype=torch.float64).triu(1)
    with torch.no_grad():
        output, weights = layer(x, (None, None), mask)
    projections = {
        letter: getattr(layer, f"{letter.lower()}_proj").weight.detach().numpy().T
        for letter in "QKVO"
    }
    recorded = {f"W_{letter}": matrix for letter, matrix in projections.items()}
    np.savez_compressed(
        PATH,
        X=x[0].numpy(),
        weights=weights[0].numpy(),
        output=output[0].numpy(),
        **recorded,
    )


if __name__ == "__main__":
    main()
