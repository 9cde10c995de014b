"""Every weight is what its written-out steps evaluate to."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from attnviewer.compute.expression import (
    Cell,
    Difference,
    Expression,
    Named,
    Number,
    Power,
    Quotient,
    Sum,
    numbers,
)
from attnviewer.compute.formula import Formula
from attnviewer.compute.functions import Exponential
from attnviewer.compute.normalizers import NORMALIZERS, Normalizer

_INF = math.inf
_EVERY = {
    **{name: normalizer() for name, normalizer in NORMALIZERS.items()},
    **{f"{name} at 2.5": made(temperature=2.5) for name, made in NORMALIZERS.items()},
    "sigmoid without bias": NORMALIZERS["sigmoid"].with_options(length_bias=False),
}
_each = pytest.mark.parametrize("normalizer", _EVERY.values(), ids=_EVERY)
# Eighths add without rounding, so plain sums cancel exactly.
_ROW = st.lists(
    st.integers(-40, 40).map(lambda n: n / 8) | st.just(-_INF), min_size=1, max_size=6
)


def _every() -> Iterator[Normalizer]:
    """Yield every normaliser, to be asked about the row that is drawn once."""
    for name, normalizer in _EVERY.items():
        note(name)
        yield normalizer


def _explained(
    normalizer: Normalizer, row: list[float], key: int, limit: int = 12
) -> Formula:
    cell = Cell("weights", (1, key))
    return normalizer.explain(np.array(row), key, cell, "scores", limit)


@settings(max_examples=12)
@given(row=_ROW, limit=st.sampled_from([1, 2, 12]))
def test_every_step_evaluates_to_the_weight(row, limit) -> None:
    for normalizer in _every():
        weights = normalizer.normalize(np.array([row]))[0]
        for key, weight in enumerate(weights.tolist()):
            formula = _explained(normalizer, row, key, limit)
            assert formula.cell == Cell("weights", (1, key))
            np.testing.assert_equal(formula.value, weight)
            assert formula.steps or formula.note
            for step in formula.steps:
                np.testing.assert_allclose(
                    step.evaluate(), weight, rtol=1e-12, atol=1e-14
                )


@settings(max_examples=12)
@given(row=_ROW)
def test_the_numbers_that_name_a_cell_are_the_scores_there(row) -> None:
    for normalizer in _every():
        for key in range(len(row)):
            formula = _explained(normalizer, row, key)
            if formula.steps:
                assert Cell("scores", (1, key)) in formula.cells
            for step in formula.steps:
                for number in numbers(step):
                    if number.cell is not None:
                        assert number.cell.step == "scores"
                        head, column = number.cell.index
                        assert (head, number.value) == (1, row[column])


@settings(max_examples=12)
@given(row=_ROW)
def test_a_weight_is_written_out_unless_a_note_says_why_not(row) -> None:
    for normalizer in _every():
        for key, score in enumerate(row):
            formula = _explained(normalizer, row, key)
            masked = score == -_INF
            outside = formula.value == 0 and normalizer.name in (
                "sparsemax",
                "entmax15",
            )
            undefined = math.isnan(formula.value)
            no_numbers = normalizer.name == "hardmax"
            has_steps = not (masked or outside or undefined or no_numbers)
            assert bool(formula.steps) == has_steps


@_each
@pytest.mark.parametrize("size", [1e30, 1e308, 1.7e308])
def test_huge_scores_are_explained(normalizer, size) -> None:
    row = [size, -size, 3.0, -_INF, size]
    weights = normalizer.normalize(np.array([row]))[0].tolist()
    for key, weight in enumerate(weights):
        formula = _explained(normalizer, row, key)
        assert formula.value == weight
        assert formula.steps or formula.note
        for step in formula.steps:
            np.testing.assert_allclose(step.evaluate(), weight, rtol=1e-12)


@_each
@pytest.mark.parametrize("wild", [_INF, math.nan])
def test_a_row_with_a_wild_number_has_notes_for_its_weights(normalizer, wild) -> None:
    if normalizer.name in ("sigmoid", "none"):
        return  # each weight depends on its own score alone
    for key in range(3):
        formula = _explained(normalizer, [wild, 2.0, -_INF], key)
        assert formula.note
        assert not formula.steps


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("softmax", "The score is −∞, as that of a masked key is: e^(−∞) = 0."),
        ("softmax1", "The score is −∞, as that of a masked key is: e^(−∞) = 0."),
        ("sigmoid", "The score is −∞, as that of a masked key is: σ(−∞) = 0."),
        ("sum", "The score is −∞, as that of a masked key is, and counts as 0."),
        (
            "sparsemax",
            "The score is −∞, as that of a masked key is: it gets no weight.",
        ),
        ("entmax15", "The score is −∞, as that of a masked key is: it gets no weight."),
        ("none", "The score is −∞, as that of a masked key is: it gets no weight."),
        ("hardmax", "The score is −∞, as that of a masked key is: it gets no weight."),
    ],
)
def test_a_masked_key_says_that_it_is_masked(name, note) -> None:
    formula = _explained(NORMALIZERS[name](), [1.0, -_INF], 1)
    assert (formula.value, formula.steps, formula.note) == (0.0, (), note)


@pytest.mark.parametrize("name", ["softmax", "softmax1", "sparsemax", "entmax15"])
def test_a_row_with_infinite_scores_says_who_shares_the_weight(name) -> None:
    one = _explained(NORMALIZERS[name](), [1.0, _INF, -2.0], 0)
    assert (one.value, one.steps) == (0.0, ())
    assert one.note == (
        "The row holds +∞: the key that has it gets all the weight, as in the limit. "
        "NumPy's exp(s − max) would give NaN, as ∞\u00a0−\u00a0∞ is undefined."
    )
    two = _explained(NORMALIZERS[name](), [_INF, 1.0, _INF], 0)
    assert two.value == pytest.approx(0.5, rel=1e-15)
    assert "the 2 keys that have it share the weight equally" in two.note
    cold = _explained(NORMALIZERS[name](temperature=1e-300), [1e200, 1.0], 0)
    assert cold.note.startswith("The row's largest score over the temperature is no")


def test_sigmoid_shares_nothing_among_infinite_scores() -> None:
    row = [_INF, 1.0, _INF]
    infinite = _explained(NORMALIZERS["sigmoid"](), row, 0)
    assert (infinite.value, infinite.steps) == (1.0, ())
    assert infinite.note == "The score is +∞, and σ(∞) = 1."
    cold = _explained(NORMALIZERS["sigmoid"](temperature=1e-300), [1e200, 1.0], 0)
    assert cold.note == "The score over the temperature is +∞, and σ(∞) = 1."
    beside = _explained(NORMALIZERS["sigmoid"](), row, 1)
    assert beside.note == ""
    assert beside.steps[-1].evaluate() == pytest.approx(beside.value, rel=1e-15)


@pytest.mark.parametrize("name", ["softmax", "softmax1", "sparsemax", "hardmax"])
def test_a_row_masked_as_a_whole_says_so(name) -> None:
    formula = _explained(NORMALIZERS[name](), [-_INF, -_INF], 0)
    assert formula.note == "Every score of this query is −∞: its weights are zero."


def _score(value: float, key: int) -> Number:
    return Number(value, Cell("scores", (1, key)))


def _largest(body: Expression, symbol: str = "maxᵢ") -> Named:
    """The row's largest score, which formulas abbreviate."""
    return Named("largest", body, symbol)


