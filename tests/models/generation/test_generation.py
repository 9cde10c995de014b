"""Generation with a cache beside runs without one, and beside transformers."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import Sampling, generate
from tests.models import checkpoints, encoder_decoders, generated
from tests.models.fused_configurations import FUSED
from tests.models.generated import CASES, FILTERS, LOGITS, PROMPT
from tests.models.growing_configurations import GROWING

INDUCTION = Path(__file__).parents[3] / "resources/notebooks/induction-model"
RECORDED = generated.recorded()


def opened(name: str, folder: Path) -> models.Model:
    case = CASES[name]
    return models.load(checkpoints.write(case.family, folder, **case.options))


def check_against_uncached(made: models.Generation) -> None:
    """Compare every row of a generation with a run over the whole sentence."""
    model = made.prompt.model
    whole = model.run(made.run.ids)
    for layer in range(model.n_layers):
        found, want = made.run.stream(layer + 1), whole.stream(layer + 1)
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)
        weights = whole.attention(layer)["weights"]  # (h, n, n)
        for number, step in enumerate(made.steps, len(made.prompt.ids)):
            want = weights[:, number, : number + 1]  # (h, n_k)
            np.testing.assert_allclose(step.attention_rows[layer], want, atol=1e-5)
    logits = whole.logits  # (n, n_tokens)
    for number, step in enumerate(made.steps, len(made.prompt.ids)):
        shares = np.exp(logits[number - 1]) / np.exp(logits[number - 1]).sum()
        assert step.token.probability == pytest.approx(shares[step.token.id], rel=1e-4)
        first = step.alternatives[0]
        assert first.probability == pytest.approx(shares.max(), rel=1e-4)


@pytest.mark.parametrize("name", ["gpt2", "llama", "window", "capped"])
def test_64_cached_tokens_equal_uncached_ones(name: str, tmp_path: Path) -> None:
    model = opened(name, tmp_path)
    made = generate(model.run(PROMPT), 64, temperature=1.5, top_k=40, seed=3)
    assert made.stopped == "All 64 tokens were generated."
    assert len(set(made.ids)) > 20
    check_against_uncached(made)


def test_a_trained_model_goes_on_until_its_positions_are_used_up() -> None:
    model = models.load(INDUCTION)
    ids = [40, 71, 22, 90, 15, 63]
    made = generate(model.run([*ids, *ids[:3]]), 64)
    assert made.ids[:3] == (90, 15, 63)  # what an induction head is for
    assert len(made.run.ids) == 48
    assert made.stopped == "The 48 positions of induction-model are used up."
    check_against_uncached(made)
    with pytest.raises(ValueError, match=r"leave a position.* Got 48 tokens"):
        generate(made.run)


@pytest.mark.parametrize("name", CASES)
def test_greedy_tokens_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    model = opened(name, tmp_path)
    made = generate(model.run(PROMPT), generated.N_TOKENS)
    assert list(made.ids) == RECORDED["greedy"][name]
    ended = name == "end"
    assert made.stopped == (
        "The token #24 ends the text." if ended else "All 24 tokens were generated."
    )


@pytest.mark.parametrize("name", FILTERS)
def test_filtered_probabilities_are_those_of_transformers(name: str) -> None:
    sampling = Sampling(**FILTERS[name])
    found = sampling.distribution(np.array(LOGITS, np.float32))
    np.testing.assert_allclose(found, RECORDED["filtered"][name], atol=1e-7)
    drawn = [sampling.choose(np.array(LOGITS), place) for place in range(500)]
    shares = np.bincount(drawn, minlength=len(LOGITS)) / len(drawn)
    # Four standard errors of 500 draws are at most 4 · √(0.25 / 500) = 0.09.
    np.testing.assert_allclose(shares, found, atol=0.09)
    assert not shares[found == 0].any()


def test_the_end_in_generation_config_goes_before_that_in_config(tmp_path) -> None:
    folder = checkpoints.write("llama", tmp_path, eos_token_id=24)
    (tmp_path / "generation_config.json").write_text(json.dumps({"eos_token_id": 13}))
    made = generate(models.load(folder).run(PROMPT), 24)
    assert made.ids == (6, 13)
    assert made.tokens == ("#6", "#13")
    listed = json.dumps({"eos_token_id": [3, 6, 13]})
    (tmp_path / "generation_config.json").write_text(listed)
    assert generate(models.load(folder).run(PROMPT), 24).ids == (6,)
    # transformers does not go back to config.json where the file names none.
    (tmp_path / "generation_config.json").write_text("{}")
    assert 24 in generate(models.load(folder).run(PROMPT), 24).ids[:-1]


@pytest.mark.parametrize("file", ["generation_config.json", "config.json"])
def test_settings_that_are_not_applied_are_told(file: str, tmp_path: Path) -> None:
    folder, path = checkpoints.write("llama", tmp_path), tmp_path / file
    told = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    neutral = {"num_beams": 1, "min_length": 0, "suppress_tokens": [], "top_k": 5}
    path.write_text(json.dumps(told | neutral), encoding="utf-8")
    plain = generate(models.load(folder).run(PROMPT), 3)
    assert not plain.notice
    asked = {"repetition_penalty": 1.3, "bad_words_ids": [[plain.ids[0]]]}
    path.write_text(json.dumps(told | asked), encoding="utf-8")
    made = generate(models.load(folder).run(PROMPT), 3)
    assert made.ids == plain.ids
    assert made.notice == (
        "Tokens are chosen by the model's probabilities alone, without what "
        f"{file} asks for: repetition_penalty, bad_words_ids."
    )


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"decoder_start_token_id": 0, "bos_token_id": 3}, ""),
        ({"decoder_start_token_id": 3}, "decoder_start_token_id."),
        ({"bos_token_id": 3}, "decoder_start_token_id (bos_token_id)."),
    ],
)
def test_another_start_of_a_decoder_in_generation_config_is_told(
    settings: dict[str, int], told: str, tmp_path: Path
) -> None:
    folder = encoder_decoders.load("t5").write(tmp_path / "t5")
    (folder / "generation_config.json").write_text(json.dumps(settings))
    notice = models.load(folder).unapplied_settings
    assert notice.partition("asks for: ")[2] == told


def test_a_seed_goes_on_in_the_same_way_from_any_step(tmp_path) -> None:
    model = opened("llama", tmp_path)
    run, chosen = model.run(PROMPT), {"temperature": 2.0, "top_p": 0.95}
    made = generate(run, 8, **chosen, seed=5)
    assert made.ids == generate(run, 8, **chosen, seed=5).ids
    assert made.ids != generate(run, 8, **chosen, seed=6).ids
    again = generate(made.steps[3].run, 4, **chosen, seed=5)
    assert again.ids == made.ids[4:]
    # Steps keep what they were, however the sentence goes on elsewhere.
    first = made.steps[0].run.stream(2).copy()
    generate(made.steps[0].run, 8)
    np.testing.assert_array_equal(made.steps[0].run.stream(2), first)


def test_the_cache_has_the_bytes_of_keys_and_values(tmp_path) -> None:
    model = opened("capped", tmp_path)  # windows of 5 tokens in every second layer
    last = generate(model.run(PROMPT), 10).steps[-1]
    d_head, float32, tokens = 16, 4, len(PROMPT) + 10
    seen = np.array([[5], [tokens]]) * np.ones((2, model.architecture.n_kv_heads))
    np.testing.assert_array_equal(last.cache_bytes, 2 * seen * d_head * float32)
    assert len(last.run.ids) == tokens


def test_an_encoder_cannot_be_continued(tmp_path) -> None:
    run = models.load(checkpoints.write("bert", tmp_path)).run(PROMPT)
    with pytest.raises(ValueError, match="an encoder predicts no next token"):
        generate(run)


@pytest.mark.parametrize("temperature", [5e-324, 1e-308, 1e-300])
def test_the_coldest_temperatures_leave_the_most_probable_token(
    temperature: float,
) -> None:
    logits = np.array([1.0, 30.0, -20.0, -np.inf], np.float32)
    found = Sampling(temperature=temperature).distribution(logits)
    np.testing.assert_array_equal(found, [0, 1, 0, 0])
    tied = Sampling(temperature=temperature).distribution(logits[[1, 0, 1]])
    np.testing.assert_array_equal(tied, [0.5, 0, 0.5])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"temperature": 0}, "'temperature'.* Got 0"),
        ({"temperature": float("inf")}, "'temperature'.* Got inf"),
        ({"top_k": 0}, "'top_k' .*at least 1. Got 0"),
        ({"top_p": 0.0}, "'top_p' must be above 0 and at most 1. Got 0.0"),
        ({"top_p": 1.5}, "'top_p' must be above 0 and at most 1. Got 1.5"),
        ({"seed": -1}, "'seed' .*at least 0. Got -1"),
    ],
)
def test_numbers_out_of_range_are_refused(wrong, message) -> None:
    with pytest.raises(ValueError, match=message):
        Sampling(**wrong)


@pytest.mark.parametrize("name", ["gpt_neox", "opt_350m", "gpt_oss"])
def test_layers_of_other_forms_have_caches_too(name: str, tmp_path: Path) -> None:
    case = FUSED[name]  # parallel layers, projected embeddings, sinks and experts
    model = models.load(checkpoints.write(case.family, tmp_path, **case.options))
    check_against_uncached(generate(model.run(PROMPT), 9, top_k=30))


@pytest.mark.parametrize("name", ["t5", "bart"])
def test_the_decoder_of_an_encoder_decoder_goes_on(name: str, tmp_path: Path) -> None:
    model = models.load(encoder_decoders.load(name).write(tmp_path / name))
    run = model.run([3, 4, 5, 6, 7], [0, 8])
    made = generate(run, 8, top_k=30)
    whole = model.run([3, 4, 5, 6, 7], made.run.ids)
    last = run.model.n_layers - 1
    found, want = made.run.stream(last + 1), whole.stream(last + 1)
    np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)
    want = whole.attention(last)["weights"][:, -1]  # (h, n)
    np.testing.assert_allclose(made.steps[-1].attention_rows[last], want, atol=1e-5)
    with pytest.raises(ValueError, match="that of its cross-attention instead"):
        generate(run.part("cross"))
    with pytest.raises(ValueError, match="an encoder predicts no next token"):
        generate(run.part("encoder"))


@pytest.mark.parametrize("name", ["phi3_long", "llama_rope_dynamic"])
def test_the_cache_is_filled_anew_where_long_sentences_rotate_otherwise(
    name: str, tmp_path: Path
) -> None:
    case = (FUSED | GROWING)[name]  # other frequencies from the ninth token on
    model = models.load(checkpoints.write(case.family, tmp_path, **case.options))
    made = generate(model.run(PROMPT), 6)
    for step in made.steps:
        whole = model.run(step.run.ids)
        np.testing.assert_allclose(step.run.stream(2), whole.stream(2), atol=1e-5)
        row = whole.attention(1)["weights"][:, -1]  # (h, n)
        np.testing.assert_allclose(step.attention_rows[1], row, atol=1e-5)
    short, long = made.steps[2].run, made.steps[3].run
    assert (len(short.ids), len(long.ids)) == (8, 9)
    assert np.abs(long.stream(2)[:8] - short.stream(2)).max() > 1e-3
