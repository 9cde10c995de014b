"""Activations of a run are replaced where they are, and nowhere else."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Pin
from attnviewer.models.activations import KINDS, PER_HEAD, Site, replacing
from attnviewer.models.experiment import Experiment
from attnviewer.models.layer_documents import attention_document, patch_of
from tests.models.checkpoints import write_bert, write_gemma2, write_gpt2

IDS, OTHERS = [3, 1, 4, 1, 5], [2, 7, 1, 8, 2]


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2", n_layer=3))


@pytest.fixture
def bert(tmp_path: Path) -> models.Model:
    return models.load(write_bert(tmp_path / "bert"))


def replaced(run: models.ModelTrace) -> models.ModelTrace:
    """Replace rows of one activation inside of the attention and two outside."""
    n, width = len(run.ids), run.model.architecture.d_model
    rows = np.arange(n * width, dtype=np.float64).reshape(n, width) / 50
    sites = {Site("heads", 1, 2): np.ones((n, 8)), Site("feed_forward", 1): rows}
    return run.with_activations(sites).with_activations({Site("stream", 3): rows}, 2)


@pytest.mark.parametrize("family", [write_bert, write_gpt2, write_gemma2])
def test_what_is_put_in_is_read_again_at_every_site(family, tmp_path: Path) -> None:
    run = models.load(family(tmp_path)).run(IDS)
    for kind in KINDS:
        for head in (None, 1) if kind in PER_HEAD else (None,):
            site = Site(kind, 1, head)
            own = run.activation(site)
            assert own.dtype == np.float32
            new = run.with_activations({site: lambda a: 2 * a + 1}, [0, -2])
            found = new.activation(site)
            some = [0, len(IDS) - 2]
            np.testing.assert_array_equal(
                found[..., some, :], 2 * own[..., some, :] + 1
            )
            rest = [1, 2, 4]
            np.testing.assert_array_equal(found[..., rest, :], own[..., rest, :])
            earlier = new.stream(0)
            np.testing.assert_array_equal(earlier, run.stream(0))


def test_functions_are_given_what_those_before_lead_to_and_may_write(gpt2) -> None:
    run = gpt2.run(IDS)
    seen = {}

    def halve(rows: np.ndarray) -> np.ndarray:
        rows *= 0.5
        return rows

    def note(rows: np.ndarray) -> np.ndarray:
        seen["stream"] = rows.copy()
        return rows

    # The later one comes first here.
    run.with_activations({Site("stream", 1): note, Site("stream", 0): halve})
    first = run.with_activations({Site("stream", 0): run.stream(0) / 2})
    np.testing.assert_array_equal(seen["stream"], first.stream(1))
    assert not np.allclose(seen["stream"], run.stream(1))


def test_known_streams_are_shared_up_to_the_first_change(
    gpt2, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = gpt2.run(IDS)
    _ = run.hidden_states[-1]
    read: list[int] = []
    layer_of = gpt2.weights.layer
    monkeypatch.setattr(
        gpt2.weights,
        "layer",
        lambda layer, parts: read.append(layer) or layer_of(layer, parts),
    )
    rows = np.zeros((5, 32))
    late = run.with_activations({Site("stream", 2): rows}, [1])
    _ = late.hidden_states[-1]
    assert set(read) == {2}
    assert late.stream(1) is run.stream(1)
    read.clear()
    _ = run.with_activations({Site("after_attention", 1): rows}).hidden_states[-1]
    assert set(read) == {1, 2}
    read.clear()
    assert late.unchanged().stream(1) is run.stream(1)
    assert len(late.unchanged()._streams) == 2  # the third was replaced
    assert (
        len(
            run.with_activations({Site("keys", 2): rows[:, :8][None].repeat(4, 0)})
            .unchanged()
            ._streams
        )
        == 3
    )
    assert late.with_weights(2, {})._streams[2] is late.stream(2)


def test_later_replacements_go_over_earlier_ones_row_by_row(gpt2) -> None:
    run, site = gpt2.run(IDS), Site("after_attention", 0)
    ones, twos = np.ones((5, 32)), np.full((5, 32), 2)
    twice = run.with_activations({site: ones}, [0, 1]).with_activations({site: twos}, 1)
    found = twice.activation(site)
    np.testing.assert_array_equal(found[:2], [ones[0], twos[0]])
    np.testing.assert_array_equal(found[2:], run.after_attention(0)[2:])
    (rows,) = twice.replaced.values()
    assert rows.positions == (0, 1)
    heads = run.with_pins(0, [Pin("heads", 0, 0, 5.0, head=0)])
    kept = heads.with_activations({Site("heads", 0, 1): np.zeros((5, 8))})
    assert kept.activation(Site("heads", 0))[0, 0, 0] == 5


def test_the_stream_of_another_run_leads_to_its_output(bert) -> None:
    clean, corrupted = bert.run(IDS), bert.run(OTHERS)
    for layer in range(3):
        whole = corrupted.patched(clean, Site("stream", layer))
        np.testing.assert_array_equal(whole.hidden_states[-1], clean.hidden_states[-1])
    for none in ({"sites": []}, {"sites": Site("stream", 1), "positions": []}):
        same = corrupted.patched(clean, **none)
        np.testing.assert_array_equal(
            same.hidden_states[-1], corrupted.hidden_states[-1]
        )
    # All that the attention of a layer gives, and the rows that it is added to.
    sites = [Site("after_attention", 1), Site("feed_forward", 1)]
    both = corrupted.patched(clean, sites)
    np.testing.assert_array_equal(both.hidden_states[-1], clean.hidden_states[-1])
    one = corrupted.patched(clean, [Site("weights", 0, 1), Site("values", 0)], 3)
    assert not np.allclose(one.hidden_states[-1], corrupted.hidden_states[-1])


def test_long_blocks_become_several_pins(bert, monkeypatch) -> None:
    run = bert.run(IDS)
    sites = {Site("attention", 0): lambda rows: rows[::-1]}
    whole = run.with_activations(sites)
    monkeypatch.setattr(replacing, "MOST_CELLS", 64)
    pieces = run.with_activations(sites)
    assert len(whole.pins[0]) == 1
    assert [len(pin.rows) for pin in pieces.pins[0]] == [2, 2, 1]
    np.testing.assert_array_equal(pieces.stream(1), whole.stream(1))


def test_a_changed_run_is_pickled_shown_and_taken_back(gpt2) -> None:
    run = gpt2.run(IDS)
    changed = replaced(run)
    assert changed.changed_layers == {1, 2}
    again = pickle.loads(pickle.dumps(changed))
    np.testing.assert_array_equal(again.logits, changed.logits)
    assert not again.replaced[Site("stream", 3)].values.flags.writeable
    assert not again.stream(3).flags.writeable
    assert not np.allclose(changed.logits, run.logits)
    np.testing.assert_array_equal(again.unchanged().logits, run.logits)
    assert "L1 feed forward, L3 stream" in repr(changed)
    html = changed._repr_html_()
    assert "replaced: L1 feed forward of tokens 0, 1, 2, 3, 4" in html
    assert "replaced: L3 stream of token 2" in html
    assert "pinned in L1: heads[:, :], head 2 = 1" in html


def test_an_experiment_keeps_replaced_activations_until_they_are_taken_out(
    gpt2,
) -> None:
    changed = replaced(gpt2.run(IDS))
    experiment = Experiment.of(changed)
    np.testing.assert_array_equal(experiment.run.logits, changed.logits)
    assert [patch.layer for patch in experiment.patches] == [1, 2]
    assert experiment.compared is experiment.original
    first = experiment.with_patches(experiment.patches[:1])
    assert {site.name for site in first.run.replaced} == {"L1 feed forward"}
    # The document of a layer puts back what its run had replaced in it.
    again = first.with_patches((patch_of(attention_document(first.run, 1)),))
    np.testing.assert_array_equal(again.run.logits, first.run.logits)
    assert experiment.with_patches(()).run.replaced == {}
    with pytest.raises(ValueError, match=r"L1 feed forward must have a row for.*Got 5"):
        first.with_run(gpt2.run([1, 2, 3]))


def raising(_: np.ndarray) -> np.ndarray:
    raise KeyError("no such head")


@pytest.mark.parametrize(
    ("site", "given", "told"),
    [
        (Site("heads", 1), np.zeros((5, 32)), r"\(4, 5, 8\)\. Got \(5, 32\) instead"),
        (Site("heads", 1, 2), lambda a: a[1:], r"of L1 H2 heads must have shape"),
        (Site("stream", 0), np.full((5, 32), np.nan), "of L0 stream must hold finite"),
        (Site("stream", 0), np.full((5, 32), 1e39), "finite numbers. Got inf at"),
        (Site("weights", 0, 0), np.full((5, 5), -np.inf), "finite numbers. Got -inf"),
        (Site("stream", 0), raising, r"It raised KeyError: 'no such head'"),
        (Site("keys", 1), [[1], [1, 2]], "rows of different lengths"),
    ],
)
def test_what_does_not_fit_is_refused(gpt2, site, given, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        gpt2.run(IDS).with_activations({site: given})


def test_scores_may_hide_keys(bert) -> None:
    def hide(scores: np.ndarray) -> np.ndarray:
        scores[:, 2] = -np.inf
        return scores

    run = bert.run(IDS).with_activations({Site("scores", 0, 1): hide})
    weights = run.activation(Site("weights", 0))
    assert not weights[1, :, 2].any()
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-6)
    assert weights[0, :, 2].all()


@pytest.mark.parametrize(
    ("site", "positions", "told"),
    [
        (Site("heads", 3), None, "'layer' of the heads must be from 0 to 2. Got 3"),
        (Site("stream", 4), None, "'layer' of the stream must be from 0 to 3. Got 4"),
        (Site("values", 0, 4), None, "'head' of the values must be from 0 to 3. Got 4"),
        (Site("stream", 0), [0, 5], "one of 5 tokens, from 0 to 4. Got 5"),
        (Site("stream", 0), -6, "Got -6"),
    ],
)
def test_what_is_not_there_is_refused(gpt2, site, positions, told: str) -> None:
    with pytest.raises(IndexError, match=told):
        gpt2.run(IDS).with_activations({site: np.zeros}, positions)


def test_other_kinds_of_arguments_are_refused(gpt2) -> None:
    run = gpt2.run(IDS)
    with pytest.raises(TypeError, match=r"by their sites.*Got 'heads'"):
        run.with_activations({"heads": np.zeros(1)})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="'positions'"):
        run.with_activations({}, [0.5])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"real numbers\. Got something"):
        run.with_activations({Site("stream", 0): lambda _: None})
    with pytest.raises(ValueError, match=r"same number of tokens.*Got 5 and 3"):
        run.patched(gpt2.run([1, 2, 3]), Site("stream", 0))
