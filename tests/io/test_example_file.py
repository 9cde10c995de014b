"""Example files: what is read, and what is refused with which sentence."""

import json
import math
import os
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from attnviewer.compute import NORMALIZERS, Sinusoidal, Spec
from attnviewer.document.first_cell import FirstCell
from attnviewer.document.first_training import FirstTraining
from attnviewer.io import FileError, FileFormatError, load
from attnviewer.io import example_file as module
from attnviewer.io.example_file import load_example

_GOOD: dict[str, Any] = {
    "format": "attnviewer-example",
    "version": 1,
    "title": "Test",
    "tokens": ["a", "b"],
    "matrices": {"X": [[1, 2.5], [-3e-2, 0]]},
    "spec": {"projected": False},
}
_RECIPE = {"seed": 42, "draws": [{"matrix": "X", "shape": [2, 2], "high": 9}]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file.json"


def _encoded(changed: dict[str, Any]) -> bytes:
    content = {k: v for k, v in (_GOOD | changed).items() if v is not None}
    return json.dumps(content).encode()


def _load(path: Path, changed: dict[str, Any]):
    path.write_bytes(_encoded(changed))
    return load(str(path))


def _refusal(path: Path, content: dict[str, Any] | bytes) -> str:
    """Return place and reason, which must make one line with the path before."""
    if isinstance(content, dict):
        content = _encoded(content)
    path.write_bytes(content)
    with pytest.raises(FileError) as caught:
        load(str(path))
    told = str(caught.value)
    assert told.startswith(str(path))
    assert "\n" not in told
    return told.removeprefix(str(path)).lstrip(":, ")


def test_a_file_becomes_a_document(path: Path) -> None:
    document = _load(path, {"notes": "What it shows."})
    assert document.title == "Test"
    assert document.notes == "What it shows."
    assert document.tokens == ("a", "b")
    assert document.matrix("X").tolist() == [[1.0, 2.5], [-0.03, 0.0]]
    assert document.spec == Spec(projected=False)
    assert document.recipes == ()
    assert document.revision == 0


def test_a_file_may_add_sines_and_cosines_to_its_embeddings(path: Path) -> None:
    document = _load(path, {"spec": {"projected": False, "positions": "sinusoidal"}})
    assert document.spec == Spec(projected=False, positions=Sinusoidal())


def test_a_file_may_say_which_weight_it_is_about(path: Path) -> None:
    assert _load(path, {}).first_cell is None
    document = _load(path, {"cell": {"query": 1, "key": 0}})
    assert document.first_cell == FirstCell(query=1, key=0, head=0)
    assert copy(document).first_cell is None


def test_the_training_that_an_example_is_about_is_read(path: Path) -> None:
    assert _load(path, {}).first_training is None
    part = {"task": "reverse", "free": ["X"], "lr": 0.5, "steps": 7}
    document = _load(path, {"training": part})
    assert document.first_training == FirstTraining("reverse", ("X",), "adam", 0.5, 7)
    assert copy(document).first_training is None


@pytest.mark.parametrize(
    "training",
    [
        {"task": "reverse", "free": ["W_O"]},
        {"task": "reverse", "free": []},
        {"task": "sleep", "free": ["X"]},
        {"task": "reverse", "free": ["X"], "lr": 0},
        {"task": "reverse", "free": ["X"], "steps": 0},
    ],
)
def test_a_training_that_cannot_be_is_refused(path: Path, training) -> None:
    assert "$.training" in _refusal(path, {"training": training})


@pytest.mark.parametrize(
    ("cell", "refusal"),
    [
        ({"query": 2, "key": 0}, "The 'query' must be from 0 to 1. Got 2 instead."),
        ({"query": 0, "key": 5}, "The 'key' must be from 0 to 1. Got 5 instead."),
        (
            {"query": 0, "key": 0, "head": 1},
            "The 'head' must be from 0 to 0. Got 1 instead.",
        ),
    ],
)
def test_a_weight_that_is_not_there_is_refused(path: Path, cell, refusal) -> None:
    assert refusal in _refusal(path, {"cell": cell})


@pytest.mark.parametrize("cell", [{"query": -1, "key": 0}, {"query": 0}, [0, 1]])
def test_a_cell_needs_a_query_and_a_key(path: Path, cell) -> None:
    assert "$.cell" in _refusal(path, {"cell": cell})


def test_queries_keys_and_values_can_stand_in_a_file_themselves(path: Path) -> None:
    matrices = {"Q": [[1], [2]], "K": [[3], [4]], "V": [[5, 6], [7, 8]]}
    spec = {"projected": False, "given": True, "causal": True}
    document = _load(path, {"matrices": matrices, "spec": spec})
    assert document.spec == Spec(projected=False, given=True, causal=True)
    assert {n: m.tolist() for n, m in document.matrices.items()} == matrices
    assert document.compute()["output"][0].tolist() == [5.0, 6.0]


def test_every_part_of_a_spec_can_be_given(path: Path) -> None:
    eye = [[1, 0], [0, 1]]
    matrices = dict.fromkeys(("X", "W_Q", "W_K", "W_V", "W_O"), eye)
    spec = {
        "projected": True,
        "n_heads": 2,
        "output_projection": True,
        "scale": 3,
        "causal": True,
        "normalizer": "sum",
    }
    document = _load(path, {"matrices": matrices, "spec": spec})
    assert document.spec == Spec(
        n_heads=2, output_projection=True, scale=3.0, causal=True, normalizer="sum"
    )
    assert isinstance(document.spec.scale, float)


def test_a_recipe_is_drawn_and_kept(path: Path) -> None:
    document = _load(path, {"recipe": _RECIPE, "matrices": None})
    want = np.random.RandomState(42).randint(0, 9, size=(2, 2))
    assert document.matrix("X").tolist() == want.tolist()
    (recipe,) = document.recipes
    assert recipe.seed == 42


@pytest.mark.parametrize("number", [5e-324, -0.0, 1.7976931348623157e308, 0.1 + 0.2])
def test_numbers_are_read_bit_for_bit(path: Path, number: float) -> None:
    document = _load(path, {"tokens": ["a"], "matrices": {"X": [[number]]}})
    read = document.matrix("X")[0, 0]
    assert read == number
    assert math.copysign(1, read) == math.copysign(1, number)


def test_a_byte_order_mark_and_any_unicode_token_are_accepted(path: Path) -> None:
    tokens = ["naïve", "词\n\"'\u2028\U0001f600"]
    text = json.dumps(_GOOD | {"tokens": tokens}, ensure_ascii=False)
    path.write_text(text, "utf-8-sig")
    assert load(str(path)).tokens == tuple(tokens)


def test_of_two_equal_keys_the_last_one_counts(path: Path) -> None:
    path.write_text(json.dumps(_GOOD).replace("{", '{"title": "First", ', 1))
    assert load(str(path)).title == "Test"


@pytest.mark.parametrize("left_out", ["title", "tokens"])
def test_a_missing_part_is_named(path: Path, left_out: str) -> None:
    told = f"$: Object missing required field '{left_out}'."
    assert _refusal(path, {left_out: None}) == told


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        (
            {"format": "x"},
            "It is not an example file: 'format' must be 'attnviewer-example'.",
        ),
        (
            {"format": None},
            "It is not an example file: 'format' must be 'attnviewer-example'.",
        ),
        (
            {"version": 2},
            "$.version: The file has version 2 of the format; this program reads "
            "version 1.",
        ),
        ({"colour": 1}, "$: Object contains unknown field 'colour'."),
        ({"title": 3}, "$.title: Expected a text, got a whole number."),
        ({"tokens": ["a", 2]}, "$.tokens[1]: Expected a text, got a whole number."),
        ({"tokens": "ab"}, "$.tokens: Expected a list, got a text."),
        (
            {"tokens": ["a"]},
            "The 'tokens' must be as many as the rows of 'X', 2. Got 1 instead.",
        ),
        ({"matrices": None}, "The 'X' matrix must be given. Got none instead."),
        ({"matrices": {"X": []}}, "$.matrices.X: The matrix has no rows."),
        ({"matrices": {"X": [[], []]}}, "$.matrices.X[0]: The row has no numbers."),
        (
            {"matrices": {"X": [[1, 2], [3]]}},
            "$.matrices.X: All rows of a matrix must be equally long. "
            "Row 1 has 1 numbers, row 0 has 2.",
        ),
        (
            {"matrices": {"X": [[1, 2], [3, "4"]]}},
            "$.matrices.X[1][1]: Expected a number, got a text.",
        ),
        (
            {"matrices": {"X": [[1, 2], [3, None]]}},
            "$.matrices.X[1][1]: Expected a number, got null.",
        ),
        (
            {"matrices": {"X": [[1, 2], [3, True]]}},
            "$.matrices.X[1][1]: Expected a number, got true or false.",
        ),
        (
            {"matrices": {"X": [1, 2]}},
            "$.matrices.X[0]: Expected a list, got a whole number.",
        ),
        (
            {"spec": {"projected": False, "heads": 2}},
            "$.spec: There is no 'heads'; it may hold projected, given, n_heads, "
            "output_projection, positions, scale, causal, normalizer.",
        ),
        (
            {"spec": {"projected": 1}},
            "$.spec.projected: Expected true or false, got a whole number.",
        ),
        (
            {"spec": {"n_heads": 2.5}},
            "$.spec.n_heads: Expected a whole number, got a number.",
        ),
        (
            {"spec": {"projected": False, "mask": True}},
            "$.spec: There is no 'mask'; it may hold projected, given, n_heads, "
            "output_projection, positions, scale, causal, normalizer.",
        ),
        (
            {"spec": {"projected": False, "positions": "rotary"}},
            "$.spec.positions: Unknown name 'rotary'.",
        ),
        (
            {"spec": {"projected": False, "causal": "yes"}},
            "$.spec.causal: Expected true or false, got a text.",
        ),
        (
            {"spec": {"projected": False, "normalizer": "sofmax"}},
            f"$.spec: The 'normalizer' must be one of {', '.join(NORMALIZERS)}. "
            "Got 'sofmax' instead. "
            "Did you mean 'softmax'?",
        ),
        (
            {"spec": {"projected": False, "n_heads": 2}},
            "$.spec: The 'n_heads' must be 1 without projections (simplified "
            "self-attention). Got 2 instead.",
        ),
        ({"spec": {}}, "The 'W_Q' matrix must be given. Got none instead."),
        (
            {"recipe": _RECIPE},
            "$.recipe.draws[0]: 'X' is given in 'matrices' already.",
        ),
        (
            {"matrices": None, "recipe": {"seed": 1, "draws": _RECIPE["draws"] * 2}},
            "$.recipe.draws[1]: 'X' is drawn twice.",
        ),
        (
            {"recipe": {"seed": 2**32, "draws": []}},
            "$.recipe.seed: Expected a whole number <= 4294967295.",
        ),
        (
            {"recipe": {"seed": -1, "draws": []}},
            "$.recipe.seed: Expected a whole number >= 0.",
        ),
        (
            {"recipe": {"seed": 0, "draws": [{"shape": [0, 3], "high": 3}]}},
            "$.recipe.draws[0].shape[0]: Expected a whole number >= 1.",
        ),
        (
            {"recipe": {"seed": 0, "draws": [{"shape": [3], "high": 3}]}},
            "$.recipe.draws[0].shape: Expected a list of length 2.",
        ),
        (
            {"recipe": {"seed": 0, "draws": [{"shape": [1, 1], "high": 3, "low": 3}]}},
            "$.recipe.draws[0]: 'high' must be above 'low', which is 3. Got 3 instead.",
        ),
        (
            {"recipe": {"seed": 0, "draws": [{"shape": [1, 1], "high": 2**60}]}},
            "$.recipe.draws[0].high: Expected a whole number <= 9007199254740992.",
        ),
    ],
)
def test_wrong_content_is_refused_with_its_place(path: Path, changed, told) -> None:
    assert _refusal(path, changed) == told


