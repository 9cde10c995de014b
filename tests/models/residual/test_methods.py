"""Runs have what their parts contribute as methods."""

import numpy as np

from attnviewer import models
from tests.models.checkpoints import write_gpt2


def test_each_split_of_a_run_sums_to_what_is_split(tmp_path) -> None:
    run = models.load(write_gpt2(tmp_path / "gpt2")).run([1, 4, 2, 7])
    lens, last = run.logit_lens(2), run.model.n_layers - 1
    np.testing.assert_allclose(lens.logits[-1], run.logits[2], rtol=1e-5, atol=1e-6)
    difference = run.logits[-1, 3] - run.logits[-1, 5]
    total = run.attribution(3, against=5).total
    np.testing.assert_allclose(total, difference, rtol=1e-4, atol=1e-6)
    parts = run.score_parts(last, 1, 3, 0)
    np.testing.assert_allclose(parts.matrix.sum(), parts.score, rtol=1e-4, atol=1e-6)
    assert not np.triu(run.written(last, 1), 1).any()
