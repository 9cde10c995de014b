"""The lines that pin cells of a computed step."""

from collections.abc import Iterator
from dataclasses import replace

from attnviewer.compute import Pin, Stage
from attnviewer.compute.notation import Library
from attnviewer.compute.pins.pin import ENDLESS, Positions
from attnviewer.io.export.program.literals import nested_code
from attnviewer.io.export.program.names import variable

_SIGNS = {"set": "=", "add": "+=", "scale": "*="}


def pins_code(stage: Stage, n_axes: int, library: Library) -> Iterator[str]:
    """Yield the lines that apply the pins of a stage to its variable, of some axes."""
    if stage.pins is None:
        return
    name, pins = variable(stage.name), stage.pins.pins
    if not stage.per_head or n_axes < 3:
        pins = tuple(replace(pin, head=None) for pin in pins)  # there is but one
    shares = stage.pins.shares
    if shares:
        yield f"computed = {name}"
    yield f"{name} = {name}.{library.copy}"
    for pin in pins:
        cells, value = _cells(name, pin), _value(pin, library)
        if pin.how == "scale" and stage.is_of_scores and not (pin.array() > 0).all():
            # −∞ · 0 and −∞ · −1 would not be hidden.
            value = library.call("where", f"{cells} == -inf", "1", value)
        yield f"{cells} {_SIGNS[pin.how]} {value}  # pinned"
    if shares:
        yield from _sharing(name, pins, library)


def _sharing(name: str, pins: tuple[Pin, ...], library: Library) -> Iterator[str]:
    """Yield the lines by which the other weights of a row share what pins leave."""
    yield f"held = {library.call('zeros_like', name)}"
    yield f"sharing = held.sum({library.axis}=-1, {library.keepdims}=True)"
    for pin in pins:
        yield f"{_cells('held', pin)} = 1"
        if pin.rest == "share":
            yield f"{_cells('sharing', pin, columns=':')} = 1"
    yield f"left = 1 - ({name} * held).{library.row_sum}"
    yield f"others = (computed * (1 - held)).{library.row_sum}"
    where = f"{library.module}.where"
    yield f"others = {where}(others == 0, 1, others)"
    yield "free = sharing * (1 - held) > 0"
    yield f"{name} = {where}(free, computed * (left / others), {name})"


def _cells(name: str, pin: Pin, columns: str = "") -> str:
    rows, across = _index(pin.rows), columns or _index(pin.columns)
    if rows.startswith("[") and across.startswith("["):
        rows = "[" + ", ".join(f"[{row}]" for row in pin.rows) + "]"
    head = "" if pin.head is None else f"[..., {pin.head}, :, :]"
    return f"{name}{head}[..., {rows}, {across}]"


def _index(positions: Positions) -> str:
    if isinstance(positions, range):
        start = positions.start or ""
        stop = "" if positions.stop >= ENDLESS else positions.stop
        step = "" if positions.step == 1 else f":{positions.step}"
        return f"{start}:{stop}{step}"
    return str(list(positions))


def _value(pin: Pin, library: Library) -> str:
    if isinstance(pin.value, float):
        return repr(pin.value)
    return library.call("array", nested_code(pin.array()))
