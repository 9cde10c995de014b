"""Pins of a sentence, as they are for the longer one that continues it.

A pin of given positions stays with these. One of all rows acts on each new token as
well, if it has one number for every row, as an ablation of a head has; with others it
is of the tokens that they were given for. A token of the past never sees a new one, so
that a pin of some of its scores or weights is of the keys that it had.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from attnviewer.compute import Array, Pin
from attnviewer.compute.building import build_stages
from attnviewer.compute.pins.pin import ENDLESS, Positions
from attnviewer.compute.stages import Axis
from attnviewer.models.tokenizing import Encoded
from attnviewer.models.trace import ModelTrace

Pins = dict[int, tuple[Pin, ...]]
_TOKENS = "tokens", "queries", "keys"


def continued_run(run: ModelTrace) -> ModelTrace:
    """Return a run of a decoder with its pins as those of any longer sentence.

    Raises
    ------
    ValueError
        If one would let tokens attend to those that follow.
    """
    beside = run.beside
    if beside is not None:
        beside = replace(beside, pins=_fixed_pins(run.part("cross")))
    known = tuple(run.stream(layer) for layer in range(run.model.n_layers + 1))
    return ModelTrace(
        run.model,
        run.encoded,
        run.changes,
        known,
        _fixed_pins(run),
        run.replaced,
        beside,
    )


def longer_run(
    run: ModelTrace, encoded: Encoded, streams: tuple[Array, ...] = ()
) -> ModelTrace:
    """Return a run over more tokens, with the changes of one that can be continued."""
    count, beside = len(encoded.ids), run.beside
    if beside is not None:
        beside = replace(beside, pins=_grown_pins(run.part("cross"), count))
    return ModelTrace(
        run.model,
        encoded,
        run.changes,
        streams,
        _grown_pins(run, count),
        run.replaced,
        beside,
    )


def pins_over(
    run: ModelTrace, layer: int, pins: Iterable[Pin], count: int
) -> tuple[Pin, ...]:
    """Return pins of a layer as those of a sentence of so many tokens.

    Parameters
    ----------
    run : ModelTrace
        The run that is continued, or one that continues it.
    layer : int
        The layer.
    pins : iterable of Pin
        Its pins, or those of the document of one of its heads.
    count : int
        The number of tokens.

    Raises
    ------
    ValueError
        If one would let tokens attend to those that follow.
    """
    return tuple(
        _grown(_fixed(run, layer, pin), count) if _follows(run, layer, pin) else pin
        for pin in pins
    )


def row_pins(run: ModelTrace) -> Pins:
    """Return the pins of the last token, which is row 0 of what is computed for it."""
    last = len(run.ids) - 1
    found = {
        layer: tuple(
            _of_row(pin, last) if _follows(run, layer, pin) else pin
            for pin in pins
            if last in pin.rows or not _follows(run, layer, pin)
        )
        for layer, pins in run.pins.items()
    }
    return {layer: pins for layer, pins in found.items() if pins}


def _fixed_pins(run: ModelTrace) -> Pins:
    return {
        layer: tuple(_fixed(run, layer, pin) for pin in pins)
        for layer, pins in run.pins.items()
    }


def _grown_pins(run: ModelTrace, count: int) -> Pins:
    return {
        layer: tuple(
            _grown(pin, count) if _follows(run, layer, pin) else pin for pin in pins
        )
        for layer, pins in run.pins.items()
    }


def _axes(run: ModelTrace, layer: int, pin: Pin) -> tuple[Axis, Axis]:
    spec, shapes = replace(run.spec(layer), pins=()), run.attention_shapes(layer)
    return next(s.axes for s in build_stages(spec, shapes) if s.name == pin.step)


def _follows(run: ModelTrace, layer: int, pin: Pin) -> bool:
    """Return whether a pin's step gets a row for each token that follows."""
    rows, _ = _axes(run, layer, pin)
    of_encoder = run.spec(layer).context and rows == "keys"
    return rows in _TOKENS and not of_encoder


def _fixed(run: ModelTrace, layer: int, pin: Pin) -> Pin:
    if not _follows(run, layer, pin):
        return pin
    _, columns = _axes(run, layer, pin)
    of_all_keys = (
        columns == "keys" and not run.spec(layer).context and _endless(pin.columns)
    )
    if _endless(pin.rows) and _is_same_for_rows(pin, of_all_keys=of_all_keys):
        if of_all_keys and pin.enabled and _shows_keys(pin):
            raise ValueError(
                f"The pin {pin} lets tokens attend to those that follow, so that each "
                "new one would change the tokens before. Pin given rows instead."
            )
        return pin
    count = len(run.ids)
    keys = _before(pin.columns, count) if of_all_keys else pin.columns
    return replace(pin, rows=_before(pin.rows, count), columns=keys)


def _is_same_for_rows(pin: Pin, *, of_all_keys: bool) -> bool:
    if isinstance(pin.value, float):
        return True
    # A block has a number for each key that there was.
    return not of_all_keys and 1 < len(pin.value) == pin.value.count(pin.value[0])


def _endless(positions: Positions) -> bool:
    return isinstance(positions, range) and positions.stop >= ENDLESS


def _before(positions: Positions, count: int) -> Positions:
    """Return positions that end with so many tokens."""
    if not isinstance(positions, range):
        return positions
    return range(positions.start, min(positions.stop, count), positions.step)


def _shows_keys(pin: Pin) -> bool:
    """Return whether a pin with one number shows keys that a mask hides."""
    if pin.step == "weights":
        return pin.how != "scale" and pin.value != 0
    return pin.step == "masked" and pin.how == "set" and pin.value != -math.inf


def _grown(pin: Pin, count: int) -> Pin:
    if isinstance(pin.value, float) or not _endless(pin.rows):
        return pin
    return replace(pin, value=pin.value[:1] * len(_before(pin.rows, count)))


def _of_row(pin: Pin, row: int) -> Pin:
    value = pin.value
    if not isinstance(value, float):
        value = (value[pin.rows.index(row)],)
    return replace(pin, rows=range(1), value=value)
