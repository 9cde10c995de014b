"""Pins of one head of a layer, as the document of the head has them, and back."""

from collections.abc import Sequence
from dataclasses import replace

from attnviewer.compute import Pin, step_shapes
from attnviewer.compute.head_groups import serving_head
from attnviewer.models.trace import ModelTrace


def pins_of_head(run: ModelTrace, layer: int, head: int) -> tuple[Pin, ...]:
    """Return the pins of a layer that the document of one of its heads has."""
    counts = _head_counts(run, layer)
    n_heads = run.model.n_heads
    return tuple(
        replace(pin, head=None)
        for pin in run.pins.get(layer, ())
        if counts[pin.step]
        and pin.head in (None, serving_head(head, n_heads, counts[pin.step]))
    )


def with_head_pins(
    run: ModelTrace, layer: int, head: int | None, pins: Sequence[Pin]
) -> ModelTrace:
    """Return a run with the pins of a document in a layer, beside those there are.

    Parameters
    ----------
    run : ModelTrace
        The run.
    layer : int
        The layer.
    head : int or None
        The head that the document is of; None for all of the layer's, whose pins are
        then replaced.
    pins : sequence of Pin
        The pins of the document.

    Raises
    ------
    ValueError
        If one is of the output of a single head, which the model adds up with those of
        the other heads, or does not fit.
    """
    if head is None:
        return run.with_pins(layer, pins)
    counts, n_heads = _head_counts(run, layer), run.model.n_heads
    moved: list[Pin] = []
    for pin in pins:
        own = counts.get(pin.step, 0)
        if not own:
            raise ValueError(
                "The pins of a head must be of its own steps, up to 'heads', to be "
                "applied to the model, which adds up the output of all heads. "
                f"Got {pin} instead."
            )
        moved.append(replace(pin, head=serving_head(head, n_heads, own)))
    return run.with_pins(layer, (*run.pins.get(layer, ()), *moved))


def _head_counts(run: ModelTrace, layer: int) -> dict[str, int]:
    """Return how many heads each step of a layer has; 0 for all of them together."""
    spec = replace(run.spec(layer), pins=())
    found = step_shapes(spec, run.attention_shapes(layer))
    return {step: shape[-3] if len(shape) > 2 else 0 for step, shape in found.items()}
