"""What was recorded of the heads of all families, and their checkpoints made again."""

import json
from pathlib import Path

import numpy as np

from tests.models.vision import recorded_vision

FILE = Path(__file__).parents[1] / "data" / "models" / "heads.json"
IDS = (3, 17, 5, 11, 1, 8, 1)


def cases() -> dict[str, dict]:
    """Return the configuration, the shapes and the logits of each class."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def logits(case: dict) -> np.ndarray:
    return np.array(case["logits"]).reshape(case["shape"])


def given(case: dict) -> np.ndarray | tuple[int, ...]:
    """Return what a model is run over."""
    if "vocab_size" in case["config"]:
        return IDS
    return recorded_vision.pixels("heads", (3, 8, 8))
