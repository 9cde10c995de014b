"""Functions that a program holds if it calls them, by their names."""

import re

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

_BESIDE_EXTRA = '''
def beside_extra(matrix, n_extra, value):
    """Append columns of one value, for the extra keys, to a matrix over the keys."""
    columns = np.full((*matrix.shape[:-1], n_extra), value)
    return np.concatenate([matrix, columns], axis=-1)
'''

_THRESHOLD = '''
def threshold(z, power):
    """Return the tau for which max(0, z - tau)^power adds up to 1 in each row."""
    # What tau would be if only the first 1, 2, ... of the largest had any weight;
    # it is that of the last of them that lies above its own.
    falling = -np.sort(-z.clip(min=-1), axis=-1)
    count = np.arange(1, z.shape[-1] + 1)
    mean = np.cumsum(falling, axis=-1) / count
    taus = mean - 1 / count
    if power == 2:
        variance = np.cumsum(falling**2, axis=-1) / count - mean**2
        taus = mean - np.sqrt((1 / count - variance).clip(min=0))
    inside = (falling > taus) & (falling > -1)
    last = (inside.sum(axis=-1, keepdims=True) - 1).clip(min=0)
    return np.take_along_axis(taus, last, axis=-1)
'''

_UNPACK = '''
def unpack(dtype, shape, text):
    """Return the array whose compressed bytes are written in base64."""
    content = zlib.decompress(base64.b64decode(text))
    array = np.frombuffer(content, dtype).reshape(shape)
    return array if array.dtype == bool else array.astype(float)
'''

_CHECK = '''
def check(name, computed, expected, tolerance):
    """Assert that a step holds the expected numbers."""
    expected = np.array(expected)
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    # Numbers below the smallest normal one have fewer digits.
    least = tolerance * size + np.finfo(float).tiny
    np.testing.assert_allclose(
        computed, expected, rtol=tolerance, atol=least, err_msg=name
    )
    print(f"{name}: as expected")
'''

_CHECK_SUMMARY = '''
def check_summary(name, computed, finite, total, size, cells, tolerance):
    """Assert that a large step has the expected sums, and numbers in some cells."""
    numbers = computed.reshape(-1)
    places = [k * (len(numbers) - 1) // (len(cells) - 1) for k in range(len(cells))]
    kept = numbers[np.isfinite(numbers)]
    assert len(kept) == finite, f"{name}: {len(kept)} numbers are finite"
    close = {"rtol": tolerance, "atol": tolerance * size, "err_msg": name}
    np.testing.assert_allclose([kept.sum(), np.abs(kept).sum()], [total, size], **close)
    close["atol"] = tolerance * np.abs(kept).max(initial=0)
    np.testing.assert_allclose(numbers[places], cells, **close)
    print(f"{name}: as expected")
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

FUNCTIONS = {
    "unpack": _UNPACK,
    "split_heads": _SPLIT_HEADS,
    "join_heads": _JOIN_HEADS,
    "beside_extra": _BESIDE_EXTRA,
    "threshold": _THRESHOLD,
    "check": _CHECK,
    "check_summary": _CHECK_SUMMARY,
    "show": _SHOW,
}
"""The functions, as they are written with NumPy."""


def called(code: str) -> list[str]:
    """Return the names of the functions that a piece of code calls."""
    return [name for name in FUNCTIONS if re.search(rf"\b{name}\(", code)]


_MODULES = ("base64", "math", "zlib")


def imports(code: str) -> list[str]:
    """Return the lines that import what a piece of code uses beside its arrays."""
    lines = [f"import {name}" for name in _MODULES if f"{name}." in code]
    constants = [name for name in ("inf", "nan") if re.search(rf"\b{name}\b", code)]
    if constants:
        lines.append(f"from math import {', '.join(constants)}")
    return lines
