import math

import numpy as np
import pytest

from attnviewer.compute import Cell, Rotary, Spec, run
from attnviewer.compute.expression import numbers
from attnviewer.compute.walk import QueryWalk

WORDS = np.array([[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]], dtype=float)
NOTEBOOK_003 = np.array(
    [
        [0.86379499, 0.93042748, 0.82149658],
        [0.11288872, 0.23407153, 0.26185969],
        [0.79451453, 0.63626262, 0.39415654],
        [0.59248056, 0.70135167, 0.51830873],
    ]
)
"""The random input that the notebook printed."""


def walk_of(x, query, **options):
    spec = {k: options.pop(k) for k in list(options) if k not in ("shifted", "head")}
    trace = run(Spec(projected=False, **spec), {"X": np.asarray(x, dtype=float)})
    return QueryWalk(trace, query, **options)


def moves_of(walk, kind, step=None):
    return [
        walk.move(number)
        for phase in walk.phases
        if phase.kind == kind and step in (None, phase.step)
        for number in range(phase.start, phase.start + phase.moves)
    ]


def last_numbers(moves):
    return [float(move.loop[-1]) for move in moves]


def test_the_walk_goes_from_dot_products_to_the_weighted_values():
    walk = walk_of(WORDS, 2, causal=True)
    names = [(phase.kind, phase.step, phase.moves) for phase in walk.phases]
    assert names == [
        ("step", "scores", 4),
        ("step", "scaled", 4),
        ("step", "masked", 4),
        ("maximum", "masked", 1),
        ("exponentials", "weights", 4),
        ("sum", "weights", 1),
        ("weights", "weights", 4),
        ("mix", "output", 4),
    ]
    assert len(walk) == 26


def test_it_begins_with_the_vectors_of_the_query_s_token():
    names = ("X", "W_Q", "W_K", "W_V")
    inputs = dict.fromkeys(names, np.eye(3)) | {"X": WORDS}
    phases = QueryWalk(run(Spec(), inputs), 1).phases
    assert [(p.kind, p.step, p.moves) for p in phases[:4]] == [
        ("vector", "Q", 3),
        ("vector", "K", 3),
        ("vector", "V", 3),
        ("step", "scores", 4),
    ]


def test_columns_that_are_only_divided_among_heads_are_no_phase():
    scores = Spec(
        given=True, projected=False, score="given", heads_joined=True, n_heads=2
    )
    dots = Spec(given=True, projected=False, heads_joined=True, n_heads=2)
    rng = np.random.default_rng(0)
    for spec, names in ((scores, "SV"), (dots, "QKV")):
        widths = [6 if name == "S" else 4 for name in names]
        inputs = {n: rng.random((3, w)) for n, w in zip(names, widths, strict=True)}
        walk = QueryWalk(run(spec, inputs), 1, head=1)
        assert walk.phases[0].step == "scores"
        assert not [p.step for p in walk.phases if p.step.startswith("split")]
        move = walk.move(0)
        assert move.loop[0] == move.matrix[0]


def test_word_1_of_notebook_001_from_its_embedding_to_its_attention():
    # query_1 = word_1 @ W_Q and so on, with the weights that its output comes from.
    inputs = {
        "X": WORDS,
        "W_Q": np.array([[2, 0, 1], [0, 0, 1], [2, 0, 1]], float),
        "W_K": np.array([[0, 0, 0], [0, 2, 0], [0, 0, 2]], float),
        "W_V": np.array([[0, 0, 2], [2, 2, 0], [2, 2, 0]], float),
    }
    walk = QueryWalk(run(Spec(), inputs), 0)
    for name in "QKV":
        row = [float(number) for number in inputs[f"W_{name}"][0]]  # word 1 = (1, 0, 0)
        assert last_numbers(moves_of(walk, "vector", name)) == row
    assert last_numbers(moves_of(walk, "step", "scores")) == [0, 0, 0, 2]
    printed = [0.16199, 0.16199, 0.16199, 0.51402]
    assert last_numbers(moves_of(walk, "weights")) == pytest.approx(printed, abs=5e-6)
    last = moves_of(walk, "mix")[-1]
    assert last.loop.tolist() == pytest.approx([1.67601, 1.67601, 0.64798], abs=5e-6)


