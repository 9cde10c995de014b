"""The widths that rotary positions can turn."""

from attnviewer.compute import Rotary, Spec
from attnviewer.document.edits import EditError


def can_turn(spec: Spec, width: int) -> bool:
    """Tell whether so many columns can turn; any can without rotary positions."""
    scheme = spec.positions
    if not isinstance(scheme, Rotary):
        return True
    return width % 2 == 0 if scheme.rotary_dim is None else width >= scheme.rotary_dim


def check_rotary(spec: Spec, width: int) -> None:
    """Check that the columns of queries and keys can turn in pairs.

    Parameters
    ----------
    spec : Spec
        The variant; any width does without rotary positions.
    width : int
        How wide one head's queries and keys are: d_k, which is d_model in simplified
        self-attention.

    Raises
    ------
    EditError
        If they cannot.
    """
    if can_turn(spec, width):
        return
    name = "d_model" if spec.variant == "simplified" else "d_k"
    assert isinstance(spec.positions, Rotary)
    if spec.positions.rotary_dim is None:
        raise EditError(
            f"The '{name}' must be even where rotary positions turn its columns in "
            f"pairs. Got {width} instead."
        )
    raise EditError(
        f"The '{name}' must be at least {spec.positions.rotary_dim}, the number of "
        f"columns that rotary positions turn. Got {width} instead."
    )
