"""Ablated heads and patched activations, against the formulas by another program."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models import EmbeddingCosine, Logit, Probability, Site, ablate, patch
from attnviewer.models.ablation import HeadAblation
from tests.models import by_hand
from tests.models.checkpoints import write_bert, write_gpt2, write_llama

CLEAN, CORRUPTED = [3, 1, 4, 1, 5], [3, 1, 9, 1, 5]
HEAD = (1, 2)
DIFFERENCE = Logit(7, minus=11)


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2"))


@pytest.fixture
def bert(tmp_path: Path) -> models.Model:
    return models.load(write_bert(tmp_path / "bert"))


class ByHand:
    """A GPT-2 whose head can be replaced, by `by_hand`."""

    def __init__(self, model: models.Model) -> None:
        self._own = by_hand.tensors(model.path)
        self._n_heads = model.n_heads

    def logits(self, ids, new: np.ndarray | None = None) -> np.ndarray:
        def replaced(layer: int, heads: list[np.ndarray]) -> list[np.ndarray]:
            if new is not None and layer == HEAD[0]:
                heads[HEAD[1]] = np.broadcast_to(new, heads[0].shape)
            return heads

        return by_hand.gpt2(self._own, ids, self._n_heads, replaced)[1]

    def head(self, ids) -> np.ndarray:
        seen: list[np.ndarray] = []

        def noted(layer: int, heads: list[np.ndarray]) -> list[np.ndarray]:
            if layer == HEAD[0]:
                seen.append(heads[HEAD[1]])
            return heads

        by_hand.gpt2(self._own, ids, self._n_heads, noted)
        return seen[0]


def difference(logits: np.ndarray) -> float:
    return logits[-1, 7] - logits[-1, 11]


def test_metrics_are_what_the_formulas_give(gpt2: models.Model) -> None:
    run, logits = gpt2.run(CLEAN), ByHand(gpt2).logits(CLEAN)
    assert DIFFERENCE(run) == pytest.approx(difference(logits), abs=1e-5)
    assert Logit(7, position=1)(run) == pytest.approx(logits[1, 7], abs=1e-5)
    probabilities = by_hand.probabilities(logits)
    assert Probability(7, 0)(run) == pytest.approx(probabilities[0, 7], rel=1e-4)
    np.testing.assert_allclose(run.next_logits(2), logits[2], rtol=0, atol=1e-5)


def test_a_head_at_zero_at_a_mean_or_of_another_run_is_as_by_hand(
    gpt2: models.Model,
) -> None:
    hand, others = ByHand(gpt2), [[2, 7, 1, 8, 2], CORRUPTED]
    own = hand.head(CLEAN)  # (n, d_head)
    longer = [*CLEAN, 6, 6]
    means = np.vstack([hand.head(CORRUPTED), hand.head(longer)]).mean(axis=0)
    by_sample = [difference(hand.logits(CLEAN, hand.head(ids))) for ids in others]
    expected = [
        ({"to": "zero"}, difference(hand.logits(CLEAN, 0 * own))),
        ({"to": "mean"}, difference(hand.logits(CLEAN, own.mean(axis=0)))),
        (
            {"to": "mean", "over": [gpt2.run(CORRUPTED), longer]},
            difference(hand.logits(CLEAN, means)),
        ),
        ({"to": "resample", "over": others}, np.mean(by_sample)),
    ]
    run = gpt2.run(CLEAN)
    found = []
    for options, want in expected:
        grid = ablate(run, [(0, 3), HEAD], metric=DIFFERENCE, **options)
        assert (grid.row_labels, grid.column_labels) == (("L0", "L1"), ("H2", "H3"))
        assert grid.values[1, 0] == pytest.approx(want, abs=1e-5)
        assert np.isnan(grid.values[[0, 1], [0, 1]]).all()
        assert grid.sites[1][0] == Site("heads", *HEAD)
        found.append(want)
    assert np.ptp(found) > 1e-3
    assert len({round(want, 5) for want in found}) == 4
    assert "logit of #7 − #11 with each head at that of other runs" in grid.title


def test_patched_heads_are_as_by_hand(gpt2: models.Model) -> None:
    hand = ByHand(gpt2)
    good, bad = (difference(hand.logits(ids)) for ids in (CLEAN, CORRUPTED))
    mixed = hand.head(CORRUPTED)
    mixed[3] = hand.head(CLEAN)[3]
    news = {"all": hand.head(CLEAN), "each": mixed}
    runs = gpt2.run(CLEAN), gpt2.run(CORRUPTED)
    for positions, cell in (("all", HEAD), ("each", (4 * HEAD[0] + HEAD[1], 3))):
        grid = patch(*runs, metric=DIFFERENCE, positions=positions)
        now = difference(hand.logits(CORRUPTED, news[positions]))
        want = (now - bad) / (good - bad)
        assert grid.values[cell] == pytest.approx(want, rel=1e-3, abs=1e-4)
        assert grid.sites[cell[0]][cell[1]] == Site("heads", *HEAD)
    assert grid.row_labels[6] == "L1 H2"
    assert grid.axes == ("head", "token")


def test_the_stream_restores_all_at_the_token_that_differs(gpt2: models.Model) -> None:
    clean, corrupted = gpt2.run(CLEAN), gpt2.run(CORRUPTED)
    grid = patch(clean, corrupted, "stream", DIFFERENCE)
    # Before the first layer the other tokens are the same in both sentences.
    np.testing.assert_array_equal(grid.values[0], [0, 0, 1, 0, 0])
    # Tokens before it know nothing of it.
    np.testing.assert_array_equal(grid.values[1, :2], 0)
    assert grid.column_labels[1:3] == ("1 #1", "2 #4/#9")
    assert grid.axes == ("layer", "token")
    whole = patch(clean, corrupted, "stream", DIFFERENCE, "all")
    np.testing.assert_array_equal(whole.values, [[1], [1]])
    assert whole.column_labels == ("all tokens",)


@pytest.mark.parametrize("kind", ["keys", "weights", "attention", "after_attention"])
def test_each_cell_is_the_metric_of_a_patched_run(kind, tmp_path: Path) -> None:
    model = models.load(write_llama(tmp_path))  # 4 heads share 2 of keys and values
    clean, corrupted = model.run(CLEAN), model.run(CORRUPTED)
    grid = patch(clean, corrupted, kind, DIFFERENCE)
    site = grid.sites[1][-1]
    position = None if site.head is not None else 4
    patched = corrupted.patched(clean, site, position)
    good, bad = DIFFERENCE(clean), DIFFERENCE(corrupted)
    assert grid.values[1, -1] == (DIFFERENCE(patched) - bad) / (good - bad)
    assert grid.values.shape == (2, {"keys": 2, "weights": 4}.get(kind, 5))


def test_without_a_metric_it_is_the_embedding_or_the_predicted_token(
    gpt2: models.Model, bert: models.Model
) -> None:
    run = bert.run(CLEAN)
    grid = ablate(run)
    assert grid.title == (
        "cosine of the sentence embeddings with each head at zero (1 without)"
    )
    off = HeadAblation(1, 2, "off").of(run)
    a, b = run.sentence_embedding, off.sentence_embedding
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    assert grid.values[1, 2] == pytest.approx(cosine, abs=1e-6)
    predicted = gpt2.run(CLEAN).next_tokens(1)[0].id
    assert f"logit of #{predicted} " in ablate(gpt2.run(CLEAN), [HEAD]).title
    # A function is a metric as well.
    norm = ablate(run, [HEAD], metric=lambda r: np.linalg.norm(r.stream(2))).values
    assert norm[0, 0] == pytest.approx(np.linalg.norm(off.stream(2)), rel=1e-6)


def test_an_ablation_computes_its_layer_and_later_ones_alone(
    gpt2: models.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = gpt2.run(CLEAN)
    _ = run.hidden_states[-1]
    read: list[int] = []
    layer_of = gpt2.weights.layer

    def noted(layer: int, parts):
        read.append(layer)
        return layer_of(layer, parts)

    monkeypatch.setattr(gpt2.weights, "layer", noted)
    ablate(run, [(1, 0), (1, 3)], metric=DIFFERENCE)
    assert set(read) == {1}


def test_metrics_and_grids_are_pickled(bert: models.Model) -> None:
    run = bert.run(CLEAN)
    for metric in (DIFFERENCE, Probability("x", 2)):
        assert pickle.loads(pickle.dumps(metric)) == metric
    again = pickle.loads(pickle.dumps(EmbeddingCosine(run)))
    other = bert.run(CORRUPTED)
    assert again(other) == EmbeddingCosine(run)(other) < 1
    grid = pickle.loads(pickle.dumps(ablate(run, [HEAD])))
    assert grid.sites == ((Site("heads", *HEAD),),)


def test_switched_off_heads_of_minilm_change_the_embedding_as_the_window_says(
    minilm: Path,
) -> None:
    sentence = "The animal didn't cross the street because it was too tired."
    grid = ablate(models.load(minilm).run(sentence), [(3, 1)])
    assert grid.values[0, 0] == pytest.approx(0.99787, abs=1e-5)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"to": "off"}, "'to' must be one of zero, mean, resample"),
        ({"to": "resample"}, "runs or sentences.*Got None"),
        ({"to": "resample", "over": [[1, 2]]}, "same number of tokens.*Got 5 and 2"),
        ({"to": "zero", "over": [[1, 2]]}, "'over' must be None"),
        ({"to": "mean", "over": []}, "at least one run"),
        ({"heads": []}, "'heads' must be at least one"),
        ({"metric": Logit("the")}, "'token' must be given by its id.*no tokenizer"),
        ({"metric": Logit(48)}, "id of the 'token' must be from 0 to 47. Got 48"),
    ],
)
def test_ablations_that_make_no_sense_are_refused(gpt2, options, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ablate(gpt2.run(CLEAN), **options)


def test_what_a_model_or_a_run_does_not_have_is_refused(
    gpt2: models.Model, bert: models.Model
) -> None:
    encoder, decoder = bert.run(CLEAN), gpt2.run(CLEAN)
    with pytest.raises(ValueError, match="must predict tokens"):
        ablate(encoder, metric=Logit(3))
    with pytest.raises(ValueError, match="encoder"):
        ablate(decoder, metric=EmbeddingCosine(decoder))
    with pytest.raises(IndexError, match=r"'head' of the 'heads' must be from 0 to 3"):
        ablate(decoder, [(0, 4)])
    with pytest.raises(IndexError, match="'position' must be one of 5 tokens"):
        ablate(decoder, metric=Logit(3, position=5))
    with pytest.raises(TypeError, match=r"'metric' must return a number\. Got None"):
        ablate(decoder, metric=lambda _: None)
    with pytest.raises(ValueError, match=r"2 layers of 4 heads of 8.* Got 1 layers"):
        ablate(decoder, to="mean", over=tiny(gpt2.path.parent).run(CLEAN))
    with pytest.raises(ValueError, match=r"same number of tokens.*Got 3 and 5"):
        patch(decoder, gpt2.run([1, 2, 3]))
    with pytest.raises(ValueError, match="must differ between the two runs"):
        patch(decoder, gpt2.run(CLEAN))
    with pytest.raises(ValueError, match="'sites' must be one of stream"):
        patch(decoder, gpt2.run(CORRUPTED), "head")  # type: ignore[arg-type]


def tiny(folder: Path) -> models.Model:
    return models.load(write_gpt2(folder / "tiny", n_layer=1))
