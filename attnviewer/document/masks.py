"""The masks of a document: visibility, presets by name, and painting."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from attnviewer.compute import BoolArray, Spec, Visibility
from attnviewer.compute.spec import MASKS
from attnviewer.document.document import Document
from attnviewer.document.edits import Edit, EditError, Replace, SetCells
from attnviewer.document.matrices import MASK
from attnviewer.document.region import Region

MaskKind: TypeAlias = Literal[
    "none", "causal", "window", "padding", "prefix", "block", "painted", "combined"
]

MOST_COMPARED = 2**24
"""Cells of a given mask (4,096 tokens) above which no pattern is searched for."""

MOST_GIVEN = 2**26
"""The most cells of a given mask, as of 8,192 tokens; rules have no limit."""

_COMPARED_ROWS = 256


@dataclass(frozen=True, slots=True)
class MaskPreset:
    """A mask by name.

    Parameters
    ----------
    kind : str
        ``none``, ``causal``, ``window``, ``padding`` and their combinations are
        rules of the spec; ``prefix``, ``block`` and what was painted are a given
        matrix. ``painted`` stands for whatever is visible now, as a matrix.
    numbers : tuple of int or None
        ``window``: keys to the left and to the right, None for all of them.
        ``padding``: the number of real keys. ``prefix``: the number of first keys that
        all queries see, the others being causal (Raffel et al. 2020, "Exploring the
        Limits of Transfer Learning with a Unified Text-to-Text Transformer", section
        3.2.1). ``block``: the blocks' sizes, the last one repeating; queries see the
        keys of their own block.
    """

    kind: MaskKind
    numbers: tuple[int | None, ...] = ()


def visibility(document: Document) -> Visibility:
    """Return which keys each query sees now, by all rules together.

    It follows edits of the mask's cells, and no other edits.
    """
    n_q, n_k = map(len, document.labels)
    mask = given_mask(document) if document.spec.mask else None
    return Visibility(document.spec, n_q, n_k, mask)


def given_mask(document: Document) -> BoolArray:
    """Return the given mask as a read-only view that follows later edits."""
    return document.matrix(MASK).astype(np.bool_, copy=False)


def default_preset(document: Document, kind: MaskKind) -> MaskPreset:
    """Return the default preset of a kind for a document.

    A window is causal at first, as decoders have it; half of the keys are prefix.
    """
    n_k = len(document.labels.keys)
    numbers: dict[MaskKind, tuple[int, ...]] = {
        "window": (2, 0),
        "padding": (max(n_k - 1, 1),),
        "prefix": (max(n_k // 2, 1),),
        "block": (min(2, max(n_k - 1, 1)),),
    }
    return MaskPreset(kind, numbers.get(kind, ()))


def mask_edit(document: Document, preset: MaskPreset, label: str) -> Edit:
    """Return the edit that gives a document a mask.

    It replaces all present masks.

    Raises
    ------
    EditError
        If the numbers do not fit, or a matrix would have more than `MOST_GIVEN` cells.
    """
    if preset.kind in ("painted", "prefix", "block"):
        _check_givable(document)
    if preset.kind == "painted":
        return _given(document, visibility(document).window(), label)
    if preset.kind in ("prefix", "block"):
        return _given(document, _pattern(document, preset, slice(None)), label)
    try:
        spec = _ruled(document, preset)
    except ValueError as error:
        raise EditError(str(error)) from None
    # A matrix that no rule of the spec uses would no longer follow the tokens.
    unused = {MASK: None} if MASK in document.matrices else {}
    return Replace(label, spec=spec, matrices=unused)


def preset_of(document: Document) -> MaskPreset:
    """Return the mask that a document has, by name.

    Equal masks have one name: a window without keys to the right is the same with or
    without the causal rule.
    """
    spec = document.spec
    if not spec.masked:
        return MaskPreset("none")
    if spec.mask:
        alone = spec == _given_spec(spec)
        return _given_preset(document) if alone else MaskPreset("combined")
    if spec.chunk is not None:
        return MaskPreset("combined")
    if spec.window not in (None, (None, None)) and spec.key_lengths is None:
        left, right = spec.window
        return MaskPreset("window", (left, 0 if spec.causal else right))
    if spec.key_lengths is None:
        return MaskPreset("causal")
    if spec == replace(unmasked(spec), key_lengths=spec.key_lengths):
        assert isinstance(spec.key_lengths, int)
        return MaskPreset("padding", (spec.key_lengths,))
    return MaskPreset("combined")


def paint(
    document: Document, region: Region, visible: ArrayLike, label: str
) -> Edit | None:
    """Return the edit that shows or hides cells of the mask.

    Where rules hide keys too, the present visibility becomes the given mask and
    replaces the rules.

    Parameters
    ----------
    document : Document
        The document to edit.
    region : Region
        The cells to paint.
    visible : bool, or array-like of bool, shape (height, width)
        Whether these cells are visible.
    label : str
        The edit's name in the undo history.

    Returns
    -------
    SetCells, Replace or None
        None if it would change nothing.

    Raises
    ------
    EditError
        If the cells are not inside the mask, or it has more than `MOST_GIVEN` cells.
    """
    present = visibility(document)
    shape = region.height, region.width
    if not region.is_inside(present.shape):
        raise EditError(
            f"The cells must lie inside '{MASK}' {present.shape}. Got {shape} at "
            f"[{region.row}, {region.column}] instead."
        )
    values = np.array(np.broadcast_to(visible, shape), dtype=np.bool_)
    if np.array_equal(values, present.window(region.rows, region.columns)):
        return None
    if document.spec == _given_spec(document.spec):
        return SetCells(label, MASK, region.row, region.column, values)
    _check_givable(document)
    baked = present.window()  # (n_q, n_k)
    baked[region.rows, region.columns] = values
    return _given(document, baked, label)


def paint_cells(
    document: Document, cells: Collection[tuple[int, int]], visible: bool, label: str
) -> Edit | None:
    """Return the edit that shows or hides single cells, each a row and a column.

    As `paint`, for the rectangle around them.
    """
    rows, columns = np.array(list(cells)).T  # each (cells,)
    row, column = int(rows.min()), int(columns.min())
    region = Region(
        row, column, int(rows.max()) - row + 1, int(columns.max()) - column + 1
    )
    values = visibility(document).window(region.rows, region.columns)
    values[rows - row, columns - column] = visible
    return paint(document, region, values, label)


def unmasked(spec: Spec) -> Spec:
    """Return a spec with no mask left, given or by rules."""
    plain = Spec()
    return replace(spec, **{name: getattr(plain, name) for name in MASKS})


def _given_spec(spec: Spec) -> Spec:
    return replace(unmasked(spec), mask=True)


def _ruled(document: Document, preset: MaskPreset) -> Spec:
    """Return the spec with the rules of a preset alone."""
    spec = unmasked(document.spec)
    if preset.kind == "causal":
        return replace(spec, causal=True)
    if preset.kind == "window":
        left, right = preset.numbers
        # So that formulas call keys to the right hidden by causality.
        return replace(spec, window=(left, right), causal=right == 0)
    if preset.kind == "padding":
        (real,) = preset.numbers
        n_k = len(document.labels.keys)
        if real is None or not 0 <= real <= n_k:
            raise EditError(
                f"The number of real keys must be from 0 to {n_k}. Got {real} instead."
            )
        return replace(spec, key_lengths=real)
    return spec


def _check_givable(document: Document) -> None:
    n_q, n_k = map(len, document.labels)
    if n_q * n_k > MOST_GIVEN:
        raise EditError(
            f"A mask with a number for each cell must have at most {MOST_GIVEN:,} "
            f"cells. Got {n_q:,} · {n_k:,} = {n_q * n_k:,} instead: causal masks, "
            "windows and padding are rules and have no limit."
        )


def _given(document: Document, mask: BoolArray, label: str) -> Edit:
    spec = _given_spec(document.spec)
    if document.spec == spec:
        return SetCells(label, MASK, 0, 0, mask)
    return Replace(label, spec=spec, matrices={MASK: mask})


def _pattern(document: Document, preset: MaskPreset, rows: slice) -> BoolArray:
    """Return rows of a prefix or block mask, shape (rows, n_k)."""
    n_q, n_k = map(len, document.labels)
    queries = np.arange(*rows.indices(n_q))[:, np.newaxis]  # (rows, 1)
    keys = np.arange(n_k)  # (n_k,)
    numbers = [number for number in preset.numbers if number is not None]
    if not numbers or min(numbers) < 1:
        raise EditError(
            f"The numbers of the mask must be at least 1. Got {preset.numbers} instead."
        )
    if preset.kind == "prefix":
        causal = replace(unmasked(document.spec), causal=True)
        return Visibility(causal, n_q, n_k).window(rows) | (keys < numbers[0])
    alike: BoolArray = _block_of(queries, numbers) == _block_of(keys, numbers)
    return alike  # (rows, n_k)


def _block_of(indices: NDArray[np.intp], sizes: list[int]) -> NDArray[np.intp]:
    """Return the index of each position's block, the last size repeating."""
    *firsts, last = sizes
    ends = np.cumsum(firsts, dtype=np.intp)  # (blocks of their own size,)
    start = int(ends[-1]) if firsts else 0
    beyond = np.maximum(indices - start, 0) // last
    block: NDArray[np.intp] = np.searchsorted(ends, indices, side="right") + beyond
    return block


