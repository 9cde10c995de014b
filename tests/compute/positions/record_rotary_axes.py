"""Record what transformers makes of positions along several axes.

Not a test. By hand, from the root of the repository, with torch and transformers 5.23
installed:

    python -m tests.compute.positions.record_rotary_axes

Queries of small integers are rotated by the modules of the library itself, and what
comes out is written to tests/data/rotary_axes.npz: for each case its rows, their
positions (n, axes), and the rotated rows.
"""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import torch
from transformers.models.glm4v import modeling_glm4v as glm4v
from transformers.models.llama4 import modeling_llama4 as llama4
from transformers.models.pixtral import modeling_pixtral as pixtral
from transformers.models.qwen2_vl import modeling_qwen2_vl as qwen2_vl
from transformers.models.qwen3_vl import modeling_qwen3_vl as qwen3_vl

PATH = Path(__file__).parents[2] / "data" / "rotary_axes.npz"

# Two words, a picture of 2 x 3 patches, and a word, as Qwen2-VL places them.
_TEXT = np.array(
    [(0, 0, 0), (1, 1, 1)]
    + [(2, 2 + row, 2 + column) for row in range(2) for column in range(3)]
    + [(5, 5, 5)]
)
_GRID = np.array([(row, column) for row in range(3) for column in range(4)])

Case = tuple[np.ndarray, np.ndarray, np.ndarray]


def rows(n: int, d: int) -> np.ndarray:
    """Return queries of two heads, (2, n, d)."""
    drawn = np.random.default_rng(n * d).integers(-8, 9, size=(2, n, d))
    return drawn.astype(np.float32) / 4


def _text(module, rotary, width: int, parameters: dict, **others: object) -> Case:
    """Return a case of a language model, whose positions are (3, batch, n)."""
    config = SimpleNamespace(
        max_position_embeddings=64,
        head_dim=width,
        hidden_size=2 * width,
        num_attention_heads=2,
        rope_parameters={"rope_type": "default", "rope_theta": 1000.0} | parameters,
        standardize_rope_params=lambda: None,
        **others,
    )
    x = torch.tensor(rows(len(_TEXT), width))[None]  # (1, h, n, d)
    ids = torch.tensor(_TEXT.T.copy())[:, None]  # (3, 1, n)
    cos, sin = rotary(config)(x, ids)
    turned, _ = module.apply_rotary_pos_emb(x, x, cos, sin)
    return x[0].numpy(), _TEXT, turned[0].numpy()


def _vision(module, rotary, apply, width: int) -> Case:
    """Return a case of a vision encoder, whose positions are (n, 2)."""
    config = SimpleNamespace(
        head_dim=width, rope_parameters={"rope_type": "axial", "rope_theta": 100.0}
    )
    x = torch.tensor(rows(len(_GRID), width))  # (h, n, d)
    cos, sin = rotary(config)(x, torch.tensor(_GRID))
    turned = apply(x, cos, sin)
    return x.numpy(), _GRID, turned.numpy()


def _llama4(width: int, side: int) -> Case:
    """Return a case of patches by column and row, and of a [CLS] after them."""
    config = SimpleNamespace(
        image_size=side,
        patch_size=1,
        hidden_size=2 * width,
        num_attention_heads=2,
        rope_parameters={"rope_theta": 100.0},
    )
    ids = [(column + 1, row + 1) for row in range(side) for column in range(side)]
    x = torch.tensor(rows(len(ids) + 1, width))[None].transpose(1, 2)  # (1, n, h, d)
    table = llama4.Llama4VisionRotaryEmbedding._compute_freqs_ci(config)
    turned, _ = llama4.vision_apply_rotary_emb(x, x, table)
    return (
        x[0].transpose(0, 1).numpy(),
        np.array([*ids, (0, 0)]),
        turned[0].transpose(0, 1).numpy(),
    )


def _pixtral(x, cos, sin):
    turned, _ = pixtral.apply_rotary_pos_emb(x, x, cos, sin, unsqueeze_dim=0)
    return turned


def _qwen2_vision(x, cos, sin):
    across = x.transpose(0, 1)  # (n, h, d)
    turned, _ = qwen2_vl.apply_rotary_pos_emb_vision(across, across, cos, sin)
    return turned.transpose(0, 1)


def cases() -> dict[str, Case]:
    """Return rows, positions and rotated rows of every case."""
    yarn = {
        **{"rope_type": "yarn", "factor": 4.0, "mrope_section": [2, 3, 3]},
        "original_max_position_embeddings": 16,
    }
    qwen2 = qwen2_vl, qwen2_vl.Qwen2VLRotaryEmbedding
    return {
        "qwen2_vl": _text(*qwen2, 16, {"mrope_section": [2, 3, 3]}),
        "qwen2_vl_yarn": _text(*qwen2, 16, yarn),
        "qwen3_vl": _text(
            *(qwen3_vl, qwen3_vl.Qwen3VLTextRotaryEmbedding),
            *(20, {"mrope_section": [4, 3, 3]}),
        ),
        "glm4v": _text(
            *(glm4v, glm4v.Glm4vTextRotaryEmbedding),
            *(16, {"mrope_section": [1, 1, 2], "partial_rotary_factor": 0.5}),
        ),
        "qwen2_vl_vision": _vision(
            qwen2_vl, qwen2_vl.Qwen2VLVisionRotaryEmbedding, _qwen2_vision, 8
        ),
        "pixtral": _vision(pixtral, pixtral.PixtralVisionRotaryEmbedding, _pixtral, 8),
        "llama4_vision": _llama4(12, 3),
    }


def main() -> None:
    """Write what was computed."""
    found = {}
    for name, (x, ids, turned) in cases().items():
        found |= {f"{name}.x": x, f"{name}.ids": ids, f"{name}.turned": turned}
    np.savez_compressed(PATH, **found)


if __name__ == "__main__":
    main()
