"""What is typed into the Patching dock is read as runs and tokens, or refused."""

from dataclasses import replace
from math import isnan

import numpy as np
import pytest

from attnviewer.models import Site, load
from attnviewer.models.sentences import run_over
from attnviewer.ui.state.patching import PatchingChoices
from attnviewer.ui.state.patching.effects import EffectJob, correlation
from attnviewer.ui.state.patching.reading import ReadingJob
from attnviewer.ui.work.worker import Stopped
from tests.models.checkpoints import write_bert


def read(run, before=None, **choices):
    job = ReadingJob(run, (), PatchingChoices(**choices), before)
    job.run()
    return job.reading


def test_an_encoder_is_judged_by_its_sentence_embedding(tmp_path) -> None:
    run = run_over(load(write_bert(tmp_path / "bert")), "1 2 3")
    reading = read(run, other="1 4 3")
    assert reading.metric_kind == "cosine"
    assert reading.missing["difference"].startswith("The model must predict tokens")
    assert reading.missing["probability"] == reading.missing["difference"]
    assert reading.complete
    assert reading.metric(run) == pytest.approx(1)
    first, again = reading.corrupted, read(run, reading, other="1 4 3", sites="values")
    assert again.corrupted is first  # it is not computed twice


def test_tokens_are_words_of_the_vocabulary_or_ids(llama) -> None:
    run = load(llama).run("the cat sat")
    typed = {"other": "the mat sat", "token": "cat", "minus": "#6"}
    reading = read(run, **typed)
    assert reading.complete
    logits = run.next_logits()
    assert reading.metric(run) == pytest.approx(float(logits[2] - logits[6]))
    two = read(run, **{**typed, "minus": "cat sat"})
    assert two.refused["minus"].endswith("which is split into cat, sat.")
    assert not two.complete
    unknown = read(run, **{**typed, "token": "#99"})
    assert "from 0 to" in unknown.refused["token"]


def test_default_tokens_differ_where_both_sentences_predict_the_same(llama) -> None:
    run = load(llama).run("the cat sat")
    reading = read(run, way="ablate")
    assert reading.tokens == tuple(each.token for each in run.next_tokens(2))
    assert reading.complete
    long = read(run, way="ablate", to="resample", over="the cat\nthe mat sat")
    assert long.refused["over"].endswith("Got 3 and 2 instead.")
    mean = read(run, way="ablate", to="mean", over="the cat\n\nthe mat sat")
    assert [len(each.ids) for each in mean.over] == [2, 3]
    assert mean.complete


def test_values_of_the_corrupted_sentence_go_into_the_clean_one_if_asked(llama) -> None:
    run = load(llama).run("the cat sat")
    other = run.model.run("the mat sat")
    moved = other.next_logits() - run.next_logits()
    up, down = int(moved.argmax()), int(moved.argmin())  # most apart, and so most exact
    chosen = {"sites": "values", "into_clean": True, "each": True}
    tokens = {"token": f"#{up}", "minus": f"#{down}"}
    reading = read(run, other="the mat sat", **tokens, **chosen)
    job = EffectJob(reading)
    job.run()
    bad, good = (
        float(np.dot([1, -1], r.next_logits()[[up, down]])) for r in (run, other)
    )
    assert (job.effect.clean, job.effect.corrupted) == pytest.approx((bad, good))
    values = run.attention(1)["V"][1].copy()  # of the second of two heads
    values[1] = other.attention(1)["V"][1][1]
    patched = run.with_activations({Site("values", 1, 1): values})
    found = float(np.dot([1, -1], patched.next_logits()[[up, down]]))
    grid = job.effect.grid
    row = grid.row_labels.index("L1 H1")
    assert grid.values[row, 1] == pytest.approx((found - bad) / (good - bad), abs=1e-5)
    assert job.effect.site((row, 1)) == Site("values", 1, 1)
    assert job.effect.token((row, 1)) == 1
    assert job.done == job.total  # so the time that is left ends at zero
    stopped = EffectJob(reading)
    stopped.stopped = True
    with pytest.raises(Stopped):
        stopped.run()
    assert stopped.effect is None


def test_constant_effects_have_no_correlation(llama) -> None:
    run = load(llama).run("the cat sat")
    job = EffectJob(read(run, way="ablate"))
    job.run()
    assert job.done == job.total == 9  # 2 layers of 4 heads, and the run itself
    grid = job.effect.grid
    assert correlation(grid, grid) == pytest.approx(1)
    assert isnan(correlation(grid, replace(grid, values=0 * grid.values)))