def test_vectors_before_the_scores_are_those_of_the_token_in_every_variant():
    generator = np.random.default_rng(8)
    inputs = {
        name: generator.normal(size=(4, 4)) for name in ("X", "W_Q", "W_K", "W_V")
    }
    spec = Spec(positions=Rotary(), n_heads=2, n_kv_heads=1)
    inputs |= {name: inputs[name][:, :2] for name in ("W_K", "W_V")}
    walk = QueryWalk(run(spec, inputs), 2, head=1)
    steps = [p.step for p in walk.phases if p.kind == "vector"]
    assert steps == ["Q", "K", "V", "rotated Q", "rotated K"]
    key = inputs["X"][2] @ inputs["W_K"]
    assert last_numbers(moves_of(walk, "vector", "K")) == pytest.approx(key)
    query = inputs["X"][2] @ inputs["W_Q"][:, 2:]
    assert last_numbers(moves_of(walk, "vector", "Q")) == pytest.approx(query)


def test_keys_of_another_sequence_begin_with_the_first():
    generator = np.random.default_rng(8)
    names = ("X", "W_Q", "W_K", "W_V")
    inputs = {name: generator.normal(size=(4, 4)) for name in names}
    inputs["context"] = generator.normal(size=(2, 4))
    walk = QueryWalk(run(Spec(context=True), inputs), 3)
    key = inputs["context"][0] @ inputs["W_K"]
    assert last_numbers(moves_of(walk, "vector", "K")) == pytest.approx(key)


@pytest.mark.parametrize("offset", [-2, 2])
def test_a_query_whose_own_key_is_not_there_begins_with_the_first_key(offset):
    keys = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    inputs = {"X": keys} | {f"W_{letter}": np.eye(2) for letter in "QKV"}
    walk = QueryWalk(run(Spec(query_offset=offset), inputs), 1)
    assert last_numbers(moves_of(walk, "vector", "K")) == [1, 2]


def test_one_query_worked_by_hand():
    # Word 3 = (1, 1, 0) sees the three words up to itself: dot products 1, 1, 2.
    walk = walk_of(WORDS, 2, causal=True, scale=1.0)
    assert last_numbers(moves_of(walk, "step", "scores")) == [1, 1, 2, 0]
    masked = moves_of(walk, "step", "masked")
    assert last_numbers(masked) == [1, 1, 2, -math.inf]
    assert masked[3].note == "Masked: the key comes after the query."
    assert last_numbers(moves_of(walk, "maximum")) == [2]
    e = math.exp(-1)
    assert last_numbers(moves_of(walk, "exponentials")) == pytest.approx([e, e, 1, 0])
    assert last_numbers(moves_of(walk, "sum")) == pytest.approx([1 + 2 * e])
    share = e / (1 + 2 * e)
    weights = last_numbers(moves_of(walk, "weights"))
    assert weights == pytest.approx([share, share, 1 - 2 * share, 0])
    sums = [move.loop.tolist() for move in moves_of(walk, "mix")]
    own = 1 - 2 * share
    assert sums[0] == pytest.approx([share, 0, 0])
    assert sums[1] == pytest.approx([share, share, 0])
    assert sums[2] == sums[3] == pytest.approx([share + own, share + own, 0])


def test_it_gives_the_numbers_of_the_naive_loop_in_notebook_003():
    walk = walk_of(NOTEBOOK_003, 1, scale=1.0, shifted=False)
    scores = last_numbers(moves_of(walk, "step", "scores"))
    printed = [0.53041613, 0.13610384, 0.3418364, 0.36677499]
    assert scores == pytest.approx(printed, abs=2e-8)
    weights = last_numbers(moves_of(walk, "weights"))
    printed = [0.29838948, 0.20115732, 0.24710661, 0.25334659]
    assert weights == pytest.approx(printed, abs=2e-8)
    printed = [0.62688845, 0.65962472, 0.52651137]
    context = moves_of(walk, "mix")[-1].loop.tolist()
    assert context == pytest.approx(printed, abs=2e-8)


