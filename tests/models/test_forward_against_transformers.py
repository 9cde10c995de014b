"""Models of every family compute what transformers recorded of them."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from tests.models import recorded

_TINY = recorded.DATA / "tiny_decoders"
_CLOSE = {"rtol": 1e-4, "atol": 2e-5}
"""What the cases of the tiny decoders allow."""


def _assert_equal(run: models.ModelTrace, want: dict[str, np.ndarray]) -> None:
    states = [*want["hidden_states"]]
    if "last_hidden_state" in want:
        states.append(want["last_hidden_state"])
    assert len(run.hidden_states) == len(states)
    for layer, rows in enumerate(states):
        got = np.asarray(run.hidden_states[layer])
        np.testing.assert_allclose(got, rows, **_CLOSE, err_msg=f"layer {layer}")
    for layer, weights in enumerate(want["attentions"]):
        got = np.asarray(run.attention(layer)["weights"])
        np.testing.assert_allclose(got, weights, **_CLOSE, err_msg=f"layer {layer}")
    if "logits" in want:
        np.testing.assert_allclose(run.logits, want["logits"], **_CLOSE)


@pytest.mark.parametrize("name", recorded.names())
def test_a_configuration_computes_what_transformers_does(
    name: str, tmp_path: Path
) -> None:
    case = recorded.load(name)
    run = models.load(case.write(tmp_path)).run(case.input_ids)
    assert len(run.tokens) == len(case.input_ids)
    _assert_equal(run, case.results)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("albert", "is_decoder", True),
        ("mistral", "mlp_bias", True),
        ("modernbert_untruncated", "original_max_position_embeddings", 8),
    ],
)
def test_a_field_that_a_family_does_not_read_has_no_effect(
    name: str, field: str, value: object, tmp_path: Path
) -> None:
    case = recorded.load(name)
    path = case.write(tmp_path) / "config.json"
    config = json.loads(path.read_text(encoding="utf-8")) | {field: value}
    path.write_text(json.dumps(config), encoding="utf-8")
    _assert_equal(models.load(tmp_path).run(case.input_ids), case.results)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        (
            "gpt2",
            {
                "n_embd": "hidden_size",
                "n_layer": "num_hidden_layers",
                "n_head": "num_attention_heads",
                "n_positions": "max_position_embeddings",
            },
        ),
        (
            "distilbert",
            {
                "dim": "hidden_size",
                "n_layers": "num_hidden_layers",
                "n_heads": "num_attention_heads",
            },
        ),
        ("gpt_oss", {"num_local_experts": "num_experts"}),
    ],
)
@pytest.mark.parametrize("beside", [False, True])
def test_fields_have_other_names_which_count_even_beside_their_own(
    name: str, others: dict[str, str], beside: bool, tmp_path: Path
) -> None:
    case = recorded.load(name)
    path = case.write(tmp_path) / "config.json"
    config = json.loads(path.read_text(encoding="utf-8"))
    for own, other in others.items():
        config[other] = config.pop(own)
        if beside:
            config[own] = 1
    path.write_text(json.dumps(config), encoding="utf-8")
    _assert_equal(models.load(tmp_path).run(case.input_ids), case.results)


@pytest.mark.parametrize(
    "name", ["gpt2_len1", "gpt2_len2", "llama_len2", "llama_len33"]
)
def test_a_saved_decoder_computes_what_transformers_does(name: str) -> None:
    told = json.loads((_TINY / f"{name}.json").read_text(encoding="utf-8"))
    assert {"rtol": told["rtol"], "atol": told["atol"]} == _CLOSE
    with np.load(_TINY / f"{name}.npz", allow_pickle=False) as arrays:
        ids = arrays["in.input_ids"].tolist()
        want = {
            k: arrays[f"out.{k}"] for k in ("hidden_states", "attentions", "logits")
        }
    run = models.load(_TINY / name.partition("_")[0]).run(ids)
    _assert_equal(run, want)
