"""Conditions on the document that was worked out on paper, see `texts`."""

import pytest

from attnviewer.document import Document
from attnviewer.teaching.conditions import parse_condition
from attnviewer.teaching.ranking import parse_ranking
from tests.teaching.texts import PAPER, opened

LINES = PAPER.split("\n")[1:-2]


@pytest.fixture(scope="module")
def paper() -> Document:
    return opened(*LINES)


@pytest.mark.parametrize(
    "text",
    [
        "scores[0, 1] = 3",
        "scores[0, 1] != 4",
        "scores[0, 0] < scores[0, 1]",
        'scores["a", "c"] <= scores[2, 1]',
        "scores[2, 2] > 4.99",
        "scores[2, 2] ≥ 5",
        "weights[0, 2] = 0.62 ~ 0.001",
        "weights[0, 2] > 1/2",
        "scaled[0, 1] = 3 / sqrt(2)",
        "sum weights[1, :] = 1",
        "sum scores[0, :] = 8",
        # −0.0743 log₂ 0.0743 − 0.3057 log₂ 0.3057 − 0.62 log₂ 0.62 = 1.2290
        "entropy weights[0] = 1.2290 ~ 1e-4",
        'entropy weights["a"] < 1.5',
        "entropy weights[0, :] > 1",
        "largest weights[0, :] is 2",
        "visible[0, 2]",
        'visible["a", "c"]',
        "option causal = false",
        "option normalizer = softmax",
        "option heads = 1",
        "option scale = none",
        "head 0: weights[0, 2] > 0.5",
        "Q[0, 1] = 2",
        "X[2, 0] = 1",
    ],
)
def test_a_condition_holds(paper: Document, text: str) -> None:
    assert parse_condition(text).holds(paper)


@pytest.mark.parametrize(
    "text",
    [
        "scores[0, 1] = 3.0001",
        "scores[0, 1] < 3",
        "scores[0, 1] > 3",
        "weights[0, 2] = 0.62",
        "hidden[0, 2]",
        "largest weights[0, :] is 1",
        "option causal = true",
        "option positions = rope",
        "option softcap = 5",
    ],
)
def test_a_condition_does_not_hold(paper: Document, text: str) -> None:
    assert not parse_condition(text).holds(paper)


def test_a_largest_number_must_be_one_alone(paper: Document) -> None:
    assert paper.compute()["scores"][1].tolist() == [0, 1, 1]
    assert not parse_condition("largest scores[1, :] is 1").holds(paper)
    assert not parse_condition("largest scores[1, :] is 2").holds(paper)


def test_conditions_follow_masks_options_and_heads() -> None:
    changed = opened(*LINES, "options: causal=true, positions=rope[base=100]")
    for text in (
        "hidden[0, 1]",
        "visible[1, 0]",
        "visible[:, 0]",
        "visible[2, :]",
        "option causal = true",
        "option positions = rope",
        "option positions = rope[base=100]",
    ):
        assert parse_condition(text).holds(changed), text
    for text in ("option positions = rope[base=99]", "hidden[:, 1]", "visible[:, 1]"):
        assert not parse_condition(text).holds(changed), text
    heads = opened(*LINES, "options: heads=2")
    assert parse_condition("option n_heads = 2").holds(heads)
    assert parse_condition("head 1: scores[2, 1] = 3").holds(heads)  # 3 · 1
    assert parse_condition("scores[2, 1] = 1").holds(heads)  # 1 · 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the name of a step"),
        ("weights[0, 1]", "Got the end instead"),
        ("weights[0, 1] >= ", "Type a number"),
        ("weights[0; 1] > 1", "not understood"),
        ("weights[0, 1] > 1 > 2", "not a number|understand|“>”"),
        ("weights[-1, 1] > 1", "a number or a token"),
        ("weights[0.5, 1] > 1", "a whole number"),
        ("__import__('os')", "not understood"),
        ("weights[0, 1] > __import__", "“\\[”"),
        ("weights[0, 1] = 1 ~ -1", "at least 0"),
        ("option cusal = true", "Did you mean 'causal'"),
        ("option causal = true, heads = 2", "must be one"),
        ("option mask = true", "must be one of"),
        ("visible[0, 1] > 1", "the end"),
        ("x" * 301, "at most 300"),
    ],
)
def test_what_is_no_condition_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_condition(text)


@pytest.mark.parametrize(
    "text",
    [
        "weights[0, 3] > 0",
        'weights["d", 0] > 0',
        "H[0, 0] > 0",
        "head 1: Q[0, 0] = 1",
        "visible[3, 0]",
        'hidden[0, "d"]',
    ],
)
def test_a_place_that_is_not_there_is_an_error(paper: Document, text: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        parse_condition(text).holds(paper)


def test_a_token_that_occurs_twice_has_to_be_a_number() -> None:
    twice = opened("tokens: the, cat, the", "X: 1 0; 0 1; 1 1")
    with pytest.raises(ValueError, match="there 2 times"):
        parse_condition('weights["the", 0] > 0').holds(twice)


@pytest.mark.parametrize(
    ("text", "among", "best"),
    [
        ("largest weights[0, :]", "keys", 2),
        ('smallest scores["c", :]', "keys", 0),
        ("largest scores[:, 2]", "queries", 2),
        ("smallest Q[:, 1]", "queries", 1),
        ("largest scores[0, 1]", "heads", 0),
    ],
)
def test_a_ranking_finds_the_one(
    paper: Document, text: str, among: str, best: int
) -> None:
    assert parse_ranking(text, among).best(paper) == best


def test_heads_are_ranked_by_a_cell() -> None:
    heads = opened(*LINES, "options: heads=2")
    scores = heads.compute()["scores"][:, 2, 0]
    assert scores.tolist() == [1, 0]  # Q[2] = 1 and 3, K[0] = 1 and 0
    assert parse_ranking("largest scores[2, 0]", "heads").best(heads) == 0
    assert parse_ranking("smallest scores[2, 0]", "heads").best(heads) == 1
