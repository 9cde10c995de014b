"""What was recorded of tiny checkpoints, and the checkpoints made again."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.models import checkpoints

DATA = Path(__file__).parents[1] / "data" / "models"
FOLDER = DATA / "recorded"


@dataclass(frozen=True)
class Recorded:
    """One case: what made its checkpoint, its token ids and its results by name."""

    told: dict
    results: dict[str, np.ndarray]

    @property
    def input_ids(self) -> list[int]:
        return self.told["input_ids"]

    def write(self, folder: Path) -> Path:
        """Write the checkpoint, the same to the last bit as when it was recorded."""
        checkpoints.write(self.told["family"], folder, **self.told["options"])
        assert digest(folder) == self.told["weights_sha256"]
        return folder


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.npz"))


def load(name: str) -> Recorded:
    told = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    with np.load(FOLDER / f"{name}.npz", allow_pickle=False) as results:
        return Recorded(told, dict(results))


def digest(folder: Path) -> str:
    """Return the hash of a checkpoint's weights."""
    content = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors")):
        content.update(path.read_bytes())
    return content.hexdigest()
