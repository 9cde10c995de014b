"""T5's buckets: recorded from transformers, and their numbers on the scores."""

import numpy as np
import pytest

from attnviewer import RelativeBias, multi_head_attention, relative_buckets
from attnviewer.compute.stages import AddBias

FURTHER = 12, 16, 23, 32, 46, 64, 91
FURTHER_BACK = (
    *(-140, -112, -98, -86, -76, -66, -58, -51, -45),
    *(-39, -34, -30, -26, -23, -20, -18),
)
# Where the bucket changes from -140 to 140, with transformers' T5Attention.
RECORDED = {
    (32, 128, True): (
        [-140, -90, -63, -45, -31, -22, -15, -11, *range(-7, 9), *FURTHER],
        [*range(15, -1, -1), *range(17, 32)],
    ),
    (32, 128, False): (
        [*FURTHER_BACK, *range(-15, 1)],
        [*range(31, -1, -1)],
    ),
    (8, 20, True): ([-140, -6, -1, 0, 1, 2, 7], [3, 2, 1, 0, 5, 6, 7]),
    (7, 9, False): ([-140, -6, -5, -3, -2, -1, 0], [6, 5, 4, 3, 2, 1, 0]),
    (6, 4, True): ([-140, -1, 0, 1, 2], [2, 1, 0, 4, 5]),
}


@pytest.mark.parametrize("options", RECORDED)
def test_buckets_are_those_of_transformers(options) -> None:
    count, most, both = options
    firsts, buckets = RECORDED[options]
    distances = np.arange(-140, 141)
    want = np.repeat(buckets, np.diff([*firsts, 141]))
    own = relative_buckets(distances, count, most, bidirectional=both)
    assert own.tolist() == want.tolist()
    edges = RelativeBias(count, most, bidirectional=both).edges
    back = distances[distances <= 0]
    assert [sum(-d >= e for e in edges) for d in back] == want[: back.size].tolist()


def test_a_bias_is_added_by_head_and_bucket() -> None:
    random = np.random.default_rng(5)
    x, table = random.normal(size=(4, 6)), random.normal(size=(32, 2))
    weights = [random.normal(size=(6, 6)) for _ in range(3)]
    trace = multi_head_attention(
        x,
        *weights,
        n_heads=2,
        positions="relative",
        relative_bias=table,
        scale=1.0,
        query_offset=1,
    )
    for head, i, j in np.ndindex(2, 4, 4):
        back = i + 1 - j  # all below 8, each with a bucket of its own
        own = table[back if back >= 0 else 16 - back, head]
        score = trace["scores"][head, i, j]
        assert trace["biased"][head, i, j] == pytest.approx(score + own)
    formula = trace.explain("biased", (1, 3, 1))
    assert formula.note == "The distance j − i = -3 falls into bucket 3."


def test_a_gradient_gathers_all_pairs_of_a_bucket() -> None:
    x = np.eye(5)
    trace = multi_head_attention(
        x,
        x,
        x,
        x,
        positions=RelativeBias(4, 2, bidirectional=True),
        relative_bias=np.zeros((4, 1)),
    )
    on_table = trace.backward({"biased": np.ones((1, 5, 5))})["relative_bias"]
    # Bucket 0: the diagonal; 1: keys before; 2: none; 3: keys after.
    assert on_table.ravel().tolist() == [5, 10, 0, 10]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (
            lambda: RelativeBias(3),
            "must be an integer of at least 4",
        ),
        (lambda: RelativeBias(5), "'n_buckets' must be even"),
        (lambda: RelativeBias(32, 8), "'max_distance' must be above 8"),
        (lambda: relative_buckets([0.5]), "'distances' must be whole numbers"),
        (
            lambda: _attended(positions="relative"),
            'must be given with positions="relative"',
        ),
        (lambda: _attended(relative_bias=np.eye(2)), "must be left out without"),
        (
            lambda: _attended(positions="relative", relative_bias=np.eye(2)),
            r"must have shape \(32, 1\)",
        ),
    ],
)
def test_what_does_not_fit_is_refused(make, reason) -> None:
    with pytest.raises((ValueError, TypeError), match=reason):
        make()


def _attended(**options):
    x = np.eye(2)
    return multi_head_attention(x, x, x, x, **options)


def test_the_formula_of_the_stage_has_the_relative_bias() -> None:
    stage = AddBias("scaled", given=True, relative=RelativeBias(), n_keys=4)
    assert stage.formula == "scaled + bias + relative_bias[bucket(j − i)]"
