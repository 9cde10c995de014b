"""Edits of the pins of a document."""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from attnviewer.compute import Pin, Spec, check_pins, step_shapes
from attnviewer.compute.run import compute
from attnviewer.document.document import Document
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.labels import Labels

MOST_WEIGHTS = 2**20
"""The weights, of all heads, that are computed at once to see whether pins fit."""
EXCESS = 1e-9
"""How far a sum of weights may be from 1 through rounding."""

_ROW = re.compile(r"\bIn row (\d+) ")


def add_pins(document: Document, pins: Sequence[Pin], label: str) -> Replace:
    """Return the edit that appends pins to the existing ones.

    Raises
    ------
    EditError
        If one does not fit the step it is for, or the weights of a row cannot share
        what pins leave.
    """
    edit = _with_pins(document, (*document.pins, *pins), label)
    _check_sharing(document, edit.spec, pins)
    return edit


def change_pin(document: Document, index: int, pin: Pin, label: str) -> Replace:
    """Return the edit that replaces one pin.

    Raises
    ------
    EditError
        If there is no such pin, or the new one does not fit; see `add_pins`.
    """
    _check_index(document, index)
    pins = list(document.pins)
    pins[index] = pin
    edit = _with_pins(document, tuple(pins), label)
    _check_sharing(document, edit.spec, [pin])
    return edit


def remove_pins(document: Document, indices: Collection[int], label: str) -> Replace:
    """Return the edit that removes pins.

    Raises
    ------
    EditError
        If there is no such pin.
    """
    for index in indices:
        _check_index(document, index)
    kept = [pin for k, pin in enumerate(document.pins) if k not in indices]
    return _with_pins(document, tuple(kept), label)


def enable_pins(
    document: Document, indices: Collection[int], enabled: bool, label: str
) -> Replace:
    """Return the edit that switches pins on or off.

    Raises
    ------
    EditError
        If there is no such pin, or the weights of a row cannot share what those that
        are switched on leave.
    """
    for index in indices:
        _check_index(document, index)
    pins = [
        replace(pin, enabled=enabled) if k in indices else pin
        for k, pin in enumerate(document.pins)
    ]
    edit = _with_pins(document, tuple(pins), label)
    if enabled:
        # A pin may also leave too little of a row for other pins to share.
        weights = [pin for pin in pins if pin.step == "weights"]
        _check_sharing(document, edit.spec, weights)
    return edit


def _with_pins(document: Document, pins: tuple[Pin, ...], label: str) -> Replace:
    spec = replace(document.spec, pins=pins)
    try:
        check_pins(spec, {n: a.shape for n, a in document.matrices.items()})
    except ValueError as error:
        raise EditError(str(error)) from error
    return Replace(label, spec=spec)


def _check_sharing(document: Document, spec: Spec | None, pins: Sequence[Pin]) -> None:
    """Check that weights can share what new pins leave, if that is known at once."""
    assert spec is not None
    sharing = [pin for pin in pins if pin.enabled and pin.rest == "share"]
    if not sharing:
        return
    shapes = {name: array.shape for name, array in document.matrices.items()}
    weights = step_shapes(spec, shapes)["weights"]
    for pin in sharing:
        _check_whole_rows(pin, weights[-1])
    if math.prod(weights) > MOST_WEIGHTS:
        return
    try:
        compute(spec, document.inputs())
    except ValueError as error:
        raise EditError(_with_token(str(error), document.labels)) from error


def _with_token(reason: str, labels: Labels) -> str:
    """Return a reason with the token beside the number of the row that it names."""

    def named(row: re.Match[str]) -> str:
        return f"In row {row[1]} (“{labels.queries[int(row[1])]}”) "

    return _ROW.sub(named, reason)


def _check_whole_rows(pin: Pin, n_columns: int) -> None:
    """Check that a pin of whole rows leaves nothing, as there is nobody to share it."""
    columns = pin.columns
    if isinstance(columns, range):
        columns = range(columns.start, min(columns.stop, n_columns), columns.step)
    if pin.how != "set" or len(columns) < n_columns:
        return
    numbers = pin.array()  # (rows, columns) or (1, 1)
    sums = np.broadcast_to(numbers, (len(numbers), n_columns)).sum(axis=1)  # (rows,)
    least = float(sums.min())
    if least < 1 - EXCESS:
        raise EditError(
            "The pinned weights of a whole row must sum to 1 where the others share "
            f"the rest, as no others are left. Got {least:.6g} instead."
        )


def _check_index(document: Document, index: int) -> None:
    count = len(document.pins)
    if not 0 <= index < count:
        raise EditError(
            f"The 'index' of a pin must be below {count}. Got {index} instead."
        )
