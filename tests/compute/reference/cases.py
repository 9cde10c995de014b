"""The recorded cases: what goes in, what must come out, and how close."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parents[2] / "data" / "reference"


@dataclass(frozen=True)
class Case:
    """One call of another library, with its results."""

    id: str
    op: str
    attrs: dict[str, Any]
    tags: list[str]
    inputs: dict[str, np.ndarray]
    outputs: dict[str, np.ndarray]
    rtol: float
    atol: float
    tol_per_output: dict[str, dict[str, float]]

    def tolerance(self, output: str) -> tuple[float, float]:
        """Return the relative and the absolute tolerance of an output."""
        own = self.tol_per_output.get(output, {})
        return own.get("rtol", self.rtol), own.get("atol", self.atol)


def load(path: Path) -> Case:
    about = json.loads(path.read_text("utf-8"))
    with np.load(path.with_suffix(".npz"), allow_pickle=False) as arrays:
        parts: dict[str, dict[str, np.ndarray]] = {
            "in": {},
            "out": {},
            "maskedrows": {},
            "zeropolicy": {},
        }
        for key in arrays.files:
            part, _, name = key.partition(".")
            parts[part][name] = arrays[key]
    return Case(
        id=f"{path.parent.name}/{path.stem}",
        op=about["op"],
        attrs=about["attrs"],
        tags=about["tags"],
        inputs=parts["in"],
        outputs=_with_zero_rows(parts),
        rtol=about["rtol"],
        atol=about["atol"],
        tol_per_output=about["tol_per_output"],
    )


def _with_zero_rows(parts: dict[str, dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """Return the outputs by attnviewer's rule: who sees no key has zero weights.

    A library that answers otherwise there has a second recording, made with zero
    weights; without one, the rows of those queries are zero themselves.
    """
    outputs = parts["out"] | parts["zeropolicy"]
    for name in parts["maskedrows"].keys() - parts["zeropolicy"].keys():
        blind = parts["maskedrows"][name][..., None]  # (..., n_q, 1)
        outputs[name] = np.where(blind, 0, outputs[name])
    return outputs


CASES = [load(path) for path in sorted(FOLDER.glob("*/*.json"))]