def test_an_unknown_matrix_is_named(path: Path) -> None:
    assert "'W_X'" in _refusal(path, {"matrices": _GOOD["matrices"] | {"W_X": [[1]]}})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "The file is empty."),
        (b" \n\n", "The file is empty."),
        (b"\xef\xbb\xbf", "The file is empty."),
        (b"{}", "It is not an example file: 'format' must be 'attnviewer-example'."),
        (b"1", "$: Expected an object, got a whole number."),
        (b'{"format":\n"attn', "line 2: It is not JSON: the text breaks off."),
        (b'{"a":\n1,}', "line 2: It is not JSON: trailing comma in object."),
        (b'{"a": 1} x', "line 1: It is not JSON: trailing characters."),
        (b'{"a":\n\n"\xff"}', "line 3: It is not text in UTF-8."),
        ('{"a": "ä"}'.encode("utf-16"), "It is text in UTF-16. JSON must be in UTF-8."),
        (b"\x89LOG\r\n\x1a\n\x00\x00", "line 1: It is not text in UTF-8."),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(path: Path, content, told) -> None:
    assert _refusal(path, content) == told


@pytest.mark.parametrize("content", [b"\x00" * 100, b"PK\x03\x04", b"hello", b"'a'"])
def test_other_files_are_told_to_be_no_json(path: Path, content: bytes) -> None:
    assert _refusal(path, content).startswith("line 1: It is not JSON: ")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
