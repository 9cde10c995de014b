"""Copying scores, against eigenvalues over the whole vocabulary."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import copying_score, weights
from tests.models.by_hand import tensors
from tests.models.checkpoints import write_bert, write_gemma2, write_gpt2, write_llama
from tests.models.circuits import dense


def score(whole: np.ndarray) -> float:
    values = np.linalg.eigvals(whole)
    return values.sum().real / np.abs(values).sum()


def test_the_score_is_that_of_all_eigenvalues_over_the_vocabulary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "AT_ONCE", 32 * 10)  # five blocks of tokens
    gpt2 = models.load(write_gpt2(tmp_path / "gpt2", tie_word_embeddings=False))
    given = tensors(gpt2.path)
    final = dense.CENTRE @ np.diag(given["ln_f.weight"])
    found = []
    for head in range(4):
        _, ov = dense.gpt2(given, 1, head)
        whole = given["wte.weight"] @ ov @ final @ given["lm_head.weight"].T
        found.append(copying_score(gpt2, 1, head))
        assert found[-1] == pytest.approx(score(whole), abs=1e-5)
    assert np.ptp(found) > 0.1
    gemma = models.load(write_gemma2(tmp_path / "gemma"))
    given = tensors(gemma.path)
    table = given["model.embed_tokens.weight"]
    final = np.diag(1 + given["model.norm.weight"])
    whole = table @ dense.gemma2(given, 0, 3)[1] @ final @ table.T
    assert copying_score(gemma, 0, 3) == pytest.approx(score(whole), abs=1e-5)


def overwrite(folder: Path, arrays: Mapping[str, np.ndarray]) -> None:
    """Put other float32 numbers into a checkpoint."""
    file = folder / "model.safetensors"
    content = bytearray(file.read_bytes())
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    for name, array in arrays.items():
        first, last = (start + offset for offset in header[name]["data_offsets"])
        content[first:last] = array.astype("<f4").tobytes()
    file.write_bytes(content)


def test_a_head_that_copies_has_1_one_that_negates_minus_1_and_a_silent_one_none(
    tmp_path: Path,
) -> None:
    one_head = {"num_attention_heads": 1, "num_key_value_heads": 1}
    folder = write_llama(
        tmp_path, num_hidden_layers=3, tie_word_embeddings=True, **one_head
    )
    overwrite(
        folder,
        {
            f"model.layers.{layer}.self_attn.{part}_proj.weight": factor * np.eye(32)
            for layer, sign in enumerate((1, -1, 0))
            for part, factor in (("v", 1), ("o", sign))
        },
    )
    model = models.load(folder)
    assert copying_score(model, 0, 0) == pytest.approx(1, abs=1e-6)
    assert copying_score(model, 1, 0) == pytest.approx(-1, abs=1e-6)
    assert np.isnan(copying_score(model, 2, 0))


def test_weights_that_are_no_finite_numbers_are_refused(tmp_path: Path) -> None:
    folder = write_gpt2(tmp_path, n_layer=1)
    overwrite(folder, {"transformer.wte.weight": np.full((48, 32), np.inf)})
    model = models.load(folder)
    with pytest.raises(ValueError, match="products with the unembedding"):
        copying_score(model, 0, 0)
    overwrite(folder, {"transformer.h.0.ln_1.weight": np.full(32, np.nan)})
    with pytest.raises(ValueError, match="weights of L0 H1"):
        models.circuit(models.load(folder), 0, 1)


def test_models_that_predict_no_tokens_are_refused(tmp_path: Path) -> None:
    bert = models.load(write_bert(tmp_path / "bert"))
    with pytest.raises(ValueError, match=r"must predict tokens.*Got BERT without one"):
        copying_score(bert, 0, 0)
    base = write_llama(tmp_path / "llama", head=False)
    with pytest.raises(ValueError, match=r"must predict tokens.*Got Llama without one"):
        copying_score(models.load(base), 0, 0)
