"""The widths that rotary positions can rotate."""

from attnviewer.compute import Rotary, Spec
from attnviewer.document.edits import WidthError


def can_turn(spec: Spec, width: int) -> bool:
    """Return whether a width can be rotated; any can without rotary positions."""
    scheme = spec.positions
    if not isinstance(scheme, Rotary):
        return True
    if scheme.rotary_dim is not None:
        return width >= scheme.rotary_dim
    if scheme.frequencies is not None:
        return width == 2 * len(scheme.frequencies)
    return width % 2 == 0


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
            f"that rotary positions turn. Got {width} instead."
        )
    if scheme.frequencies is not None:
        raise WidthError(
            f"The '{name}' must be {2 * len(scheme.frequencies)}, two columns for each "
            f"frequency of the rotary positions. Got {width} instead."
        )
    raise WidthError(
        f"The '{name}' must be even where rotary positions turn its columns in pairs. "
        f"Got {width} instead."
    )
