"""What components contribute is gradient × input, as torch's autograd finds it."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models.residual import (
    Component,
    attribution,
    components,
    embedding_shares,
    score_parts,
)
from tests.models import checkpoints, recorded

TOLD = json.loads((recorded.DATA / "components.json").read_text(encoding="utf-8"))
ATOL = 3e-6


def run_of(family: str, folder: Path) -> models.ModelTrace:
    """Run the checkpoint, the same to the last bit as when it was recorded."""
    checkpoints.write(family, folder, **TOLD[family]["options"])
    assert recorded.digest(folder) == TOLD[family]["weights_sha256"]
    return models.load(folder).run(TOLD["input_ids"])


def assert_same(
    named: Sequence[Component], values: np.ndarray, expected: dict[str, float]
) -> None:
    found = dict(zip(map(str, named), values.tolist(), strict=True))
    assert len(found) == len(named)
    assert found == pytest.approx(expected, abs=ATOL, rel=1e-5)


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama", "gemma2"])
def test_scores_and_outputs_are_split_as_autograd_splits_them(
    family: str, tmp_path: Path
) -> None:
    told, run = TOLD[family], run_of(family, tmp_path)
    parts = score_parts(run, **TOLD["cell"])
    assert parts.score == pytest.approx(told["score"], rel=1e-5)
    assert parts.matrix.sum() == pytest.approx(told["score"], rel=1e-5)
    assert_same(parts.components, parts.by_query.values, told["score by Q"])
    assert_same(parts.components, parts.by_key.values, told["score by K"])
    if family == "bert":
        shares, expected = embedding_shares(run), told["embedding"]
    else:
        shares = attribution(run, TOLD["token"], TOLD["against"])
        expected = told["logit"]
    assert_same(shares.components, shares.values, expected)
    for layer in range(4):
        stream = components(run, layer)
        np.testing.assert_allclose(stream.total, run.stream(layer), atol=ATOL)
