"""A run is computed as far as it is looked at, and can be changed."""

from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute.validate import check_inputs
from attnviewer.models import forward_pass
from attnviewer.models.blocks import apply_norm, attention_of
from tests.models.checkpoints import (
    numbers,
    write_bert,
    write_gpt2,
    write_llama,
    write_roberta,
)

IDS = [3, 1, 4, 1, 5]


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2"))


@pytest.fixture
def bert(tmp_path: Path) -> models.Model:
    return models.load(write_bert(tmp_path / "bert"))


def test_hidden_states_are_a_sequence_like_any_other(gpt2: models.Model) -> None:
    states = gpt2.run(IDS).hidden_states
    assert len(states) == 3
    assert len(states[:2]) == 2
    np.testing.assert_array_equal(states[-1], states[2])
    assert np.asarray(states).shape == (3, 5, 32)
    for beyond in (3, -4):
        with pytest.raises(IndexError, match=f"from 0 to 2. Got {beyond}"):
            states[beyond]


def test_hidden_states_are_stored_by_columns_as_fast_sums_need_them(bert) -> None:
    for rows in bert.run(IDS).hidden_states:
        assert rows.flags.f_contiguous
        assert not rows.flags.writeable


def test_a_kept_attention_is_not_computed_again_for_the_next_layer(
    gpt2: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = gpt2.run(IDS).hidden_states[-1]
    computed: list[object] = []

    def noted(spec: object, x: object, weights: object) -> object:
        computed.append(spec)
        return attention_of(spec, x, weights)

    monkeypatch.setattr(forward_pass, "attention_of", noted)
    run = gpt2.run(IDS)
    kept = [run.attention(layer) for layer in range(2)]
    np.testing.assert_array_equal(run.hidden_states[-1], states)
    assert len(computed) == 2
    changed = run.with_weights(1, {"W_V": 0 * run.weights(1)["W_V"]})
    assert not np.array_equal(changed.attention(1)["V"], kept[1]["V"])
    kept.clear()
    run.attention(0)
    assert len(computed) == 4


def test_the_weights_of_a_layer_are_checked_against_its_input_once(
    gpt2: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[object] = []

    def noted(spec: object, *given: object, **options: object) -> None:
        checked.append(spec)
        check_inputs(spec, *given, **options)

    monkeypatch.setattr(forward_pass, "check_inputs", noted)
    for ids in (IDS, IDS[::-1]):
        run = gpt2.run(ids)
        for layer in range(2):
            run.attention(layer)
    assert len(checked) == 2
    run.with_weights(1, {"W_V": 0 * run.weights(1)["W_V"]}).attention(1)
    assert len(checked) == 3


def test_attention_that_nobody_keeps_is_computed_once_where_layers_follow(
    gpt2: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = gpt2.run(IDS).hidden_states[-1]
    computed: list[object] = []

    def noted(spec: object, x: object, weights: object) -> object:
        computed.append(spec)
        return attention_of(spec, x, weights)

    monkeypatch.setattr(forward_pass, "attention_of", noted)
    run = gpt2.run(IDS)
    for layer in range(2):
        run.attention(layer)["weights"]
    np.testing.assert_array_equal(run.hidden_states[-1], states)
    assert len(computed) == 2


def test_the_input_of_each_attention_is_normed_once(
    gpt2: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    normed: list[str] = []

    def noted(x: np.ndarray, norm: str, *others: object) -> np.ndarray:
        normed.append(norm)
        return apply_norm(x, norm, *others)

    monkeypatch.setattr(forward_pass, "apply_norm", noted)
    run = gpt2.run(IDS)
    kept = [run.attention(layer) for layer in range(2)]
    assert run.hidden_states[-1].shape == kept[-1]["output"].shape
    assert normed.count("attention_input") == 2


def test_no_further_layer_is_computed_than_is_looked_at(
    gpt2: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    layer_of = gpt2.weights.layer

    def noted(layer: int, parts):
        read.append(layer)
        return layer_of(layer, parts)

    monkeypatch.setattr(gpt2.weights, "layer", noted)
    run = gpt2.run(IDS)
    assert read == []
    run.hidden_states[0]
    assert read == []
    run.attention(0)
    assert set(read) == {0}
    read.clear()
    run.hidden_states[1]
    assert set(read) == {0}
    read.clear()
    run.hidden_states[1]
    assert read == []


def test_numbers_of_a_run_cannot_be_written_by_accident(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    with pytest.raises(ValueError, match="read-only"):
        run.hidden_states[0][0, 0] = 1
    with pytest.raises(ValueError, match="read-only"):
        run.weights(0)["W_Q"][0, 0] = 1


@pytest.mark.parametrize("layer", [-1, 2])
def test_a_layer_that_is_not_there_is_refused(gpt2: models.Model, layer: int) -> None:
    with pytest.raises(IndexError, match="from 0 to 1"):
        gpt2.run(IDS).attention(layer)


def test_a_layer_must_be_a_number(gpt2: models.Model) -> None:
    with pytest.raises(TypeError, match="'layer'"):
        gpt2.run(IDS).attention("0")  # type: ignore[arg-type]


def test_attention_adds_what_it_says_to_the_hidden_states(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    after = run.hidden_states[0] + run.attention(0)["output"]
    np.testing.assert_array_equal(run.after_attention(0), after)


def test_the_next_tokens_are_the_largest_of_a_softmax(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    logits = run.logits.astype(np.float64)
    for position in (-1, 1):
        exponentials = np.exp(logits[position])
        probabilities = exponentials / exponentials.sum()
        best = run.next_tokens(3, position)
        expected = sorted(range(48), key=lambda id: -probabilities[id])[:3]
        assert [token.id for token in best] == expected
        assert [token.token for token in best] == [f"#{id}" for id in expected]
        for token in best:
            assert token.probability == pytest.approx(probabilities[token.id], 1e-5)


def test_an_encoder_predicts_no_tokens(bert: models.Model) -> None:
    with pytest.raises(ValueError, match="predict tokens"):
        bert.run(IDS).next_tokens()


def test_a_decoder_embeds_no_sentence(gpt2: models.Model) -> None:
    with pytest.raises(ValueError, match="encoder"):
        _ = gpt2.run(IDS).sentence_embedding


def test_a_decoder_without_a_table_for_it_predicts_nothing(tmp_path: Path) -> None:
    bare = models.load(write_llama(tmp_path, head=False, tie_word_embeddings=False))
    with pytest.raises(ValueError, match="predict tokens"):
        _ = bare.run(IDS).logits


def test_without_word_of_it_a_sentence_is_the_mean_of_its_tokens(
    bert: models.Model,
) -> None:
    run = bert.run(IDS)
    mean = sum(run.hidden_states[-1]) / len(IDS)
    np.testing.assert_allclose(run.sentence_embedding, mean, rtol=1e-5, atol=1e-6)


def test_padding_takes_no_place_of_its_own_in_roberta(tmp_path: Path) -> None:
    model = models.load(write_roberta(tmp_path))
    padding = model.architecture.padding
    assert padding is not None
    alone = model.run([7, 8]).hidden_states[0]
    padded = model.run([padding, 7, padding, 8]).hidden_states[0]
    np.testing.assert_array_equal(padded[[1, 3]], alone)


def test_other_weights_change_what_comes_after_them_alone(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    zero = np.zeros_like(run.weights(1)["W_O"])
    changed = run.with_weights(1, {"W_O": zero})
    np.testing.assert_array_equal(changed.hidden_states[1], run.hidden_states[1])
    # Without W_O the attention of layer 1 gives its bias alone.
    bias = run.weights(1)["b_O"]
    np.testing.assert_allclose(
        changed.after_attention(1), run.hidden_states[1] + bias, rtol=1e-6
    )
    assert not np.allclose(changed.logits, run.logits)
    back = changed.unchanged()
    np.testing.assert_array_equal(back.logits, run.logits)


def test_changes_of_several_layers_add_up(gpt2: models.Model) -> None:
    run = gpt2.run(IDS)
    zero = {"W_O": np.zeros((32, 32))}
    one_by_one = run.with_weights(1, zero).with_weights(0, zero)
    the_other_way = run.with_weights(0, zero).with_weights(1, zero)
    np.testing.assert_array_equal(one_by_one.logits, the_other_way.logits)
    assert set(one_by_one.changes) == {0, 1}


def test_a_bias_may_come_where_the_model_has_none(tmp_path: Path) -> None:
    run = models.load(write_llama(tmp_path)).run(IDS)
    bias = np.arange(32, dtype=np.float32)
    changed = run.with_weights(0, {"b_O": bias})
    np.testing.assert_allclose(
        changed.after_attention(0), run.after_attention(0) + bias, rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"W_Q": np.zeros((32, 31))}, r"shape \(32, 32\).*Got \(32, 31\)"),
        ({"b_O": np.zeros(31)}, r"shape \(32,\)"),
        ({"W_up": np.zeros((32, 32))}, "one of .*Got 'W_up'"),
        ({"W_Q": np.full((32, 32), np.nan)}, "finite"),
        ({"W_Q": np.full((32, 32), 1e300)}, r"finite.*inf at \[0, 0\]"),
        ({"W_Q": [[1.0], [1.0, 2.0]]}, "rows of different lengths"),
    ],
)
def test_weights_that_do_not_fit_are_refused(
    gpt2: models.Model, weights: dict[str, np.ndarray], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        gpt2.run(IDS).with_weights(0, weights)


def test_a_weight_that_is_no_number_is_told_when_its_layer_is_looked_at(
    tmp_path: Path,
) -> None:
    folder = write_gpt2(tmp_path)
    run = models.load(folder).run(IDS)
    path = folder / "model.safetensors"
    whole = bytearray(path.read_bytes())
    first = whole.find(np.float32(run.weights(0)["W_Q"][0, 0]).tobytes())
    whole[first : first + 4] = np.float32(np.nan).tobytes()
    path.write_bytes(whole)
    with pytest.raises(ValueError, match="finite"):
        models.load(folder).run(IDS).attention(0)


def test_weights_must_be_real_numbers(gpt2: models.Model) -> None:
    with pytest.raises(TypeError, match=r"'W_Q'.*complex128"):
        gpt2.run(IDS).with_weights(0, {"W_Q": np.zeros((32, 32), complex)})


@pytest.mark.parametrize("position", [5, -6])
def test_a_place_that_no_token_has_is_refused(
    gpt2: models.Model, position: int
) -> None:
    with pytest.raises(IndexError, match=f"one of 5 tokens.*Got {position} "):
        gpt2.run(IDS).next_tokens(position=position)


def with_number(folder: Path, tensor: str, shape: tuple[int, ...], to: float) -> Path:
    """Write a number over the first one of a tensor."""
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    centre = 1.0 if tensor.endswith(("ln_f.weight", "ln_2.weight")) else 0.0
    first = content.find(numbers(tensor, shape, centre).tobytes())
    content[first : first + 4] = np.float32(to).tobytes()
    path.write_bytes(content)
    return folder


@pytest.mark.parametrize("to", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize(
    ("tensor", "shape", "told"),
    [
        ("wpe.weight", (16, 32), "(embeddings|hidden states after layer 0)"),
        ("h.0.mlp.c_fc.weight", (32, 128), "hidden states after layer 0"),
        ("h.0.ln_2.weight", (32,), "hidden states after layer 0"),
        ("h.1.mlp.c_proj.bias", (32,), "hidden states after (layer 1|the final norm)"),
        ("ln_f.weight", (32,), "(hidden states after the final norm|logits)"),
    ],
)
def test_numbers_that_are_not_finite_are_told_by_their_layer(
    tmp_path: Path, tensor: str, shape: tuple[int, ...], told: str, to: float
) -> None:
    folder = with_number(write_gpt2(tmp_path), tensor, shape, to)
    run = models.load(folder).run(IDS)
    with pytest.raises(ValueError, match=f"The {told} must hold finite numbers"):
        run.next_tokens()


def test_numbers_that_get_too_large_are_told_by_their_layer(tmp_path: Path) -> None:
    folder = with_number(write_gpt2(tmp_path), "h.0.ln_2.weight", (32,), 3e38)
    run = models.load(folder).run(IDS)
    with pytest.raises(ValueError, match="The hidden states after layer 0 must hold f"):
        run.attention(1)
