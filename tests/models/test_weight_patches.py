"""Of weights put in one place, the later ones count."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models.layer_documents import (
    WeightPatch,
    attention_document,
    patch_of,
    with_patches,
)
from tests.models.checkpoints import write_llama

IDS = [3, 1, 4, 1, 5]


@pytest.fixture
def run(tmp_path: Path) -> models.ModelTrace:
    return models.load(write_llama(tmp_path)).run(IDS)


def shifted(run: models.ModelTrace, head: int | None, by: float) -> WeightPatch:
    """Return a head's weights with a number added to what it puts out."""
    patch = patch_of(attention_document(run, 1, head))
    return WeightPatch(1, head, {**patch.weights, "b_O": np.full(32, by, np.float32)})


def test_a_heads_later_weights_replace_the_earlier_ones(run) -> None:
    twice = with_patches(run, [shifted(run, 0, 1), shifted(run, 0, 2)])
    np.testing.assert_array_equal(twice.weights(1)["b_O"], np.full(32, 2))


def test_what_several_heads_add_adds_up(run) -> None:
    both = with_patches(run, [shifted(run, 0, 1), shifted(run, 3, 2)])
    np.testing.assert_array_equal(both.weights(1)["b_O"], np.full(32, 3))


def test_the_weights_of_a_layer_replace_those_of_its_heads(run) -> None:
    whole = patch_of(attention_document(run, 1))
    assert with_patches(run, [shifted(run, 0, 1), whole]).changes == {}
    other = WeightPatch(0, None, patch_of(attention_document(run, 0)).weights)
    assert set(with_patches(run, [shifted(run, 0, 1), other]).changes) == {1}
