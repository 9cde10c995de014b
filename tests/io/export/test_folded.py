"""Exports of weights whose groups of tokens are folded."""

import csv
import json

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.document.token_groups import TokenGroup
from attnviewer.io import load
from attnviewer.io.export import Choice, Computation, FoldedWeights, export, matrix_text


@pytest.fixture
def document():
    rng = np.random.default_rng(7)
    matrices = {name: rng.normal(size=(4, 4)) for name in ("W_Q", "W_K", "W_V")}
    matrices["X"] = rng.normal(size=(4, 4))
    return Document("Pieces", ["a", "b", "##c", "d"], matrices, Spec(n_heads=2))


@pytest.fixture
def folded(document):
    groups = [TokenGroup("bc", 1, 3)]
    return Choice(folded=FoldedWeights.of(document.labels, groups, groups))


def by_hand(weights):
    """Return what the second head becomes, worked out number by number."""
    a, b, c, d = weights
    middle = [(x + y) / 2 for x, y in zip(b, c, strict=True)]
    return [[row[0], row[1] + row[2], row[3]] for row in (a, middle, d)]


def test_tables_have_the_names_of_groups_and_say_how_they_are_combined(
    document, folded, tmp_path
):
    computation = Computation.of(document)
    export(computation, tmp_path, "csv", folded)
    with (tmp_path / "weights.head1.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head == ["", "a", "bc", "d"]
    assert [row[0] for row in rows] == ["a", "bc", "d"]
    numbers = [[float(cell) for cell in row[1:]] for row in rows]
    expected = by_hand(computation.trace["weights"][1])
    np.testing.assert_allclose(numbers, expected, rtol=0, atol=1e-12)
    with (tmp_path / "index.csv").open(newline="") as file:
        entries = {row["file"]: row for row in csv.DictReader(file)}
    said = "mean over the queries of a group, sum over the keys of a group"
    assert entries["weights.head1.csv"]["folded_weights"] == said
    assert entries["weights.head1.csv"]["rows"] == "3"
    assert entries["scores.head1.csv"]["rows"] == "4"
    choice = Choice(("weights",), 1, folded=folded.folded)
    assert matrix_text(computation, choice).startswith("\ta\tbc\td")


@pytest.mark.parametrize("suffix", ["json", "npz", "xlsx"])
def test_other_formats_hold_them_and_still_open_as_the_document(
    document, folded, suffix, tmp_path
):
    computation = Computation.of(document)
    path = tmp_path / f"pieces.{suffix}"
    export(computation, path, suffix, folded)
    expected = by_hand(computation.trace["weights"][1])
    if suffix == "json":
        written = json.loads(path.read_text())
        assert written["steps"]["weights"]["rows"] == ["a", "bc", "d"]
        assert "mean over" in written["attnviewer"]["folded_weights"]
        numbers = written["steps"]["weights"]["values"][1]
        np.testing.assert_allclose(numbers, expected, rtol=0, atol=1e-12)
    elif suffix == "npz":
        with np.load(path) as written:
            numbers = written["weights"][1]
            said = json.loads(str(written["attnviewer"]))
        assert said["folded_queries"] == said["folded_keys"] == ["a", "bc", "d"]
        np.testing.assert_allclose(numbers, expected, rtol=0, atol=1e-12)
    opened = load(str(path))
    assert opened.tokens == document.tokens
    np.testing.assert_array_equal(opened.matrix("W_Q"), document.matrix("W_Q"))


def test_formulas_and_chosen_cells_are_of_the_tokens(document, folded):
    trace = Computation.of(document).trace
    assert folded.folded_in(trace, "weights") is folded.folded
    assert folded.folded_in(trace, "scores") is None
    formulas = Choice(formulas=True, folded=folded.folded)
    assert formulas.folded_in(trace, "weights") is None
