"""The table of heads on the command line, with columns that are asked for."""

import csv
import io

import numpy as np
import pytest

from attnviewer import cli, models
from attnviewer.models.detectors import DETECTORS
from attnviewer.models.trace import ModelTrace
from attnviewer.paths import resource

_FOLDER = str(resource("notebooks", "induction-model"))
_TEXT = "old sailor found red bell old sailor found"


def _heads(capsys, *options: str) -> tuple[list[str], np.ndarray, str]:
    """Return the header, the numbers (NaN where empty) and what stands on stderr."""
    assert cli.main(["model", _FOLDER, "--text", _TEXT, "--heads", *options]) == 0
    told = capsys.readouterr()
    header, *rows = csv.reader(io.StringIO(told.out, newline=""))
    numbers = [[float(cell or "nan") for cell in row] for row in rows]
    return header, np.array(numbers), told.err


def test_columns_that_are_asked_for_are_those_of_the_table_in_python(capsys) -> None:
    options = ("--detectors", "induction,local", "--cell", "found:red")
    header, numbers, told = _heads(capsys, *options, "--occurrence-offsets", "-2:4")
    run = models.load(_FOLDER).run(_TEXT)
    want = models.head_table(
        run,
        cell=("found", "red"),
        occurrence_offsets=range(-2, 4),
        detectors=["induction", "local"],
    )
    assert header == list(want.columns)
    assert header[-1] == "occurrence_plus_3"
    np.testing.assert_array_equal(numbers, want.values)
    assert told == ""
    # Also by positions, and each of two tokens may be a colon.
    header, places, _ = _heads(capsys, "--cell", "2,3", "--layer", "1", "--head", "0")
    assert header[-1] == "cell"
    assert places[0, -1] == run.attention(1)["weights"][0, 2, 3]


def test_all_detectors_are_columns_and_what_a_text_lacks_is_noted(capsys) -> None:
    header, numbers, told = _heads(capsys, "--detectors", "all")
    assert header[2:] == list(DETECTORS)
    empty = {
        name
        for name, column in zip(header, numbers.T, strict=True)
        if np.isnan(column).all()
    }
    assert empty == {"separator", "retrieval"}
    assert told.count("\n") == 2
    assert "attnviewer: Retrieval: No needle is given.\n" in told
    options = ("--detectors", "retrieval", "--needle", "0:5")
    header, numbers, told = _heads(capsys, *options)
    assert header[-1] == "retrieval"
    assert np.isfinite(numbers).all()
    assert told == ""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--heads --detectors inductive", "argument --detectors: it must be 'all', or"),
        (
            "--heads --occurrence-offsets 4:-2",
            "argument --occurrence-offsets: it must ",
        ),
        ("--heads --occurrence-offsets 1", "argument --occurrence-offsets: it must be"),
        ("--heads --cell it", "argument --cell: it must be a row and a column from"),
        ("--heads --cell old:animal", f"{_FOLDER}: The 'key' must be a token of the "),
        ("--heads --cell 0,9", f"{_FOLDER}: The 'key' must be one of 8 tokens"),
        ("--heads --needle 3:99", f"{_FOLDER}: The 'needle' must be a range of posi"),
        ("--needle 0:3", "argument --needle: it needs --heads"),
        ("--detectors all", "argument --detectors: it needs --heads"),
        (
            "--layer 0 --export a.svg --cell old:found",
            "argument --cell: tokens need --heads; a picture has a row and a column",
        ),
    ],
)
def test_columns_that_cannot_be_had_are_refused_in_a_sentence(
    capsys, tmp_path, monkeypatch, options: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["model", _FOLDER, "--text", _TEXT, *options.split()]) == 2
    answer = capsys.readouterr()
    assert answer.out == ""
    assert answer.err.startswith(f"attnviewer: {told}")
    assert answer.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_weight_that_is_no_number_ends_the_table_in_one_line(
    capsys, monkeypatch
) -> None:
    weights_of = ModelTrace.weights

    def spoilt(run: ModelTrace, layer: int) -> dict[str, np.ndarray]:
        weights = weights_of(run, layer)
        return weights | {"W_K": weights["W_K"] * np.nan} if layer else weights

    monkeypatch.setattr(ModelTrace, "weights", spoilt)
    assert cli.main(["model", _FOLDER, "--text", _TEXT, "--heads"]) == 2
    told = capsys.readouterr()
    assert told.out.count("\n") == 5  # the header, and the heads of layer 0
    assert told.err.startswith(f"attnviewer: {_FOLDER}: The 'W_K' matrix of layer 1 ")
    assert told.err.count("\n") == 1
