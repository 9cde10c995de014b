"""Recordings: their steps, documents and files."""

import json
from pathlib import Path

import numpy as np
import pytest

import attnviewer
from attnviewer.compute import Spec
from attnviewer.io import FileError
from attnviewer.recording import RecordedRun
from attnviewer.recording.recorded_layer import RecordedLayer

DATA = Path(__file__).parents[1] / "data" / "recorded"
BATCH, HEADS, KV_HEADS, N, D = 2, 4, 2, 5, 3


def _layer(name: str = "layers.0.attention", **options) -> RecordedLayer:
    random = np.random.default_rng(0)
    spec = Spec(
        **{"projected": False, "given": True, "n_heads": HEADS, "n_kv_heads": KV_HEADS},
        **options,
    )
    inputs = {
        "Q": random.standard_normal((BATCH, HEADS, N, D)),
        "K": random.standard_normal((BATCH, KV_HEADS, N, D)),
        "V": random.standard_normal((BATCH, KV_HEADS, N, D)),
    }
    if spec.bias:
        inputs["bias"] = random.standard_normal((1, HEADS, N, N))
    return RecordedLayer(name, spec, inputs)


def _by_hand(layer: RecordedLayer, batch: int, head: int):
    served = head * KV_HEADS // HEADS
    queries, keys, values = (
        layer.inputs[name][batch, number]
        for name, number in (("Q", head), ("K", served), ("V", served))
    )
    scores = queries @ keys.T / np.sqrt(D) + layer.inputs["bias"][0, head]
    weights = np.exp(scores)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights, weights @ values


def test_the_steps_of_a_layer_are_those_of_its_item_and_heads() -> None:
    layer = _layer(bias=True)
    trace = RecordedRun([layer]).attention(0, batch=1)
    for head in range(HEADS):
        weights, output = _by_hand(layer, 1, head)
        np.testing.assert_allclose(trace["weights"][head], weights)
        np.testing.assert_allclose(trace["output"][head], output)


def test_a_recording_of_gpt2_gives_the_weights_of_transformers() -> None:
    recorded = attnviewer.load_recording(DATA / "gpt2.npz")
    weights = np.load(DATA / "gpt2_weights.npz")["weights"]  # (layers, batch, h, n, n)
    assert [layer.name for layer in recorded.layers] == ["h.0.attn", "h.1.attn"]
    for layer, batch in np.ndindex(weights.shape[:2]):
        found = recorded.attention(layer, batch)
        np.testing.assert_allclose(found["weights"], weights[layer, batch], atol=1e-6)
        recorded_output = recorded.layers[layer].output[batch]
        np.testing.assert_allclose(found["output"], recorded_output, atol=1e-5)
    assert recorded.diagnose(layer=1).agrees
    assert recorded.layers[0].diagnose().agrees


def test_a_saved_recording_has_every_layer_and_number(tmp_path) -> None:
    recorded = RecordedRun([_layer("a", bias=True, softcap=5.0), _layer("b")])
    recorded.save(tmp_path / "run.npz")
    again = attnviewer.load_recording(tmp_path / "run.npz")
    for before, after in zip(recorded.layers, again.layers, strict=True):
        assert (after.name, after.spec) == (before.name, before.spec)
        assert after.inputs.keys() == before.inputs.keys()
        for name, array in before.inputs.items():
            np.testing.assert_array_equal(after.inputs[name], array)


def test_a_document_has_the_numbers_of_a_layer() -> None:
    recorded = RecordedRun([_layer(bias=True)])
    document = recorded.document(0, 3, batch=1, tokens=list("ABCDE"))
    assert document.tokens == ("A", "B", "C", "D", "E")
    assert document.title == "layers.0.attention"
    weights, _ = _by_hand(recorded.layers[0], 1, 3)
    np.testing.assert_allclose(document.compute()["weights"], weights)


def test_a_document_is_there_before_anything_is_computed(monkeypatch) -> None:
    def compute(*_arguments: object) -> None:
        raise AssertionError("The layer is computed.")

    layer = _layer()
    monkeypatch.setattr("attnviewer.recording.recorded_layer.run", compute)
    document = RecordedRun([layer]).document(0, 1)
    np.testing.assert_array_equal(document.matrices["Q"], layer.inputs["Q"][0, 1])
    layer.inputs["V"][0, 0, 0, 0] = np.nan
    with pytest.raises(ValueError, match="finite"):
        RecordedRun([layer]).document(0)


def test_a_recording_shows_its_layers_by_their_sizes_not_their_numbers() -> None:
    layer = _layer("<a>")
    recorded = RecordedRun([layer])
    assert repr(recorded) == "<RecordedRun of 1 layer: '<a>'>"
    told = "<RecordedLayer '<a>': batch 2, 4 heads, 5 queries, 5 keys>"
    assert repr(recorded.layers) == f"({told},)"
    row = "<td>0</td><td>&lt;a&gt;</td><td>2</td><td>4</td><td>5</td><td>5</td>"
    assert row in recorded._repr_html_()
    assert repr(RecordedRun()) == "<RecordedRun of 0 layers>"


def test_layers_and_items_that_are_not_there_are_refused() -> None:
    recorded = RecordedRun([_layer()])
    with pytest.raises(IndexError, match=r"'layer' must be from 0 to 0\. Got 1"):
        recorded.attention(1)
    with pytest.raises(IndexError, match=r"'batch' must be from 0 to 1\. Got 2"):
        recorded.attention(0, batch=2)
    told = "must be recorded to be compared.*before it is saved"
    with pytest.raises(ValueError, match=told):
        recorded.diagnose(layer=0)


def _npz(path: Path, statement, **arrays) -> Path:
    np.savez(path, attnviewer=np.array(json.dumps(statement)), **arrays)
    return path


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ({}, "It is not a recording"),
        ({"recording": 3}, "does not fit its arrays"),
        ({"recording": []}, "It lists no layers"),
        ({"recording": [{"name": "a", "spec": {}}]}, r"'layers\.0\.V' is no input"),
        ({"recording": [{"name": "a", "spec": {"n_heads": 0}}]}, "'n_heads' must be"),
        (
            {"recording": [{"name": "a", "spec": {"projected": False, "given": True}}]},
            r"layers\.0\.K: Its description has this array, and the file has not",
        ),
    ],
)
def test_what_is_no_recording_is_refused_with_the_reason(
    tmp_path, statement, reason
) -> None:
    arrays = {"layers.0.Q": np.ones((1, 1, 2, 2))}
    path = _npz(tmp_path / "run.npz", statement, **arrays)
    with pytest.raises(FileError, match=reason) as caught:
        attnviewer.load_recording(path)
    assert str(path.name) in str(caught.value)
