"""Documents from files and arrays, as Python sessions open them."""

import json

import numpy as np
import pytest

import attnviewer
from attnviewer.io import FileError, FileFormatError
from attnviewer.io.examples import example_path
from tests.documents import FOUR_WORDS, four_words, state_of

WEIGHTS = "W_Q", "W_K", "W_V"


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


@pytest.mark.parametrize("name", ["name", ".attn", "name.npz", "name.json", "a.b c"])
def test_what_was_saved_under_any_name_is_opened(tmp_path, name) -> None:
    document = attnviewer.load_example("two-heads")
    attnviewer.save(document, tmp_path / name)
    assert state_of(attnviewer.open(tmp_path / name)) == state_of(document)


def test_a_file_that_is_named_like_an_example_is_the_file(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    attnviewer.save(four_words(), "example:two-heads.attn")
    assert attnviewer.open("example:two-heads.attn").spec.n_heads == 1


def test_an_example_is_opened_by_its_path(tmp_path) -> None:
    from attnviewer.paths import resource

    document = attnviewer.open(resource("examples") / "two-heads.json")
    assert document.spec.n_heads == 2


def test_matrices_of_known_names_are_a_document(tmp_path) -> None:
    path = tmp_path / "trained.npz"
    np.savez(path, **FOUR_WORDS, b_Q=np.ones(3), step=np.arange(3))
    document = attnviewer.open(path)
    assert document.title == "trained"
    assert document.spec.biases == ("b_Q",)
    assert document.compute()["output"].shape == (4, 3)
    assert "step" not in document.matrices


def test_names_of_checkpoints_are_known_as_in_the_window(tmp_path) -> None:
    path = tmp_path / "layer.npz"
    layer = {f"{name[-1].lower()}_proj.weight": FOUR_WORDS[name] for name in WEIGHTS}
    np.savez(path, embeddings=FOUR_WORDS["X"], **layer)
    with pytest.raises(FileFormatError, match="does not tell how many heads"):
        attnviewer.open(path)
    told = "X=embeddings,W_Q=q_proj.weight,W_K=k_proj.weight,W_V=v_proj.weight"
    assert attnviewer.open(path, told).matrix("W_V").tolist() == FOUR_WORDS["W_V"]


def test_heads_are_never_guessed(tmp_path) -> None:
    path = tmp_path / "trained.npz"
    np.savez(path, **FOUR_WORDS, W_O=np.eye(3)[:, :2])
    with pytest.raises(FileFormatError, match=r"heads=N' \(in Python: assign=\)"):
        attnviewer.open(path)
    told = ",".join(f"{name}={name}" for name in (*FOUR_WORDS, "W_O"))
    assert attnviewer.open(path, told).compute()["output"].shape == (4, 2)


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
    with pytest.raises(FileFormatError, match="mask: It must hold 1 where"):
        attnviewer.open(path, "X=X,mask=mask")


@pytest.mark.parametrize(
    ("arrays", "reason"),
    [
        ({"a": np.eye(2), "b": np.eye(2)}, "names do not tell what the arrays are"),
        ({"W_Q": np.eye(2)}, "W_K: It is missing"),
        ({"X": np.eye(2), "W_Q": np.eye(2)}, "W_K: It is missing"),
        ({"Q": np.eye(2), "a": np.eye(2)}, "names do not tell"),
        ({"X": np.eye(2), "Q": np.eye(2), "K": np.eye(2), "V": np.eye(2)}, "'X'"),
        ({"X": np.ones((2, 2, 2))}, "index 0 is used"),
        ({**FOUR_WORDS, "W_K": np.eye(4)}, "W_K: It has 4 rows; X has 3 columns"),
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


def test_what_was_corrected_in_a_file_is_warned_of_where_it_was_opened(
    tmp_path,
) -> None:
    (tmp_path / "X.csv").write_text("1,2,\n3,4,\n")
    told = r"X\.csv: Every line ends with a separator, which was left out\."
    with pytest.warns(UserWarning, match=told) as caught:
        attnviewer.open(tmp_path / "X.csv", "X=X")
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("cat.png", b"\x89PNG\r\n\x1a\n" + bytes(9), "It is a PNG image."),
        ("cat.attn", b"\x89PNG\r\n\x1a\n" + bytes(9), "It is a PNG image."),
        ("cat.json", b"\xff\xd8\xff\xe0" + bytes(9), "It is a JPEG image."),
        ("paper.pdf", b"%PDF-1.7\n", "It is a PDF document."),
        ("notes.md", b"# Notes\n", "It is a text in Markdown, as lessons are."),
        ("page.html", b"<!DOCTYPE html>", "It is not known what the file is."),
        ("script", b"import numpy\n", "It is not known what the file is."),
    ],
)
def test_what_is_no_document_is_refused_by_what_it_is(
    tmp_path, name, content, told
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileFormatError, match=f": {told}") as caught:
        attnviewer.open(tmp_path / name)
    assert "JSON:" not in str(caught.value)


def test_an_example_needs_no_ending_of_its_name(tmp_path) -> None:
    content = example_path("four-words").read_bytes()
    (tmp_path / "mine").write_bytes(b"\xef\xbb\xbf\n" + content)
    mine = attnviewer.open(tmp_path / "mine")
    assert state_of(mine) == state_of(attnviewer.load_example("four-words"))
