"""Edits of the pins of a document."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from attnviewer.compute import Pin, check_pins
from attnviewer.document.document import Document
from attnviewer.document.edits import EditError, Replace


def add_pins(document: Document, pins: Sequence[Pin], label: str) -> Replace:
    """Return the edit that adds pins after those that are there.

    Raises
    ------
    EditError
        If one does not fit the step it is for.
    """
    return _with_pins(document, (*document.pins, *pins), label)


def change_pin(document: Document, index: int, pin: Pin, label: str) -> Replace:
    """Return the edit that replaces one pin.

    Raises
    ------
    EditError
        If there is no such pin, or the new one does not fit.
    """
    _check_index(document, index)
    pins = list(document.pins)
    pins[index] = pin
    return _with_pins(document, tuple(pins), label)


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
        If there is no such pin.
    """
    for index in indices:
        _check_index(document, index)
    pins = [
        replace(pin, enabled=enabled) if k in indices else pin
        for k, pin in enumerate(document.pins)
    ]
    return _with_pins(document, tuple(pins), label)


def _with_pins(document: Document, pins: tuple[Pin, ...], label: str) -> Replace:
    spec = replace(document.spec, pins=pins)
    try:
        check_pins(spec, {n: a.shape for n, a in document.matrices.items()})
    except ValueError as error:
        raise EditError(str(error)) from error
    return Replace(label, spec=spec)


def _check_index(document: Document, index: int) -> None:
    count = len(document.pins)
    if not 0 <= index < count:
        raise EditError(
            f"The 'index' of a pin must be below {count}. Got {index} instead."
        )