@pytest.mark.parametrize("shifted", [True, False])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"causal": True},
        {"normalizer": "softmax1"},
        {"normalizer": "sparsemax"},
        {"softcap": 2.0},
    ],
)
def test_loop_and_matrix_form_agree_on_every_number(options, shifted):
    x = np.random.default_rng(3).normal(size=(5, 4))
    walk = walk_of(x, 3, shifted=shifted, **options)
    for number in range(len(walk)):
        move = walk.move(number)
        if move.phase.kind == "mix" and move.index != 4:
            continue
        np.testing.assert_allclose(move.loop, move.matrix, rtol=1e-12, atol=1e-15)


def test_without_the_maximum_large_scores_overflow_and_with_it_they_do_not():
    x = [[30.0, 0.0], [0.0, 1.0]]
    naive = walk_of(x, 0, scale=1.0, shifted=False)
    assert naive.exponentials.overflow
    assert last_numbers(moves_of(naive, "exponentials")) == [math.inf, 1.0]
    weights = last_numbers(moves_of(naive, "weights"))
    assert math.isnan(weights[0])
    assert weights[1] == 0
    stable = walk_of(x, 0, scale=1.0)
    assert not stable.exponentials.overflow
    assert last_numbers(moves_of(stable, "weights")) == [1.0, 0.0]


def test_it_says_where_exponentials_overflow_in_each_type():
    trace = run(Spec(projected=False), {"X": np.ones((2, 2), np.float32)})
    # 2^128 and 2^1024 are just out of reach of the two types.
    assert QueryWalk(trace, 0).exponentials.ceiling == pytest.approx(128 * math.log(2))
    double = walk_of(np.ones((2, 2)), 0).exponentials
    assert double.ceiling == pytest.approx(1024 * math.log(2))


def test_without_the_maximum_very_low_scores_vanish():
    x = [[30.0], [-30.0]]
    walk = walk_of(x, 1, scale=1.0, causal=True, shifted=False)
    assert not walk.exponentials.vanished
    low = run(
        Spec(projected=False, scale=1.0, bias=True),
        {"X": np.zeros((1, 1)), "bias": np.array([[-800.0]])},
    )
    assert QueryWalk(low, 0, shifted=False).exponentials.vanished
    assert not QueryWalk(low, 0).exponentials.vanished


def test_beside_an_extra_key_very_low_scores_lose_nothing_without_the_maximum():
    spec = Spec(projected=False, scale=1.0, bias=True, normalizer="softmax1")
    inputs = {"X": np.zeros((1, 1)), "bias": np.array([[-800.0]])}
    assert not QueryWalk(run(spec, inputs), 0, shifted=False).exponentials.failed


def test_a_query_that_sees_no_key_gets_zeros():
    spec = Spec(projected=False, mask=True)
    mask = np.array([[False, False], [True, True]])
    walk = QueryWalk(run(spec, {"X": np.eye(2), "mask": mask}), 0)
    assert last_numbers(moves_of(walk, "weights")) == [0, 0]
    assert moves_of(walk, "mix")[-1].loop.tolist() == [0, 0]


def test_each_head_is_walked_with_its_own_numbers():
    generator = np.random.default_rng(5)
    names = ("X", "W_Q", "W_K", "W_V")
    inputs = {name: generator.normal(size=(4, 4)) for name in names}
    trace = run(Spec(n_heads=2), inputs)
    for head in (0, 1):
        walk = QueryWalk(trace, 1, head=head)
        own = slice(2 * head, 2 * head + 2)
        query = inputs["X"][1] @ inputs["W_Q"][:, own]
        scores = [
            sum(a * b for a, b in zip(query, x @ inputs["W_K"][:, own], strict=True))
            for x in inputs["X"]
        ]
        assert last_numbers(moves_of(walk, "step", "scores")) == pytest.approx(scores)
        assert walk.move(0).cell.index == (head, 1, 0)


