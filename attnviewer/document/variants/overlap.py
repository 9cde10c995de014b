"""Copies between arrays of different shapes."""

from attnviewer.compute import Array


def copy_overlap(values: Array, ground: Array) -> Array:
    """Copy the overlap of two arrays from their first corner on; return `ground`.

    Parameters
    ----------
    values, ground : ndarray
        Source and target, with the same number of axes. The rest of `ground` stays.
    """
    inside = tuple(
        slice(min(sizes)) for sizes in zip(values.shape, ground.shape, strict=True)
    )
    ground[inside] = values[inside]
    return ground
