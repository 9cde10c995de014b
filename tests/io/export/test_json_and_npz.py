"""Steps as NPZ and JSON: other programs read them, and this one reads them back."""

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from attnviewer import __version__
from attnviewer.compute import Spec, run
from attnviewer.document import Document, Labels, Region
from attnviewer.io import FileError, FileFormatError, load
from attnviewer.io.export import Choice, Computation, export, room
from attnviewer.io.export.npz import npz
from attnviewer.io.importing import read_arrays
from attnviewer.io.matrices import read_matrices

TOKENS, CONTEXT = ("=1+1", 'ein "Wort"', "\ud800"), ("a", "b")


def _crossed() -> Document:
    """Return two heads of queries on one of keys, with a mask and −∞ in the bias."""
    rng = np.random.default_rng(0)
    sizes = {"X": (3, 2), "W_Q": (2, 4), "W_K": (2, 2), "W_V": (2, 2), "W_O": (4, 2)}
    matrices = {name: rng.normal(size=size) for name, size in sizes.items()}
    matrices |= {"context": rng.normal(size=(2, 2)), "b_Q": np.ones((1, 4)) / 3}
    matrices["bias"] = np.array([[0.0, -np.inf], [1e-7, 2.0], [0.5, -0.0]])
    matrices["mask"] = np.array([[1, 1], [1, 0], [1, 1]], dtype=bool)
    spec = Spec(
        *(True, False, True),
        n_heads=2,
        n_kv_heads=1,
        output_projection=True,
        biases=("b_Q",),
        bias=True,
        mask=True,
    )
    return Document("Crossed", TOKENS, matrices, spec, context_tokens=CONTEXT)


@pytest.fixture
def crossed() -> Computation:
    return Computation.of(_crossed())


def _npz(computation: Computation, path: Path, **choice) -> dict[str, np.ndarray]:
    export(computation, path, "npz", Choice(**choice))
    with np.load(path, allow_pickle=False) as file:
        return dict(file)


def _json(computation: Computation, path: Path, **choice) -> dict:
    def refuse(word: str) -> None:
        raise AssertionError(f"{word} is no JSON")

    export(computation, path, "json", Choice(**choice))
    return json.loads(path.read_bytes(), parse_constant=refuse)


def test_numpy_loads_every_step_bit_for_bit_with_its_heads(crossed, tmp_path) -> None:
    read = _npz(crossed, tmp_path / "a.npz")
    assert list(read) == [
        *("attnviewer", "tokens", "context_tokens"),
        *crossed.trace,
    ]
    for step, want in crossed.trace.items():
        assert read[step].dtype == want.dtype
        assert read[step].shape == want.shape
        assert read[step].tobytes() == np.ascontiguousarray(want).tobytes()
    assert read["weights"].shape == (2, 3, 2)
    assert read["K"].shape == (1, 2, 2)
    assert tuple(read["tokens"]) == TOKENS
    assert tuple(read["context_tokens"]) == CONTEXT


def test_a_token_that_ends_with_nul_keeps_its_length_in_an_npz(tmp_path) -> None:
    document = Document("", ("a\0b", "\0"), {"X": np.eye(2)}, Spec(projected=False))
    read = _npz(Computation.of(document), tmp_path / "a.npz", steps=("X",))
    assert read["tokens"].tolist() == ["a\0b", "\ufffd"]


def test_the_entry_of_the_statement_is_json_in_a_single_text(crossed, tmp_path) -> None:
    told = json.loads(str(_npz(crossed, tmp_path / "a.npz")["attnviewer"]))
    assert (told["title"], told["variant"], told["attnviewer"]) == (
        *("Crossed", "cross"),
        __version__,
    )


def test_the_same_computation_gives_the_same_archive(crossed, tmp_path: Path) -> None:
    one, other = tmp_path / "a.npz", tmp_path / "b.npz"
    for path in (one, other):
        export(Computation.of(_crossed()), path, "npz")
    assert one.read_bytes() == other.read_bytes()