def test_softmax_is_written_with_the_largest_score_taken_off() -> None:
    three, one = _score(3.0, 1), _score(1.0, 0)
    largest = _largest(three)
    first, second = _explained(NORMALIZERS["softmax"](), [1.0, 3.0], 1).steps
    assert first == Quotient(
        Exponential(Difference(three, largest)),
        Sum(
            (
                Exponential(Difference(one, largest)),
                Exponential(Difference(three, largest)),
            )
        ),
    )
    assert second == Quotient(Number(1.0), Sum((Number(math.exp(-2)), Number(1.0))))


def test_softmax1_writes_the_score_of_its_hidden_key() -> None:
    nothing, score = Number(0.0), _score(-2.0, 0)
    first, second = _explained(NORMALIZERS["softmax1"](), [-2.0], 0).steps
    largest = _largest(nothing, "mᵢ")
    own = Exponential(Difference(score, largest))
    assert first == Quotient(own, Sum((Exponential(Difference(nothing, largest)), own)))
    e = Number(math.exp(-2))
    assert second == Quotient(e, Sum((Number(1.0), e)))


def test_a_long_sum_writes_its_largest_terms_and_adds_up_the_rest() -> None:
    row = [0.0, 5.0, 1.0, 4.0, 2.0]
    _, values = _explained(NORMALIZERS["softmax"](), row, 0, limit=2).steps
    assert isinstance(values, Quotient)
    assert isinstance(values.denominator, Sum)
    assert values.denominator.terms == (Number(1.0), Number(math.exp(-1)))
    assert values.denominator.omitted == 3
    rest = math.exp(-5) + math.exp(-4) + math.exp(-3)
    np.testing.assert_allclose(values.denominator.remainder, rest, rtol=1e-15)


