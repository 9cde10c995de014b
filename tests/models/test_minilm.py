"""all-MiniLM-L6-v2 computes what transformers recorded of it."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from tests.models.recorded import DATA

_CASE = DATA / "minilm" / "minilm_2_len20"
_TOLD = json.loads(_CASE.with_suffix(".json").read_text(encoding="utf-8"))

_ANIMAL = "the animal didn ' t cross the street because it was too tired ."


@pytest.fixture(scope="module")
def run(minilm: Path) -> models.ModelTrace:
    return models.load(minilm).run(_TOLD["text"])


@pytest.fixture(scope="module")
def assert_recorded() -> Callable[[str, object], None]:
    with np.load(_CASE.with_suffix(".npz"), allow_pickle=False) as arrays:
        recorded = dict(arrays)

    def compare(name: str, got: object) -> None:
        want = recorded[f"out.{name}"]
        assert np.shape(got) == want.shape
        tolerance = [_TOLD["rtol"], _TOLD["atol"]]
        rtol, atol = _TOLD["tol_per_output"].get(name, tolerance)
        np.testing.assert_allclose(got, want, rtol=rtol, atol=atol, err_msg=name)

    return compare


def test_a_sentence_has_the_recorded_tokens(run) -> None:
    assert list(run.tokens) == _TOLD["tokens"]
    with np.load(_CASE.with_suffix(".npz"), allow_pickle=False) as arrays:
        assert list(run.ids) == arrays["in.input_ids"].tolist()


def test_the_ids_alone_give_the_same_numbers(run, minilm: Path) -> None:
    again = models.load(minilm).run(run.ids)
    np.testing.assert_array_equal(again.hidden_states[-1], run.hidden_states[-1])


def test_every_hidden_state_is_as_recorded(run, assert_recorded) -> None:
    assert_recorded("hidden_states", list(run.hidden_states))


@pytest.mark.parametrize(
    ("step", "name"), [("weights", "attentions"), ("concatenated", "attention_context")]
)
def test_the_attention_of_every_layer_is_as_recorded(
    run, assert_recorded, step: str, name: str
) -> None:
    layers = range(len(run.hidden_states) - 1)
    assert_recorded(name, [run.attention(layer)[step] for layer in layers])


def test_the_stream_after_attention_is_as_recorded(run, assert_recorded) -> None:
    layers = range(len(run.hidden_states) - 1)
    states = [run.after_attention(layer) for layer in layers]
    assert_recorded("attention_block_output", states)


def test_a_sentence_is_embedded_as_recorded(run, assert_recorded) -> None:
    assert_recorded("sentence_embedding", run.sentence_embedding)


def test_it_looks_at_the_animal(minilm: Path) -> None:
    run = models.load(minilm).run(_ANIMAL)
    weights = run.attention(3)["weights"][1]  # (n, n)
    it, animal = run.tokens.index("it"), run.tokens.index("animal")
    assert weights[it].argmax() == animal
    assert weights[it, animal] == pytest.approx(0.6768, abs=5e-5)
