"""Code of the rotation of queries or keys by their positions."""

import numpy as np

from attnviewer.compute import Shape
from attnviewer.compute.notation import Library
from attnviewer.compute.stages import Rotate, RotateAlongAxes
from attnviewer.io.export.program.literals import nested_code
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.offset_code import per_item, plus


def rotation_lines(stage: Rotate, shape: Shape, library: Library) -> list[str]:
    """Return the lines that rotate pairs of columns by the places of rows.

    Parameters
    ----------
    stage : Rotate
        The step.
    shape : tuple of int
        Its shape.
    library : Library
        The library.
    """
    places = _places(stage, shape[-2], library)
    return _lines(stage, shape, places, "places[..., None]", library)


def lines_along_axes(
    stage: RotateAlongAxes, shape: Shape, ids: Shape, library: Library
) -> list[str]:
    """Return the lines that rotate pairs of columns by positions along several axes.

    Parameters
    ----------
    stage : RotateAlongAxes
        The step.
    shape, ids : tuple of int
        The shapes of the step and of ``position_ids``.
    library : Library
        The library.

    Raises
    ------
    ValueError
        If each batch item has positions and an offset of its own.
    """
    n, name = shape[-2], variable("position_ids")
    batch = len(ids) > 2 or isinstance(stage.offset, tuple)
    if not isinstance(stage.offset, tuple):
        rows = f"{name}[..., {stage.offset}:{stage.offset + n}, :]"
    elif len(ids) > 2:
        raise ValueError(
            "There is no program yet for positions along several axes with an offset "
            "for each batch item."
        )
    else:
        first = per_item(stage.offset, "None", library)
        rows = f"{name}[{first} + {library.call('arange', n)}]"
    places = f"{rows}[..., {stage.axes_of_positions.axis_of_pair.tolist()}]"
    by_pair = "places[..., None, :, :]" if batch and len(shape) > 3 else "places"
    return _lines(stage, shape, places, by_pair, library)


def _lines(
    stage: Rotate, shape: Shape, places: str, by_pair: str, library: Library
) -> list[str]:
    source, turned = variable(stage.inputs[0]), variable(stage.name)
    scheme, call = stage.scheme, library.call
    width = shape[-1] if scheme.rotary_dim is None else scheme.rotary_dim
    half = width // 2
    first, second = f"[..., :{half}]", f"[..., {half}:{width}]"
    if scheme.interleaved:
        first, second = f"[..., 0:{width}:2]", f"[..., 1:{width}:2]"
    exponents = f"{call('arange', 0, width, 2)} / {width}"
    frequencies = f"{float(scheme.base)!r} ** -({exponents})"
    if scheme.frequencies is not None:
        frequencies = call("array", nested_code(np.array(scheme.frequencies)))
    elif scheme.axes is not None and scheme.axes.own_frequencies:
        own = scheme.axes.frequencies(scheme.base)
        frequencies = call("array", nested_code(own))
    factor = float(scheme.attention_factor)
    stretch = "" if factor == 1 else f"{factor!r} * "
    cosines, sines = (f"{stretch}{call(name, 'angles')}" for name in ("cos", "sin"))
    return [
        f"places = {places}",
        f"frequencies = {frequencies}",
        f"angles = {by_pair} * frequencies",
        f"cos, sin = {cosines}, {sines}",
        f"first, second = {source}{first}, {source}{second}",
        f"{turned} = {source}.{library.copy}",
        f"{turned}{first} = first * cos - second * sin",
        f"{turned}{second} = second * cos + first * sin",
    ]


def _places(stage: Rotate, n: int, library: Library) -> str:
    """Return the positions of the rows, (n,) or (batch, 1, n)."""
    positions = f"{library.call('arange', n)}{plus(stage.scheme.offset)}"
    if isinstance(stage.offset, tuple):
        return f"{per_item(stage.offset, 'None, None', library)} + {positions}"
    return positions + plus(stage.offset)
