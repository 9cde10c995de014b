"""The work that pairs of mistakes may take."""

import numpy as np
import pytest

import attnviewer
from attnviewer.doctor import searching
from attnviewer.doctor.diagnosing import ONLY_SOME, diagnose_case
from attnviewer.doctor.effort import Effort, work_from
from attnviewer.doctor.reading import read_case
from tests.doctor.planted_cases import planted, shapes, some

SHAPE = shapes.Shape(causal=True)
TWO = ["scale-missing", "softmax-plus-one"]


def planted_case(slips, what="ends"):
    given = shapes.inputs_of(SHAPE, np.random.default_rng(5))
    steps = planted.attend(SHAPE, given, slips)
    return read_case(given, some(steps, what), **SHAPE.options())


def test_work_is_spent_until_nothing_is_left():
    effort = Effort(10)
    assert effort.spend(6)
    assert not effort.given_up
    assert not effort.spend(5)
    assert effort.given_up
    assert effort.spend(4)


def test_a_part_is_taken_from_the_whole():
    effort = Effort(10)
    part = effort.part(0.75)
    assert (part.left, effort.left) == (7.5, 2.5)


def test_a_change_at_the_end_is_less_work_than_one_at_the_beginning():
    case = planted_case([])
    late = case.plan.then("weights", lambda weights: weights)
    early = case.plan.then("Q", lambda rows: rows)
    works = [work_from(plan, "output", case.right) for plan in (late, early)]
    assert 0 < works[0] < works[1]


def test_a_pair_that_there_is_no_work_for_is_not_named_and_that_is_said(monkeypatch):
    assert len(diagnose_case(planted_case(TWO)).findings) == 2
    monkeypatch.setattr(searching, "MOST_WORK", 0.0)
    diagnosis = diagnose_case(planted_case(TWO))
    assert not diagnosis.findings
    assert diagnosis.first_different == "weights"
    assert ONLY_SOME in diagnosis.notes


def test_nothing_is_said_of_pairs_where_one_mistake_explains_all(monkeypatch):
    monkeypatch.setattr(searching, "MOST_WORK", 0.0)
    assert ONLY_SOME not in diagnose_case(planted_case(TWO[:1])).notes


@pytest.mark.usefixtures("few_mistakes")
def test_nothing_is_said_where_all_pairs_were_tried(monkeypatch):
    monkeypatch.setattr(searching, "MOST_WORK", 1e12)
    case = planted_case([])
    noise = np.random.default_rng(6).normal(size=case.mine["weights"].shape)
    diagnosis = attnviewer.diagnose(
        case.inputs, {"weights": case.mine["weights"] + noise / 100}, **SHAPE.options()
    )
    assert not diagnosis.findings
    assert ONLY_SOME not in diagnosis.notes
