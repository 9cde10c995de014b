"""Pins as plain JSON values, and back."""

import math
from typing import Any, Literal

import msgspec
import numpy as np

from attnviewer.compute import Pin
from attnviewer.compute.pins.pin import ENDLESS, How, Positions, Rest

Plain = dict[str, Any]


def pin_to_plain(pin: Pin) -> Plain:
    """Return a pin as plain values, without those that are the default."""
    block = [[_number(number) for number in row] for row in pin.array().tolist()]
    plain: Plain = {
        "step": pin.step,
        "rows": _positions_to_plain(pin.rows),
        "columns": _positions_to_plain(pin.columns),
        "value": block[0][0] if isinstance(pin.value, float) else block,
        "head": pin.head,
        "how": pin.how,
        "rest": pin.rest,
        "enabled": pin.enabled,
    }
    default = {"head": None, "how": "set", "rest": "leave", "enabled": True}
    return {n: v for n, v in plain.items() if n not in default or v != default[n]}


def pin_from_plain(plain: object) -> Pin:
    """Return a pin from plain values.

    Raises
    ------
    ValueError
        If it is none.
    """
    part = msgspec.convert(plain, _PinPart)
    block = part.value if isinstance(part.value, list) else [[part.value]]
    numbers = [[-math.inf if n == "-inf" else n for n in row] for row in block]
    if len({len(row) for row in numbers}) != 1:
        raise ValueError("The rows of a pin's block must be of one length.")
    return Pin(
        part.step,
        _positions_from_plain(part.rows),
        _positions_from_plain(part.columns),
        np.array(numbers) if isinstance(part.value, list) else numbers[0][0],
        head=part.head,
        how=part.how,
        rest=part.rest,
        enabled=part.enabled,
    )


class _Range(msgspec.Struct, forbid_unknown_fields=True):
    start: int
    stop: int | None = None
    step: int = 1


class _PinPart(msgspec.Struct, forbid_unknown_fields=True):
    step: str
    rows: list[int] | _Range
    columns: list[int] | _Range
    value: float | Literal["-inf"] | list[list[float | Literal["-inf"]]]
    head: int | None = None
    how: How = "set"
    rest: Rest = "leave"
    enabled: bool = True


def _number(number: float) -> float | str:
    return "-inf" if number == -math.inf else number


def _positions_to_plain(positions: Positions) -> list[int] | Plain:
    if not isinstance(positions, range):
        return list(positions)
    stop = None if positions.stop >= ENDLESS else positions.stop
    return {"start": positions.start, "stop": stop, "step": positions.step}


def _positions_from_plain(plain: list[int] | _Range) -> list[int] | slice:
    return (
        plain if isinstance(plain, list) else slice(plain.start, plain.stop, plain.step)
    )
