"""Old numbers in a matrix of another shape."""

from attnviewer.compute import Array


def copy_overlap(values: Array, ground: Array) -> Array:
    """Write what fits of some values over the first corner of `ground`; return it.

    Parameters
    ----------
    values, ground : ndarray
        Both with the same number of axes. What lies outside the other is cut, or
        stays as it was in `ground`.
    """
    inside = tuple(
        slice(min(sizes)) for sizes in zip(values.shape, ground.shape, strict=True)
    )
    ground[inside] = values[inside]
    return ground
