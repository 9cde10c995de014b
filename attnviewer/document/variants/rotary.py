"""The widths that rotary positions can rotate."""

from attnviewer.compute import Rotary, RotaryAxes, Spec
from attnviewer.document.document import Document
from attnviewer.document.edits import WidthError


def can_turn(spec: Spec, width: int) -> bool:
    """Return whether a width can be rotated; any can without rotary positions."""
    scheme = spec.positions
    if not isinstance(scheme, Rotary):
        return True
    if scheme.rotary_dim is not None:
        return width >= scheme.rotary_dim
    return width == fixed_width(scheme) if fixed_width(scheme) else width % 2 == 0


def fixed_width(scheme: Rotary) -> int:
    """Return the width that a scheme's frequencies or axes need; 0 for any."""
    if scheme.frequencies is not None:
        return 2 * len(scheme.frequencies)
    return 0 if scheme.axes is None else 2 * scheme.axes.n_pairs


def rotary_along_grid(document: Document) -> Rotary | None:
    """Return 2-D RoPE along the rows and columns of the tokens' grid.

    None where the tokens lie on no grid, or a head's columns cannot be divided among
    two axes.
    """
    spec = document.spec
    if document.grid is None or spec.score == "given":
        return None
    queries = "W_Q" if spec.projected else spec.sources[0]
    width = document.matrix(queries).shape[1] // spec.n_heads
    if width % 4:
        return None
    return Rotary(axes=RotaryAxes((width // 4, width // 4), own_frequencies=True))


def check_rotary(spec: Spec, width: int) -> None:
    """Check that the columns of queries and keys can be rotated in pairs.

    Parameters
    ----------
    spec : Spec
        The variant; any width does without rotary positions.
    width : int
        Columns of one head's queries and keys: d_k, which is d_model in simplified
        self-attention.

    Raises
    ------
    WidthError
        If they cannot be rotated.
    """
    if can_turn(spec, width):
        return
    name = "d_model" if spec.variant == "simplified" else "d_k"
    scheme = spec.positions
    assert isinstance(scheme, Rotary)
    if scheme.rotary_dim is not None:
        raise WidthError(
            f"The '{name}' must be at least {scheme.rotary_dim}, the number of columns "
            f"that rotary positions rotate. Got {width} instead."
        )
    if scheme.frequencies is not None:
        raise WidthError(
            f"The '{name}' must be {2 * len(scheme.frequencies)}, two columns for each "
            f"frequency of the rotary positions. Got {width} instead."
        )
    if scheme.axes is not None:
        raise WidthError(
            f"The '{name}' must be {2 * scheme.axes.n_pairs}, two columns for each "
            f"pair that the axes of the rotary positions take. Got {width} instead."
        )
    raise WidthError(
        f"The '{name}' must be even where rotary positions rotate its columns in "
        f"pairs. Got {width} instead."
    )
