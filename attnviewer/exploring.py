"""The window, opened from Python."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from attnviewer.compute import Index, Trace, attention, multi_head_attention, run
from attnviewer.compute.options import Options
from attnviewer.document import Document, document_of, document_of_weights

if TYPE_CHECKING:
    from attnviewer.ui.exploration import Exploration


def explore(
    what: Document | Trace | None = None,
    /,
    *,
    x: ArrayLike | None = None,
    w_q: ArrayLike | None = None,
    w_k: ArrayLike | None = None,
    w_v: ArrayLike | None = None,
    w_o: ArrayLike | None = None,
    q: ArrayLike | None = None,
    k: ArrayLike | None = None,
    v: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    tokens: Iterable[str] | None = None,
    context_tokens: Iterable[str] | None = None,
    layer: int | None = None,
    batch: int | Index | None = None,
    head: int | None = None,
    title: str | None = None,
    block: bool | None = None,
    **options: Any,
) -> "Exploration":
    """Open the window on a document, on a computation, or on arrays.

    In a script it stays until the window is closed. In IPython, Jupyter and Python's
    own prompt, and where an event loop of Qt runs already, it returns at once and the
    window is alive beside the prompt.

    Parameters
    ----------
    what : Document or Trace, optional
        What is shown: the document itself, or a new one with the computation's inputs.
    x, w_q, w_k, w_v, w_o : array_like, optional
        Embeddings and weights instead, as in `multi_head_attention`; `x` alone shows
        simplified self-attention.
    q, k, v : array_like, optional
        Queries, keys and values instead, as in `attention`.
    weights : array_like, optional
        Attention weights alone instead, (layers, heads, n_q, n_k) or (heads, n_q, n_k),
        as a model returned them; see `document_of_weights`.
    tokens : iterable of str, optional
        What the rows of `x`, `q` or `weights` are called.
    context_tokens : iterable of str, optional
        What those of `context`, or of `k` and `v`, are called, or the columns of
        `weights`.
    layer : int, optional
        Which layer of `weights` is shown: needed where there are several.
    batch : int or tuple of int, optional
        Which batch item is shown: needed where there are several.
    head : int, optional
        Which head of `q`, `k` and `v`, or of `weights`, is shown; all by default.
    title : str, optional
        What the document is called.
    block : bool, optional
        Whether to stay until the window is closed, whatever runs this.
    **options
        Those of `multi_head_attention` with weights, of `attention` otherwise: such as
        ``n_heads=2``, ``b_q=…``, ``context=…``, ``mask=…``, ``causal=True``.

    Returns
    -------
    Exploration
        With the ``document``, edited as it is in the window, and its ``trace``. It
        need not be kept for the window's sake.

    Raises
    ------
    ValueError, TypeError
        If the arrays do not fit each other, or the document is none that can be shown.
    RuntimeError
        If no window can be shown: there is no display, or this is not the main thread.

    Notes
    -----
    While a window is open Python's collector of cycles runs between two turns of the
    event loop; call ``gc.collect()`` where a long cell makes many.

    Examples
    --------
    >>> import attnviewer, numpy as np
    >>> x = np.eye(3)
    >>> shown = attnviewer.explore(x=x, w_q=x, w_k=x, w_v=x)  # doctest: +SKIP
    >>> shown.trace["weights"]  # doctest: +SKIP
    """
    arrays = {
        **{"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o},
        **{"q": q, "k": k, "v": v},
    }
    told = {n: a for n, a in arrays.items() if a is not None} | options
    if weights is not None:
        told["weights"] = weights
    if what is not None and told:
        raise ValueError(
            "The arrays must not be given with a document or a computation. "
            f"Got {', '.join(told)} instead."
        )
    about = {
        "tokens": tokens,
        "context_tokens": context_tokens,
        "layer": layer,
        "batch": batch,
        "head": head,
        "title": title,
    }
    about = {name: value for name, value in about.items() if value is not None}
    document = _document(what, told, about)
    from attnviewer.ui.exploration import show

    return show(document, block)


def _document(
    what: Document | Trace | None, told: dict[str, Any], about: dict[str, Any]
) -> Document:
    if isinstance(what, Document):
        if about:
            raise ValueError(
                f"The {', '.join(about)} must not be given with a document, which has "
                "its own. Got one instead."
            )
        return what
    if "weights" in told:
        if len(told) > 1:
            others = ", ".join(name for name in told if name != "weights")
            raise ValueError(
                f"The 'weights' must be given alone. Got {others} beside them."
            )
        return document_of_weights(told["weights"], **about)
    if "layer" in about:
        raise ValueError(
            "The 'layer' parameter must be None without 'weights'. "
            f"Got {about['layer']} instead."
        )
    if what is None:
        return document_of(_computed(told), **about)
    if not isinstance(what, Trace):
        raise TypeError(
            "What is explored must be a Document or a Trace. "
            f"Got {type(what).__name__} instead; arrays are given by name, as in x=…, "
            "files as attnviewer.explore(attnviewer.open(path))."
        )
    return document_of(what, **about)


def _computed(told: Mapping[str, Any]) -> Trace:
    """Compute the variant that some arguments stand for."""
    if "q" in told or "k" in told or "v" in told:
        _check_given(told, ("q", "k", "v"))
        return attention(**told)
    if "w_q" in told or "w_k" in told or "w_v" in told:
        _check_given(told, ("x", "w_q", "w_k", "w_v"))
        return multi_head_attention(**told)
    _check_given(told, ("x",))
    options = Options.of({n: a for n, a in told.items() if n != "x"}, ("w_q", "q"))
    inputs = options.arrays({"X": told["x"]})
    return run(options.spec((), projected=False), inputs)


def _check_given(told: Mapping[str, Any], names: tuple[str, ...]) -> None:
    belong = f", as {', '.join(names)} belong together" if len(names) > 1 else ""
    for name in names:
        if name not in told:
            raise ValueError(
                f"The '{name}' parameter must be given{belong}. Got none instead."
            )
