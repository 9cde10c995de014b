"""What implementations with planted mistakes are meant to compute, and the mistakes."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = Any  # arrays of numbers and of flags


@dataclass(frozen=True)
class Shape:
    """What an implementation is meant to compute."""

    n: int = 7
    d_model: int = 12
    heads: int = 2
    kv_heads: int = 2
    causal: bool = False
    window: int | None = None
    positions: str | None = None
    interleaved: bool = False
    softcap: float | None = None
    mask: bool = False
    biases: bool = False
    output: bool = True

    @property
    def width(self) -> int:
        """The width of a head."""
        return self.d_model // self.heads

    def options(self) -> dict[str, object]:
        """Return the options that say so to the doctor."""
        found: dict[str, object] = {"n_heads": self.heads, "causal": self.causal}
        if self.kv_heads != self.heads:
            found["n_kv_heads"] = self.kv_heads
        if self.window is not None:
            found["window"] = self.window
        if self.positions is not None:
            found["positions"] = self.positions
        if self.interleaved:
            found["rope_interleaved"] = True
        if self.softcap is not None:
            found["softcap"] = self.softcap
        return found


SHAPES = (
    Shape(heads=1, kv_heads=1, output=False),
    Shape(),
    Shape(causal=True),
    Shape(heads=4, kv_heads=2, causal=True),
    Shape(heads=6, kv_heads=3, causal=True, d_model=24, positions="rope"),
    Shape(causal=True, positions="rope", output=False),
    Shape(d_model=16, positions="rope", interleaved=True, causal=True),
    Shape(positions="sinusoidal"),
    Shape(heads=3, kv_heads=3, positions="alibi", causal=True),
    Shape(causal=True, window=3, n=9),
    Shape(causal=True, softcap=2.0),
    Shape(mask=True, biases=True),
    Shape(heads=4, kv_heads=4, biases=True, causal=True, n=10),
)


def inputs_of(shape: Shape, generator: np.random.Generator) -> dict[str, Array]:
    """Return random inputs."""
    d, kv = shape.d_model, shape.kv_heads * shape.width
    found = {
        "X": generator.normal(size=(shape.n, d)),
        "W_Q": generator.normal(size=(d, d)) / d**0.5 * 1.5,
        "W_K": generator.normal(size=(d, kv)) / d**0.5 * 1.5,
        "W_V": generator.normal(size=(d, kv)) / d**0.5,
    }
    if shape.output:
        found["W_O"] = generator.normal(size=(d, d)) / d**0.5
    if shape.biases:
        found |= {
            "b_Q": generator.normal(size=d),
            "b_K": generator.normal(size=kv),
            "b_V": generator.normal(size=kv),
        }
        if shape.output:
            found["b_O"] = generator.normal(size=d)
    if shape.mask:
        mask = generator.random((shape.n, shape.n)) < 0.6
        found["mask"] = mask | np.eye(shape.n, dtype=bool)
    return found


def slips_of(shape: Shape) -> list[str]:
    """Return the ids of the mistakes that can be planted."""
    found = [
        *("scale-missing", "scale-not-rooted", "scale-multiplied", "temperature"),
        *("softmax-over-queries", "softmax-over-all", "softmax-twice"),
        *("softmax-plus-one", "sigmoid-for-softmax", "softmax-base-two"),
        *("q-k-swapped", "mixes-keys", "weights-transposed", "residual-added"),
        *("weight-transposed:W_Q", "weights-rounded"),
    ]
    if shape.kv_heads != shape.heads:
        found.remove("q-k-swapped")
        found += ["gqa-tiled"]
    else:
        found += ["weight-transposed:W_K", "weight-transposed:W_V"]
    found += ["k-v-swapped"]
    if shape.heads > 1:
        found += ["scale-d_model", "softmax-over-heads", "heads-interleaved"]
        found += ["heads-not-transposed", "concat-not-transposed", "heads-reversed"]
        found += ["concat-interleaved"]
    if shape.output:
        found += ["weight-transposed:W_O", "output-projection-missing"]
    if shape.biases:
        found += ["bias-missing:b_Q", "bias-missing:b_V"]
    if shape.causal:
        found += ["causal-strict", "causal-one-too-far", "causal-flipped"]
        found += ["causal-missing", "mask-inverted"]
    if shape.mask:
        found += ["mask-transposed", "mask-ignored", "mask-inverted"]
    if shape.causal or shape.mask:
        found += ["mask-after-softmax", "mask-zero", "mask-added-as-number"]
    if shape.window is not None:
        found += ["window-one-too-far", "window-one-too-near", "window-ignored"]
    if shape.positions == "rope":
        found += ["rope-pairing", "rope-base", "rope-scaling", "rope-keys-missing"]
        found += ["rope-queries-missing", "rope-keys-offset", "rope-twice"]
        found += ["rope-on-values", "rope-direction"]
    if shape.positions == "sinusoidal":
        found += ["sinusoidal-halves", "positions-from-one"]
    if shape.positions == "alibi":
        found += ["alibi-slopes-plain", "alibi-slopes-reversed", "alibi-sign"]
        found += ["alibi-scaled"]
    if shape.positions is not None:
        found += ["positions-missing"]
    if shape.softcap is not None:
        found += ["softcap-missing", "softcap-after-mask", "softcap-before-scale"]
    return found
