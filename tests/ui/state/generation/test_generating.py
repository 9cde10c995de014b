"""The open decoder goes on: steps, steps back, and what begins anew."""

import numpy as np
import pytest

from attnviewer.models import generate
from attnviewer.models.layer_documents import WeightPatch
from attnviewer.paths import resource
from attnviewer.ui.state.generation import Generating, GenerationChoices
from attnviewer.ui.state.model.jobs import LayerJob, ModelLocation, ModelRequest
from tests.models import encoder_decoders
from tests.models.checkpoints import write_bert

TEXT = "1 2 3 4 5"


@pytest.fixture
def generating(model, gpt2, qtbot):
    """What generates from a small decoder with 16 positions, over five tokens."""
    generating = Generating(model)
    model.open(gpt2, TEXT)
    qtbot.waitUntil(lambda: model.heads is not None)
    yield generating
    generating.close()


def settle(model, qtbot):
    qtbot.waitUntil(lambda: not model.computing)


def test_steps_are_taken_taken_back_and_taken_otherwise(generating, model, qtbot):
    made = generate(generating.prompt, 4)
    for count in (1, 2, 3):
        generating.advance()
        generating.advance()  # without effect while one is being computed
        settle(model, qtbot)
        assert generating.shown == len(generating.steps) == count
    assert tuple(step.token.id for step in generating.steps) == made.ids[:3]
    run = model.experiment.run
    assert run is generating.step.run
    assert run.ids == made.steps[2].run.ids
    assert model.text == " ".join(map(str, run.ids))
    np.testing.assert_allclose(
        run.attention(3)["weights"][:, -1], generating.step.attention_rows[3], atol=1e-6
    )
    assert generating.cached(0) == range(7)
    generating.back()
    settle(model, qtbot)
    assert (generating.shown, len(generating.steps)) == (2, 3)
    assert model.experiment.run.ids == made.steps[1].run.ids
    # Another layer shows the same sentence.
    model.show(ModelLocation(2))
    settle(model, qtbot)
    assert (generating.shown, model.location.layer) == (2, 2)
    choices = GenerationChoices(sampled=True, temperature=5.0, top_k=30, seed=2)
    generating.choose(choices)
    generating.advance()
    settle(model, qtbot)
    drawn = generate(made.steps[1].run, 1, temperature=5.0, top_k=30, seed=2)
    assert drawn.ids != made.ids[2:3]
    assert tuple(s.token.id for s in generating.steps) == made.ids[:2] + drawn.ids
    assert model.location.layer == 2
    generating.go_to(0)
    settle(model, qtbot)
    assert model.text == TEXT
    assert (generating.shown, len(generating.steps)) == (0, 3)
    assert generating.cached(0) == range(0)
    model.set_text("7 8")
    settle(model, qtbot)
    assert generating.steps == ()
    assert generating.prompt.ids == (7, 8)


def test_it_plays_until_the_positions_are_used_up(
    generating, model, qtbot, monkeypatch
):
    generating._next.setInterval(0)
    generating.play()
    qtbot.waitUntil(lambda: generating.shown >= 2)
    generating.pause()
    settle(model, qtbot)
    paused = generating.shown
    qtbot.wait(20)
    assert generating.shown == paused < 11
    generating.play()
    assert generating.playing
    qtbot.waitUntil(lambda: not generating.playing, timeout=20_000)
    assert len(model.experiment.run.ids) == 16
    assert generating.stopped == "The 16 positions of little are used up."
    refused = []
    model.refused.connect(refused.append)
    generating.advance()
    settle(model, qtbot)
    assert (
        refused == [generating.stopped] == ["The 16 positions of little are used up."]
    )
    generating.back()
    settle(model, qtbot)
    assert generating.stopped == ""


def test_replaced_weights_are_continued_and_begin_anew(generating, model, qtbot):
    generating.advance()
    settle(model, qtbot)
    before = generating.step.run
    value = before.weights(1)
    value["W_V"] = 4 * value["W_V"]
    refused = []
    model.refused.connect(refused.append)
    patches = (WeightPatch(1, None, value),)
    request = ModelRequest(model.experiment, model.location, patches=patches)
    model.start(LayerJob(request))
    settle(model, qtbot)
    assert refused == []
    assert generating.steps == ()
    assert generating.prompt.ids == before.ids
    generating.advance()
    settle(model, qtbot)
    experiment = model.experiment
    plain, changed = (run.stream(4) for run in (experiment.original, experiment.run))
    whole = model.experiment.run.model.run(experiment.run.ids)
    np.testing.assert_allclose(plain, whole.stream(4), atol=1e-5)
    patched = whole.with_weights(1, value)
    np.testing.assert_allclose(changed, patched.stream(4), atol=1e-5)
    assert np.abs(changed - plain).max() > 0.01


def test_the_text_that_was_typed_stays_before_what_is_generated(model, qtbot):
    generating, typed = Generating(model), "old  sailor found red bell, old sailor"
    model.open(resource("notebooks", "induction-model"), typed)
    qtbot.waitUntil(lambda: model.heads is not None)
    generating.advance()
    settle(model, qtbot)
    assert model.text == f"{typed} found"
    generating.close()


def test_the_decoder_of_an_encoder_decoder_goes_on(model, tmp_path, qtbot):
    generating, text = Generating(model), "3 4 5 6 7 => 0 8 9"
    model.open(encoder_decoders.load("t5").write(tmp_path / "t5"), text)
    qtbot.waitUntil(lambda: model.heads is not None)
    generating.advance()
    settle(model, qtbot)
    (step,) = generating.steps
    assert model.text == f"{text} {step.token.id}"
    generating.back()
    settle(model, qtbot)
    assert model.text == text
    generating.close()


def test_an_encoder_does_not_go_on(model, tmp_path, qtbot):
    generating = Generating(model)
    assert not generating.has_model
    model.open(write_bert(tmp_path / "bert"), TEXT)
    qtbot.waitUntil(lambda: model.heads is not None)
    assert generating.has_model
    assert not generating.has_decoder
    generating.play()
    generating.advance()
    assert not generating.playing
    assert generating.steps == ()
    generating.close()