def test_a_place_that_is_not_there_is_refused():
    with pytest.raises(IndexError, match="'query' must be from 0 to 3"):
        walk_of(WORDS, 4)
    with pytest.raises(IndexError, match="'number' must be from 0 to 21"):
        walk_of(WORDS, 0).move(22)


@pytest.mark.parametrize("normalizer", ["softmax", "softmax1"])
@pytest.mark.parametrize("shifted", [True, False])
def test_loop_and_matrix_form_agree_at_any_temperature(normalizer, shifted):
    options = {"normalizer": normalizer, "temperature": 0.8, "shifted": shifted}
    walk = walk_of(NOTEBOOK_003, 1, **options)
    for kind in ("exponentials", "sum", "weights"):
        for move in moves_of(walk, kind):
            assert move.loop == pytest.approx(move.matrix, rel=1e-12)


def test_the_sum_of_a_query_that_sees_no_key_says_by_what_is_divided():
    mask = np.array([[False, False], [True, True]])
    inputs = {"X": np.eye(2), "mask": mask}
    walk = QueryWalk(run(Spec(projected=False, mask=True), inputs), 0)
    [move] = moves_of(walk, "sum")
    assert (move.loop, move.matrix, move.steps) == ([1], [1], ())
    assert move.note.startswith("Every exponential is 0.")


def test_scores_beyond_the_largest_float_share_the_row_as_in_the_matrix_form():
    # 1e200 · 1e200 is beyond the largest float64: scores of +∞, −∞ and 1e200.
    walk = walk_of([[1e200], [-1e200], [1]], 0, scale=1.0)
    assert last_numbers(moves_of(walk, "exponentials")) == [1, 0, 0]
    assert last_numbers(moves_of(walk, "weights")) == [1, 0, 0]
    assert all(m.matrix == pytest.approx(m.loop) for m in moves_of(walk, "weights"))
    first, *others = moves_of(walk, "exponentials")
    assert "NumPy's exp(s − max) gives NaN, as ∞ − ∞ is undefined." in first.note
    assert all("counts for nothing" in move.note for move in others)
    naive = walk_of([[1e200], [-1e200], [1]], 0, scale=1.0, shifted=False)
    assert {move.note for move in moves_of(naive, "exponentials")} == {""}


def test_single_precision_overflows_without_a_warning():
    x = np.array([[1e20], [-1e20]], dtype=np.float32)
    with np.errstate(all="ignore"):
        trace = run(Spec(projected=False, scale=1.0), {"X": x})
    scores = moves_of(QueryWalk(trace, 0), "step", "scores")
    assert last_numbers(scores) == [math.inf, -math.inf]


def test_the_sum_of_single_precision_has_the_numbers_that_the_loop_adds():
    x = np.array([[0.7], [0.3]], np.float32)
    trace = run(Spec(projected=False, scale=1.0, normalizer="softmax1"), {"X": x})
    walk = QueryWalk(trace, 0)
    (move,) = moves_of(walk, "sum")
    (formula,) = move.steps
    beside = formula.terms[-1].value
    assert beside == float(np.exp(np.float32(0) - np.float32(0.7) * np.float32(0.7)))
    assert np.float32(formula.evaluate()) == move.loop[0]


@pytest.mark.parametrize("head", range(4))
def test_a_head_is_walked_with_the_keys_and_values_that_serve_it(head):
    rng = np.random.default_rng(2)
    shapes = {"X": (3, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 4)}
    inputs = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    trace = run(Spec(n_heads=4, n_kv_heads=2), inputs)
    walk = QueryWalk(trace, 1, head=head)
    own = head // 2  # heads 0 and 1 share the first
    for key, move in enumerate(moves_of(walk, "mix")):
        cells = [number.cell for number in numbers(move.steps[0])]
        assert Cell("weights", (head, 1, key)) in cells
        assert Cell("V", (own, key, 0)) in cells
    for move in moves_of(walk, "step", "scores"):
        for number in numbers(move.steps[0]):
            assert number.value == trace[number.cell.step][number.cell.index]
    mixed = moves_of(walk, "mix")[-1].loop
    np.testing.assert_allclose(mixed, trace["heads"][head, 1])
