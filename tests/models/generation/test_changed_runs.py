"""Generation from runs with replaced weights, pins and ablated heads."""

from collections.abc import Callable

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Pin
from attnviewer.models import Site, generate
from attnviewer.models.ablation import HeadAblation
from tests.models import checkpoints, encoder_decoders
from tests.models.generated import CASES, PROMPT

Change = Callable[[models.ModelTrace], models.ModelTrace]
N, ALL, HEAD = len(PROMPT), slice(None), 1
LATER = slice(1, None)
STEPS = 4
RANDOM = np.random.default_rng(0)
OUTPUTS = RANDOM.standard_normal((N, 16)).astype(np.float32)
STREAM = RANDOM.standard_normal((N, 32)).astype(np.float32)


def _edited(run: models.ModelTrace) -> models.ModelTrace:
    return run.with_weights(1, {"W_Q": 2 * run.weights(1)["W_Q"]})


def _off(run: models.ModelTrace) -> models.ModelTrace:
    return HeadAblation(0, HEAD, "off").of(run)


def _pinned(*pins: Pin) -> Change:
    return lambda run: run.with_pins(0, pins)


def _set_at(site: Site, rows: np.ndarray) -> Change:
    """Set an activation of the prompt's tokens, however long the sentence is."""

    def change(run: models.ModelTrace) -> models.ModelTrace:
        own = np.zeros((len(run.ids), rows.shape[1]), np.float32)
        own[:N] = rows
        return run.with_activations({site: own}, range(N))

    return change


def _same_output(run: models.ModelTrace) -> models.ModelTrace:
    """Give a head the same output for every token, as mean ablation does."""
    row = np.tile(OUTPUTS[:1], (len(run.ids), 1))
    return run.with_activations({Site("heads", 0, HEAD): row})


CHANGES: dict[str, tuple[Change, Change | None]] = {
    "edited weights": (_edited, None),
    "head switched off": (_off, None),
    "head with the same output everywhere": (_same_output, None),
    "key at one token": (_pinned(Pin("K", 2, ALL, 1.5, head=0)), None),
    "all keys scaled": (_pinned(Pin("rotated K", ALL, ALL, 2.0, how="scale")), None),
    "first token never seen": (
        _pinned(Pin("weights", LATER, 0, 0.0, rest="share", head=HEAD)),
        None,
    ),
    "first token always seen, through a window": (
        _pinned(Pin("weights", LATER, 0, 0.25, rest="share")),
        None,
    ),
    "weights switched off": (_pinned(Pin("weights", ALL, ALL, 0.0, head=0)), None),
    "one query sees all keys alike": (
        _pinned(Pin("weights", 3, ALL, 1 / N)),
        _pinned(Pin("weights", 3, slice(0, N), 1 / N)),
    ),
    "output of a head, token by token": (
        _set_at(Site("heads", 0, HEAD), OUTPUTS),
        None,
    ),
    "stream, token by token": (_set_at(Site("stream", 1), STREAM), None),
}
"""Changes of the run, and those over a longer sentence where they read otherwise."""


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> models.Model:
    case = CASES["capped"]  # windows of 5 tokens in the first layer, rotated keys
    folder = tmp_path_factory.mktemp("changed")
    return models.load(checkpoints.write(case.family, folder, **case.options))


@pytest.mark.parametrize("name", CHANGES)
def test_new_tokens_are_computed_with_the_changes_of_the_run(model, name: str) -> None:
    change, longer = CHANGES[name]
    plain = model.run(PROMPT)
    made = generate(change(plain), STEPS, temperature=2.0, seed=2)
    whole = (longer or change)(model.run(made.run.ids))
    assert np.abs(whole.stream(2)[N - 1] - plain.stream(2)[-1]).max() > 1e-3
    for layer in range(model.n_layers):
        found, want = made.run.stream(layer + 1), whole.stream(layer + 1)
        np.testing.assert_allclose(found, want, rtol=1e-5, atol=1e-5)
        weights = whole.attention(layer)["weights"]  # (h, n, n)
        for number, step in enumerate(made.steps, N):
            want = weights[:, number, : number + 1]  # (h, n_k)
            np.testing.assert_allclose(step.attention_rows[layer], want, atol=1e-5)
    # What is known of the run is what it computes by itself.
    again = made.run.with_weights(0, {}).stream(2)
    np.testing.assert_allclose(again, made.run.stream(2), atol=1e-5)
    # Any step goes on in the same way.
    middle = generate(made.steps[1].run, STEPS - 2, temperature=2.0, seed=2)
    assert middle.ids == made.ids[2:]


def test_pins_of_cross_attention_are_of_all_tokens_of_the_encoder(tmp_path) -> None:
    loaded = models.load(encoder_decoders.load("t5").write(tmp_path / "t5"))
    source, last = [3, 4, 5, 6, 7], loaded.n_layers - 1
    pins = Pin("K", ALL, ALL, 0.5), Pin("weights", ALL, 1, 0.0, rest="share")
    run = loaded.run(source, [0, 8]).part("cross").with_pins(0, pins).part("decoder")
    made = generate(run, STEPS)
    whole = loaded.run(source, made.run.ids).part("cross").with_pins(0, pins)
    np.testing.assert_allclose(
        made.run.stream(last + 1), whole.stream(last + 1), rtol=1e-5, atol=1e-5
    )


@pytest.mark.parametrize(
    "pin",
    [Pin("weights", ALL, ALL, 0.1), Pin("masked", ALL, ALL, 1.0)],
    ids=str,
)
def test_pins_by_which_tokens_see_those_that_follow_are_refused(model, pin) -> None:
    with pytest.raises(ValueError, match=r"lets tokens attend to those that follow"):
        generate(model.run(PROMPT).with_pins(0, [pin]))
