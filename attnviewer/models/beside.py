"""What a run of one part of an encoder–decoder knows of the other parts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnviewer.compute import Pin
from attnviewer.models.changes import Changes, copied, locked

if TYPE_CHECKING:
    from attnviewer.models.forward_pass import ForwardPass


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """The other parts of a run of the decoder of an encoder–decoder.

    Parameters
    ----------
    encoder : ForwardPass
        The run of the encoder, whose last hidden states are the context.
    changes : mapping of int to mapping of str to ndarray
        Weights that replace the model's in the other attention of each layer.
    pins : mapping of int to tuple of Pin
        Pins of the other attention.
    """

    encoder: "ForwardPass"
    changes: Changes
    pins: Mapping[int, tuple[Pin, ...]]

    def __reduce__(self) -> tuple[object, ...]:
        return _beside_again, (self.encoder, copied(self.changes), dict(self.pins))


def _beside_again(
    encoder: "ForwardPass", changes: Changes, pins: Mapping[int, tuple[Pin, ...]]
) -> Beside:
    """Rebuild what a pickle holds."""
    return Beside(encoder, locked(changes), pins)