@pytest.mark.parametrize("place", ["matrix", "scale", "unknown"])
def test_the_loose_numbers_of_json_are_refused(
    path: Path, word: str, place: str
) -> None:
    marked = {
        "matrix": {"matrices": {"X": [[1, "HERE"], [3, 4]]}},
        "scale": {"spec": {"scale": "HERE"}},
        "unknown": {"extra": ["HERE"]},
    }[place]
    text = json.dumps(_GOOD | marked, indent=1).replace('"HERE"', word)
    line = text[: text.index(word)].count("\n") + 1
    told = f"line {line}: {word} is not allowed: numbers must be finite."
    assert _refusal(path, text.encode()) == told


def test_a_number_beyond_the_range_is_refused_in_its_cell(path: Path) -> None:
    text = json.dumps(_GOOD).replace("2.5", "1e999")
    told = "$.matrices.X[0][1]: The number is too large."
    assert _refusal(path, text.encode()) == told


@pytest.mark.parametrize("bracket", [b"[", b'{"a":'])
@pytest.mark.parametrize("before", [b'{"x":', b'{"format":', b'{"matrices":{"X":'])
def test_lists_nested_a_million_deep_are_refused(path, bracket, before) -> None:
    content = before + bracket * 10**6
    assert _refusal(path, content)
    marked = json.dumps(_GOOD | {"spec": {"causal": "HERE"}}).encode()
    deep = b"[" * 10**6 + b"]" * 10**6
    told = _refusal(path, marked.replace(b'"HERE"', deep))
    assert told == "Its lists are nested too deeply."


