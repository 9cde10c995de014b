"""The grid that tokens lie on, as a part of a session."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from numpy.typing import NDArray

from attnviewer.document.token_grid import TokenGrid

IMAGE = "grid/image.npy"
"""The file of the picture beneath the grid."""

_Count = Annotated[int, msgspec.Meta(ge=1)]


class GridPart(msgspec.Struct, forbid_unknown_fields=True):
    """The fields of a `TokenGrid`."""

    rows: _Count
    columns: _Count
    n_special: Annotated[int, msgspec.Meta(ge=0)] = 0
    # The name of a file; left out where there is no picture.
    image: str | msgspec.UnsetType = msgspec.UNSET


def grid_part(grid: TokenGrid, kept: Callable[[str, NDArray[Any]], str]) -> GridPart:
    """Return a grid as the part of a session.

    Parameters
    ----------
    grid : TokenGrid
        The grid.
    kept : callable
        Keeps an array in a file of the session, and returns its name.
    """
    image = msgspec.UNSET if grid.image is None else kept(IMAGE, grid.image)
    return GridPart(grid.rows, grid.columns, grid.n_special, image)


def token_grid(part: GridPart, array: Callable[[str], NDArray[Any]]) -> TokenGrid:
    """Return the grid of a session's part.

    Parameters
    ----------
    part : GridPart
        The part.
    array : callable
        Returns the array in a file of the session.

    Raises
    ------
    ValueError
        If its values do not fit each other.
    """
    image = None if part.image is msgspec.UNSET else array(part.image)
    return TokenGrid(part.rows, part.columns, part.n_special, image)
