"""Pins of a head's document take part in the model it is put back into."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from attnviewer import Pin, models
from attnviewer.document.pins import add_pins
from attnviewer.models.experiment import Experiment
from attnviewer.models.kept_edits import keeps_other_edits
from attnviewer.models.layer_documents import (
    attention_document,
    patch_of,
    with_patches,
)
from tests.models.checkpoints import write_llama

IDS = [3, 1, 4, 1, 5]
EVERY = slice(None)


@pytest.fixture
def run(tmp_path: Path) -> models.ModelTrace:
    return models.load(write_llama(tmp_path)).run(IDS)


def pinned(run, *pins: Pin, head: int | None = 3, layer: int = 1):
    document = attention_document(run, layer, head)
    document.apply(add_pins(document, pins, "Pin"))
    return document


def put_back(run, *documents) -> models.ModelTrace:
    return with_patches(run, [patch_of(document) for document in documents])


def test_heads_pinned_to_zero_give_the_run_without_their_rows_of_w_o(run) -> None:
    patched = put_back(run, pinned(run, Pin("heads", EVERY, EVERY, 0.0)))
    weights = {"W_O": run.weights(1)["W_O"].copy()}
    width = run.model.architecture.d_head
    weights["W_O"][3 * width : 4 * width] = 0
    ablated = run.with_weights(1, weights)
    np.testing.assert_allclose(patched.stream(2), ablated.stream(2), atol=1e-5)
    np.testing.assert_allclose(
        patched.next_probabilities(), ablated.next_probabilities(), rtol=1e-4
    )
    assert not np.allclose(patched.stream(2), run.stream(2), atol=1e-3)


def test_the_model_holds_what_the_document_holds(run) -> None:
    document = pinned(run, Pin("scores", 4, 0, 8.0), Pin("K", 2, 1, 3.0))
    trace, own = put_back(run, document).attention(1), document.compute()
    np.testing.assert_allclose(trace["weights"][3], own["weights"], atol=1e-6)
    # Heads 2 and 3 have the same keys.
    assert trace["K"][1, 2, 1] == 3.0
    assert trace["scores"][2, 4, 0] == run.attention(1)["scores"][2, 4, 0]


def test_pins_of_several_heads_stay_beside_each_other(run) -> None:
    both = put_back(
        run,
        pinned(run, Pin("weights", 4, 0, 1.0, rest="share"), head=0),
        pinned(run, Pin("weights", 4, 1, 1.0, rest="share"), head=2),
    )
    rows = both.attention(1)["weights"][:, 4]
    assert rows[0].tolist() == [1, 0, 0, 0, 0]
    assert rows[2].tolist() == [0, 1, 0, 0, 0]
    again = attention_document(both, 1, 2)
    assert again.pins == (Pin("weights", 4, 1, 1.0, rest="share"),)


def test_an_experiment_of_a_run_keeps_its_pins(run) -> None:
    patched = put_back(run, pinned(run, Pin("weights", 2, 0, 0.5)))
    experiment = Experiment.of(patched)
    assert experiment.run.pins == patched.pins
    assert experiment.original.pins == {}
    assert pickle.loads(pickle.dumps(patched)).pins == patched.pins
    assert "pins in L1" in repr(patched)


def test_pins_are_no_edit_that_is_left_out(run) -> None:
    assert not keeps_other_edits(pinned(run, Pin("weights", 2, 0, 0.5)))


def test_the_output_of_one_head_cannot_be_pinned_in_the_model(run) -> None:
    with pytest.raises(ValueError, match="up to 'heads', to be applied"):
        put_back(run, pinned(run, Pin("output", 0, 0, 1.0)))


def test_pins_that_do_not_fit_another_sentence_are_refused(run) -> None:
    patch = patch_of(pinned(run, Pin("scores", 4, 0, 1.0)))
    shorter = run.model.run(IDS[:3])
    with pytest.raises(ValueError, match="'rows' of a pin of scores"):
        with_patches(shorter, [patch])