def test_one_head_and_some_cells_are_matrices(crossed, tmp_path: Path) -> None:
    trace, cells = crossed.trace, Region(1, 0, 2, 1)
    read = _npz(crossed, tmp_path / "a.npz", steps=("weights", "K", "X"), head=1)
    assert (read["weights"] == trace["weights"][1]).all()
    assert (read["K"] == trace["K"][0]).all()
    assert (read["X"] == trace["X"]).all()
    choice = {"steps": ("weights",), "cells": cells, "headers": False}
    read = _npz(crossed, tmp_path / "b.npz", **choice)
    assert list(read) == ["attnviewer", "weights"]
    assert (read["weights"] == trace["weights"][:, 1:3, :1]).all()
    told = _json(crossed, tmp_path / "b.json", **choice)
    assert list(told) == ["attnviewer", "steps"]
    assert list(told["steps"]["weights"]) == ["formula", "values"]
    assert told["steps"]["weights"]["values"] == trace["weights"][:, 1:3, :1].tolist()
    for said in (json.loads(str(read["attnviewer"])), told["attnviewer"]):
        assert (said["first_row"], said["first_column"]) == ("1", "0")


def test_numbers_of_lower_precision_are_written_as_doubles(tmp_path: Path) -> None:
    x = np.array([[0.1], [0.7]], dtype=np.float32)
    trace = run(Spec(projected=False), {"X": x})
    computation = Computation("Low", Labels(("a", "b"), ("a", "b")), trace)
    read = _npz(computation, tmp_path / "a.npz")["X"]
    assert read.dtype == np.float64
    assert read.tolist() == [[0.10000000149011612], [0.699999988079071]]
    told = _json(computation, tmp_path / "a.json")["steps"]["X"]["values"]
    assert told == [[0.10000000149011612], [0.699999988079071]]


def test_json_is_strict_and_numpy_takes_its_words_for_numbers(crossed, tmp_path):
    told = _json(crossed, tmp_path / "a.json")
    assert list(told) == ["attnviewer", "tokens", "context_tokens", "steps"]
    assert told["attnviewer"]["n_kv_heads"] == "1"
    assert (tuple(told["tokens"]), tuple(told["context_tokens"])) == (TOKENS, CONTEXT)
    assert list(told["steps"]) == list(crossed.trace)
    weights = told["steps"]["weights"]
    assert weights["formula"] == "softmax(masked)"
    assert (weights["rows"], weights["columns"]) == (list(TOKENS), list(CONTEXT))
    assert told["steps"]["bias"]["values"][0] == [0.0, "-inf"]
    for step, want in crossed.trace.items():
        got = np.array(told["steps"][step]["values"], dtype=np.float64)
        want = np.asarray(want, np.float64).reshape(got.shape)
        assert got.tobytes() == want.tobytes()


def test_what_is_not_defined_is_a_word_too(tmp_path: Path) -> None:
    x = np.array([[0.0], [1.0]])
    trace = run(Spec(projected=False, normalizer="sum"), {"X": x})
    computation = Computation("", Labels(("a", "b"), ("a", "b")), trace)
    told = _json(computation, tmp_path / "a.json")["steps"]["weights"]["values"]
    assert told == [["nan", "nan"], [0.0, 1.0]]
    read = read_matrices(tmp_path / "a.json")
    assert "weights" not in read.values
    assert any("'weights' was left out." in notice for notice in read.notices)


@pytest.mark.parametrize("format", ["npz", "json"])
def test_an_exported_file_is_read_back_without_fuss(tmp_path, format: str) -> None:
    document = load("example:four-words")
    computation = Computation.of(document)
    path = tmp_path / f"a.{format}"
    export(computation, path, format)
    read = read_matrices(path)
    assert list(read.values) == list(computation.trace)
    for step, values in read.values.items():
        assert values.tobytes() == computation.trace[step].tobytes()
    assert read.tokens == document.tokens
    assert read.notices == []


