"""Every number of every variant explains itself, down to the inputs."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnviewer import Rotary, Trace, attention, multi_head_attention
from attnviewer.compute import NORMALIZERS, Cell, Expression, Formula, Number, Sum

from .variants import traces


def _expressions(expression: Expression) -> Iterator[Expression]:
    yield expression
    for part in expression.parts:
        yield from _expressions(part)


def _check(trace: Trace, cell: Cell, limit: int) -> Formula:
    """Check one explanation against the numbers of the trace."""
    formula = trace.explain(cell.step, cell.index, limit=limit)
    assert formula.cell == cell
    np.testing.assert_equal(formula.value, float(trace[cell.step][cell.index]))
    for step in formula.steps:
        assert step.evaluate() == pytest.approx(
            formula.value, rel=1e-9, abs=1e-9, nan_ok=True
        )
        for part in _expressions(step):
            if isinstance(part, Number) and part.cell is not None:
                held = float(trace[part.cell.step][part.cell.index])
                np.testing.assert_equal(part.value, held)
    return formula


def _walk(trace: Trace, first: Cell, limit: int) -> set[Cell]:
    """Follow the cells of the explanations down; return the inputs arrived at."""
    ends, seen, ahead = set(), {first}, [first]
    while ahead:
        cell = ahead.pop()
        formula = _check(trace, cell, limit)
        if not formula.cells:
            ends.add(cell)
        ahead += [c for c in formula.cells if c not in seen]
        seen.update(formula.cells)
    return ends


@given(traces(), st.sampled_from([1, 2, 12]), st.data())
def test_every_cell_of_every_variant_leads_down_to_the_inputs(trace, limit, data):
    for step in trace:
        places = [st.integers(0, size - 1) for size in trace.shape(step)]
        ends = _walk(trace, Cell(step, data.draw(st.tuples(*places))), limit)
        # The sinusoidal P is computed from places alone; for weights see below.
        known = {*trace.spec.input_names, "P", "weights"}
        assert {cell.step for cell in ends} <= known


@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_a_masked_weight_leads_to_its_score(normalizer) -> None:
    x = np.ones((2, 2))
    trace = attention(x, x, x, causal=True, normalizer=normalizer)
    assert Cell("masked", (0, 1)) in trace.explain("weights", (0, 1)).cells


@settings(max_examples=15)
@given(traces(), st.sampled_from([1, 12]))
def test_every_cell_adds_up_and_a_computed_one_has_steps_or_a_note(trace, limit):
    for step, stage in trace.stages.items():
        for index in np.ndindex(trace.shape(step)):
            formula = _check(trace, Cell(step, index), limit)
            assert bool(stage.inputs) == bool(formula.steps or formula.note)
            for written in formula.steps:
                sums = (s for s in _expressions(written) if isinstance(s, Sum))
                # A bias, or the 1 of softmax1, may stand beside the terms.
                assert all(len(s.terms) - limit in (0, 1) for s in sums if s.omitted)


def test_a_score_of_shared_heads_names_the_keys_that_serve_it() -> None:
    q, k = np.arange(16.0).reshape(4, 2, 2), np.arange(12.0).reshape(2, 3, 2)
    trace = attention(q, k, k)
    products, _ = trace.explain("scores", (3, 1, 2)).steps
    cells = [Cell("Q", (3, 1, 0)), Cell("K", (1, 2, 0))]
    cells += [Cell("Q", (3, 1, 1)), Cell("K", (1, 2, 1))]
    assert list(trace.explain("scores", (3, 1, 2)).cells) == cells
    assert products.evaluate() == 14 * 10 + 15 * 11


def test_a_projection_names_the_column_of_its_head_and_its_bias() -> None:
    x = np.arange(6.0).reshape(1, 3, 2)
    w = np.arange(8.0).reshape(2, 4)
    b = np.arange(4.0)
    trace = multi_head_attention(x, w, w, w, b_q=b, n_heads=2)
    assert trace.explain("Q", (0, 1, 2, 0)).cells == (
        Cell("X", (0, 2, 0)),
        Cell("W_Q", (0, 2)),
        Cell("X", (0, 2, 1)),
        Cell("W_Q", (1, 2)),
        Cell("b_Q", (2,)),
    )


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (1, 3), (2, 1), (2, 2, 3)])
def test_a_broadcast_bias_is_named_where_it_is_given(shape) -> None:
    bias = np.arange(math.prod(shape), dtype=float).reshape(shape)
    q, k = np.ones((2, 2, 4)), np.ones((2, 3, 4))
    trace = attention(q, k, k, bias=bias)
    for index in np.ndindex(2, 2, 3):
        formula = _check(trace, Cell("biased", index), 12)
        _, cell = formula.cells
        assert cell.step == "bias"
        assert bias[cell.index] == np.broadcast_to(bias, (2, 2, 3))[index]


def test_a_hidden_score_leads_to_the_score_and_to_the_mask_that_hides_it() -> None:
    q, k = np.ones((2, 4)), np.ones((3, 4))
    trace = attention(q, k, k, mask=[[True, False, True]], causal=True, scale=1.0)
    by_place = trace.explain("masked", (0, 2))
    assert by_place.note == "Masked: the key comes after the query."
    assert by_place.cells == (Cell("scores", (0, 2)),)
    by_both = trace.explain("masked", (0, 1))
    assert by_both.note == (
        "Masked: the key comes after the query and the mask hides the key."
    )
    assert by_both.cells == (Cell("scores", (0, 1)), Cell("mask", (0, 1)))
    assert trace.explain("masked", (1, 0)).note == ""


def test_padding_and_the_window_are_told_for_each_batch_item() -> None:
    x = np.ones((2, 1, 3, 2))
    trace = attention(
        x, x, x, key_lengths=[3, 1], window=(1, None), query_offset=[0, 1]
    )
    assert trace.explain("masked", (0, 0, 0, 2)).note == ""
    assert trace.explain("masked", (1, 0, 0, 2)).note == "Masked: the key is padding."
    outside = "Masked: the key is outside the window."
    assert trace.explain("masked", (0, 0, 2, 0)).note == outside
    assert trace.explain("masked", (1, 0, 1, 0)).note == outside
    assert trace.explain("masked", (0, 0, 1, 0)).note == ""


def test_a_query_that_sees_no_key_says_so() -> None:
    x = np.ones((2, 2))
    trace = attention(x, x, x, mask=[[False, False], [True, True]])
    assert trace.explain("weights", (0, 1)).note.startswith("Every score")
    assert trace.explain("output", (0, 0)).value == 0.0


def test_a_row_of_zeros_has_no_direction_and_leads_to_its_own_zero() -> None:
    q = np.array([[0.0, 0.0], [3.0, 4.0]])
    trace = attention(q, q, q, score="cosine")
    nothing = trace.explain("unit Q", (0, 1))
    assert nothing.note == "A row of zeros has no direction; it stays zero."
    assert nothing.cells == (Cell("Q", (0, 1)),)
    assert trace.explain("unit Q", (1, 1)).steps[0].evaluate() == 0.8


def test_a_bias_stands_beside_the_terms_that_are_written() -> None:
    x, w = np.ones((1, 5)), np.diag([1.0, 2.0, 3.0, 4.0, 5.0]).sum(0, keepdims=True).T
    trace = multi_head_attention(x, w, w, w, b_q=[7.0])
    _, values = trace.explain("Q", (0, 0, 0), limit=2).steps
    assert values == Sum(
        (Number(4.0), Number(5.0), Number(7.0, Cell("b_Q", (0,)))), 3, 6
    )


def test_a_turned_number_names_its_partner_and_one_beyond_only_itself() -> None:
    x, eye = np.ones((2, 6)), np.eye(6)
    near = Rotary(rotary_dim=4, interleaved=True)
    for scheme, partner in ((near, 1), (Rotary(rotary_dim=4), 2)):
        trace = multi_head_attention(x, eye, eye, eye, positions=scheme)
        turned = trace.explain("rotated Q", (0, 1, 0))
        assert turned.cells == (Cell("Q", (0, 1, 0)), Cell("Q", (0, 1, partner)))
        # At place 1 the first pair turns by 1: cos 1 − sin 1 of ones.
        assert turned.value == pytest.approx(math.cos(1) - math.sin(1), rel=1e-12)
        kept = trace.explain("rotated Q", (0, 1, 5))
        assert kept.cells == (Cell("Q", (0, 1, 5)),)
        assert kept.note == "Only the first 4 columns are rotated."


def test_a_turned_number_is_told_by_the_frequencies_that_are_given() -> None:
    x, eye = np.ones((2, 4)), np.eye(4)
    scheme = Rotary(frequencies=(0.5, 0.25), offset=2)
    trace = multi_head_attention(x, eye, eye, eye, positions=scheme)
    turned = trace.explain("rotated Q", (0, 1, 3))
    # At place 3 the second pair turns by 0.75; column 3 is its second column.
    assert turned.value == pytest.approx(math.cos(0.75) + math.sin(0.75), rel=1e-12)
    assert turned.steps[0].evaluate() == turned.value
    assert turned.note == "Columns 1 and 3 are a pair."


def test_an_extra_key_is_named_among_the_extra_rows_of_its_head() -> None:
    x, eye = np.ones((1, 3, 4)), np.eye(4)
    extra = np.arange(8.0).reshape(1, 2, 4)
    trace = multi_head_attention(
        x, eye, eye, eye, n_heads=2, extra_keys=extra, extra_values=extra
    )
    formula = trace.explain("extended K", (0, 1, 4, 0))
    assert formula.cells == (Cell("extra_keys", (0, 1, 2)),)
    assert formula.value == 6.0
    assert formula.note == "An extra row, after the projected ones."
    shared = multi_head_attention(
        x, eye, eye, eye, n_heads=2, extra_keys=extra[0], extra_values=extra[0]
    )
    formula = shared.explain("extended K", (0, 1, 4, 0))
    assert formula.cells == (Cell("extra_keys", (1, 2)),)
    own = trace.explain("extended K", (0, 1, 2, 0))
    assert own.cells == (Cell("K", (0, 1, 2, 0)),)
    assert own.note == ""


def test_the_sources_of_a_formula_come_after_the_cells_of_its_steps() -> None:
    a, b = Cell("Q", (0, 0)), Cell("mask", (0, 0))
    formula = Formula(Cell("masked", (0, 0)), 1.0, "", (Number(1.0, a),), "", (b, a))
    assert formula.cells == (a, b)


@pytest.mark.parametrize(
    ("index", "error"),
    [((2, 0), IndexError), ((0, -1), IndexError), ((0,), IndexError)],
)
def test_a_cell_that_is_not_there_is_refused(index, error) -> None:
    trace = attention(np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(error) as caught:
        trace.explain("weights", index)
    assert str(caught.value) == (
        f"The 'index' must lie inside 'weights' (2, 2). Got {index} instead."
    )


def test_fewer_terms_than_one_are_refused() -> None:
    trace = attention(np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match="'limit' parameter must be an integer of at"):
        trace.explain("weights", (0, 0), limit=0)


@pytest.mark.parametrize("limit", [1, 12])
@pytest.mark.parametrize(
    ("row", "unit", "dtype"),
    [
        ([1e154, 1e154], [0.5**0.5, 0.5**0.5], np.float64),
        ([3e200, -4e200], [0.6, -0.8], np.float64),
        ([3e-200, -4e-200], [0.6, -0.8], np.float64),
        ([1e-200, 0.0], [1.0, 0.0], np.float64),
        ([1.7e308, 1.0], [1.0, 1 / 1.7e308], np.float64),
        ([3e25, 4e25], [0.6, 0.8], np.float32),
    ],
)
def test_a_row_whose_squares_leave_the_range_is_explained(
    row: list[float], unit: list[float], limit: int, dtype: type
) -> None:
    q = np.array([row, [1.0, 2.0]])
    trace = attention(q, q, q, score="cosine", dtype=dtype)
    for column, want in enumerate(unit):
        formula = trace.explain("unit Q", (0, column), limit=limit)
        for step in formula.steps:
            assert step.evaluate() == pytest.approx(want, rel=1e-6)
        assert trace.explain("unit Q", (1, column)).note == ""
        assert Cell("Q", (0, column)) in formula.cells
