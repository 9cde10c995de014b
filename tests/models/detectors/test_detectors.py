"""Detectors, against loops over tiny patterns and numbers worked out by hand."""

import numpy as np
import pytest

from attnviewer import models
from attnviewer.models.detectors import (
    DETECTORS,
    copy_suppression,
    duplicate_token,
    first_token_sink,
    induction,
    local,
    occurrence_profile,
    pattern_score,
    prefix_matching,
    repeated_random_tokens,
    retrieval,
    separator,
    separators_of,
)
from attnviewer.models.detectors.occurrences import profile
from tests.models.checkpoints import write_gpt2

IDS = [7, 3, 7, 7, 3, 5, 7]
N = len(IDS)


@pytest.fixture
def weights() -> np.ndarray:
    """Weights of two heads, the second of a decoder."""
    rows = np.random.default_rng(0).random((2, N, N))
    rows[1] = np.tril(rows[1])
    return rows / rows.sum(-1, keepdims=True)


def test_scores_of_repeated_tokens_are_what_loops_add_up(weights) -> None:
    for head, A in enumerate(weights):
        same = followed = 0.0
        per_query = []
        for i in range(N):
            earlier = [j for j in range(i) if IDS[j] == IDS[i]]
            same += sum(A[i, j] for j in earlier)
            followed += sum(A[i, j + 1] for j in earlier)
            if earlier:
                per_query.append(sum(A[i, j + 1] for j in earlier))
        total = A.sum()
        assert duplicate_token(weights, IDS)[head] == pytest.approx(same / total)
        assert induction(A, IDS) == pytest.approx(followed / total)
        assert prefix_matching(weights, IDS)[head] == pytest.approx(np.mean(per_query))
    for score in (duplicate_token, induction, prefix_matching):
        assert np.isnan(score(weights, range(N))).all()


def test_heads_that_do_one_thing_alone_score_one() -> None:
    ids = [4, 8, 6, 4, 8, 6]
    follows = np.eye(6)  # the first three have nothing to follow
    follows[3:] = np.eye(6)[1:4]
    assert prefix_matching(follows, ids) == 1
    assert induction(follows, ids) == 0.5
    same = np.vstack([np.eye(6)[:3], np.eye(6)[:3]])
    assert (duplicate_token(same, ids), prefix_matching(same, ids)) == (0.5, 0)
    nowhere = np.zeros((6, 6))
    assert np.isnan(pattern_score(nowhere, np.eye(6, dtype=bool)))


def test_a_profile_has_the_mean_at_each_place_before_the_query(weights) -> None:
    offsets = range(-2, 3)
    got = profile(weights, IDS, offsets)
    previous = {2: 0, 3: 2, 4: 1, 6: 3}
    for column, offset in enumerate(offsets):
        places = [(i, p + offset) for i, p in previous.items() if 0 <= p + offset < i]
        want = [np.mean([A[place] for place in places]) for A in weights]
        np.testing.assert_allclose(got[:, column], want)
    assert np.isnan(profile(weights, IDS, [-4, 3])).all()
    assert np.isnan(profile(weights, range(N), offsets)).all()


def test_a_sink_is_judged_by_the_mean_over_the_queries() -> None:
    # One query of four above 0.3 is enough, if the mean is.
    A = np.zeros((2, 4, 4))
    A[0, :, 0] = 1, 0.1, 0.1, 0.1
    A[1, :, 0] = 0.3, 0.3, 0.3, 0.29
    np.testing.assert_array_equal(first_token_sink(A), [1, 0])
    np.testing.assert_array_equal(first_token_sink(A, 0.35), [0, 0])
    assert np.isnan(first_token_sink(np.full((4, 4), np.nan)))


def test_neighbours_and_separators_get_their_shares(weights) -> None:
    for head, A in enumerate(weights):
        near = sum(A[i, j] for i in range(N) for j in range(N) if abs(i - j) <= 2)
        assert local(weights, 2)[head] == pytest.approx(near / N)
        on_them = sum(A[i, j] for i in range(N) for j in (2, 5))
        assert separator(weights, (2, 5))[head] == pytest.approx(on_them / N)
    assert np.isnan(separator(weights, ())).all()


