"""A survey read block by block finds what a look at everything finds."""

import math

import numpy as np
import pytest

from attnviewer import multi_head_attention
from attnviewer.compute import (
    HeadLocation,
    HeadSurvey,
    InMemory,
    StepHeads,
    head_survey,
    row_statistics,
)


def all_of(survey: HeadSurvey) -> int:
    steps = 0
    while not survey.done:
        survey.advance()
        steps += 1
    return steps


def three_heads(n: int) -> np.ndarray:
    weights = np.random.default_rng(0).random((3, n, n)) ** 3
    weights[1, 4] = 0  # a query that sees no key
    return weights


@pytest.mark.parametrize(("block", "steps"), [(2**18, 1), (3 * 9 * 2, 5), (1, 9)])
def test_blocks_change_nothing(monkeypatch, block: int, steps: int) -> None:
    monkeypatch.setattr(head_survey, "AT_ONCE", block)
    weights = three_heads(9)
    survey = HeadSurvey(list(map(InMemory, weights)), weights=True, query_offset=2)
    assert all_of(survey) == steps
    found = survey.statistics()
    for head in range(3):
        rows = row_statistics(weights[head], query_offset=2)
        seen = rows.visible
        assert found.entropy[head] == pytest.approx(rows.entropy[seen].mean())
        assert found.distance[head] == pytest.approx(rows.distance[seen].mean())
        previous = rows.previous_share[seen].mean()
        assert found.previous_share[head] == pytest.approx(previous)
    shares = weights / np.where(weights.any(-1), weights.sum(-1), 1)[..., np.newaxis]
    root = np.sqrt(shares).reshape(3, -1)
    lengths = np.linalg.norm(root, axis=1)
    cosine = root[0] @ root[2] / lengths[0] / lengths[2]
    assert survey.similarity()[0, 2] == pytest.approx(cosine)


def test_no_key_of_another_sequence_is_the_query_itself_or_before_it() -> None:
    rng = np.random.default_rng(0)
    x, context, w = (rng.normal(size=(n, 4)) for n in (3, 3, 4))
    trace = multi_head_attention(x, w, w, w, context=context)
    source = StepHeads(trace, "weights")
    survey = HeadSurvey(
        [source.matrix(HeadLocation(None, 0))],
        weights=True,
        query_offset=source.query_offset,
    )
    all_of(survey)
    found, rows = survey.statistics(), trace.statistics()
    for name in ("distance", "diagonal_share", "previous_share"):
        assert np.isnan(getattr(rows, name)).all()
        assert np.isnan(getattr(found, name)).all()
    assert found.first_share[0] == pytest.approx(trace["weights"][..., 0].mean())


def test_other_steps_have_limits_over_all_blocks(monkeypatch) -> None:
    monkeypatch.setattr(head_survey, "AT_ONCE", 1)
    one = np.array([[-1.0, math.inf], [2.0, -math.inf], [math.nan, 0.5]])
    other = np.full((3, 2), -math.inf)
    survey = HeadSurvey([InMemory(one), InMemory(other)], weights=False)
    all_of(survey)
    assert survey.limits() == [(-1.0, 2.0), None]


def test_what_a_mask_hides_makes_heads_no_more_alike() -> None:
    one = np.array([[1.0, -math.inf]])
    other = np.array([[2.0, -math.inf]])
    third = np.array([[-1.0, -math.inf]])
    survey = HeadSurvey(list(map(InMemory, (one, other, third))), weights=False)
    all_of(survey)
    assert survey.similarity()[0].tolist() == [1, 1, -1]
