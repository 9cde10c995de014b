"""Code of the rotation of queries or keys by their positions."""

import numpy as np

from attnviewer.compute import Shape
from attnviewer.compute.notation import Library
from attnviewer.compute.positions import RotaryAxes
from attnviewer.compute.stages import Rotate
from attnviewer.io.export.program.literals import nested_code
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.offset_code import per_item, plus


def rotation_lines(
    stage: Rotate, shape: Shape, n_dimensions: int, library: Library
) -> list[str]:
    """Return the lines that rotate pairs of columns.

    Parameters
    ----------
    stage : Rotate
        The step.
    shape : tuple of int
        Its shape.
    n_dimensions : int
        How many dimensions ``position_ids`` has; 0 without it.
    library : Library
        The library.

    Raises
    ------
    ValueError
        If there is no code for its positions.
    """
    source, turned = variable(stage.inputs[0]), variable(stage.name)
    n, d = shape[-2:]
    scheme, call = stage.scheme, library.call
    width = d if scheme.rotary_dim is None else scheme.rotary_dim
    half = width // 2
    first, second = f"[..., :{half}]", f"[..., {half}:{width}]"
    if scheme.interleaved:
        first, second = f"[..., 0:{width}:2]", f"[..., 1:{width}:2]"
    exponents = f"{call('arange', 0, width, 2)} / {width}"
    frequencies = f"{float(scheme.base)!r} ** -({exponents})"
    own = scheme.frequencies
    if scheme.axes is None:
        places = _places(stage, n, library)
        by_pair = "places[..., None]"
    else:
        if scheme.axes.own_frequencies:
            own = tuple(scheme.axes.frequencies(scheme.base).tolist())
        places = _along_axes(stage, scheme.axes, n, n_dimensions, library)
        by_pair = "places"
        if len(shape) > 3 and (n_dimensions > 2 or isinstance(stage.offset, tuple)):
            by_pair = "places[..., None, :, :]"
    if own is not None:
        frequencies = call("array", nested_code(np.array(own)))
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


def _along_axes(
    stage: Rotate, axes: RotaryAxes, n: int, n_dimensions: int, library: Library
) -> str:
    """Return the positions that pairs turn by, (n, pairs) or (batch, n, pairs)."""
    columns = f"[..., {axes.axis_of_pair.tolist()}]"
    ids = variable("position_ids")
    if not isinstance(stage.offset, tuple):
        first = stage.offset
        return f"{ids}[..., {first}:{first + n}, :]{columns}"
    if n_dimensions > 2:
        raise ValueError(
            "There is no program yet for positions along several axes with an offset "
            "for each batch item."
        )
    at = f"{per_item(stage.offset, 'None', library)} + {library.call('arange', n)}"
    return f"{ids}[{at}]{columns}"
