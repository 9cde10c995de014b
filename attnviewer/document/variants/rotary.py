"""The widths that rotary positions can turn."""

from attnviewer.compute import Rotary, Spec
from attnviewer.document.edits import EditError


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
    scheme = spec.positions
    if not isinstance(scheme, Rotary):
        return
    name, width = ("d_k", d_k) if spec.projected else ("d_model", d_model)
    if scheme.rotary_dim is None and width % 2:
        raise EditError(
            f"The '{name}' must be even where rotary positions turn its columns in "
            f"pairs. Got {width} instead."
        )
    if scheme.rotary_dim is not None and width < scheme.rotary_dim:
        raise EditError(
            f"The '{name}' must be at least {scheme.rotary_dim}, the number of columns "
            f"that rotary positions turn. Got {width} instead."
        )
