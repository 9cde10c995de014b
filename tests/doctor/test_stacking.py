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
        for number, share in zip(some, case.shares_each("output", results), strict=True)
        if share <= 1
    ]
    assert first in found


def test_what_is_not_finite_is_far_and_what_is_nearer_has_a_smaller_share():
    shape = shapes.SHAPES[2]
    given = shapes.inputs_of(shape, np.random.default_rng(0))
    right = planted.attend(shape, given, [])["output"]
    output = {"output": right.astype(np.float16)}
    case = read_case(given, output, **shape.options())
    lost = right.copy()
    lost[0] = np.nan
    results = np.stack([right, 1.5 * right, lost, np.full_like(right, np.inf)])
    exact, apart, *others = case.shares_each("output", results).tolist()
    assert exact < apart < 1  # rounding may explain much in half precision
    assert others == [np.inf, np.inf]


def test_computations_that_end_after_a_mistake_begins_are_left_out():
    shape = shapes.SHAPES[2]
    given = shapes.inputs_of(shape, np.random.default_rng(0))
    case = read_case(given, planted.attend(shape, given, []), **shape.options())
    late = [h.plan for h in singles(case, case.right) if h.id == "softmax-twice"]
    early = next(h.plan for h in singles(case, case.right) if h.id == "scale-missing")
    assert Evaluation(early, case.inputs)["output"].shape == (shape.n, shape.d_model)
    assert list(Stack(Trials(case.right), late).continued(early, "output")) == []
