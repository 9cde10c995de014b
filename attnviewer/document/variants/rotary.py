"""The widths that rotary positions can turn."""

from attnviewer.compute import Rotary, Spec
from attnviewer.document.edits import EditError


def can_turn(spec: Spec, width: int) -> bool:
    """Tell whether so many columns can turn; any can without rotary positions."""
    scheme = spec.positions
    if not isinstance(scheme, Rotary):
        return True
    return width % 2 == 0 if scheme.rotary_dim is None else width >= scheme.rotary_dim


def check_rotary(spec: Spec, d_model: int, d_k: int) -> None:
    """Check that the columns of queries and keys can turn in pairs.

    Parameters
    ----------
    spec : Spec
        The variant; any width does without rotary positions.
    d_model, d_k : int
        What turns is as wide as d_k, or as d_model without weights.

    Raises
    ------
    EditError
        If they cannot.
    """
    name, width = ("d_k", d_k) if spec.projected else ("d_model", d_model)
    if can_turn(spec, width):
        return
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
