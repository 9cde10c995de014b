"""Tokens that lie on a grid: declared, undone, dropped and saved."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer.document import Document, EditError, Replace
from attnviewer.document.replacement import replacement
from attnviewer.document.token_grid import TokenGrid
from attnviewer.io.session import read_session, save_session

_X = {"X": np.arange(14.0).reshape(7, 2), "W_Q": np.eye(2), "W_K": np.eye(2)}
_X["W_V"] = np.eye(2)
_GRID = TokenGrid(2, 3, 1, np.arange(36, dtype=np.uint8).reshape(3, 4, 3))


def _document(grid: TokenGrid | None = _GRID) -> Document:
    return Document("seven", "sabcdef", _X, grid=grid)


def test_tokens_and_places_of_a_grid_are_each_others_inverse() -> None:
    assert [_GRID.place(t) for t in (0, 1, 3, 4, 6)] == [
        None,
        (0, 0),
        (0, 2),
        (1, 0),
        (1, 2),
    ]
    assert all(_GRID.token(*_GRID.place(t)) == t for t in range(1, 7))


def test_declaring_a_grid_is_an_edit_that_undo_takes_back() -> None:
    document = _document(None)
    assert document.labels.grid is None
    undo = document.apply(Replace("Declare a grid", grid=(_GRID,)))
    assert document.labels.grid is _GRID
    redo = document.apply(undo)
    assert document.grid is None
    document.apply(redo)
    assert document.grid is _GRID


def test_other_tokens_keep_a_grid_only_if_it_still_has_room_for_them() -> None:
    document = _document()
    document.apply(Replace("Rename", tokens=tuple("tabcdef")))
    assert document.grid is _GRID
    shorter = {"X": _X["X"][:6]}
    undo = document.apply(Replace("Remove", tokens=tuple("abcdef"), matrices=shorter))
    assert document.grid is None
    document.apply(undo)
    assert document.grid is _GRID


def test_a_document_is_replaced_with_its_grid() -> None:
    document, other = _document(), _document(None)
    document.apply(replacement(document, other, "Replace"))
    assert document.grid is None


@pytest.mark.parametrize("wrong", [(2, 3, 0, None), (7, 2, 1, None)])
def test_a_grid_of_other_tokens_is_refused(wrong: tuple) -> None:
    with pytest.raises(EditError, match="as many tokens as there are, 7"):
        _document(TokenGrid(*wrong))


@pytest.mark.parametrize(
    ("parts", "named"),
    [
        ((0, 3), "0 × 3 after 0"),
        ((2, 3, -1), "after -1"),
        ((1, 1, 0, np.zeros((2, 2), np.uint8)), "(2, 2)"),
        ((1, 1, 0, np.zeros((2, 2, 3))), "float64"),
    ],
)
def test_a_grid_that_cannot_be_is_refused(parts: tuple, named: str) -> None:
    with pytest.raises(ValueError, match="token grid") as caught:
        TokenGrid(*parts)
    assert named in str(caught.value)


def test_a_session_keeps_the_grid_and_its_picture(tmp_path: Path) -> None:
    save_session(_document(), tmp_path / "seven.attn")
    grid = read_session(tmp_path / "seven.attn").grid
    assert grid is not None
    assert (grid.rows, grid.columns, grid.n_special) == (2, 3, 1)
    assert grid.image is not None
    np.testing.assert_array_equal(grid.image, _GRID.image)
    save_session(_document(None), tmp_path / "none.attn")
    assert b'"grid"' not in (tmp_path / "none.attn").read_bytes()
    assert read_session(tmp_path / "none.attn").grid is None


def test_grids_are_equal_if_their_sizes_and_pictures_are() -> None:
    image = np.zeros((4, 4, 3), np.uint8)
    grid = TokenGrid(2, 2, 1, image)
    assert grid == TokenGrid(2, 2, 1, image.copy())
    assert hash(grid) == hash(TokenGrid(2, 2, 1, image.copy()))
    assert grid != TokenGrid(2, 2, 1)
    assert grid != TokenGrid(2, 2, 1, image + 1)
    assert grid != TokenGrid(2, 2, 0, image)
