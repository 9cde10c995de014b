"""Numbers about all heads of the open model: computed when wanted, then dropped."""

import numpy as np
import pytest

from attnviewer.models import Site
from attnviewer.models.detectors import DETECTORS
from attnviewer.ui.state.head_report import HeadReport

SENTENCE = "the cat sat and the cat slept"
ALIKE = [(4, 0), (5, 1)]
"""Tokens that occurred before, and where."""


@pytest.fixture
def report(model, llama, qtbot):
    """The report of two layers of four heads over words."""
    report = HeadReport(model)
    with qtbot.waitSignal(model.completed):
        model.open(llama, SENTENCE)
    yield report
    report.close()
    report.deleteLater()


def columns(report):
    return {column.name: column for group in report.groups for column in group.columns}


def read(report, model, name):
    report.want(name)
    report.worker.finish()
    return report.values(name, model.heads)


def test_columns_of_all_heads_are_those_of_their_weights(report, model) -> None:
    run = model.experiment.run
    weights = np.stack([run.attention(layer)["weights"] for layer in (0, 1)])
    weights = weights.reshape(8, 7, 7).astype(float)
    again = np.mean([weights[:, i, p] for i, p in ALIKE], axis=0)  # (heads,)
    after = np.mean([weights[:, i, p + 1] for i, p in ALIKE], axis=0)  # (heads,)
    before = weights[:, 5, 0]  # of "the" there is nothing before the first
    for name, expected in {
        "occurrence_0": again,
        "occurrence_plus_1": after,
        "occurrence_minus_1": before,
        "duplicate_token": sum(weights[:, i, p] for i, p in ALIKE) / 7,
        "first_token_sink": weights[:, :, 0].mean(1) > 0.3,
    }.items():
        np.testing.assert_allclose(read(report, model, name), expected, atol=1e-6)
    assert report.values("induction", model.heads).shape == (8,)  # read with the others
    assert report.values("prefix_matching", model.heads) is None  # runs by itself


def test_the_effect_is_how_far_the_logit_of_the_next_token_falls(report, model) -> None:
    run = model.experiment.run
    logits = run.next_logits()
    sites = [Site("heads", layer, head) for layer in (0, 1) for head in range(4)]
    without = [run.with_activations({site: np.zeros_like}) for site in sites]
    best = logits.argmax()
    expected = [logits[best] - other.next_logits()[best] for other in without]
    found = read(report, model, "effect")
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert np.ptp(found) > 1e-3


def test_what_a_run_does_not_have_is_refused_with_its_reason(
    report, model, qtbot
) -> None:
    every = columns(report)
    assert every["retrieval"].reason == "No needle is given."
    assert every["occurrence_0"].reason == ""
    about = DETECTORS["induction"]
    assert about.source in every["induction"].tip
    assert about.formula in every["induction"].tip
    with qtbot.waitSignal(model.completed):
        model.set_text("the cat sat")
    for name in ("occurrence_minus_2", "occurrence_plus_3", "induction"):
        assert report.trouble(name) == "No token occurs twice."
        report.want(name)
    assert not report.worker.jobs


def test_another_sentence_drops_all_but_what_depends_on_the_model_alone(
    report, model, qtbot
) -> None:
    of_model = read(report, model, "prefix_matching")
    heads, local = model.heads, read(report, model, "local")
    with qtbot.waitSignal(model.completed):
        model.set_text("a mat and a cat")
    assert report.values("local", heads) is None
    assert report.values("local", model.heads) is None
    assert report.values("prefix_matching", model.heads) is of_model
    other = read(report, model, "local")
    assert other.shape == local.shape
    assert not np.array_equal(other, local)


def test_what_was_cancelled_waits_until_it_is_chosen_again(report, model, gate) -> None:
    gate.clear()
    report.want("effect")
    assert report.state_of("effect") == "Computing…"
    (job,) = report.worker.jobs
    assert report.progress(job) == "switching off heads: 0 of 8…"
    report.cancel()
    gate.set()
    report.want("effect")
    assert not report.worker.jobs
    assert report.state_of("effect").startswith("Cancelled.")
    report.want_again("effect")
    report.worker.finish()
    assert report.state_of("effect") == ""
    report.want("local")
    report.cancel()
    report.want_detectors()
    assert [job.names for job in report.worker.jobs] == [{"prefix_matching"}]
    report.want_detectors(again=True)
    report.worker.finish()
    for name in ("local", "induction", "prefix_matching", "entropy"):
        assert report.state_of(name) == ""
        assert report.values(name, model.heads).shape == (8,)
    assert np.isfinite(report.values("effect", model.heads)).all()
