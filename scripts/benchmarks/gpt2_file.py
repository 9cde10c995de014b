"""A checkpoint of GPT-2's sizes with random weights."""

import json
from pathlib import Path

import numpy as np

from attnviewer.models.families.gpt2 import read_gpt2

SIZES = {"n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 1024}
"""GPT-2's, but for the tokens, of which a pass only looks up its own."""
QUICK_SIZES = {"n_embd": 32, "n_layer": 2, "n_head": 4, "vocab_size": 64}
SPREAD = 0.02
"""Standard deviation of GPT-2's weights before training."""


def write_gpt2(folder: Path, sizes: dict[str, int]) -> None:
    """Write ``config.json`` and ``model.safetensors``, always the same."""
    config = {"model_type": "gpt2", "architectures": ["GPT2Model"], **sizes}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    architecture = read_gpt2(config)
    shapes = {
        architecture.names[part].format(layer): shape
        for layer in range(architecture.n_layers)
        for part, shape in architecture.shapes().items()
        if part != "unembedding"
    }
    described, end = {}, 0
    for name, shape in shapes.items():
        start, end = end, end + 4 * int(np.prod(shape))
        offsets = [start, end]
        described[name] = {"dtype": "F32", "shape": shape, "data_offsets": offsets}
    header = json.dumps(described).encode()
    header = header.ljust(-(-len(header) // 8) * 8)  # numbers begin at their size
    rng = np.random.default_rng(0)
    with (folder / "model.safetensors").open("wb") as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for name, shape in shapes.items():
            if "ln_" in name:
                numbers = np.full(shape, float(name.endswith("weight")), np.float32)
            else:
                numbers = rng.standard_normal(shape, np.float32) * np.float32(SPREAD)
            file.write(numbers.tobytes())
