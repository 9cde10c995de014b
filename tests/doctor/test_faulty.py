"""Documents that compute with the mistakes that a diagnosis names."""

import numpy as np
import pytest

from attnviewer.compute.mistakes import CATALOGUE, Evaluation, Plan, UnfitError
from attnviewer.doctor import hypotheses
from attnviewer.doctor.case import Case
from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.faulty import (
    InexpressibleError,
    faulty_document,
    right_document,
)
from tests.mistaken import MISTAKES, SPEC, by_hand, document


def _diagnosis(mine, spec=SPEC, inputs=None):
    return diagnose_case(Case(spec, inputs or document().inputs(), mine))


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_document_has_the_right_inputs_and_the_wrong_numbers(mistake) -> None:
    inputs = document().inputs()
    mine = by_hand(mistake, inputs)
    diagnosis = _diagnosis(mine)
    made = faulty_document(diagnosis, tokens=list("abcde"), title="Mine")
    assert [slip.id for slip in made.spec.mistakes] == [diagnosis.findings[0].id]
    assert made.title.startswith("Mine (with the mistake: ")
    for name, array in inputs.items():
        np.testing.assert_array_equal(made.matrix(name), array)
    trace = made.compute()
    for step, numbers in mine.items():
        np.testing.assert_allclose(trace[step], numbers, atol=1e-9)
    right = right_document(diagnosis).compute()
    np.testing.assert_allclose(
        right["output"], by_hand("", inputs)["output"], atol=1e-12
    )


def test_every_mistake_can_be_played_with_but_for_weights_that_are_not_used(
    monkeypatch,
) -> None:
    inputs = document().inputs()
    plan = Plan.of(SPEC, {name: array.shape for name, array in inputs.items()})
    opened, refused = 0, []
    for mistake in CATALOGUE:
        for variation in list(mistake.variations(plan))[:1]:
            numbers = Evaluation(variation.plan, inputs)
            try:
                mine = {name: numbers[name] for name in plan.steps}
            except UnfitError:
                continue
            # That it is told from all others, test_diagnosing.py asks.
            monkeypatch.setattr(hypotheses, "CATALOGUE", (mistake,))
            diagnosis = _diagnosis(mine)
            if diagnosis.agrees:
                continue
            try:
                trace = faulty_document(diagnosis).compute()
            except InexpressibleError:
                refused.append(mistake.id)
                continue
            for step in ("weights", "output"):
                np.testing.assert_allclose(trace[step], mine[step], atol=1e-9)
            opened += 1
    assert opened > 80
    # The mean of the heads is returned, while each head's own weights are used. The
    # weights of a document are those that are used.
    assert refused == ["weights-averaged"]


def test_a_fitted_number_comes_along() -> None:
    inputs = document().inputs()
    mine = by_hand("", inputs)
    powers = np.exp(mine["masked"] / 1.37)
    mine["weights"] = powers / powers.sum(axis=-1, keepdims=True)
    del mine["heads"], mine["concatenated"], mine["output"]
    diagnosis = _diagnosis(mine)
    (slip,) = faulty_document(diagnosis).spec.mistakes
    assert slip.id == "temperature"
    assert slip.parameter == pytest.approx(1.37, rel=1e-9)


def test_one_of_two_mistakes_can_be_opened_alone() -> None:
    inputs = document().inputs()
    plan = Plan.of(SPEC, {name: array.shape for name, array in inputs.items()})
    both = plan.skipping("scaled").computing(
        "concatenated", lambda heads: heads.reshape(heads.shape[1], -1)
    )
    numbers = Evaluation(both, inputs)
    diagnosis = _diagnosis({name: numbers[name] for name in plan.steps})
    assert len(diagnosis.findings) == 2
    made = faulty_document(diagnosis)
    np.testing.assert_allclose(made.compute()["output"], numbers["output"], atol=1e-9)
    for finding in diagnosis.findings:
        alone = faulty_document(diagnosis, finding)
        (slip,) = alone.spec.mistakes
        assert slip.id in finding.ids
        want = by_hand(slip.id, inputs)["output"]
        np.testing.assert_allclose(alone.compute()["output"], want, atol=1e-9)


def test_dropped_weights_are_held_by_pins() -> None:
    inputs = document().inputs()
    mine = by_hand("", inputs)
    dropped = np.random.default_rng(5).random(mine["weights"].shape) < 0.25
    mine["weights"] = np.where(dropped, 0.0, mine["weights"] / 0.75)
    mine = {name: mine[name] for name in ("scores", "scaled", "masked", "weights")}
    diagnosis = _diagnosis(mine)
    assert [finding.id for finding in diagnosis.findings] == ["dropout-active"]
    made = faulty_document(diagnosis)
    assert not made.spec.mistakes
    np.testing.assert_allclose(made.compute()["weights"], mine["weights"], atol=1e-9)


@pytest.mark.usefixtures("few_mistakes")
def test_without_a_finding_there_is_nothing_to_open() -> None:
    mine = by_hand("", document().inputs())
    with pytest.raises(InexpressibleError, match="No mistake was found"):
        faulty_document(_diagnosis(mine))
    mine["weights"] = mine["weights"] + 0.01 * np.sin(np.arange(25.0).reshape(5, 5))
    diagnosis = _diagnosis({"weights": mine["weights"]})
    assert diagnosis.unexplained
    with pytest.raises(InexpressibleError, match="No mistake was found"):
        faulty_document(diagnosis)
