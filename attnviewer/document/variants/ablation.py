"""Head ablation: one head's output is replaced by a constant."""

from typing import Literal, TypeAlias

import numpy as np

from attnviewer.compute import Array, Spec, Trace
from attnviewer.document.document import Document
from attnviewer.document.edits import Edit, EditError, Replace, SetCells
from attnviewer.document.variants.variants import biases_spec

Ablation: TypeAlias = Literal["off", "mean"]
"""The replacement of a head's output: zeros, or its mean over the queries."""


def ablation(
    document: Document, head: int, how: Ablation, trace: Trace, label: str
) -> Edit:
    """Return the edit that replaces a head's output by a constant.

    With W_O the head's rows of W_O become 0, and the mean's contribution is added to
    b_O, which is made if there is none. Without W_O the head's columns of W_V become 0,
    and those of b_V and of extra values the constant, which weights that sum to 1 pass
    on unchanged. The head's attention weights stay visible either way.

    Parameters
    ----------
    document : Document
        The document to edit.
    head : int
        The head of the queries, counted from zero.
    how : {"off", "mean"}
        Zeros, or the mean of the head's output over all queries of the document.
    trace : Trace
        The steps of the document as it is now.
    label : str
        The edit's name in the undo history.

    Returns
    -------
    SetCells or Replace
        `SetCells` if only one matrix changes.

    Raises
    ------
    EditError
        If there is no such head, or its output is not defined for every query. Without
        W_O also if it shares its values with other heads, or if the mean would not pass
        unchanged: weights that need not sum to 1, or a query without keys.

    References
    ----------
    Michel et al. 2019, "Are Sixteen Heads Really Better than One?", section 2.3, for
    zeros; Wang et al. 2023, "Interpretability in the Wild", for the mean, there taken
    over many texts.
    """
    spec = document.spec
    _check_head(spec, head)
    # A stored step: nothing of size n×n is read.
    found = trace.window(_mixed(trace), head=head)  # (n_q, d_v)
    undefined = np.flatnonzero(~np.isfinite(found).all(axis=1))
    if undefined.size:
        raise EditError(
            "The 'head' must have finite numbers for every query. Got others for query "
            f"{undefined[0]} instead."
        )
    constant = np.zeros((1, found.shape[1]))  # (1, d_v)
    if how == "mean":
        constant += found.mean(axis=0, dtype=np.float64)
    if spec.output_projection:
        return _without_rows(document, head, constant, label)
    _check_own_values(spec, head)
    if constant.any():
        _check_passes_on(spec, head, found, trace)
    return _without_columns(document, head, constant, label)


def is_ablated(trace: Trace, head: int) -> bool:
    """Return whether a head is ablated: whatever it attends to, the output is the same.

    Its rows of W_O are 0 or, without W_O, its columns of W_V. Without projections, no
    head is.

    Parameters
    ----------
    trace : Trace
        The steps.
    head : int
        The head of the queries, counted from zero.
    """
    spec = trace.spec
    if not spec.projected:
        return False
    width = trace.shape(_mixed(trace))[-1]
    if spec.output_projection:
        own = trace["W_O"][_block(head, width)]  # (d_v, any)
    else:
        own = trace["W_V"][:, _block(spec.kv_head_of(head), width)]  # (any, d_v)
    return not any(row.any() for row in own)  # usually decided by the first row


def _mixed(trace: Trace) -> str:
    """Return the step that holds the heads' outputs, as they are passed on."""
    return next(step for step in ("gated", "heads", "output") if step in trace)


def _block(head: int, width: int) -> slice:
    return slice(head * width, (head + 1) * width)


def _without_rows(document: Document, head: int, constant: Array, label: str) -> Edit:
    """Return the edit that adds a constant through W_O in place of the head."""
    w_o = document.matrix("W_O")  # (h·d_v, d_out)
    rows = _block(head, constant.shape[1])
    if not constant.any():
        return SetCells(label, "W_O", rows.start, 0, np.zeros_like(w_o[rows]))
    spec = document.spec
    with np.errstate(over="ignore", invalid="ignore"):  # the document refuses it
        b_o = constant @ w_o[rows]  # (1, d_out)
        if "b_O" in spec.biases:
            b_o += document.matrix("b_O")
    without = w_o.copy()
    without[rows] = 0
    return Replace(
        label,
        spec=biases_spec(spec, {*spec.biases, "b_O"}),
        matrices={"W_O": without, "b_O": b_o},
    )


def _without_columns(
    document: Document, head: int, constant: Array, label: str
) -> Edit:
    """Return the edit that makes all values of the head a constant."""
    spec, w_v = document.spec, document.matrix("W_V")  # (any, h·d_v)
    columns = _block(head, constant.shape[1])
    rows: dict[str, Array] = {
        name: document.matrix(name).copy()
        for name in ("b_V", "extra_values")
        if name in spec.input_names
    }
    if constant.any():
        # Zeros: a b_V kept for other specs has numbers of other heads.
        rows.setdefault("b_V", np.zeros((1, w_v.shape[1])))
    if not rows:
        return SetCells(label, "W_V", 0, columns.start, np.zeros_like(w_v[:, columns]))
    without = w_v.copy()
    without[:, columns] = 0
    for row in rows.values():
        row[:, columns] = constant
    return Replace(
        label,
        spec=biases_spec(spec, {*spec.biases, *rows}),
        matrices={"W_V": without, **rows},
    )


def _check_head(spec: Spec, head: int) -> None:
    if not spec.projected:
        raise EditError(
            "The 'head' must be one that weights make. Got one of a document without "
            "W_V instead."
        )
    if not 0 <= head < spec.n_heads:
        raise EditError(
            f"The 'head' must be from 0 to {spec.n_heads - 1}. Got {head} instead."
        )


def _check_own_values(spec: Spec, head: int) -> None:
    others = [f"H{k}" for k in spec.sharing_with(head) if k != head]
    if others:
        raise EditError(
            "The 'head' must have values of its own where no W_O follows. Got "
            f"H{head}, which shares them with {', '.join(others)}, instead."
        )


def _check_passes_on(spec: Spec, head: int, found: Array, trace: Trace) -> None:
    """Check that a value shared by all keys reaches every query unchanged."""
    if spec.output_gate is not None:
        raise EditError(
            "The 'output_gate' must be None for the mean to pass where no W_O follows. "
            f"Got {spec.output_gate} instead."
        )
    normalizer = spec.build_normalizer()
    if not normalizer.convex:
        raise EditError(
            "The 'normalizer' must give weights from 0 to 1 that add up to 1 for the "
            f"mean to pass where no W_O follows. Got {normalizer.title} instead."
        )
    # A query without keys gets 0; few other queries do.
    empty = np.flatnonzero(~found.any(axis=1))
    for run in np.split(empty, np.flatnonzero(np.diff(empty) > 1) + 1):
        queries = slice(run[0], run[-1] + 1) if run.size else slice(0)
        blind = np.flatnonzero(trace.visible_keys(queries, head=head) == 0)
        if blind.size:
            raise EditError(
                "The 'head' must see a key from every query for the mean to pass where "
                f"no W_O follows. Got none from query {run[blind[0]]} instead."
            )