def test_sigmoid_is_written_with_the_exponential_that_stays_small() -> None:
    bias, one = Number(math.log(2)), Number(1.0)
    high, _ = _explained(NORMALIZERS["sigmoid"](), [3.0, -4.0], 0).steps
    low, _ = _explained(NORMALIZERS["sigmoid"](), [3.0, -4.0], 1).steps
    power = Exponential(Difference(bias, _score(3.0, 0)))
    assert high == Quotient(one, Sum((one, power)))
    power = Exponential(Difference(_score(-4.0, 1), bias))
    assert low == Quotient(power, Sum((one, power)))


def test_sigmoid_without_bias_says_so_in_its_symbols() -> None:
    plain = NORMALIZERS["sigmoid"].with_options(length_bias=False)
    assert _explained(plain, [1.0], 0).symbols.startswith("σ(sᵢⱼ), σ(x) = ")


def test_sparsemax_is_written_as_the_distance_to_the_threshold() -> None:
    # τ is 1.25, which is 0.75 below the largest score.
    row = [0.0, 0.5, 1.0, 1.5, 2.0]
    formula = _explained(NORMALIZERS["sparsemax"](), row, 3)
    tau, below = Number(-0.75), Difference(_score(1.5, 3), _largest(_score(2.0, 4)))
    assert formula.steps == (Difference(below, tau), Difference(Number(-0.5), tau))
    assert formula.note == (
        "τᵢ makes the weights add up to 1. In the support are the keys less than "
        "0.75 below the row's largest score: 2 of 5."
    )
    outside = _explained(NORMALIZERS["sparsemax"](), row, 1)
    assert outside.note == (
        "Outside the support: its score is at least 0.75 below the row's largest score."
    )


def test_entmax15_is_written_as_a_square() -> None:
    # All halves are 0, and four times 0.5² is 1.
    formula = _explained(NORMALIZERS["entmax15"](), [1.0] * 4, 2)
    own, largest = _score(1.0, 2), _largest(_score(1.0, 0))
    half = Quotient(Difference(own, largest), Number(2.0))
    base = Difference(half, Number(-0.5))
    value = Difference(Number(0.0), Number(-0.5))
    two = Number(2.0)
    assert formula.steps == (Power(base, two), Power(value, two))
    assert formula.note.endswith("less than 1 below the row's largest score: 4 of 4.")


def test_temperature_is_written_under_each_score() -> None:
    hot = NORMALIZERS["sparsemax"](temperature=2.0)
    step = _explained(hot, [3.0, 3.0], 0).steps[0]
    tempered = Quotient(_score(3.0, 0), Number(2.0))
    assert step == Difference(Difference(tempered, _largest(tempered)), Number(-0.5))


@pytest.mark.parametrize(
    ("key", "note"),
    [
        (0, "Another key has a larger score, and the largest takes all the weight."),
        (1, "The first of the keys with the row's largest score takes all the weight."),
        (2, "A key before it has the same score, and the first takes all the weight."),
    ],
)
def test_hardmax_says_which_key_takes_the_weight(key, note) -> None:
    assert _explained(NORMALIZERS["hardmax"](), [1.0, 3.0, 3.0], key).note == note


def test_hardmax_says_when_nobody_ties() -> None:
    formula = _explained(NORMALIZERS["hardmax"](), [1.0, 3.0], 1)
    assert formula.note == "The key with the row's largest score takes all the weight."


def test_a_masked_key_of_a_plain_sum_of_zero_has_no_weight_for_its_mask() -> None:
    formula = _explained(NORMALIZERS["sum"](), [1.0, -1.0, -np.inf], 2)
    assert formula.value == 0
    assert formula.note.startswith("The score is −∞")


def test_a_plain_sum_of_zero_says_why_there_are_no_weights() -> None:
    formula = _explained(NORMALIZERS["sum"](), [1.0, -1.0], 0)
    assert math.isnan(formula.value)
    assert formula.note.startswith("The scores of this row add up to 0")
