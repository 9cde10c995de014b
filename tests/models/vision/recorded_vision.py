"""What was recorded of tiny models of pictures, and their checkpoints made again."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tests.io.matrices.files import safetensors
from tests.models.checkpoints import numbers

FOLDER = Path(__file__).parents[2] / "data" / "models" / "vision"


def names() -> list[str]:
    """Return the cases of whole models."""
    found = sorted(path.stem for path in FOLDER.glob("*.npz"))
    return [name for name in found if name != "preprocessed"]


def load(name: str) -> tuple[dict, dict[str, np.ndarray]]:
    """Return what made a case, and its results."""
    told = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as results:
        return told, dict(results)


def write(told: Mapping, folder: Path) -> Path:
    """Write the checkpoint of a case."""
    (folder / "config.json").write_text(json.dumps(told["config"]), encoding="utf-8")
    data = safetensors(tensors(told["shapes"]))
    (folder / "model.safetensors").write_bytes(data)
    return folder


def tensors(
    shapes: Mapping[str, Sequence[int]],
) -> dict[str, tuple[str, list[int], bytes]]:
    """Return tensors by name: type, shape and bytes, always the same for both."""
    near_one = ("norm.", "norm1.", "norm2.", "layer_scale", "layrnorm", "layernorm")
    made = {}
    for name, shape in shapes.items():
        is_scale = any(part in name for part in near_one) and "bias" not in name
        values = numbers(name, tuple(shape), float(is_scale))
        made[name] = ("F32", list(shape), values.tobytes())
    return made


def pixels(name: str, shape: Sequence[int]) -> np.ndarray:
    """Return pixel values between -3 and 3, always the same for a name."""
    return 8 * numbers(f"pixels of {name}", tuple(shape), 0.0)


def image(name: str, size: Sequence[int]) -> np.ndarray:
    """Return colours of all strengths, (height, width, 3), the same for a name."""
    drawn = numbers(f"image of {name}", (*size, 3), 0.0)
    return np.clip(np.rint(128 + 340 * drawn), 0, 255).astype(np.uint8)
