"""Pictures tell neither the numbers that are withheld nor what these follow from."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import Slip
from attnviewer.document import spec_edit
from attnviewer.document.mistakes import set_mistakes
from attnviewer.io import load
from attnviewer.teaching.steps import steps_from
from attnviewer.ui.state.live import Veil
from attnviewer.ui.views.step.how.drawing import Sheet, Text
from tests.ui.test_every_spec import SPECS
from tests.ui.views.step.how.conftest import bars_of, document_of

ROOMS = [(520, 240), (1000, 660), (1800, 1100)]


def causal():
    """Return four words with a causal mask."""
    document = load("example:four-words")
    document.apply(spec_edit(document, replace(document.spec, causal=True), "Hide"))
    return document


def written(drawing):
    """Return everything that a picture writes."""
    texts = [s.text for s in drawing.shapes if isinstance(s, Text)]
    texts += [bar.label for bar in bars_of(drawing)]
    sheets = (s for s in drawing.shapes if isinstance(s, Sheet))
    return texts + [text for s in sheets for row in s.texts for text in row]


def check_untold(drawing, away):
    for sheet in drawing.sheets:
        if sheet.step in away:
            assert np.isnan(sheet.values).all()
            assert sheet.texts == ()
            assert sheet.hidden is None  # where a mask hides is an answer, too
    said = [text for text in written(drawing) if "nan" in text.lower().split()]
    assert not said


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("step", ["scores", "scaled", "masked"])
def test_scores_do_not_tell_the_weights_that_follow_from_them(step, room, drawn):
    document = causal()
    weights = document.compute()["weights"]  # (n_q, n_k)
    assert step in document.compute()
    whole, _ = drawn(document, step, (2, 1), room=(1800, 1100))
    shares = {f"{100 * weight:.1f}\u202f%" for weight in weights[2] if weight}
    assert shares <= set(written(whole))  # where nothing is withheld
    away = frozenset({"weights", "output"})
    drawing, _ = drawn(document, step, (2, 1), room=room, veil=Veil(away))
    assert not bars_of(drawing)
    assert not any(sheet.step in away for sheet in drawing.sheets)
    assert not any("exp" in text.lower() for text in written(drawing))
    assert not shares & set(written(drawing))


def test_while_a_mistake_is_asked_for_nothing_is_worked_out(drawn):
    document = causal()
    document.apply(set_mistakes(document, [Slip("softmax-over-queries")], ""))
    trace = document.compute()
    for step in ("scores", "scaled", "masked", "weights", "output"):
        drawing, _ = drawn(document, step, (2, 1), veil=Veil(mistakes=True))
        assert not bars_of(drawing)
        assert not any("exp" in text.lower() for text in written(drawing))
        (own,) = (sheet for sheet in drawing.sheets if sheet.step == step)
        np.testing.assert_array_equal(own.values, trace[step])
        # Two inputs are not drawn as one matrix.
        lefts = sorted(drawing.sheets, key=lambda sheet: sheet.rect.left())
        for left, right in itertools.pairwise(lefts):
            assert right.rect.left() - left.rect.right() > 2 * left.gap


@pytest.mark.parametrize(("number", "name"), list(enumerate(SPECS)))
def test_no_picture_writes_a_step_that_a_task_hides(number, name, drawn):
    rooms = itertools.cycle(ROOMS)
    document = document_of(name)
    trace = document.compute()
    computed = [step for step in trace if trace.stages[step].inputs]
    for asked in computed[number % 3 :: 3]:
        away = steps_from(trace, asked)
        for step in sorted(trace.keys() - away):
            veil, room = Veil(away), next(rooms)
            drawing, _ = drawn(document, step, (1, 0), room=room, veil=veil)
            check_untold(drawing, away)


def test_no_picture_writes_a_single_step_that_a_lesson_hides(drawn):
    document = causal()
    trace = document.compute()
    computed = [step for step in trace if trace.stages[step].inputs]
    pairs = itertools.permutations(computed, 2)
    for (away, step), room in zip(pairs, itertools.cycle(ROOMS), strict=False):
        veil = Veil(frozenset({away}))
        drawing, _ = drawn(document, step, (2, 1), room=room, veil=veil)
        check_untold(drawing, {away})
        own = [sheet for sheet in drawing.sheets if sheet.step == step]
        assert own
        assert any(sheet.texts for sheet in own) or room == ROOMS[0]
