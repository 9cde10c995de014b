"""Mistakes are made once as long as there is room for their numbers."""

import numpy as np
import pytest

from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor import trials
from attnviewer.doctor.hypotheses import singles
from attnviewer.doctor.reading import read_case
from tests.doctor.planted_cases import planted, shapes


@pytest.fixture
def case():
    shape = shapes.SHAPES[2]
    given = shapes.inputs_of(shape, np.random.default_rng(0))
    return read_case(given, planted.attend(shape, given, []), **shape.options())


def test_a_mistake_that_is_asked_for_again_is_not_computed_again(case):
    made = trials.Trials(case.right)
    plan = next(h.plan for h in singles(case, case.right) if h.id == "scale-missing")
    output = made.of(plan)["output"]
    assert made.of(plan)["output"] is output
    alone = Evaluation(plan, case.inputs)["output"]
    np.testing.assert_array_equal(output, alone)


def test_what_there_is_no_room_for_is_computed_again(case, monkeypatch):
    assert case.right["output"].size > 0
    monkeypatch.setattr(trials, "MOST_KEPT", case.right.size)
    made = trials.Trials(case.right)
    first, second, *_ = (h.plan for h in singles(case, case.right))
    assert made.of(first) is made.of(first)
    assert made.of(second) is not made.of(second)
    assert made.of(first) is made.of(first)
