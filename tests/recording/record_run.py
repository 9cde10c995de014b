"""Writes tests/data/recorded: a recording with what transformers gave beside it.

Run by hand where torch and transformers are installed.
"""

from pathlib import Path

import numpy as np
import torch
from transformers import GPT2Config, GPT2Model

import attnviewer

FOLDER = Path(__file__).parents[1] / "data" / "recorded"


def main() -> None:
    torch.manual_seed(0)
    sizes = {"n_embd": 8, "n_head": 2, "n_layer": 2, "vocab_size": 20, "n_positions": 8}
    config = GPT2Config(**sizes, attn_implementation="eager", initializer_range=1.0)
    model = GPT2Model(config).eval()
    ids = torch.tensor([[1, 5, 2, 7, 3], [4, 4, 9, 0, 0]])
    visible = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]])
    with torch.no_grad(), attnviewer.record(model) as recorded:
        result = model(ids, attention_mask=visible, output_attentions=True)
    FOLDER.mkdir(exist_ok=True)
    recorded.save(FOLDER / "gpt2.npz")
    weights = torch.stack(result.attentions).numpy()  # (layers, batch, h, n, n)
    np.savez(FOLDER / "gpt2_weights.npz", weights=weights)


if __name__ == "__main__":
    main()
