"""Gradients on every kind of site are those of PyTorch's autograd.

Recorded by ``python -m tests.models.record_gradients``, which says how.
"""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import EmbeddingCosine, Gradients, Logit, Probability, Site
from tests.models import backpropagated, checkpoints


def metric_of(model: models.Model, case: backpropagated.Measured) -> "object":
    if case.token is None:
        return EmbeddingCosine(model.run(backpropagated.REFERENCE))
    if case.probability:
        return Probability(case.token, case.position)
    return Logit(case.token, case.minus, case.position)


@pytest.mark.parametrize("family", backpropagated.CASES)
def test_gradients_at_every_site_are_those_of_autograd(
    family: str, tmp_path: Path
) -> None:
    model = models.load(checkpoints.write(family, tmp_path))
    run = model.run(backpropagated.IDS)
    gradients = Gradients(run, metric_of(model, backpropagated.CASES[family]))
    recorded = backpropagated.load(family)
    for kind, layer in reversed(backpropagated.SITES):
        site = Site(kind, layer)
        gradient = gradients[site]
        assert gradient.dtype == np.float32
        assert gradient.shape == run.activation(site).shape
        got = backpropagated.part_of(gradient)
        recorded, want = np.split(recorded, [len(recorded) - got.size])
        largest = np.abs(gradient).max()
        assert largest > 1e-4
        np.testing.assert_allclose(
            got.ravel(), want, rtol=0, atol=1e-5 * largest, err_msg=site.name
        )
    assert not recorded.size
