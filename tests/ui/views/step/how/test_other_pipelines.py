"""Pictures of pipelines with two normalisers, a gate, or none that normalises."""

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.ui.views.step.how.drawing import Control, Text
from tests.compute.other_pipelines import (
    CHANGES,
    document_with,
    have_built,
    oracle,
    random_inputs,
    weights_of,
)

ROOMY = 3000, 1700


def shown_of(drawing, step):
    """Return the sheets of a step."""
    return [sheet for sheet in drawing.sheets if sheet.step == step]


@pytest.mark.parametrize("room", [(520, 240), (1000, 660), ROOMY])
@pytest.mark.parametrize("kind", CHANGES)
def test_each_step_has_a_picture_with_the_numbers_of_the_trace(
    kind, room, drawn, monkeypatch
) -> None:
    have_built(monkeypatch, kind)
    document = document_with(random_inputs())
    for step in document.compute():
        drawing, trace = drawn(document, step, (4, 1), head=1, room=room)
        assert shown_of(drawing, step)
        assert step in drawing.covers
        for sheet in drawing.sheets:
            array = np.atleast_2d(trace[sheet.step])
            matrix = array[sheet.head] if array.ndim > 2 else array
            whole = matrix[np.ix_(sheet.rows, sheet.columns)]
            np.testing.assert_array_equal(
                sheet.values, whole.T if sheet.transposed else whole
            )


@pytest.mark.parametrize("kind", CHANGES)
def test_the_output_is_mixed_by_the_weights_that_numpy_computes(
    kind, drawn, monkeypatch
) -> None:
    have_built(monkeypatch, kind)
    inputs = random_inputs()
    drawing, _ = drawn(document_with(inputs), "heads", (4, 1), head=1, room=ROOMY)
    (weights, *_) = shown_of(drawing, weights_of(kind))
    want = oracle(kind, inputs)["mixed by"][1][np.ix_(weights.rows, weights.columns)]
    want = want.T if weights.transposed else want
    np.testing.assert_allclose(weights.values, want, atol=1e-14)


@pytest.mark.parametrize(
    ("weights", "factors", "chain"),
    [
        ("weights 1", {"Q", "K", "scores"}, {"scaled", "biased", "masked"}),
        ("weights 2", {"Q", "V", "scores 2"}, {"scaled 2", "biased 2", "masked 2"}),
    ],
)
def test_each_map_of_differential_attention_has_its_own_factors_and_bars(
    weights, factors, chain, drawn, monkeypatch
) -> None:
    have_built(monkeypatch, "differential")
    document = document_with(random_inputs())
    drawing, _ = drawn(document, weights, (4, 1), room=ROOMY)
    assert {sheet.step for sheet in drawing.sheets} == factors | {weights}
    assert drawing.covers == factors | chain | {weights}
    for step in (*chain, *(factors - {"Q", "K", "V"})):
        drawing, _ = drawn(document, step, (4, 1), room=ROOMY)
        assert shown_of(drawing, weights), step
        assert any(isinstance(shape, Control) for shape in drawing.shapes)


@pytest.mark.parametrize(("kind", "step"), [("gated", "gated"), ("linear", "φ(Q)")])
def test_a_stage_of_another_kind_has_the_general_picture(
    kind, step, drawn, monkeypatch
) -> None:
    have_built(monkeypatch, kind)
    drawing, trace = drawn(document_with(random_inputs()), step, room=ROOMY)
    stage = trace.stages[step]
    assert [sheet.step for sheet in drawing.sheets] == [*stage.inputs, step]
    signs = [shape.text for shape in drawing.shapes if isinstance(shape, Text)]
    assert stage.operation in signs


@pytest.mark.parametrize("step", ["scores", "masked"])
def test_scores_that_nothing_normalises_have_no_bars(step, drawn, monkeypatch) -> None:
    have_built(monkeypatch, "linear")
    drawing, _ = drawn(document_with(random_inputs()), step, room=ROOMY)
    assert not shown_of(drawing, "weights")
    assert not any(isinstance(shape, Control) for shape in drawing.shapes)


@pytest.mark.parametrize("width", [2, 6])
@pytest.mark.parametrize("step", ["scores", "weights"])
def test_given_scores_are_no_product_of_what_is_given_with_the_values(
    step, width, drawn
) -> None:
    rng = np.random.default_rng(0)
    matrices = {"S": rng.normal(size=(4, 4)), "V": rng.normal(size=(4, width))}
    spec = Spec(projected=False, given=True, score="given")
    document = Document("Given", "abcd", matrices, spec)
    drawing, _ = drawn(document, step)
    before = {"scores": ["S", "scores"], "weights": ["scores"]}[step]
    assert [sheet.step for sheet in drawing.sheets] == [*before, "weights"]
