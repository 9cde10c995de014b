"""Documents from attention weights alone."""

from collections.abc import Iterable

from numpy.typing import ArrayLike

from attnviewer.compute.arguments import real_array, whole_number
from attnviewer.document.array_roles.assignment import Assignment
from attnviewer.document.array_roles.building import build
from attnviewer.document.array_roles.pick import HEADS, AxisIndex, Pick
from attnviewer.document.document import Document
from attnviewer.document.from_trace import called


def document_of_weights(
    weights: ArrayLike,
    *,
    tokens: Iterable[str] | None = None,
    context_tokens: Iterable[str] | None = None,
    layer: int | None = None,
    batch: int | None = None,
    head: int | None = None,
    title: str = "From Python",
) -> Document:
    """Return a new document of attention weights, over one-hot values.

    Parameters
    ----------
    weights : array_like, shape (layers, batch, heads, n_q, n_k) or fewer
        The weights; without the batch, the layers or the heads as well. A list of the
        layers' arrays, as models of transformers return, is such an array.
    tokens : iterable of str, optional
        Names of the query tokens; numbered by default.
    context_tokens : iterable of str, optional
        Names of the key tokens where they are others.
    layer, batch, head : int, optional
        Which of them; required for layers and batch items if there are several. All
        heads are taken by default.
    title : str
        The document's title.

    Raises
    ------
    TypeError, ValueError
        If there is no such layer, batch item or head, or the array does not hold
        weights.

    Examples
    --------
    >>> from attnviewer.document import document_of_weights
    >>> document_of_weights([[1.0, 0.0], [0.5, 0.5]]).compute()["weights"]
    array([[1. , 0. ],
           [0.5, 0.5]])
    """
    array = real_array("'weights' parameter", weights)
    if not 2 <= array.ndim <= 5:
        raise ValueError(
            "The 'weights' parameter must have shape (layers, batch, heads, n_q, n_k), "
            f"or leave out the first ones. Got {array.shape} instead."
        )
    axes = ("layer", "batch", "head") if array.ndim == 5 else ("layer", "head")
    names = axes[len(axes) - (array.ndim - 2) :]
    chosen = {"layer": layer, "batch": batch, "head": head}
    index = tuple(
        _axis_index(name, chosen.pop(name), size)
        for name, size in zip(names, array.shape[:-2], strict=True)
    )
    for name, number in chosen.items():
        if number is not None:
            raise ValueError(
                f"The '{name}' parameter must be None for weights of the shape "
                f"{array.shape}. Got {number} instead."
            )
    assignment = Assignment(
        {"weights": Pick("weights", (*index, None, None))},
        title=title,
        tokens=called(tokens, "tokens", array.shape[-2]),
        context_tokens=(
            ()
            if context_tokens is None
            else called(context_tokens, "context_tokens", array.shape[-1])
        ),
    )
    return build(assignment, {"weights": array})


def _axis_index(name: str, number: int | None, size: int) -> AxisIndex:
    """Return how a pick treats an axis."""
    if number is None and name == "head":
        return HEADS
    if number is None and size > 1:
        raise ValueError(
            f"The '{name}' parameter must be given, from 0 to {size - 1}: a document "
            "holds one. Got None instead."
        )
    index = whole_number(name, 0 if number is None else number, 0)
    if index >= size:
        raise ValueError(
            f"The '{name}' parameter must be from 0 to {size - 1}. Got {index} instead."
        )
    return index