@pytest.mark.parametrize("format", ["npz", "json"])
def test_minus_infinity_is_read_back_and_told_of(crossed, tmp_path, format) -> None:
    path = tmp_path / f"a.{format}"
    export(crossed, path, format)
    read = read_matrices(path)
    assert (read.values["bias"] == crossed.trace["bias"]).all()
    assert (read.values["mask"] == crossed.trace["mask"]).all()
    assert read.notices[-2:] == [
        f"'{name}' has −∞ in it, which only a bias can use."
        for name in ("biased", "masked")
    ]


@pytest.mark.parametrize("format", ["npz", "json"])
def test_some_rows_of_x_are_read_without_the_tokens(crossed, tmp_path, format) -> None:
    path = tmp_path / f"a.{format}"
    export(crossed, path, format, Choice(("X",), cells=Region(0, 0, 2, 2)))
    read = read_arrays([path])
    assert read.tokens == {}
    told = "The 3 tokens were left out: no array has as many rows."
    assert read.notices[-1] == told


def test_a_file_of_steps_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"attnviewer": {}, "steps": {"Q": {"values": [["inf"]]}, "K": {}}}'
    )
    with pytest.raises(FileFormatError, match=r"'Q' was left out.*'K' was left out"):
        read_matrices(path)
    path.write_text('{"attnviewer": {}, "steps": {}}')
    with pytest.raises(FileFormatError, match="There are no steps in it"):
        read_matrices(path)


def test_a_long_step_is_written_without_being_held(tmp_path: Path) -> None:
    n = 3000
    q, k, v = np.random.default_rng(1).normal(size=(3, n, 4)).astype(np.float32)
    trace = run(
        Spec(projected=False, given=True, causal=True), {"Q": q, "K": k, "V": v}
    )
    tokens = tuple("t" * n)
    computation = Computation("Long", Labels(tokens, tokens), trace)
    tracemalloc.start()
    pieces = npz(computation, Choice(("weights",), headers=False))
    (tmp_path / "a.npz").write_bytes(b"")
    with (tmp_path / "a.npz").open("ab") as file:
        file.writelines(pieces)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * n * n / 2
    written = np.load(tmp_path / "a.npz")["weights"]
    assert (written.shape, written.dtype) == ((n, n), np.float64)
    scores = q.astype(float) @ k.astype(float).T / 2  # (n, n)
    scores[np.triu_indices(n, 1)] = -np.inf
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    assert np.abs(written - weights).max() < 1e-6


def test_more_numbers_than_an_export_may_hold_are_refused_with_their_bytes(
    crossed, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(room, "MOST_NUMBERS", 11)
    told = "at most 11 numbers. Got 12 instead, which take at least 96 bytes"
    with pytest.raises(FileError, match=told):  # two heads of 3 × 2 weights
        export(crossed, tmp_path / "a.npz", "npz", Choice(("weights",)))
    assert list(tmp_path.iterdir()) == []
    export(crossed, tmp_path / "a.npz", "npz", Choice(("weights",), head=1))


def test_a_disk_without_room_is_told_with_the_bytes_that_are_needed(
    crossed, tmp_path: Path, monkeypatch
) -> None:
    disk = type("Disk", (), {"free": 40})
    monkeypatch.setattr("shutil.disk_usage", lambda _folder: disk)
    for format_, n_bytes in (("npz", 96), ("csv", 24), ("json", 24)):
        disk.free = n_bytes - 1  # two heads of 3 × 2 weights
        choice = Choice(("weights",))
        path = tmp_path / f"new/a.{format_}"
        told = rf"at least {n_bytes} bytes, and {n_bytes - 1} bytes are free there"
        with pytest.raises(FileError, match=told):
            export(crossed, path, format_, choice)
    assert list(tmp_path.iterdir()) == []
    disk.free = 2**40
    export(crossed, tmp_path / "a.npz", "npz", Choice(("weights",)))
