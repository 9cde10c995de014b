"""Documents from files and arrays, as Python sessions open them."""

import json

import numpy as np
import pytest

import attnviewer
from attnviewer.io import FileError, FileFormatError
from tests.documents import FOUR_WORDS, four_words, state_of


def test_a_bundled_example_is_loaded_by_its_id() -> None:
    document = attnviewer.load_example("four-words")
    assert isinstance(document, attnviewer.Document)
    assert document.compute()["weights"].shape == (4, 4)


def test_an_unknown_example_is_refused_with_the_nearest() -> None:
    with pytest.raises(FileError, match="Did you mean 'four-words'"):
        attnviewer.load_example("four-word")


def test_what_was_saved_is_opened(tmp_path) -> None:
    path = tmp_path / "example:odd name.attn"
    attnviewer.save(four_words(), path)
    assert state_of(attnviewer.open(path)) == state_of(four_words())
    assert state_of(attnviewer.open(str(path))) == state_of(four_words())


def test_an_example_is_opened_by_its_path(tmp_path) -> None:
    from attnviewer.paths import resource

    document = attnviewer.open(resource("examples") / "two-heads.json")
    assert document.spec.n_heads == 2


def test_matrices_of_known_names_are_a_document(tmp_path) -> None:
    path = tmp_path / "trained.npz"
    np.savez(
        path, **FOUR_WORDS, b_Q=np.ones(3), W_O=np.eye(3)[:, :2], step=np.arange(3)
    )
    document = attnviewer.open(path)
    assert document.title == "trained"
    assert document.spec.biases == ("b_Q",)
    assert document.compute()["output"].shape == (4, 2)
    assert "step" not in document.matrices


def test_tokens_of_a_file_are_those_of_the_document(tmp_path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"X": [[1, 0], [0, 1]], "tokens": ["the", "cat"]}))
    document = attnviewer.open(path)
    assert document.tokens == ("the", "cat")
    assert not document.spec.projected


def test_a_mask_of_zeros_and_ones_is_one(tmp_path) -> None:
    path = tmp_path / "x.npz"
    np.savez(path, X=np.eye(2), mask=np.tri(2))
    document = attnviewer.open(path)
    assert document.matrix("mask").tolist() == [[True, False], [True, True]]
    np.savez(path, X=np.eye(2), mask=np.full((2, 2), 0.5))
    with pytest.raises(FileFormatError, match="'mask' must hold true and false"):
        attnviewer.open(path)


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"a": np.eye(2)}, "must be called X, context"),
        ({"W_Q": np.eye(2)}, "The 'x' parameter must be given"),
        ({"X": np.eye(2), "W_Q": np.eye(2)}, "The 'w_k' parameter must be given"),
        ({"Q": np.eye(2)}, "The 'k' parameter must be given"),
        ({"X": np.eye(2), "Q": np.eye(2), "K": np.eye(2), "V": np.eye(2)}, "'x'"),
        ({"X": np.ones((2, 2, 2))}, "2 dimensions"),
        ({**FOUR_WORDS, "W_K": np.eye(4)}, "'w_k' parameter must have shape"),
    ],
)
def test_matrices_that_make_no_document_are_refused(tmp_path, arrays, reason) -> None:
    path = tmp_path / "a.npz"
    np.savez(path, **arrays)
    with pytest.raises(FileFormatError, match=reason):
        attnviewer.open(path)


def test_a_file_that_is_not_there_is_refused(tmp_path) -> None:
    for name in ("a.attn", "a.json", "a.npz"):
        with pytest.raises(FileError, match="There is no such file"):
            attnviewer.open(tmp_path / name)
