"""Runs side by side: other weights, and another sentence."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models.experiment import Experiment
from attnviewer.models.layer_documents import WeightPatch
from tests.models.checkpoints import write_gpt2


@pytest.fixture
def model(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path))


def zero(layer: int) -> WeightPatch:
    """Take the place of a layer's weights by none at all."""
    square, row = np.zeros((32, 32), np.float32), np.zeros(32, np.float32)
    names = "QKVO"
    weights = {f"W_{n}": square for n in names} | {f"b_{n}": row for n in names}
    return WeightPatch(layer, None, weights)


def test_at_first_nothing_is_compared(model: models.Model) -> None:
    run = model.run([1, 2])
    experiment = Experiment.over(run)
    assert experiment.original is experiment.run is run
    assert experiment.compared is None


def test_other_weights_are_compared_with_the_models_own(model: models.Model) -> None:
    own = model.run([1, 2])
    experiment = Experiment.over(own).with_patches((zero(1),))
    assert experiment.compared is own
    run = experiment.run
    # A layer whose attention gives nothing leaves the stream to what follows.
    np.testing.assert_array_equal(run.after_attention(1), run.hidden_states[1])
    assert not np.allclose(run.logits, own.logits)


def test_weights_taken_out_leave_the_model_as_it_was(model: models.Model) -> None:
    own = model.run([1, 2])
    experiment = Experiment.over(own).with_patches((zero(0),)).with_patches(())
    assert experiment.compared is None
    np.testing.assert_array_equal(experiment.run.logits, own.logits)


def test_another_sentence_keeps_the_weights(model: models.Model) -> None:
    experiment = Experiment.over(model.run([1, 2])).with_patches((zero(1),))
    other = experiment.with_run(model.run([5, 6, 7]))
    assert other.run.ids == other.original.ids == (5, 6, 7)
    after = other.run.after_attention(1)
    np.testing.assert_array_equal(after, other.run.hidden_states[1])
    assert other.original.changes == {}


def test_a_sentence_beside_it_has_the_same_weights(model: models.Model) -> None:
    experiment = Experiment.over(model.run([1, 2])).with_patches((zero(1),))
    beside = experiment.compared_with(model.run([3]))
    assert beside.compared is not None
    assert beside.compared.ids == (3,)
    assert set(beside.compared.changes) == {1}
    assert beside.with_patches(()).compared is not None
    assert beside.with_patches(()).compared.changes == {}
    assert beside.compared_with(None).compared is experiment.original
