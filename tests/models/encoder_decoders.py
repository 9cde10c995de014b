"""What was recorded of MPNet, T5, mT5 and BART, and the checkpoints made again."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.io.matrices.files import safetensors
from tests.models.checkpoints import numbers

FOLDER = Path(__file__).parents[1] / "data" / "models" / "encoder_decoders"
CENTRES = 1.0
"""What the weights of norms are near to."""


@dataclass(frozen=True)
class Case:
    """A checkpoint, what it was run over, and the results by name."""

    told: dict
    results: dict[str, np.ndarray]

    def write(
        self,
        folder: Path,
        changed: Mapping[str, np.ndarray] | None = None,
        **config: object,
    ) -> Path:
        """Write the checkpoint, with other tensors and settings if they are given."""
        folder.mkdir(exist_ok=True)
        settings = json.dumps(self.told["config"] | config)
        (folder / "config.json").write_text(settings, encoding="utf-8")
        tensors = {}
        for name, shape in self.told["shapes"].items():
            centre = CENTRES * (len(shape) == 1 and name.endswith("weight"))
            values = (changed or {}).get(name)
            if values is None:
                values = numbers(name, tuple(shape), centre)
            tensors[name] = ("F32", shape, np.ascontiguousarray(values).tobytes())
        (folder / "model.safetensors").write_bytes(safetensors(tensors))
        return folder


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.npz"))


def load(name: str) -> Case:
    told = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as results:
        return Case(told, dict(results))
