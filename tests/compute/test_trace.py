"""Reading a computation: heads, one query's view, what is hidden."""

import tracemalloc

import numpy as np
import pytest

from attnviewer.compute import Spec, Trace, attention, run

_SPECS = {
    "simplified": Spec(projected=False),
    "self": Spec(),
    "heads": Spec(n_heads=2, causal=True),
    "heads with W_O": Spec(n_heads=2, output_projection=True),
}


def _trace(spec: Spec):
    random = np.random.default_rng(7)
    shapes = {"X": (5, 4), "W_Q": (4, 6), "W_K": (4, 6), "W_V": (4, 2), "W_O": (2, 3)}
    return run(spec, {n: random.normal(size=s) for n, s in shapes.items()})


def test_a_step_without_heads_has_one_head() -> None:
    trace = _trace(_SPECS["heads"])
    assert trace.n_heads("X") == 1
    assert trace.n_heads("output") == 1
    assert trace.n_heads("weights") == 2
    assert trace.shape("Q") == (2, 5, 3)


def test_a_step_without_heads_is_the_same_window_for_every_head() -> None:
    trace = _trace(_SPECS["heads"])
    np.testing.assert_array_equal(trace.window("output", head=1), trace["output"])


def test_a_trace_says_its_steps_and_their_shapes() -> None:
    assert repr(_trace(_SPECS["heads"])) == (
        "<Trace: X (5, 4), W_Q (4, 6), W_K (4, 6), W_V (4, 2), Q (2, 5, 3), "
        "K (2, 5, 3), V (2, 5, 1), scores (2, 5, 5), scaled (2, 5, 5), "
        "masked (2, 5, 5), weights (2, 5, 5), heads (2, 5, 1), output (5, 2)>"
    )


@pytest.mark.parametrize(
    ("ask", "name", "got"),
    [
        (lambda trace: trace.window("weights", 0, 1), "rows", 0),
        (lambda trace: trace.window("weights", slice(0, 1), 1), "columns", 1),
        (lambda trace: trace.window("X", (0, 1)), "rows", (0, 1)),
        (lambda trace: trace.statistics(2), "rows", 2),
        (lambda trace: trace.visible_keys([0, 1]), "rows", [0, 1]),
    ],
)
def test_rows_and_columns_that_are_no_slices_are_refused(ask, name, got) -> None:
    with pytest.raises(TypeError) as caught:
        ask(_trace(_SPECS["self"]))
    assert str(caught.value) == (
        f"The '{name}' parameter must be a slice, such as slice(0, 3). "
        f"Got {got} instead."
    )


@pytest.mark.parametrize("ask", [Trace.visible_keys, Trace.statistics])
def test_every_other_query_is_refused(ask) -> None:
    with pytest.raises(ValueError, match=r"^The 'rows' .* without a step\. Got"):
        ask(_trace(_SPECS["self"]), slice(None, None, 2))


@pytest.mark.parametrize("kind", [list, np.array, lambda index: np.array(index, "u1")])
def test_a_cell_may_be_given_as_a_list_or_an_array(kind) -> None:
    trace = _trace(_SPECS["heads"])
    index = (1, 4, 2)
    assert trace.explain("weights", kind(index)) == trace.explain("weights", index)


@pytest.mark.parametrize(
    ("spec", "steps"),
    [
        ("simplified", "scores scaled weights output"),
        ("self", "Q scores scaled weights output"),
        ("heads", "Q scores scaled masked weights heads output"),
        ("heads with W_O", "Q scores scaled weights heads concatenated output"),
    ],
)
def test_one_query_sees_every_step_from_its_query_to_its_output(spec, steps) -> None:
    assert list(_trace(_SPECS[spec]).query(0)) == steps.split()


def test_a_mask_hides_cells_of_the_masked_scores_and_of_the_weights_alone() -> None:
    trace = _trace(_SPECS["heads"])
    want = np.triu(np.ones((5, 5), dtype=bool), k=1)
    for step in ("masked", "weights"):
        np.testing.assert_array_equal(trace.hidden(step), want)
    assert trace.hidden("scores") is None
    assert _trace(_SPECS["self"]).hidden("weights") is None


def test_hidden_cells_are_those_that_the_mask_hides_and_no_others() -> None:
    x = np.array([[1e200, 0.0], [-1e200, 1.0], [0.0, 1.0]])  # scores leave the range
    trace = run(Spec(projected=False, scale=1.0, causal=True), {"X": x})
    assert np.isneginf(trace["scores"][1, 0])
    later = [[False, True, True], [False, False, True], [False, False, False]]
    for step in ("masked", "weights"):
        assert trace.hidden(step).tolist() == later
    assert trace.hidden("scores") is None
    assert run(Spec(projected=False), {"X": x}).hidden("weights") is None


def test_a_score_that_is_minus_infinity_by_itself_is_not_called_masked() -> None:
    x = np.array([[1e200, 0.0], [-1e200, 1.0]])
    trace = run(Spec(projected=False, scale=1.0, causal=True), {"X": x})
    assert trace.explain("masked", (1, 0)).note == ""
    assert trace.explain("masked", (0, 1)).note.startswith("Masked")


@pytest.mark.parametrize("row", [0, 1000, 2199])
def test_limits_of_a_large_step_are_those_of_all_its_rows(row: int) -> None:
    q = np.ones((2200, 1))
    q[row] = 5.0
    k = np.full((2200, 1), 0.5)
    k[7] = -1.0
    trace = attention(q, k, k, scale=0.5)
    # the largest and the smallest score are both in one row: 5 · 0.5 and 5 · (−1)
    assert trace.limits("scores") == (-5.0, 2.5)
    assert trace.limits("scaled") == (-2.5, 1.25)


def test_heads_of_keys_serve_neighbouring_heads_of_queries() -> None:
    # Ainslie et al. 2023, figure 2: of 6 heads, 0 to 2 share the first of two of keys.
    q, k = np.ones((6, 2, 4)), np.arange(2.0).repeat(12).reshape(2, 3, 4)
    trace = attention(q, k, k)
    assert [trace.head_of("K", head) for head in range(6)] == [0, 0, 0, 1, 1, 1]
    assert [trace.head_of("scores", head) for head in range(6)] == [*range(6)]
    assert [*trace.served_by("K", 1)] == [3, 4, 5]
    assert [*trace.served_by("scores", 4)] == [4]
    for head in range(6):
        own = trace["K"][trace.head_of("K", head)]
        assert np.array_equal(own, trace.window("K", head=head))
        assert trace["scores"][head, 0, 0] == own[0].sum()
    spec = Spec(n_heads=6, n_kv_heads=2)
    assert [spec.kv_head_of(head) for head in range(6)] == [0, 0, 0, 1, 1, 1]
    assert [*spec.sharing_with(2)] == [0, 1, 2]
    assert [*Spec(n_heads=6).sharing_with(2)] == [2]


@pytest.mark.parametrize("causal", [False, True])
def test_weights_are_read_without_other_memory(causal: bool) -> None:
    x = np.random.default_rng(3).normal(size=(2, 300, 4)).astype(np.float32)
    trace = attention(x, x, x, causal=causal)
    tracemalloc.start()
    weights = trace["weights"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < weights.nbytes / 10
