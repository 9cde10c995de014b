"""Gains and shifts of norms, and sinks, among the doctor's inputs."""

import numpy as np
import pytest

import attnviewer
from attnviewer.doctor.reading.learned_rows import learned_rows

H, D = 2, 4


@pytest.fixture
def inputs():
    random = np.random.default_rng(4)
    found = {"X": random.normal(size=(5, H * D))}
    found |= {f"W_{name}": random.normal(size=(H * D, H * D)) for name in "QKV"}
    return found


def weights_of(inputs, prepared, normalized):
    q, k = (
        prepared((inputs["X"] @ inputs[f"W_{n}"]).reshape(5, H, D).swapaxes(0, 1), n)
        for n in "QK"
    )
    return normalized(q @ k.swapaxes(-1, -2) / D**0.5)


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("gain_Q", "gain_q"),
        ("self_attn.q_norm.weight", "gain_q"),
        ("k_layernorm.weight", "gain_k"),
        ("norm_k.weight", "gain_k"),
        ("query_norm.scale", "gain_q"),
        ("q_norm.bias", "shift_q"),
        ("shift_K", "shift_k"),
        ("sinks", "sinks"),
        ("self_attn.sinks", "sinks"),
    ],
)
def test_a_row_is_known_by_the_names_of_libraries(name, role):
    assert learned_rows({name: np.ones(D)}) == {role: name}


def test_weights_and_biases_are_no_learned_rows():
    names = ("X", "W_Q", "b_K", "q_proj.weight", "k_proj.bias", "norm.weight")
    assert not learned_rows({name: np.ones(D) for name in names})


@pytest.mark.parametrize("options", [{}, {"qk_norm": "rms"}])
def test_gains_tell_of_an_rms_norm(inputs, options):
    gains = {"Q": np.linspace(0.5, 2, D), "K": np.linspace(2, 1, D)}

    def normed(rows, name):
        return rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-6) * gains[name]

    given = inputs | {"q_norm.weight": gains["Q"], "k_norm.weight": gains["K"]}
    mine = {"weights": weights_of(inputs, normed, softmax)}
    diagnosis = attnviewer.diagnose(given, mine, n_heads=H, **options)
    assert diagnosis.agrees
    assert any("RMS norm" in note for note in diagnosis.notes) == (not options)


def test_shifts_tell_of_a_layer_norm(inputs):
    rows = {n: np.linspace(0.5, 2, D) + k for k, n in enumerate("QK")}

    def normed(heads, name):
        less = heads - heads.mean(-1, keepdims=True)
        root = np.sqrt((less**2).mean(-1, keepdims=True) + 1e-6)
        return less / root * rows[name] - rows[name]

    given = dict(inputs)
    for name in "QK":
        given |= {f"gain_{name}": rows[name], f"shift_{name}": -rows[name]}
    mine = {"weights": weights_of(inputs, normed, softmax)}
    assert attnviewer.diagnose(given, mine, n_heads=H).agrees


def test_sinks_are_beside_the_scores(inputs):
    sinks = np.array([0.3, -1.0])

    def beside(scores):
        powers = np.exp(scores)
        more = np.exp(sinks)[:, None, None]
        return powers / (powers.sum(axis=-1, keepdims=True) + more)

    mine = {"weights": weights_of(inputs, lambda rows, _: rows, beside)}
    assert attnviewer.diagnose(inputs | {"sinks": sinks}, mine, n_heads=H).agrees
    dropped = {"weights": weights_of(inputs, lambda rows, _: rows, softmax)}
    found = attnviewer.diagnose(inputs, dropped, n_heads=H, sinks=sinks)
    assert found.findings[0].id == "sink-missing"
