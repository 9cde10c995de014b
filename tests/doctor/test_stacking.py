"""Mistakes made in many computations at once give what each of them gives alone."""

import numpy as np
import pytest

from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor.hypotheses import singles
from attnviewer.doctor.reading import read_case
from attnviewer.doctor.stacking import Stack
from attnviewer.doctor.trials import Trials
from tests.doctor.planted_cases import planted, shapes


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("q-k-swapped", "scale-missing"),
        ("scale-missing", "concat-not-transposed"),
        ("causal-strict", "softmax-twice"),
    ],
)
def test_two_mistakes_that_do_not_overlap_are_made_at_once(first, second):
    shape = shapes.SHAPES[2]
    given = shapes.inputs_of(shape, np.random.default_rng(0))
    both = planted.attend(shape, given, [first, second])
    case = read_case(given, {"output": both["output"]}, **shape.options())
    made = list(singles(case, case.right, suggested=False))
    stack = Stack(Trials(case.right), [hypothesis.plan for hypothesis in made])
    found = [
        made[number].id
        for hypothesis in made
        if hypothesis.id == second
        for some, results in stack.continued(hypothesis.plan, "output")
        for number, is_near in zip(some, case.near_each("output", results), strict=True)
        if is_near
    ]
    assert first in found


def test_computations_that_end_after_a_mistake_begins_are_left_out():
    shape = shapes.SHAPES[2]
    given = shapes.inputs_of(shape, np.random.default_rng(0))
    case = read_case(given, planted.attend(shape, given, []), **shape.options())
    late = [h.plan for h in singles(case, case.right) if h.id == "softmax-twice"]
    early = next(h.plan for h in singles(case, case.right) if h.id == "scale-missing")
    assert Evaluation(early, case.inputs)["output"].shape == (shape.n, shape.d_model)
    assert list(Stack(Trials(case.right), late).continued(early, "output")) == []
