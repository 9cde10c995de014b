"""LongRoPE, and rotations with a factor on the columns that rotate."""

import math

import numpy as np
import pytest

from attnviewer import Rotary, attention, multi_head_attention
from attnviewer.compute.positions import (
    longrope_attention_factor,
    longrope_frequencies,
)
from attnviewer.compute.positions.stretching import dynamic_base


def test_each_pair_rotates_slower_by_its_own_factor() -> None:
    found = longrope_frequencies(4, 100.0, [1.0, 4.0])
    np.testing.assert_allclose(found, [1.0, 0.1 / 4])
    with pytest.raises(ValueError, match="numbers as the 6 rotated columns"):
        longrope_frequencies(6, 100.0, [1.0, 4.0])


def test_the_attention_factor_of_phi_3_is_the_one_of_its_card() -> None:
    # 131,072 positions after 4,096.
    assert longrope_attention_factor(32, 4096) == pytest.approx(1.1902380714238083)
    assert longrope_attention_factor(0.5, 4096) == 1.0
    assert longrope_attention_factor(4096, 4096) == pytest.approx(math.sqrt(2))


def test_the_factor_acts_on_the_columns_that_rotate_alone() -> None:
    x, eye = np.random.default_rng(3).normal(size=(3, 4)), np.eye(4)
    turned, stretched = (
        multi_head_attention(
            x, eye, eye, eye, positions=Rotary(rotary_dim=2, attention_factor=factor)
        )
        for factor in (1.0, 1.5)
    )
    expected = turned["rotated Q"] * [1.5, 1.5, 1, 1]
    np.testing.assert_allclose(stretched["rotated Q"], expected)
    q, k = expected[0], turned["rotated K"][0] * [1.5, 1.5, 1, 1]
    np.testing.assert_allclose(
        stretched["weights"][0], attention(q, k, k)["weights"], atol=1e-12
    )
    formula = stretched.explain("rotated Q", (0, 2, 1))
    assert formula.steps[0].evaluate() == pytest.approx(formula.value)
    assert "multiplied by 1.5" in formula.note
    with pytest.raises(ValueError, match="'attention_factor' parameter must be"):
        Rotary(attention_factor=0.0)


def test_the_base_of_dynamic_ntk_grows_beyond_the_trained_length_alone() -> None:
    options = {"factor": 4.0, "trained_length": 8}
    assert dynamic_base(8, 500.0, length=8, **options) == 500
    assert dynamic_base(8, 500.0, length=3, **options) == 500
    # 4 · 20 / 8 - 3 = 7, to the power of 8 / 6.
    grown = dynamic_base(8, 500.0, length=20, **options)
    assert grown == pytest.approx(500 * 7 ** (4 / 3))
    with pytest.raises(ValueError, match="'rotary_dim'"):
        dynamic_base(2, length=20, **options)
