"""The open decoder goes on: steps, steps back, and what begins anew."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import Pin
from attnviewer.models import generate
from attnviewer.models.layer_documents import (
    WeightPatch,
    attention_document,
    patch_of,
)
from attnviewer.paths import resource
from attnviewer.ui.state.generation import Generating, GenerationChoices
from attnviewer.ui.state.model.jobs import LayerJob
from attnviewer.ui.state.model.request import ModelLocation, ModelRequest
from tests.models import encoder_decoders
from tests.models.checkpoints import write_bert

TEXT = "1 2 3 4 5"
ALL = slice(None)


@pytest.fixture
def generating(model, gpt2, qtbot):
    """What generates from a small decoder with 16 positions, over five tokens."""
    generating = Generating(model)
    model.open(gpt2, TEXT)
    qtbot.waitUntil(lambda: model.heads is not None)
    yield generating
    generating.close()


def put_back(model, qtbot, *pins):
    """Put heads back with pins: of each the layer, the head and its pin."""
    run = model.experiment.run
    patches = tuple(
        replace(patch_of(attention_document(run, layer, head)), pins=(pin,))
        for layer, head, pin in pins
    )
    request = ModelRequest(model.experiment, model.location, patches=patches)
    model.start(LayerJob(request))
    settle(model, qtbot)


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


def test_pins_of_a_head_stay_in_every_step_and_can_be_taken_out(
    generating, model, qtbot
):
    block = np.arange(5.0)[None]  # what a query's scores are set to, key by key
    off = Pin("heads", ALL, ALL, 0.0)
    put_back(model, qtbot, (1, 2, Pin("weights", 4, ALL, block / 10)), (2, 0, off))
    for _ in range(2):
        generating.advance()
        settle(model, qtbot)
    run = model.experiment.run
    whole = run.model.run(run.ids)
    fixed = Pin("weights", 4, range(5), block / 10, head=2)
    changed = whole.with_pins(1, [fixed]).with_pins(2, [replace(off, head=0)])
    np.testing.assert_allclose(run.stream(4), changed.stream(4), atol=1e-5)
    model.take_out()
    settle(model, qtbot)
    np.testing.assert_allclose(
        model.experiment.run.stream(4), whole.stream(4), atol=1e-5
    )


def test_a_pin_by_which_tokens_see_those_that_follow_is_refused_with_the_reason(
    generating, model, qtbot
):
    put_back(model, qtbot, (1, 2, Pin("weights", ALL, ALL, 0.1)))
    generating.play()
    settle(model, qtbot)
    assert not generating.playing
    assert generating.stopped.startswith("The pin weights[:, :], head 2 = 0.1 lets")
    assert generating.steps == ()


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
    model.show_part("cross")
    settle(model, qtbot)
    assert generating.crosses
    assert not generating.has_decoder
    generating.advance()
    assert generating.steps == ()
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
