"""Helper functions that are copied into a program if it calls them."""

import re

from attnviewer.compute.notation import Library

_SPLIT_HEADS = '''
def split_heads(joined, n_heads):
    """Give each head its own columns: (..., n, h·d) becomes (..., h, n, d)."""
    *lead, n, columns = joined.shape
    return joined.reshape(*lead, n, n_heads, columns // n_heads).swapaxes(-2, -3)
'''

_JOIN_HEADS = '''
def join_heads(heads):
    """Put the heads side by side: (..., h, n, d) becomes (..., n, h·d)."""
    *lead, n_heads, n, d = heads.shape
    return heads.swapaxes(-2, -3).reshape(*lead, n, n_heads * d)
'''


def _beside_extra(library: Library) -> str:
    columns = library.call("full", "(*matrix.shape[:-1], n_extra)", "value")
    joined = library.call("concatenate", "[matrix, columns]", axis=-1)
    return f'''
def beside_extra(matrix, n_extra, value):
    """Append columns of one value, for the extra keys, to a matrix over the keys."""
    columns = {columns}
    return {joined}
'''


def _threshold(library: Library) -> str:
    call = library.call
    rising = call("sort", "-z.clip(min=-1)", axis=-1) + library.sorted_values
    means = call("cumsum", "falling", axis=-1)
    squares = call("cumsum", "falling**2", axis=-1)
    root = call("sqrt", "(1 / count - variance).clip(min=0)")
    return f'''
def threshold(z, power):
    """Return the tau for which max(0, z - tau)^power adds up to 1 in each row."""
    # What tau would be if only the first 1, 2, ... of the largest had any weight;
    # it is that of the last of them that lies above its own.
    falling = -{rising}
    count = {call("arange", 1, "z.shape[-1] + 1")}
    mean = {means} / count
    taus = mean - 1 / count
    if power == 2:
        variance = {squares} / count - mean**2
        taus = mean - {root}
    inside = (falling > taus) & (falling > -1)
    last = (inside.{library.row_sum} - 1).clip(min=0)
    return {call("take_along_axis", "taus", "last", axis=-1)}
'''


_SHOW = '''
def show(name, step, rows, columns, place=()):
    """Print each matrix of a step with what its rows and columns are called."""
    if len(step.shape) > 2:
        for k, part in enumerate(step):
            show(name, part, rows, columns, (*place, k))
        return
    print(f"\\n{name} {list(place)}" if place else f"\\n{name}")
    numbers = [[f"{number:.4f}" for number in row] for row in step.tolist()]
    table = [["", *columns], *([row, *line] for row, line in zip(rows, numbers))]
    widths = [max(map(len, column)) for column in zip(*table)]
    for line in table:
        print("  ".join(text.rjust(width) for text, width in zip(line, widths)))
'''

_NAMES = (
    "unpack",
    "split_heads",
    "join_heads",
    "beside_extra",
    "threshold",
    "check",
    "check_summary",
    "show",
)
_SAME = {"split_heads": _SPLIT_HEADS, "join_heads": _JOIN_HEADS, "show": _SHOW}
_WITH_LIBRARY = {"beside_extra": _beside_extra, "threshold": _threshold}


def function_code(name: str, library: Library) -> str:
    """Return the code of a function that is the same with every library."""
    return _SAME[name] if name in _SAME else _WITH_LIBRARY[name](library)


def called(code: str) -> list[str]:
    """Return the names of the functions that a piece of code calls, in order."""
    return [name for name in _NAMES if re.search(rf"\b{name}\(", code)]


_MODULES = ("base64", "math", "zlib")


def imports(code: str) -> list[str]:
    """Return the imports that a piece of code needs besides its array library."""
    lines = [f"import {name}" for name in _MODULES if f"{name}." in code]
    constants = [name for name in ("inf", "nan") if re.search(rf"\b{name}\b", code)]
    if constants:
        lines.append(f"from math import {', '.join(constants)}")
    return lines
