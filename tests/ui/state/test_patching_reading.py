"""What is typed into the Patching dock is read as runs and tokens, or refused."""

import pytest

from attnviewer.models import load
from attnviewer.models.sentences import run_over
from attnviewer.ui.state.patching import PatchingChoices
from attnviewer.ui.state.patching.reading import ReadingJob
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
