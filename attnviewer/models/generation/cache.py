"""The KV cache: keys and values of the tokens so far, per layer."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from attnviewer.compute import Array, Spec
from attnviewer.compute.arrays import Part
from attnviewer.compute.building import build_stages
from attnviewer.compute.passes import attend
from attnviewer.compute.positions import Rotary
from attnviewer.compute.sections import Pipeline, sections
from attnviewer.models.blocks import apply_norm
from attnviewer.models.forward_pass import ForwardPass, quiet
from attnviewer.models.generation.growing_rows import GrowingRows


class LayerCache:
    """The keys and values of a layer, as its scores and weighted sums take them.

    Keys are rotated already. A layer with a window keeps only the tokens that its next
    query can see.

    Parameters
    ----------
    spec : Spec
        The attention of the layer.
    x : ndarray, shape (n, d_model)
        The input of the attention, after its norm.
    weights : mapping of str to ndarray
        The weights of the attention.
    """

    def __init__(self, spec: Spec, x: Array, weights: Mapping[str, Array]) -> None:
        sides = _sides(spec, x, weights, 0)
        most = None
        # Chunks are counted from the first token; a pin may show what a window hides.
        if spec.window is not None and spec.chunk is None and not spec.pins:
            left, _ = spec.window
            most = None if left is None else left + 1
        self._keys = GrowingRows(sides.steps[sides.keys], most)
        self._values = GrowingRows(sides.steps[sides.values], most)
        self._seen = len(x)

    @property
    def keys(self) -> Array:
        """The cached keys, shape (h_kv, m, d_k)."""
        return self._keys.rows

    @property
    def values(self) -> Array:
        """The cached values, shape (h_kv, m, d_v)."""
        return self._values.rows

    @property
    def count(self) -> int:
        """The number of tokens, the last ones, whose keys and values are in it."""
        return self._keys.count

    @property
    def head_bytes(self) -> int:
        """The bytes of the keys and values of one of the heads that have them."""
        return (self.keys.nbytes + self.values.nbytes) // len(self.keys)

    def attend(
        self, spec: Spec, x: Array, weights: Mapping[str, Array]
    ) -> tuple[Array, Array]:
        """Append the next token and return what it attends to.

        Parameters
        ----------
        spec, weights
            As in the constructor.
        x : ndarray, shape (1, d_model)
            The input of the attention for this token alone.

        Returns
        -------
        weights : ndarray, shape (h, n)
            Its weights on all tokens so far; 0 on those that are no longer kept.
        output : ndarray, shape (1, d_model)
            The output of the attention.
        """
        sides = _sides(spec, x, weights, self._seen)
        steps = sides.steps
        self._keys.append(steps[sides.keys])
        self._values.append(steps[sides.values])
        self._seen += 1
        steps |= {sides.keys: self.keys, sides.values: self.values}
        kept = self._keys.count
        scores = _pipeline(replace(spec, query_offset=kept - 1), x, weights, kept)
        computed, heads = attend(scores, steps)
        if scores.mix.pins is not None:
            scores.mix.pins.hold(heads, Part())
        steps[scores.mix.name] = heads  # (h, 1, d_v)
        for stage in scores.after:
            inputs = (steps[name] for name in stage.inputs)
            steps[stage.name] = stage.forward(Part(), *inputs)
        row = computed.read(scores.weights, Part())[:, 0]  # (h, kept)
        whole = np.zeros((len(row), self._seen), row.dtype)  # (h, n)
        whole[:, self._seen - kept :] = row
        return whole, steps["output"]


class Cache:
    """The KV cache of a run.

    Parameters
    ----------
    run : ForwardPass
        The run over the tokens so far; its layers are computed unless they are known.
    """

    @quiet
    def __init__(self, run: ForwardPass) -> None:
        model = run.model
        run.stream(model.n_layers)
        self.layers = []
        for layer in range(model.n_layers):
            norm, architecture = "attention_input", model.architecture
            parts = model.weights.layer(layer, (norm,))
            x = apply_norm(run.stream(layer), norm, parts, architecture)
            self.layers.append(LayerCache(run.spec(layer), x, run.weights(layer)))

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of tokens, the last ones, in the cache of each layer."""
        return tuple(layer.count for layer in self.layers)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The bytes of keys and values, shape (layers, h_kv)."""
        heads = [[layer.head_bytes] * len(layer.keys) for layer in self.layers]
        return np.array(heads, np.int64)


class _Sides(NamedTuple):
    """The steps of some tokens up to queries, keys and values, and their names."""

    steps: dict[str, Array]
    keys: str
    values: str


def _sides(spec: Spec, x: Array, weights: Mapping[str, Array], first: int) -> _Sides:
    """Return queries, keys and values of tokens, the first of which has a position."""
    if isinstance(spec.positions, Rotary):
        offset = spec.positions.offset + first
        spec = replace(spec, positions=replace(spec.positions, offset=offset))
    pipeline = _pipeline(spec, x, weights, len(x))
    steps = {"X": x, **{name: weights[name] for name in spec.input_names[1:]}}
    for stage in pipeline.sides:
        inputs = (steps[name] for name in stage.inputs)
        steps[stage.name] = stage.forward(Part(), *inputs)
    return _Sides(steps, pipeline.comparison.inputs[1], pipeline.mix.inputs[1])


def _pipeline(
    spec: Spec, x: Array, weights: Mapping[str, Array], n_keys: int
) -> Pipeline:
    shapes = {name: weights[name].shape for name in spec.input_names[1:]}
    return sections(build_stages(spec, {"X": (n_keys, x.shape[-1]), **shapes}))
