"""Properties of a head from the weights alone: circuits, copying, composition."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute import HeadLocation
from attnviewer.ui.work.worker import Stopped

# Models are imported in the worker thread: most windows open none.
if TYPE_CHECKING:
    from attnviewer.models import Model
    from attnviewer.models.circuits import Circuit, TokenProjection
    from attnviewer.models.circuits.composing import Composition

Part: TypeAlias = Literal["circuits", "tokens", "copying", "compositions"]
"""The parts that are computed unasked, in this order."""
LISTED_TOKENS = 8
"""How many tokens are listed of a singular vector."""
KINDS: tuple["Composition", ...] = ("Q", "K", "V")


@dataclass(frozen=True, slots=True)
class WeightsRequest:
    """A request for parts of the page of a head.

    Parameters
    ----------
    part : str
        What.
    model : Model
        The model.
    head : HeadLocation
        The head.
    distance : int or None
        That of the QK circuit; None without rotary positions, or where the part has no
        such circuit.
    direction : int
        The singular vector of the OV circuit, for the tokens.
    """

    part: Part
    model: "Model"
    head: HeadLocation
    distance: int | None = None
    direction: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Circuits:
    """Both circuits of a head, decomposed.

    Parameters
    ----------
    qk, ov : Circuit
        The circuits.
    positive : float
        Σ Re λ / Σ |λ| over the eigenvalues of the OV circuit; NaN if all are zero.
    """

    qk: "Circuit"
    ov: "Circuit"
    positive: float


@dataclass(frozen=True, slots=True)
class DirectionTokens:
    """Tokens with the largest products with a singular direction of the OV circuit.

    Parameters
    ----------
    read, written : tuple of TokenProjection
        Of what is read, and of what is written.
    missing : str
        Why nothing is known of what is written; "" if it is.
    """

    read: "tuple[TokenProjection, ...]"
    written: "tuple[TokenProjection, ...]"
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Composed:
    """The composition of a head with another one.

    Parameters
    ----------
    kind : str
        ``Q``, ``K`` or ``V``: by which of its inputs the later head reads.
    other : HeadLocation
        The other head.
    value : float
        See `composition`.
    """

    kind: "Composition"
    other: HeadLocation
    value: float


class WeightsJob:
    """Computes a part, as a job for a worker.

    Parameters
    ----------
    request : WeightsRequest
        What is wanted.

    Attributes
    ----------
    stopped : bool
        Set to cancel it.
    layer : int or None
        The layer being computed, of several.
    result : object
        The part.
    """

    def __init__(self, request: WeightsRequest) -> None:
        self.request = request
        self.stopped = False
        self.layer: int | None = None
        self.result: object = None

    def run(self) -> None:
        """Compute.

        Raises
        ------
        ValueError
            If the model cannot have it, or a weight is not finite.
        Stopped
            If it was cancelled.
        """
        self.result = _COMPUTE[self.request.part](self)


def parts_wanted(
    model: "Model", head: HeadLocation, distance: int | None, direction: int
) -> dict[Part, WeightsRequest]:
    """Return the request of each part."""
    given = {
        "circuits": (distance, 0),
        "tokens": (None, direction),
        "compositions": (distance, 0),
    }
    return {
        part: WeightsRequest(part, model, head, *given.get(part, (None, 0)))
        for part in get_args(Part)
    }


def _circuits(job: WeightsJob) -> Circuits:
    from attnviewer.models import circuit

    model, (layer, head) = job.request.model, _place(job)
    qk = circuit(model, layer, head, "QK", job.request.distance)
    ov = circuit(model, layer, head, "OV")
    for one in (qk, ov):
        _ = one.singular_values, one.eigenvalues  # cached by the circuit
    total = float(np.abs(ov.eigenvalues).sum())
    positive = float(ov.eigenvalues.real.sum()) / total if total else np.nan
    return Circuits(qk, ov, positive)


def _tokens(job: WeightsJob) -> DirectionTokens:
    from attnviewer.models import circuit

    request, (layer, head) = job.request, _place(job)
    own = circuit(request.model, layer, head, "OV")
    wanted = request.model, request.direction
    read = tuple(own.top_tokens(*wanted, "left", LISTED_TOKENS))
    try:
        written = tuple(own.top_tokens(*wanted, "right", LISTED_TOKENS))
    except ValueError as error:
        return DirectionTokens(read, (), str(error))
    return DirectionTokens(read, written)


def _copying(job: WeightsJob) -> float:
    from attnviewer.models import copying_score

    return copying_score(job.request.model, *_place(job))


def _compositions(job: WeightsJob) -> tuple[Composed, ...]:
    from attnviewer.models.circuits import compositions_of_head

    request, (layer, head) = job.request, _place(job)
    found: list[Composed] = []
    for kind in KINDS:
        distance = None if kind == "V" else request.distance
        for other, values in compositions_of_head(
            request.model, layer, head, kind, distance
        ):
            if job.stopped:
                raise Stopped
            job.layer = other
            found += [
                Composed(kind, HeadLocation(other, number), float(value))
                for number, value in enumerate(values)
                if np.isfinite(value)
            ]
    return tuple(found)


def _place(job: WeightsJob) -> tuple[int, int]:
    head = job.request.head
    assert head.layer is not None
    return head.layer, head.head


_COMPUTE: Mapping[Part, Callable[[WeightsJob], object]] = {
    "circuits": _circuits,
    "tokens": _tokens,
    "copying": _copying,
    "compositions": _compositions,
}
