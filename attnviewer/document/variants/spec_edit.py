"""The edit that gives a document another spec, with the matrices that it needs."""

import numpy as np

from attnviewer.compute import (
    Array,
    Disentangled,
    RelativeBias,
    Spec,
    sinusoidal_encoding,
)
from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.compute.scoring import SCORES
from attnviewer.document.document import TABLE, Document
from attnviewer.document.edits import EditError, Replace
from attnviewer.document.matrices import BIAS, MASK, RELATIVE_BIAS, SINKS
from attnviewer.document.position_ids import (
    POSITION_IDS,
    first_position_ids,
    n_axes_of,
)
from attnviewer.document.token_grid import TokenGrid
from attnviewer.document.variants.key_heads import KEY_SIDE, can_regroup, regrouped
from attnviewer.document.variants.overlap import copy_overlap
from attnviewer.document.variants.past_variants import (
    past_variants_after,
    restored_matrices,
)
from attnviewer.document.variants.rotary import check_rotary
from attnviewer.document.variants.sources import check_sources


def spec_edit(document: Document, spec: Spec, label: str) -> Replace:
    """Return the edit that gives a document another spec.

    Missing matrices that the spec needs start so that, as far as possible, no number
    changes until they are edited: weights as the identity (cut or padded with zeros
    where they are not square; W_O maps back to d_model), biases, the bias on the
    scores, sinks and W_G as zeros, gains so that they multiply by 1, the mask hiding
    nothing, and the second sequence as a copy of X with its tokens. The position table
    starts with the sinusoidal encoding, as zeros would have nothing to show; sinks of 0
    take their share of each row, and gates of 0 are half open. Positions along several
    axes start with the grid of the tokens, or else count the tokens.

    Matrices that no longer fit are cut, or padded with their starting values, zeros for
    weights and positions. Where the number of key heads changes, see `regrouped`. All
    others stay. On return to a past variant, matrices that were not edited since are
    restored.

    Raises
    ------
    EditError
        If queries, keys and values would have to come from elsewhere, rotary positions
        cannot rotate the columns, or learned weights of a score are missing. Applying
        the edit may refuse it for other reasons.
    """
    old = document.spec
    check_sources(old.given, spec.given)
    matrices = dict(document.matrices)
    context_tokens = None
    if spec.context and not document.context_tokens:
        context_tokens = document.tokens
        if not spec.given:
            matrices["context"] = matrices["X"].copy()
    restored = {}
    if spec.variant != old.variant:
        restored = restored_matrices(document, spec)
        matrices |= restored
    if old.kv_heads * spec.n_heads != spec.kv_heads * old.n_heads:
        for name in KEY_SIDE:
            if name in restored or name not in matrices:
                continue
            if can_regroup(matrices[name], old, spec):
                matrices[name] = regrouped(matrices[name], old, spec)
    for name in spec.input_names:
        shape = _shape(name, matrices, spec)
        if name not in matrices:
            matrices[name] = _start(name, shape, spec, document.grid)
        elif matrices[name].shape != shape:
            ground = _ground(name, shape, spec).astype(matrices[name].dtype)
            matrices[name] = copy_overlap(matrices[name], ground)
    queries = "W_Q" if spec.projected else spec.sources[0]
    check_rotary(spec, matrices[queries].shape[1] // spec.n_heads)
    present = document.matrices
    made = {
        name: matrix
        for name, matrix in matrices.items()
        if name not in present or not np.may_share_memory(matrix, present[name])
    }
    return Replace(
        label,
        spec=spec,
        matrices=made,
        context_tokens=context_tokens,
        past_variants=past_variants_after(document, spec, made),
    )


def _shape(name: str, matrices: dict[str, Array], spec: Spec) -> tuple[int, int]:
    """Return the shape that a matrix must have to fit those before it."""
    n, d_model = map(int, matrices[spec.sources[0]].shape)
    n_k, d_keys = map(int, matrices[spec.sources[1]].shape)
    widths: dict[str, int] = {
        other: matrix.shape[1] for other, matrix in matrices.items()
    }
    heads, kv_heads = spec.n_heads, spec.kv_heads
    if name in (BIAS, MASK):
        return n, n_k
    if name == SINKS:
        return 1, spec.n_heads
    if name == POSITION_IDS:
        return n_k, n_axes_of(spec)
    if name == TABLE:
        return max(n, len(matrices.get(TABLE, ()))), d_model
    if name == "R":
        assert isinstance(spec.positions, Disentangled)
        return 2 * spec.positions.span, d_model
    if name == RELATIVE_BIAS and isinstance(spec.positions, RelativeBias):
        return spec.positions.n_buckets, heads
    if name.startswith("b_"):
        return 1, widths[f"W_{name[2:]}"]
    if spec.qk_norm is not None and name in QK_NORM_INPUTS:
        side = name[-1]
        width = widths[f"W_{side}" if spec.projected else side]
        if not spec.qk_norm.full_width and widths.get(name) != width:
            width //= heads if side == "Q" else kv_heads
        return 1, width
    if name == "W_Q":
        keys = widths.get("W_K", d_model * kv_heads // heads)
        return d_model, widths.get("W_Q", keys * heads // kv_heads)
    if name == "W_K":
        # Other scores can compare queries and keys of different widths.
        if SCORES[spec.score].same_width or name not in widths:
            return d_keys, widths["W_Q"] * kv_heads // heads
        return d_keys, widths[name]
    if name == "W_V":
        return d_keys, widths.get("W_V", d_model * kv_heads // heads)
    if name == "W_G":
        by_number = spec.output_gate == "elementwise"
        return d_model, widths["W_V"] * heads // kv_heads if by_number else heads
    if name in ("W_QR", "W_KR"):
        return widths["R"], widths[name[:-1]]
    if name == "W_O":
        return widths["W_V"] * heads // kv_heads, widths.get("W_O", widths["X"])
    if name not in matrices:
        raise EditError(f"The '{name}' matrix must be given. Got none instead.")
    rows, columns = matrices[name].shape
    return rows, columns


def _ground(name: str, shape: tuple[int, int], spec: Spec) -> Array:
    """Return what new cells of a matrix start with, except for diagonals."""
    if name == MASK:
        return np.ones(shape, np.bool_)
    if name == POSITION_IDS:
        return first_position_ids(*shape)
    if spec.qk_norm is not None and name.startswith("gain_"):
        return np.full(shape, 1 - spec.qk_norm.gain_offset)
    return np.zeros(shape)


def _start(
    name: str, shape: tuple[int, int], spec: Spec, grid: TokenGrid | None
) -> Array:
    if name == TABLE:
        return sinusoidal_encoding(*shape)
    if name == POSITION_IDS:
        return first_position_ids(*shape, grid)
    start = _ground(name, shape, spec)
    if name.startswith("W_") and name != "W_G":
        np.fill_diagonal(start, 1.0)
    return start
