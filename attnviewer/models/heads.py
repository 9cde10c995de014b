"""The heads of all layers side by side."""

from dataclasses import replace

from attnviewer.compute import (
    Disentangled,
    HeadLocation,
    RelativeBias,
    StepHead,
    Trace,
    Windowed,
)
from attnviewer.compute.run import compute
from attnviewer.models.head_pins import pins_of_head
from attnviewer.models.model import Model
from attnviewer.models.trace import ModelTrace


class ModelHeads:
    """The attention weights of every head of every layer of a run, a `HeadSource`.

    For each layer in use it keeps queries and keys, not weights.

    Parameters
    ----------
    run : ModelTrace
        The run.
    """

    def __init__(self, run: ModelTrace) -> None:
        self._run = run
        self._traces: dict[int, Trace] = {}

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers, counted from zero."""
        return tuple(range(self._run.model.n_layers))

    @property
    def n_heads(self) -> int:
        """The number of heads of a layer."""
        return self._run.model.n_heads

    @property
    def query_offset(self) -> int | None:
        """Position of the first query among the keys; None of another sequence."""
        return None if self.crosses else 0

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the queries in readable form."""
        return self._run.model.readable(self._run.tokens)

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """The tokens of the keys in readable form; of cross-attention, other ones."""
        return self._run.model.readable(self._run.key_tokens)

    @property
    def crosses(self) -> bool:
        """Whether the keys are of another sequence than the queries."""
        return self._run.spec(0).context

    @property
    def model(self) -> Model:
        """The model's name."""
        return self._run.model

    def has_pins(self, location: HeadLocation) -> bool:
        """Return whether pins act on the steps of a head."""
        layer = location.layer
        assert layer is not None
        if layer not in self._run.pins:
            return False
        return any(pin.enabled for pin in pins_of_head(self._run, layer, location.head))

    def compute(self, layer: int) -> None:
        """Compute the queries and keys of a layer, so that `matrix` need not."""
        if layer not in self._traces:
            self._traces[layer] = _without_weights(self._run.attention(layer))

    def matrix(self, location: HeadLocation) -> Windowed:
        """Return the attention weights of a head."""
        assert location.layer is not None
        self.compute(location.layer)
        return StepHead(self._traces[location.layer], "weights", location.head)


def _without_weights(trace: Trace) -> Trace:
    """Return the same attention with its queries, keys and values as inputs."""
    if isinstance(trace.spec.positions, Disentangled):
        return trace  # its scores are not of queries and keys alone
    queries, keys = trace.stages["scores"].inputs
    _, values = trace.stages["heads"].inputs
    # Rotations are in the queries and keys already; a bias is not.
    biased = isinstance(trace.spec.positions, RelativeBias)
    spec = replace(
        trace.spec,
        projected=False,
        given=True,
        positions=trace.spec.positions if biased else None,
        qk_norm=None,
        biases=(),
        output_projection=False,
    )
    sides = {"Q": trace[queries], "K": trace[keys], "V": trace[values]}
    others = (name for name in spec.input_names if name not in sides)
    return compute(spec, {**sides, **{name: trace[name] for name in others}})
