"""Positions along several axes in documents: where they start, and what follows."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer import multi_head_attention
from attnviewer.compute import Rotary, RotaryAxes, Spec
from attnviewer.document import Document, EditError, Replace, spec_edit
from attnviewer.document.from_trace import document_of
from attnviewer.document.sequences import (
    duplicate_tokens,
    insert_tokens,
    move_tokens,
    remove_tokens,
    set_sentence,
)
from attnviewer.document.token_grid import TokenGrid
from attnviewer.document.variants.dimensions import Dimensions
from attnviewer.document.variants.resizing import plan_dimensions
from attnviewer.document.variants.rotary import rotary_along_grid
from attnviewer.document.variants.variants import possible_heads, variant_spec
from attnviewer.io.session import read_session, save_session
from attnviewer.io.session.spec_part import spec_from_plain, spec_to_plain

_RNG = np.random.default_rng(2)
M_ROPE = Rotary(base=50.0, axes=RotaryAxes((2, 1, 1), interleaved=True))


def _document(positions: Rotary | None, grid: TokenGrid | None = None) -> Document:
    matrices = {"X": _RNG.normal(size=(4, 6))}
    matrices |= {name: _RNG.normal(size=(6, 8)) for name in ("W_Q", "W_K", "W_V")}
    document = Document("four", "abcd", matrices, Spec(), grid=grid)
    if positions is not None:
        spec = replace(document.spec, positions=positions)
        document.apply(spec_edit(document, spec, "Axes"))
    return document


def _ids(document: Document) -> list[list[float]]:
    return document.matrix("position_ids").tolist()


def test_positions_start_as_the_places_of_the_tokens_so_that_rope_is_plain() -> None:
    document = _document(M_ROPE)
    assert _ids(document) == [[0] * 3, [1] * 3, [2] * 3, [3] * 3]
    plain = replace(document.spec, positions=Rotary(base=50.0))
    before = document.compute()["output"]
    document.apply(spec_edit(document, plain, "One axis"))
    np.testing.assert_array_equal(document.compute()["output"], before)


def test_positions_start_as_rows_and_columns_of_a_grid() -> None:
    document = _document(None, TokenGrid(2, 2))
    scheme = rotary_along_grid(document)
    assert scheme == Rotary(axes=RotaryAxes((2, 2), own_frequencies=True))
    spec = replace(document.spec, positions=scheme)
    document.apply(spec_edit(document, spec, "2-D"))
    assert _ids(document) == [[0, 0], [0, 1], [1, 0], [1, 1]]
    # One moment in time; a special token stands before rows and columns.
    special = _document(M_ROPE, TokenGrid(1, 3, n_special=1))
    assert _ids(special) == [[0, 0, 0], [0, 1, 1], [0, 1, 2], [0, 1, 3]]
    assert rotary_along_grid(_document(None)) is None


def test_positions_that_count_the_tokens_go_on_doing_so() -> None:
    document = _document(M_ROPE)
    for edit in (
        lambda: move_tokens(document, "X", 0, 1, 3, "Move"),
        lambda: insert_tokens(document, "X", 1, ["new"], np.ones((1, 6)), "Insert"),
        lambda: remove_tokens(document, "X", 0, 2, "Remove"),
        lambda: duplicate_tokens(document, "X", 0, 2, "Duplicate"),
        lambda: set_sentence(document, "X", ["e"], np.ones((1, 6)), "Type"),
    ):
        document.apply(edit())
        n = len(document.tokens)
        assert _ids(document) == [[place] * 3 for place in range(n)]
        document.compute()


def test_other_positions_go_with_their_tokens() -> None:
    document = _document(M_ROPE)
    rows = {"a": [0, 0, 0], "b": [1, 1, 1], "c": [1, 1, 2], "d": [1, 2, 1]}
    ids = np.array(list(rows.values()), float)
    document.apply(Replace("Picture", matrices={"position_ids": ids}))
    document.apply(move_tokens(document, "X", 0, 1, 2, "Move"))
    assert dict(zip(document.tokens, _ids(document), strict=True)) == rows
    undo = document.apply(
        insert_tokens(document, "X", 1, ["e", "f"], np.ones((2, 6)), "Insert")
    )
    # As after a picture: beyond the largest, along all axes.
    new = rows | {"e": [3, 3, 3], "f": [4, 4, 4]}
    assert dict(zip(document.tokens, _ids(document), strict=True)) == new
    document.apply(undo)
    document.apply(remove_tokens(document, "X", 0, 1, "Remove"))
    assert dict(zip(document.tokens, _ids(document), strict=True)) == {
        token: row for token, row in rows.items() if token != "b"
    }
    wanted = replace(Dimensions.of(document), n=5)
    document.apply(plan_dimensions(document, wanted, "random").edit("Grow"))
    assert _ids(document)[3:] == [[3, 3, 3], [4, 4, 4]]


def test_unused_positions_wait_and_come_back_fitting() -> None:
    document = _document(M_ROPE)
    document.apply(spec_edit(document, replace(document.spec, positions=None), "None"))
    document.apply(remove_tokens(document, "X", 0, 2, "Remove"))
    document.apply(
        insert_tokens(document, "X", 0, list("xyz"), np.ones((3, 6)), "Insert")
    )
    spec = replace(document.spec, positions=M_ROPE)
    document.apply(spec_edit(document, spec, "Again"))
    assert _ids(document) == [[place] * 3 for place in range(5)]


def test_cross_attention_shares_the_positions_of_its_keys() -> None:
    document = _document(M_ROPE)
    cross = spec_edit(document, variant_spec(document, "cross"), "Cross")
    document.apply(cross)
    assert len(_ids(document)) == len(document.context_tokens) == 4
    document.apply(remove_tokens(document, "X", 0, 1, "Remove"))
    assert len(_ids(document)) == 4
    with pytest.raises(EditError, match="The queries must be among the 2 keys"):
        document.apply(remove_tokens(document, "context", 0, 2, "Remove"))


def test_widths_that_the_axes_do_not_fit_are_refused_or_not_offered() -> None:
    document = _document(M_ROPE)
    assert possible_heads(document) == [1]
    with pytest.raises(EditError, match="'d_k' must be 8, two columns for each pair"):
        spec_edit(document, replace(document.spec, n_heads=2), "Heads")
    with pytest.raises(EditError, match="'d_k' must be 8"):
        plan_dimensions(document, replace(Dimensions.of(document), d_k=4))
    part = _document(Rotary(rotary_dim=4, axes=RotaryAxes((1, 1))))
    assert possible_heads(part) == [1, 2]


def test_sessions_keep_axes_and_positions_and_tell_plain_rope_as_before(
    tmp_path,
) -> None:
    document, path = _document(M_ROPE), tmp_path / "axes.attn"
    moved = Replace("Move", matrices={"position_ids": _RNG.normal(size=(4, 3))})
    document.apply(moved)
    save_session(document, path)
    read = read_session(path)
    assert read.spec == document.spec
    np.testing.assert_array_equal(
        read.compute()["output"], document.compute()["output"]
    )
    plain = spec_to_plain(replace(document.spec, positions=Rotary()))["positions"]
    assert plain == {
        **{"kind": "rotary", "base": 10000.0, "interleaved": False, "offset": 0},
    }


@pytest.mark.parametrize(
    "axes",
    [
        {"sections": [2]},
        {"sections": [1, 1], "gap": 1},
        {"sections": "two"},
        {"sections": [1.5, 1]},
        {"sections": [1, 1], "interleaved": 1},
        [2, 2],
    ],
)
def test_axes_that_are_not_told_rightly_are_refused(axes) -> None:
    plain = {"projected": False, "positions": {"kind": "rotary", "axes": axes}}
    with pytest.raises(ValueError, match=r"axes|sections|interleaved|Expected"):
        spec_from_plain(plain)


def test_a_batch_item_has_its_positions_in_a_document() -> None:
    x, w = _RNG.normal(size=(2, 3, 4)), _RNG.normal(size=(3, 4, 8))
    trace = multi_head_attention(
        *(x, *w),
        n_heads=2,
        positions=Rotary(axes=RotaryAxes((1, 1))),
        position_ids=_RNG.normal(size=(2, 3, 2)),
    )
    document = document_of(trace, batch=1)
    np.testing.assert_array_equal(document.compute()["output"], trace["output"][1])