def _given_preset(document: Document) -> MaskPreset:
    mask = given_mask(document)
    painted = MaskPreset("painted")
    if mask.size > MOST_COMPARED or (mask[0].all() and mask[-1].all()):
        return painted
    first_row = int(np.count_nonzero(mask[0]))
    guesses = [MaskPreset("prefix", (first_row,))] if first_row else []
    if sizes := _block_sizes(mask):
        guesses.append(MaskPreset("block", sizes))
    return next((g for g in guesses if _is_pattern(document, mask, g)), painted)


def _is_pattern(document: Document, mask: BoolArray, preset: MaskPreset) -> bool:
    # In blocks of rows: most masks that have no pattern show it early.
    for start in range(0, len(mask), _COMPARED_ROWS):
        rows = slice(start, start + _COMPARED_ROWS)
        if not np.array_equal(mask[rows], _pattern(document, preset, rows)):
            return False
    return True


def _block_sizes(mask: BoolArray) -> tuple[int, ...]:
    """Return the sizes that a mask has if it is made of blocks, () if it is not."""
    n_q, n_k = mask.shape
    sizes: list[int] = []
    start = 0
    while start < min(n_q, n_k):
        hidden = np.flatnonzero(~mask[start, start:])
        size = int(hidden[0]) if len(hidden) else n_k - start
        if size == 0:
            return ()
        sizes.append(size)
        start += size
    # The last block may be cut short by the end of the keys.
    if start == n_k and len(sizes) > 1 and sizes[-1] <= sizes[-2]:
        sizes.pop()
    while len(sizes) > 1 and sizes[-1] == sizes[-2]:
        sizes.pop()
    return tuple(sizes)
