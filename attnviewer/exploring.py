"""The window, opened from Python."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeGuard

from numpy.typing import ArrayLike

from attnviewer.compute import Index, Spec, Trace
from attnviewer.compute.arrays import Array
from attnviewer.compute.attention import given
from attnviewer.compute.multi_head import projected
from attnviewer.compute.options import Options
from attnviewer.compute.run import compute
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.validate import check_inputs
from attnviewer.document import Document
from attnviewer.document.from_trace import document_of, document_of_inputs
from attnviewer.document.from_weights import document_of_weights
from attnviewer.sources import Given, ModelSource

if TYPE_CHECKING:
    from attnviewer.models import Model, ModelTrace
    from attnviewer.recording import RecordedRun
    from attnviewer.ui.interactive import Exploration


@short_signature
def explore(
    what: "Document | Trace | RecordedRun | Model | ModelTrace | None" = None,
    /,
    layer: int | None = None,
    head: int | None = None,
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
    batch: int | Index | None = None,
    text: "Given | None" = None,
    title: str | None = None,
    block: bool | None = None,
    **options: Any,
) -> "Exploration":
    """Open the window on a document, a computation, arrays, or a real model.

    In a script it blocks until the window is closed. In IPython, Jupyter and Python's
    own prompt, and where a Qt event loop is already running, it returns at once and the
    window stays responsive beside the prompt.

    Parameters
    ----------
    what : Document, Trace, RecordedRun, Model or ModelTrace, optional
        What to show: the document itself, a new one with the computation's inputs, a
        layer of what `record` recorded, or a head of a model, whose layer, head and
        sentence can be changed in the window.
    layer : int, optional
        The layer of a model or a recording, counted from zero; 0 by default. Which of
        `weights`: needed where there are several.
    head : int, optional
        The head of a model's layer, 0 by default; or of a recording, of `q`, `k` and
        `v`, or of `weights`, of which all are shown by default.
    x, w_q, w_k, w_v, w_o : array_like, optional
        Embeddings and weights instead, as in `multi_head_attention`; `x` alone shows
        simplified self-attention.
    q, k, v : array_like, optional
        Queries, keys and values instead, as in `attention`.
    weights : array_like, optional
        Attention weights alone instead, (layers, heads, n_q, n_k) or (heads, n_q, n_k),
        as a model returned them; see `document_of_weights`.
    tokens : iterable of str, optional
        Names of the rows of `x`, `q` or `weights`.
    context_tokens : iterable of str, optional
        Names of the rows of `context`, or of `k` and `v`, or of the columns of
        `weights`.
    batch : int or tuple of int, optional
        Which batch item to show: required if there are several.
    text : str, tuple of str or tuple of int, optional
        The input of a model: a text, its tokens, or their ids. By default an example
        sentence.
    title : str, optional
        The document's title.
    block : bool, optional
        Whether to block until the window is closed, in any environment.
    **options
        Those of `multi_head_attention` with weights, of `attention` otherwise: such as
        ``n_heads=2``, ``b_q=…``, ``context=…``, ``mask=…``, ``causal=True``.

    Returns
    -------
    Exploration
        With the ``document``, which follows edits in the window, and its ``trace``. The
        window stays open without a reference to it.

    Raises
    ------
    ValueError, TypeError
        If the arrays do not fit each other, or the document cannot be shown.
    IndexError
        If the model has no such layer or head.
    FileError
        If a model's files cannot be read.
    RuntimeError
        If no window can be shown: there is no display, or this is not the main thread.

    Notes
    -----
    While a window is open, Python's garbage collector runs only between events; call
    ``gc.collect()`` in long cells that create many reference cycles.

    Examples
    --------
    >>> import attnviewer, numpy as np
    >>> x = np.eye(3)
    >>> shown = attnviewer.explore(x=x, w_q=x, w_k=x, w_v=x)  # doctest: +SKIP
    >>> shown.trace["weights"]  # doctest: +SKIP
    >>> model = attnviewer.models.load("all-MiniLM-L6-v2")  # doctest: +SKIP
    >>> attnviewer.explore(model, 3, 1, text="So tired.")  # doctest: +SKIP
    """
    arrays = {
        **{"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o},
        **{"q": q, "k": k, "v": v},
    }
    arguments = {n: a for n, a in arrays.items() if a is not None} | options
    if weights is not None:
        arguments["weights"] = weights
    if what is not None and arguments:
        raise ValueError(
            "The arrays must not be given with a document or a computation. "
            f"Got {', '.join(arguments)} instead."
        )
    about: dict[str, Any] = {
        "tokens": tokens,
        "context_tokens": context_tokens,
        "batch": batch,
        "title": title,
    }
    about = {name: value for name, value in about.items() if value is not None}
    if isinstance(what, Document | Trace | None):
        of_model = {"text": text} | ({"layer": layer} if weights is None else {})
        _check_none(of_model, "without a model")
        if layer is not None:
            about["layer"] = layer
        if head is not None:
            about["head"] = head
        document = _document(what, arguments, about)
        from attnviewer.ui.interactive import show

        way = _OF_ARRAYS if what is None else _OF_TRACES
        return show(document, block, way=_OF_DOCUMENTS if what is document else way)
    if _is_recorded(what):
        from attnviewer.ui.interactive import show

        _check_none({"text": text}, "with a recording")
        document = what.document(layer or 0, head, **about)
        return show(document, block, way=_OF_TRACES)
    _check_none(about, "with a model")
    return _explore_run(_run_of(what, text), layer or 0, head or 0, block)


_OPENED = "; open that file where there is a display."
_OF_DOCUMENTS = (
    "Draw it with attnviewer.figure(document), or save it with "
    "attnviewer.save(document, 'name.attn')"
) + _OPENED
_OF_TRACES = (
    "Draw it with attnviewer.figure(trace), or save a document of it with "
    "attnviewer.save(attnviewer.document_of(trace), 'name.attn')"
) + _OPENED
_OF_ARRAYS = (
    "Compute a trace of the arrays with attnviewer.attention(q, k, v) or "
    "attnviewer.multi_head_attention(x, w_q, w_k, w_v). "
) + _OF_TRACES
_OF_RUNS = (
    "Draw the head with attnviewer.figure(run, layer={layer}, head={head}), where run "
    "is model.run(text)."
)
"""Advice where no window can be shown."""


def _check_none(given: Mapping[str, object], where: str) -> None:
    found = [name for name, value in given.items() if value is not None]
    if found:
        raise ValueError(
            f"The {', '.join(found)} must not be given {where}. Got one instead."
        )


def _is_recorded(what: object) -> "TypeGuard[RecordedRun]":
    from attnviewer.recording import RecordedRun

    return isinstance(what, RecordedRun)


def _run_of(what: object, text: "Given | None") -> "ModelTrace":
    from attnviewer.models import Model, ModelTrace
    from attnviewer.models.sentences import run_given

    if isinstance(what, ModelTrace):
        _check_none({"text": text}, "with a run, which has its own")
        return what
    if not isinstance(what, Model):
        raise TypeError(
            "What is explored must be a Document, a Trace, a RecordedRun, a Model or a "
            "ModelTrace. "
            f"Got {type(what).__name__} instead; arrays are given by name, as in x=…, "
            "files as attnviewer.explore(attnviewer.open(path))."
        )
    return run_given(what, text)[0]


def _explore_run(
    run: "ModelTrace", layer: int, head: int, block: bool | None
) -> "Exploration":
    from attnviewer.models.head_slice import HeadSlice

    run.spec(layer)  # raises if there is no such layer
    HeadSlice.of(run, head)
    from attnviewer.ui.interactive import show
    from attnviewer.ui.state.model.opening import ModelOpening

    opening = ModelOpening(ModelSource(run.model.source, None, layer, head), run)
    return show(opening, block, way=_OF_RUNS.format(layer=layer, head=head))


def _document(
    what: Document | Trace | None, arguments: dict[str, Any], about: dict[str, Any]
) -> Document:
    if isinstance(what, Document):
        if about:
            raise ValueError(
                f"The {', '.join(about)} must not be given with a document, which has "
                "its own. Got one instead."
            )
        return what
    if "weights" in arguments:
        if len(arguments) > 1:
            others = ", ".join(name for name in arguments if name != "weights")
            raise ValueError(
                f"The 'weights' must be given alone. Got {others} beside them."
            )
        return document_of_weights(arguments["weights"], **about)
    if what is not None:
        return document_of(what, **about)
    spec, inputs = _inputs(arguments)
    if spec.pins:
        compute(spec, inputs)  # raises if the weights cannot share what pins leave
    # Long sequences take a while: the window is there before they are computed.
    return document_of_inputs(spec, inputs, **about)


def _inputs(arguments: Mapping[str, Any]) -> tuple[Spec, dict[str, Array]]:
    """Return the variant that the arguments imply, and its inputs."""
    if "q" in arguments or "k" in arguments or "v" in arguments:
        _check_given(arguments, ("q", "k", "v"))
        options = Options.of(_without(arguments, "q", "k", "v"), ())
        return given(arguments["q"], arguments["k"], arguments["v"], options)
    if "w_q" in arguments or "w_k" in arguments or "w_v" in arguments:
        _check_given(arguments, ("x", "w_q", "w_k", "w_v"))
        return projected(**arguments)
    _check_given(arguments, ("x",))
    options = Options.of(_without(arguments, "x"), ("w_q", "q"))
    inputs = options.arrays({"X": arguments["x"]})
    spec = options.spec((), projected=False)
    check_inputs(spec, inputs)
    return spec, inputs


def _without(arguments: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if name not in names}


def _check_given(arguments: Mapping[str, Any], names: tuple[str, ...]) -> None:
    belong = f", as {', '.join(names)} belong together" if len(names) > 1 else ""
    for name in names:
        if name not in arguments:
            raise ValueError(
                f"The '{name}' parameter must be given{belong}. Got none instead."
            )