def test_retrieval_counts_the_needles_tokens_that_are_copied() -> None:
    # The needle 5 6 7 at 1 to 3 is repeated from 5 on.
    ids = [9, 5, 6, 7, 9, 5, 6, 7]
    A = np.zeros((3, 8, 8))
    A[0, 4, 1] = A[0, 5, 2] = A[0, 6, 3] = 1  # looks at what comes next
    A[1, 4, 1] = 1
    A[1, 5, 3] = 1  # in the needle, but the next token is another one
    A[2, 4, 5] = A[2, 5, 6] = 1  # the same tokens, outside of it
    A[2, 0, 1] = 1  # within the needle's own sentence
    np.testing.assert_allclose(retrieval(A, ids, range(1, 4)), [1, 1 / 3, 0])


def test_copy_suppression_is_the_cosine_with_the_tokens_looked_at() -> None:
    own = np.array([[3.0, 0], [2, 0], [0, 1]])
    weights = np.array([[1, 0, 0], [0.5, 0.5, 0], [0.2, 0.2, 0.6]])
    against = -2 * own
    assert copy_suppression(weights, against, own) == pytest.approx(1)
    assert copy_suppression(weights, own, own) == pytest.approx(-1)
    # Keys 1 and 2 get 0.7 and 0.6; to key 2 nothing is moved.
    half = np.array([[0, 0], [-1.0, 0], [0, 0]])
    assert copy_suppression(weights, half, own) == pytest.approx(0.7 / 1.3)
    assert np.isnan(copy_suppression(weights[:1, :1], own[:1], own[:1]))


def test_random_tokens_differ_and_come_again_as_far_as_there_are_places(
    tmp_path,
) -> None:
    model = models.load(write_gpt2(tmp_path))
    limit, size = model.most_tokens, model.architecture.n_tokens
    assert limit is not None
    run = repeated_random_tokens(model)
    once = run.ids[: len(run.ids) // 4]
    assert run.ids == once * 4
    assert len(set(once)) == len(once) > 1
    assert len(once) == min(25, limit // 4, size - 2 * (size // 10))
    assert size // 10 <= min(once) <= max(once) < size - size // 10
    assert repeated_random_tokens(model, seed=1).ids != run.ids
    with pytest.raises(ValueError, match="must fit into"):
        repeated_random_tokens(model, repeats=limit + 1)
    with pytest.raises(ValueError, match=r"'repeats'.*at least 2"):
        repeated_random_tokens(model, repeats=1)


def test_the_profile_of_a_run_is_a_grid_by_head_and_offset(tmp_path) -> None:
    run = models.load(write_gpt2(tmp_path)).run(IDS)
    grid = occurrence_profile(run, 1, (-1, 0, 1))
    assert grid.column_labels == ("-1", "0", "+1")
    want = profile(run.attention(1)["weights"], IDS, (-1, 0, 1))
    np.testing.assert_array_equal(grid.values, want)
    with pytest.raises(ValueError, match=r"must differ. Got \[1, 1\]"):
        occurrence_profile(run, 1, (1, 1))


def test_separators_are_punctuation_and_special_tokens_after_the_first(minilm) -> None:
    run = models.load(minilm).run("No. Wait, 3.5 is wrong!")
    names = [run.tokens[position] for position in separators_of(run)]
    assert names == [".", ",", ".", "!", "[SEP]"]


def test_every_detector_says_what_it_is() -> None:
    assert tuple(DETECTORS)[:6] == models.HeadRow._fields[2:]
    titles = [detector.title for detector in DETECTORS.values()]
    assert len(set(titles)) == len(titles)
    for detector in DETECTORS.values():
        assert detector.sentence.endswith(".")
        assert detector.formula
        assert detector.source
