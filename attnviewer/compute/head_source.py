"""Heads that are compared side by side, with or without layers."""

from itertools import product
from typing import NamedTuple, Protocol

from attnviewer.compute.stages.offsets import at
from attnviewer.compute.trace import Trace
from attnviewer.compute.windowed import StepHead, Windowed


class HeadLocation(NamedTuple):
    """The layer and number of a head.

    Parameters
    ----------
    layer : int or None
        Its layer, counted from zero; None where there are no layers.
    head : int
        Its number in the layer, counted from zero.
    """

    layer: int | None
    head: int

    @property
    def name(self) -> str:
        """Its name: ``H1``, or ``L3 H1``."""
        head = f"H{self.head}"
        return head if self.layer is None else f"L{self.layer} {head}"


class HeadSource(Protocol):
    """Matrices of one shape, one for each head of each layer."""

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers; () where there are none."""

    @property
    def n_heads(self) -> int:
        """The number of heads of a layer."""

    @property
    def query_offset(self) -> int | None:
        """Position of the first query among the keys; None of another sequence."""

    def matrix(self, location: HeadLocation) -> Windowed:
        """Return the matrix of a head."""


def head_locations(source: HeadSource) -> tuple[HeadLocation, ...]:
    """Return all heads of a source, layer by layer."""
    layers: tuple[int | None, ...] = source.layers or (None,)
    return tuple(
        HeadLocation(*location) for location in product(layers, range(source.n_heads))
    )


class StepHeads:
    """The heads of one step of a trace.

    Parameters
    ----------
    trace : Trace
        The steps.
    step : str
        The step. Keys and values may have fewer heads than the queries.
    """

    def __init__(self, trace: Trace, step: str) -> None:
        self._trace = trace
        self._step = step

    @property
    def layers(self) -> tuple[int, ...]:
        """None."""
        return ()

    @property
    def n_heads(self) -> int:
        """The number of heads of the step."""
        return self._trace.n_heads(self._step)

    @property
    def query_offset(self) -> int | None:
        """Position of the first query among the keys; None of another sequence."""
        if self._trace.spec.context:
            return None
        lead = (0,) * (len(self._trace.shape(self._trace.pipeline.weights)) - 2)
        return int(at(self._trace.spec.query_offset, lead))

    def matrix(self, location: HeadLocation) -> Windowed:
        """Return the step's matrix of a head."""
        served = self._trace.served_by(self._step, location.head)
        return StepHead(self._trace, self._step, served[0])
