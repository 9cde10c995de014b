"""The table of a model's heads, against NumPy by hand on recorded attentions."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import HeadRow, head_table
from tests.models import recorded
from tests.models.checkpoints import write_gpt2


def by_hand(attentions):
    """Return the rows of weights of shape (layers, heads, n, n) that add up to 1."""
    rows = []
    for layer, heads in enumerate(attentions.astype(np.float64)):
        for head, weights in enumerate(heads):
            n = len(weights)
            logarithms = np.log2(weights, where=weights > 0, out=np.zeros((n, n)))
            bits = -(weights * logarithms).sum(1)
            away = np.abs(np.subtract.outer(np.arange(n), np.arange(n)))
            numbers = (
                bits.mean(),
                (2**bits).mean(),
                (weights * away).sum(1).mean(),
                weights[:, 0].mean(),
                np.mean([weights[i, i - 1] for i in range(1, n)]),
                np.trace(weights) / n,
            )
            rows.append((layer, head, *numbers))
    return np.array(rows)


def test_the_heads_of_minilm_are_as_its_recorded_attentions_say(minilm: Path) -> None:
    case = recorded.DATA / "minilm" / "minilm_2_len20"
    text = json.loads(case.with_suffix(".json").read_text(encoding="utf-8"))["text"]
    with np.load(case.with_suffix(".npz"), allow_pickle=False) as arrays:
        want = by_hand(arrays["out.attentions"])
    got = list(head_table(models.load(minilm).run(text)))
    assert len(got) == 6 * 12
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["gpt2", "llama", "mistral_window"])
def test_a_decoders_heads_are_as_recorded(name: str, tmp_path: Path) -> None:
    case = recorded.load(name)
    run = models.load(case.write(tmp_path)).run(case.input_ids)
    want = by_hand(case.results["attentions"])
    np.testing.assert_allclose(list(head_table(run)), want, rtol=1e-4, atol=1e-5)


def test_layers_can_be_chosen_and_come_as_they_are_asked_for(tmp_path: Path) -> None:
    run = models.load(write_gpt2(tmp_path)).run([1, 2, 3])
    rows = {row[:2]: row for row in head_table(run)}
    got = list(head_table(run, [1, 0]))
    assert [row[:2] for row in got] == [
        *((1, head) for head in range(run.model.n_heads)),
        *((0, head) for head in range(run.model.n_heads)),
    ]
    assert got == [rows[row[:2]] for row in got]
    with pytest.raises(IndexError, match="The 'layer' must be from 0 to "):
        list(head_table(run, [run.model.n_layers]))


def test_a_token_alone_looks_at_itself_and_has_none_before(tmp_path: Path) -> None:
    run = models.load(write_gpt2(tmp_path)).run([5])
    for row in head_table(run):
        assert math.isnan(row.previous_share)
        alone = HeadRow(row.layer, row.head, 0, 1, 0, 1, row.previous_share, 1)
        assert row == alone
