"""The four notebooks, to the last digit that they print."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Replace
from attnviewer.io import load
from attnviewer.io.matrices import read_matrices

_FOLDER = Path(__file__).parent / "data" / "notebooks"
_CASES = {path.stem: json.loads(path.read_text("utf-8")) for path in _FOLDER.iterdir()}


def _assert_as_printed(notebook: str, name: str, got: np.ndarray) -> None:
    printed = _CASES[notebook]["arrays"][name]
    want = np.array(printed["value"])
    assert got.shape == want.shape
    # Some numbers are printed in scientific notation: a tolerance for each cell.
    np.testing.assert_array_less(np.abs(got - want), np.array(printed["atol"]) + 1e-300)


def test_all_four_notebooks_are_here() -> None:
    assert sorted(_CASES) == ["000", "001", "002", "003"]


_FOUR_WORDS = {
    "words": "X",
    "W_Q": "W_Q",
    "W_K": "W_K",
    "W_V": "W_V",
    "Q": "Q",
    "K": "K",
    "V": "V",
    "scores": "scores",
    "weights": "weights",
    "attention": "output",
    "final_attention": "output",
}


@pytest.mark.parametrize("name", _CASES["000"]["arrays"])
def test_four_words_gives_every_array_of_notebook_000(name: str) -> None:
    trace = load("example:four-words").compute()
    _assert_as_printed("000", name, trace[_FOUR_WORDS[name]])


@pytest.mark.parametrize("name", ["weights", "attention"])
def test_four_words_agrees_with_notebook_000_in_full_precision(name: str) -> None:
    trace = load("example:four-words").compute()
    want = np.array(_CASES["000"]["full_precision"][name])
    np.testing.assert_allclose(trace[_FOUR_WORDS[name]], want, rtol=4e-15, atol=0)


_RERUN = {
    "scores_word1": ("scores", 0),
    "weights_word1": ("weights", 0),
    "attention_word1": ("output", 0),
    "attention_row0": ("output", 0),
    "attention": ("output", slice(None)),
}


@pytest.mark.parametrize("name", _RERUN)
def test_the_rerun_gives_what_notebook_001_prints(name: str) -> None:
    step, rows = _RERUN[name]
    trace = load("example:four-words-rerun").compute()
    _assert_as_printed("001", name, trace[step][rows])


def test_every_fresh_array_of_notebook_001_is_compared() -> None:
    fresh = _CASES["001"]["consistent_groups"]["everything after In [13]"]
    assert sorted(fresh) == sorted(_RERUN)


@pytest.mark.parametrize("name", ["W_Q", "W_K", "W_V", "Q", "K", "V", "scores"])
def test_the_rerun_uses_the_matrices_that_notebook_001_no_longer_shows(
    name: str,
) -> None:
    trace = load("example:four-words-rerun").compute()
    assert trace[name].tolist() == _CASES["001"]["solution"][name]


def test_the_matrices_that_notebook_001_prints_are_draws_thrown_away() -> None:
    (recipe,) = load("example:four-words-rerun").recipes
    generator = np.random.RandomState(recipe.seed)
    drawn = [
        generator.randint(d.distribution.low, d.distribution.high, size=d.shape)
        for d in recipe.draws
    ]
    printed = _CASES["001"]["arrays"]
    stale = [printed[f"W_{n}_printed"]["value"] for n in "QKV"]
    assert [matrix.tolist() for matrix in drawn[4:7]] == stale
    assert [draw.matrix for draw in recipe.draws] == [None] * 7 + ["W_Q", "W_K", "W_V"]


_JOURNEY = {
    "attention_score_2": ("journey", "scores", 1),
    "attention_weight_2_sum_normalised": ("journey-sum", "weights", 1),
    "attn_weight_2_softmax": ("journey", "weights", 1),
    "attn_scores": ("journey", "scores", slice(None)),
    "attn_weights": ("journey", "weights", slice(None)),
    "all_context_vec": ("journey", "output", slice(None)),
}


@pytest.mark.parametrize("name", _CASES["002"]["arrays"])
def test_journey_gives_every_array_of_notebook_002(name: str) -> None:
    example, step, rows = _JOURNEY[name]
    trace = load(f"example:{example}").compute()
    assert trace["X"].tolist() == _CASES["002"]["inputs"]
    _assert_as_printed("002", name, trace[step][rows])


def test_switching_journey_to_the_plain_sum_gives_journey_sum() -> None:
    document = load("example:journey")
    spec = Spec(projected=False, scale=1.0, normalizer="sum")
    document.apply(Replace("Plain sum", spec=spec))
    want = load("example:journey-sum").compute()["weights"]
    assert document.compute()["weights"].tolist() == want.tolist()


_VECTORS = {
    "input": ("X", slice(None)),
    "score": ("scores", 1),
    "weight": ("weights", 1),
    "context": ("output", 1),
    "scores": ("scores", slice(None)),
    "weights": ("weights", slice(None)),
    "contexts": ("output", slice(None)),
}


@pytest.mark.parametrize("name", _VECTORS)
def test_random_vectors_gives_every_array_of_notebook_003(name: str) -> None:
    step, rows = _VECTORS[name]
    trace = load("example:random-vectors").compute()
    _assert_as_printed("003", name, trace[step][rows])


def test_random_vectors_bears_the_printed_tokens() -> None:
    printed = _CASES["003"]["arrays"]["tokens"]["value"]
    assert load("example:random-vectors").tokens == tuple(map(str, printed))
    assert sorted([*_VECTORS, "tokens"]) == sorted(_CASES["003"]["arrays"])


def test_the_last_number_of_notebook_003_agrees_as_far_as_its_inputs_are_printed() -> (
    None
):
    printed = _CASES["003"]["scalars"]["sandbox_weight_0"]
    weight = load("example:random-vectors").compute()["weights"][1, 0]
    assert abs(weight - printed["value"]) <= printed["atol"]


_BOOKS = Path(__file__).parent / "data" / "printed"
_CALLED = {
    "000": {"final_attention": "attention"},
    "001": {
        **{f"W_{n}_printed": f"W_{n}" for n in "QKV"},
        **{f"{n}_word1": n for n in ("scores", "weights", "attention")},
        "attention_row0": "attention 0",
        "attention": "attention (2)",
    },
    "002": {
        "attention_weight_2_sum_normalised": "attention_weight_2",
        "attn_weight_2_softmax": "attn_weight_2",
    },
    "003": {},
}
"""What the notebooks call arrays that have other names in the reference."""


@pytest.mark.parametrize("notebook", _CASES)
def test_a_notebook_that_is_opened_offers_every_array_that_it_prints(
    notebook: str,
) -> None:
    values = read_matrices(_BOOKS / f"{notebook}.ipynb").values
    for name, printed in _CASES[notebook]["arrays"].items():
        found = values[_CALLED[notebook].get(name, name)]
        assert found.tolist() == printed["value"]


@pytest.mark.parametrize(
    ("notebook", "tokens", "steps"),
    [
        ("000", tuple(f"word_{k}" for k in range(1, 5)), ("self", "Q", "weights")),
        ("001", tuple(f"word_{k}" for k in range(1, 5)), ("self",)),
        (
            "002",
            ("your", "journey", "starts", "with", "one", "step"),
            ("simplified", "scores"),
        ),
        ("003", tuple(f"token {k}" for k in range(4)), ("simplified", "scores")),
    ],
)
def test_a_notebook_opens_as_the_computation_that_it_prints(
    notebook: str, tokens: tuple[str, ...], steps: tuple[str, ...]
) -> None:
    document = load(str(_BOOKS / f"{notebook}.ipynb"))
    assert document.tokens == tokens
    variant, *compared = steps
    assert document.spec.variant == variant
    trace = document.compute()
    for step in compared:
        name = "attn_scores" if (notebook, step) == ("002", "scores") else step
        _assert_as_printed(notebook, name, trace[step])