def test_a_file_that_is_too_long_is_refused_unread(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(module.FILE_LIMIT + 1)
    with pytest.raises(FileError) as caught:
        load_example(path)
    assert caught.value.reason == "It is larger than 64 MiB."


def test_a_file_that_is_too_long_for_any_numbers_is_refused_unread(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**29 + 1)
    with pytest.raises(FileError) as caught:
        load(str(path))
    assert caught.value.reason == "It is larger than 512 MiB."


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"matrices": {"X": [[1, 2, 3], [4, 5, 6]]}}, "$.matrices.X"),
        ({"matrices": {"X": [[1, 2], [3, 4]], "W_O": [[1, 2]]}}, "$.matrices.W_O"),
        (
            {"recipe": {"seed": 0, "draws": [{"shape": [3, 2], "high": 3}]}},
            "$.recipe.draws[0]",
        ),
        (
            {"recipe": {"seed": 0, "draws": [{"shape": [1, 1], "high": 3}] * 2}},
            "$.matrices.X",
        ),
    ],
)
def test_more_cells_than_the_limit_are_refused(
    path, monkeypatch, changed, place
) -> None:
    monkeypatch.setattr(module, "CELL_LIMIT", 5)
    told = f"{place}: The matrices may have 5 cells in all; these are more."
    assert _refusal(path, changed) == told


def test_a_huge_draw_is_refused_before_it_is_drawn(path: Path, monkeypatch) -> None:
    monkeypatch.setattr(np.random, "RandomState", None)
    draws = [{"shape": [2**31, 2**31], "high": 3}]
    told = _refusal(path, {"recipe": {"seed": 0, "draws": draws}})
    assert told == (
        "$.recipe.draws[0]: The matrices may have 16,777,216 cells in all; "
        "these are more."
    )


def test_what_cannot_be_read_says_why(tmp_path: Path, path: Path) -> None:
    path.write_bytes(b"")
    reasons = {
        tmp_path: "It is a folder, not a file.",
        tmp_path / "missing.json": "There is no such file or folder.",
        path / "below": "A part of the path is a file, not a folder.",
        tmp_path / ("x" * 300): "The name is too long.",
    }
    for source, reason in reasons.items():
        with pytest.raises(FileError) as caught:
            load(str(source))
        assert str(caught.value) == f"{source}: {reason}"
        assert not isinstance(caught.value, FileFormatError)
    with pytest.raises(FileError, match="The name holds a null character"):
        load("nu\0ll")


def test_a_file_that_may_not_be_read_says_so(path: Path, monkeypatch) -> None:
    path.write_bytes(b"")

    def refuse(*_arguments: object) -> None:
        raise PermissionError(13, "simulated")

    # A super-user may read anything, so the system's answer is simulated.
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(FileError, match=r"Permission denied\.$"):
        load(str(path))


@pytest.mark.skipif(os.name != "posix", reason="pipes in the file system are POSIX")
def test_a_pipe_is_refused_instead_of_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileError, match="It is not an ordinary file"):
        load(str(tmp_path / "pipe"))


def test_an_unknown_matrix_is_named_at_its_place(path: Path) -> None:
    matrices = {"X": [[1]], "W_Z": [[1]]}
    told = _refusal(path, {"tokens": ["a"], "matrices": matrices})
    assert told == "$.matrices: Unknown name 'W_Z'."
