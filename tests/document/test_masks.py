"""Masks by name and by hand: what they hide, and the way back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute import Spec
from attnviewer.compute.spec import MASKS
from attnviewer.document import Document, EditError, Region, Replace, SetCells
from attnviewer.document.masks import (
    MaskPreset,
    default_preset,
    mask_edit,
    paint,
    paint_cells,
    preset_of,
    unmasked,
    visibility,
)


def _document(n_q: int = 4, n_k: int | None = None, mask=None, **spec) -> Document:
    """Return words that look at themselves, or at `n_k` others."""
    matrices = {"X": np.eye(n_q, 2)}
    context = n_k is not None
    if context:
        matrices["context"] = np.eye(n_k, 2)
    if mask is not None:
        matrices["mask"] = mask
    return Document(
        "Words",
        [f"q{i}" for i in range(n_q)],
        matrices,
        Spec(projected=False, context=context, mask=mask is not None, **spec),
        context_tokens=[f"k{j}" for j in range(n_k or 0)],
    )


def _rows(document: Document) -> list[str]:
    window = visibility(document).window()
    return ["".join("x" if cell else "." for cell in row) for row in window]


def _state(document: Document) -> object:
    matrices = {
        n: (a.dtype, a.shape, a.tobytes()) for n, a in document.matrices.items()
    }
    return document.tokens, document.spec, matrices


def _preset(document: Document, kind, *numbers) -> list[str]:
    document.apply(mask_edit(document, MaskPreset(kind, numbers), "Set mask"))
    return _rows(document)


# --------------------------------------------------------------------- presets


@pytest.mark.parametrize(
    ("kind", "numbers", "want"),
    [
        ("none", (), ["xxxx", "xxxx", "xxxx", "xxxx"]),
        ("causal", (), ["x...", "xx..", "xxx.", "xxxx"]),
        ("window", (1, 0), ["x...", "xx..", ".xx.", "..xx"]),
        ("window", (1, 1), ["xx..", "xxx.", ".xxx", "..xx"]),
        ("window", (0, None), ["xxxx", ".xxx", "..xx", "...x"]),
        ("padding", (3,), ["xxx.", "xxx.", "xxx.", "xxx."]),
        ("prefix", (2,), ["xx..", "xx..", "xxx.", "xxxx"]),
        ("prefix", (1,), ["x...", "xx..", "xxx.", "xxxx"]),
        ("block", (2,), ["xx..", "xx..", "..xx", "..xx"]),
        ("block", (1,), ["x...", ".x..", "..x.", "...x"]),
        ("block", (3,), ["xxx.", "xxx.", "xxx.", "...x"]),
        ("block", (1, 3), ["x...", ".xxx", ".xxx", ".xxx"]),
        ("block", (1, 2), ["x...", ".xx.", ".xx.", "...x"]),
    ],
)
def test_a_preset_hides_what_it_says_and_is_known_again(kind, numbers, want) -> None:
    document = _document(4)
    assert _preset(document, kind, *numbers) == want
    assert preset_of(document) == MaskPreset(kind, numbers)


@pytest.mark.parametrize(
    ("kind", "numbers", "want"),
    [
        ("causal", (), ["x....", "xx...", "xxx.."]),
        ("prefix", (2,), ["xx...", "xx...", "xxx.."]),
        ("block", (2,), ["xx...", "xx...", "..xx."]),
        ("padding", (4,), ["xxxx."] * 3),
    ],
)
def test_keys_of_a_second_sequence_are_counted_by_themselves(
    kind, numbers, want
) -> None:
    document = _document(3, 5)
    assert _preset(document, kind, *numbers) == want
    assert preset_of(document) == MaskPreset(kind, numbers)


def test_a_prefix_is_causal_from_where_the_queries_are() -> None:
    document = _document(2, 5, query_offset=2)
    assert _preset(document, "prefix", 1) == ["xxx..", "xxxx."]


def test_rules_stay_rules_and_patterns_become_a_matrix() -> None:
    document = _document(4)
    _preset(document, "window", 2, 0)
    assert document.spec == Spec(projected=False, causal=True, window=(2, 0))
    _preset(document, "window", 2, 1)
    assert document.spec == Spec(projected=False, window=(2, 1))
    _preset(document, "padding", 3)
    assert document.spec == Spec(projected=False, key_lengths=3)
    assert "mask" not in document.matrices
    _preset(document, "prefix", 2)
    assert document.spec == Spec(projected=False, mask=True)
    assert document.matrix("mask").dtype == np.bool_
    _preset(document, "causal")
    assert document.spec == Spec(projected=False, causal=True)
    assert "mask" not in document.matrices


@pytest.mark.parametrize(
    ("spec", "preset"),
    [
        ({"causal": True, "window": (2, 7)}, MaskPreset("window", (2, 0))),
        ({"causal": True, "window": (None, None)}, MaskPreset("causal")),
        ({"window": (None, None)}, MaskPreset("none")),
        ({"causal": True, "key_lengths": 3}, MaskPreset("combined")),
        ({"window": (1, 1), "key_lengths": 3}, MaskPreset("combined")),
        ({"causal": True, "mask": np.ones((4, 4), bool)}, MaskPreset("combined")),
        ({"mask": np.ones((4, 4), bool)}, MaskPreset("painted")),
        ({"mask": np.zeros((4, 4), bool)}, MaskPreset("painted")),
    ],
)
def test_masks_without_a_preset_of_their_own_are_named_too(spec, preset) -> None:
    assert preset_of(_document(4, **spec)) == preset


@pytest.mark.parametrize(
    ("kind", "numbers"),
    [
        ("padding", (5,)),
        ("padding", (-1,)),
        ("window", (-1, 0)),
        ("prefix", (0,)),
        ("block", (0,)),
        ("block", (2, 0)),
        ("block", ()),
    ],
)
def test_numbers_that_make_no_mask_are_refused(kind, numbers) -> None:
    with pytest.raises(EditError, match=r"must .* instead\."):
        mask_edit(_document(4), MaskPreset(kind, numbers), "Set mask")


@pytest.mark.parametrize("n", [1, 2, 3, 8])
@pytest.mark.parametrize("kind", ["window", "padding", "prefix", "block"])
def test_what_a_preset_starts_with_fits_every_document(kind, n) -> None:
    document = _document(n)
    document.apply(mask_edit(document, default_preset(document, kind), "Set mask"))
    assert all(visibility(document).window().any(axis=1))


def test_no_pattern_is_looked_for_in_a_very_large_mask(monkeypatch) -> None:
    monkeypatch.setattr("attnviewer.document.masks.MOST_COMPARED", 15)
    document = _document(4)
    _preset(document, "block", 2)
    assert preset_of(document) == MaskPreset("painted")


@given(st.integers(1, 7), st.lists(st.integers(1, 8), min_size=1, max_size=4))
def test_blocks_are_known_again_by_sizes_that_make_them(n, sizes) -> None:
    document = _document(n)
    want = _preset(document, "block", *sizes)
    known = preset_of(document)
    if known.kind == "block":
        assert _preset(document, "block", *known.numbers) == want
    else:
        # One query has the prefix that is its block; one block hides nothing.
        assert known.kind in ("painted", "prefix")
        assert n <= 2 or all("." not in row for row in want)


# -------------------------------------------------------------------- painting


@st.composite
def _masked(draw):
    n_q, n_k = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    side = st.none() | st.integers(0, 4)
    return _document(
        n_q,
        n_k,
        draw(st.none() | arrays(np.bool_, (n_q, n_k))),
        causal=draw(st.booleans()),
        window=draw(st.none() | st.tuples(side, side)),
        key_lengths=draw(st.none() | st.integers(0, n_k)),
        query_offset=draw(st.integers(-2, 3)),
    )


@given(_masked())
def test_turning_rules_into_a_matrix_changes_nothing_that_is_seen(document) -> None:
    before = _rows(document)
    assert _preset(document, "painted") == before
    assert document.spec.mask
    assert document.matrix("mask").tolist() == [[c == "x" for c in r] for r in before]


@given(_masked(), st.data())
def test_painting_changes_these_cells_alone_and_undo_restores_all(
    document, data
) -> None:
    n_q, n_k = len(document.labels.queries), len(document.labels.keys)
    cell = st.tuples(st.integers(0, n_q - 1), st.integers(0, n_k - 1))
    cells = data.draw(st.lists(cell, min_size=1, max_size=5))
    visible = data.draw(st.booleans())
    before = _state(document)
    want = visibility(document).window().tolist()
    for row, column in cells:
        want[row][column] = visible
    edit = paint_cells(document, cells, visible, "Paint")
    if edit is None:
        assert visibility(document).window().tolist() == want
        return
    inverse = document.apply(edit)
    assert visibility(document).window().tolist() == want
    document.apply(inverse)
    assert _state(document) == before


def test_a_mask_on_its_own_is_painted_cell_by_cell() -> None:
    document = _document(3, mask=np.ones((3, 3), bool))
    edit = paint(document, Region(1, 0, 1, 2), visible=False, label="Hide")
    assert isinstance(edit, SetCells)
    assert (edit.matrix, edit.region) == ("mask", Region(1, 0, 1, 2))
    document.apply(edit)
    assert _rows(document) == ["xxx", "..x", "xxx"]


def test_painting_over_rules_makes_one_edit_of_all() -> None:
    document = _document(3, causal=True, key_lengths=2)
    edit = paint(document, Region(0, 2, 2, 1), [[True], [False]], "Paint")
    assert isinstance(edit, Replace)
    document.apply(edit)
    assert _rows(document) == ["x.x", "xx.", "xx."]
    assert document.spec == Spec(projected=False, mask=True)


def test_painting_what_is_so_already_is_no_edit() -> None:
    document = _document(3, causal=True)
    assert paint(document, Region(0, 1, 1, 2), visible=False, label="Hide") is None


@pytest.mark.parametrize("spec", [{"causal": True}, {"mask": np.ones((3, 3), bool)}])
def test_painting_beyond_the_edge_is_refused(spec) -> None:
    with pytest.raises(EditError, match=r"inside 'mask' \(3, 3\). Got \(2, 2\) at"):
        paint(_document(3, **spec), Region(2, 0, 2, 2), visible=False, label="Hide")


def test_a_spec_without_masks_has_none_of_any_kind() -> None:
    kinds = {"causal": True, "window": (1, 0), "chunk": 2, "mask": True}
    kinds["key_lengths"] = 1
    assert kinds.keys() == set(MASKS)
    for name, value in kinds.items():
        assert Spec(**{name: value}).masked
    assert unmasked(Spec(**kinds, softcap=5.0)) == Spec(softcap=5.0)
