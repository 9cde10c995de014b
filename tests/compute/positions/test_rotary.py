"""Rotary embedding against complex numbers, hand-worked turns and its properties."""

import cmath
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from attnviewer.compute import Spec, run
from attnviewer.compute.positions import (
    Rotary,
    base_frequencies,
    rotary_angles,
    rotary_embedding,
    rotate,
)

_layouts = pytest.mark.parametrize("interleaved", [False, True])


def _numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(7).normal(size=shape)


def _pairs(width: int, interleaved: bool) -> list[tuple[int, int]]:
    half = width // 2
    if interleaved:
        return [(2 * i, 2 * i + 1) for i in range(half)]
    return [(i, i + half) for i in range(half)]


def _turned(row, place, *, width=None, interleaved=False, base=10000.0) -> list[float]:
    """The paper's rotation of one row: each pair is a complex number turned."""
    width = len(row) if width is None else width
    out = [float(value) for value in row]
    for i, (a, b) in enumerate(_pairs(width, interleaved)):
        angle = place * math.pow(base, -2 * i / width)
        z = complex(row[a], row[b]) * cmath.exp(1j * angle)
        out[a], out[b] = z.real, z.imag
    return out


def test_a_quarter_turn_worked_by_hand() -> None:
    # At base 1 every pair turns by the place itself.
    x = np.array([[1.0, 2.0, 3.0, 4.0]])
    halves = rotary_embedding(x, [math.pi / 2], base=1.0)
    pairs = rotary_embedding(x, [math.pi / 2], base=1.0, interleaved=True)
    np.testing.assert_allclose(halves, [[-3, -4, 1, 2]], rtol=0, atol=1e-15)
    np.testing.assert_allclose(pairs, [[-2, 1, -4, 3]], rtol=0, atol=1e-15)


def test_later_pairs_turn_more_slowly() -> None:
    x = np.array([[1.0, 1.0, 0.0, 0.0]] * 3)
    want = [
        [math.cos(p), math.cos(p / 100), math.sin(p), math.sin(p / 100)]
        for p in range(3)
    ]
    np.testing.assert_allclose(rotary_embedding(x), want, rtol=0, atol=1e-15)


@_layouts
@pytest.mark.parametrize("shape", [(5, 6), (2, 5, 6), (2, 3, 5, 6), (2, 3, 4, 5, 6)])
def test_each_row_turns_by_its_place_whatever_the_axes_before(
    shape, interleaved
) -> None:
    x = _numbers(*shape)
    got = rotary_embedding(x, interleaved=interleaved, rotary_dim=4, base=50.0)
    assert got.shape == shape
    for *lead, place in np.ndindex(shape[:-1]):
        row = (*lead, place)
        want = _turned(x[row], place, width=4, interleaved=interleaved, base=50.0)
        np.testing.assert_allclose(got[row], want, rtol=0, atol=1e-14)


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 5, 3, 4), (2, 5, 2, 3, 4)])
def test_places_of_a_batch_reach_over_the_axes_between(shape) -> None:
    x, positions = _numbers(*shape), [[0, 1, 2], [7, 3.5, -2]]
    got = rotary_embedding(x, positions)
    for index in np.ndindex(shape[:-1]):
        want = _turned(x[index], positions[index[0]][index[-1]])
        np.testing.assert_allclose(got[index], want, rtol=0, atol=1e-14)


@pytest.mark.parametrize("shape", [(3, 4), (3, 3, 4), (2, 5, 3, 4)])
def test_a_batch_of_one_goes_for_all(shape) -> None:
    x, positions = _numbers(*shape), [4, 0, 9]
    want = rotary_embedding(x, positions)
    np.testing.assert_array_equal(rotary_embedding(x, [positions]), want)
    np.testing.assert_allclose(
        want[..., 2, :].reshape(-1, 4)[0],
        _turned(x[..., 2, :].reshape(-1, 4)[0], 9),
        atol=1e-14,
    )


_rows = arrays(np.float64, (3, 6), elements=st.floats(-100, 100))
_places = arrays(np.float64, 3, elements=st.floats(-1000, 1000))


@_layouts
@given(_rows, _places)
def test_turning_keeps_lengths(interleaved, x, positions) -> None:
    got = rotary_embedding(x, positions, interleaved=interleaved)
    np.testing.assert_allclose(
        np.linalg.norm(got, axis=-1), np.linalg.norm(x, axis=-1), rtol=1e-13
    )


@_layouts
@given(_rows, _rows, st.integers(-300, 300))
def test_products_depend_on_the_distance_alone(interleaved, q, k, shift) -> None:
    def products(first: int) -> np.ndarray:
        places = np.arange(first, first + 3)
        return (
            rotary_embedding(q, places, interleaved=interleaved)
            @ rotary_embedding(k, places, interleaved=interleaved).T
        )

    np.testing.assert_allclose(products(shift), products(0), rtol=0, atol=1e-7)


@_layouts
@given(_rows, _places)
def test_turning_by_minus_sine_turns_back(interleaved, x, positions) -> None:
    cos, sin = rotary_angles(positions, 4)
    there = rotate(x, cos, sin, interleaved)
    np.testing.assert_allclose(
        rotate(there, cos, -sin, interleaved), x, rtol=0, atol=1e-12
    )


@_layouts
def test_turning_back_is_the_gradient(interleaved) -> None:
    # <turned(x), g> = <x, gradient(g)> for all x and g defines the gradient.
    x, g = _numbers(2, 3, 8), _numbers(2, 3, 8)[::-1] + 1.0
    cos, sin = rotary_angles([[2, 5, 1], [0, 7, 3]], 6)
    left = (rotate(x, cos, sin, interleaved) * g).sum()
    right = (x * rotate(g, cos, -sin, interleaved)).sum()
    assert left == pytest.approx(right, rel=1e-13)
    assert left != pytest.approx((x * g).sum(), rel=1e-3)


def test_angles_are_the_place_over_powers_of_the_base() -> None:
    cos, sin = rotary_angles([[0.0, 3.0]], 4, base=100.0)
    assert cos.shape == sin.shape == (1, 2, 2)
    np.testing.assert_allclose(cos[0], [[1, 1], [math.cos(3), math.cos(0.3)]])
    np.testing.assert_allclose(sin[0], [[0, 0], [math.sin(3), math.sin(0.3)]])


def test_given_frequencies_are_turns_per_place() -> None:
    # A quarter turn per place, and a half one: after two places a half and a whole.
    x = np.array([[1.0, 2.0, 3.0, 4.0]] * 3)
    quarters = [math.pi / 2, math.pi]
    want = [[1, 2, 3, 4], [-3, -2, 1, -4], [-1, 2, -3, 4]]
    got = rotary_embedding(x, frequencies=quarters)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-14)


@_layouts
@given(_rows, _places, st.sampled_from([2, 4, 6]), st.floats(1e-3, 1e8))
def test_the_frequencies_of_a_base_given_by_themselves_change_nothing(
    interleaved, x, positions, width, base
) -> None:
    options = {"rotary_dim": width, "interleaved": interleaved}
    frequencies = [base ** (-2 * i / width) for i in range(width // 2)]
    got = rotary_embedding(x, positions, frequencies=frequencies, **options)
    want = rotary_embedding(x, positions, base=base, **options)
    # Another program's powers may be a rounding off, at angles of up to 100,000.
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-7)
    own = base_frequencies(width, base)
    same = rotary_embedding(x, positions, frequencies=own, base=3.0, **options)
    np.testing.assert_array_equal(same, want)


def test_a_scheme_holds_its_frequencies_as_plain_numbers() -> None:
    scheme = Rotary(frequencies=np.array([1, 0.5], np.float32))  # type: ignore
    assert scheme == Rotary(frequencies=(1.0, 0.5))
    assert hash(scheme) == hash(Rotary(frequencies=(1.0, 0.5)))
    assert type(scheme.frequencies) is tuple
    assert list(map(type, scheme.frequencies)) == [float, float]
    assert Rotary().frequencies is None


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"frequencies": (1.0, 0.0)}, ValueError, "hold positive numbers. Got 0.0"),
        ({"frequencies": (math.nan,)}, ValueError, "hold positive numbers. Got nan"),
        ({"frequencies": (math.inf,)}, ValueError, "hold positive numbers. Got inf"),
        ({"frequencies": 1.0}, ValueError, r"1 dimension.* Got shape \(\) instead"),
        ({"frequencies": "fast"}, TypeError, "'frequencies' .* real numbers"),
        (
            {"frequencies": (1.0, 0.5, 0.1), "rotary_dim": 4},
            ValueError,
            "half as many numbers as the 4 rotated columns. Got 3 instead",
        ),
    ],
)
def test_what_is_no_list_of_frequencies_is_refused(options, error, message) -> None:
    with pytest.raises(error, match=message):
        Rotary(**options)


# Tables with another turn for each row and column, so that no mix-up goes unseen.
_COS = np.array([[0.6, 0.8], [0.0, 1.0], [-0.8, 0.28]])
_SIN = np.array([[0.8, -0.6], [1.0, 0.0], [0.6, 0.96]])


@pytest.mark.parametrize(
    ("interleaved", "want"),
    [
        # (1 + 3i)(0.6 + 0.8i) and (2 + 4i)(0.8 − 0.6i)
        (False, [-1.8, 4.0, 2.6, 2.0]),
        # (1 + 2i)(0.6 + 0.8i) and (3 + 4i)(0.8 − 0.6i)
        (True, [-1.0, 2.0, 4.8, 1.4]),
    ],
)
def test_given_angles_turn_pairs_as_worked_by_hand(interleaved, want) -> None:
    x = np.array([[1.0, 2.0, 3.0, 4.0]])
    got = rotary_embedding(x, cos=_COS[:1], sin=_SIN[:1], interleaved=interleaved)
    np.testing.assert_allclose(got, [want], rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("interleaved", "columns"), [(False, [0, 1, 0, 1]), (True, [0, 0, 1, 1])]
)
def test_tables_of_full_width_say_the_same_as_of_half(interleaved, columns) -> None:
    x = _numbers(2, 3, 4)
    half = rotary_embedding(x, cos=_COS, sin=_SIN, interleaved=interleaved)
    full = rotary_embedding(
        x, cos=_COS[:, columns], sin=_SIN[:, columns], interleaved=interleaved
    )
    np.testing.assert_array_equal(full, half)


@_layouts
def test_a_full_table_is_used_column_by_column(interleaved) -> None:
    cos, sin = np.array([[2.0, 3.0, 5.0, 7.0]]), np.array([[11.0, 13.0, 17.0, 19.0]])
    x = np.array([[1.0, 10.0, 100.0, 1000.0]])
    got = rotary_embedding(x, cos=cos, sin=sin, interleaved=interleaved)
    want = np.zeros(4)
    for a, b in _pairs(4, interleaved):
        want[a] = x[0, a] * cos[0, a] - x[0, b] * sin[0, a]
        want[b] = x[0, b] * cos[0, b] + x[0, a] * sin[0, b]
    assert got[0].tolist() == want.tolist()


def test_places_pick_rows_of_the_tables() -> None:
    x, positions = _numbers(2, 5, 3, 4), np.array([[2, 0, 1], [1, 1, 0]])
    got = rotary_embedding(x, positions, cos=_COS, sin=_SIN)
    for b, h, n in np.ndindex(2, 5, 3):
        row = positions[b, n]
        turns = [complex(_COS[row, i], _SIN[row, i]) for i in range(2)]
        z = [complex(x[b, h, n, i], x[b, h, n, i + 2]) * turns[i] for i in range(2)]
        want = [z[0].real, z[1].real, z[0].imag, z[1].imag]
        np.testing.assert_allclose(got[b, h, n], want, rtol=0, atol=1e-15)


def test_tables_of_a_batch_are_used_as_they_are() -> None:
    x = _numbers(2, 5, 3, 4)
    positions = np.array([[2, 0, 1], [1, 1, 0]])
    got = rotary_embedding(x, cos=_COS[positions], sin=_SIN[positions])
    want = rotary_embedding(x, positions, cos=_COS, sin=_SIN)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("d", "w", "rotary_dim", "turning"),
    [
        (8, 2, None, 4),  # one column per pair, the rest pass
        (8, 4, None, 8),
        (8, 6, None, 6),  # twice would be too many, so full width
        (8, 8, None, 8),
        (8, 4, 4, 4),  # full width, because it is said so
        (8, 2, 4, 4),
        (5, 2, None, 4),
    ],
)
def test_the_width_of_the_tables_says_how_many_columns_turn(
    d, w, rotary_dim, turning
) -> None:
    # A half turn changes the sign of every column that turns.
    x = np.ones((1, d))
    cos, sin = np.full((1, w), -1.0), np.zeros((1, w))
    got = rotary_embedding(x, cos=cos, sin=sin, rotary_dim=rotary_dim)
    assert got[0].tolist() == [-1.0] * turning + [1.0] * (d - turning)


def test_the_base_has_no_effect_beside_tables() -> None:
    x = _numbers(3, 4)
    got = rotary_embedding(x, cos=_COS, sin=_SIN, base=3.0)
    np.testing.assert_array_equal(got, rotary_embedding(x, cos=_COS, sin=_SIN))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_the_precision_stays(dtype) -> None:
    x = _numbers(3, 4).astype(dtype)
    assert rotary_embedding(x).dtype == dtype
    assert rotary_embedding(x, [0.5, 1.5, 9.0]).dtype == dtype
    assert rotary_embedding(x, cos=_COS, sin=_SIN).dtype == dtype


def test_tables_are_rounded_to_the_precision_of_what_they_turn() -> None:
    # 1 + 9/2¹⁴ is 1 + 1/2¹⁰ in float16, and seven times that 7 + 2/2⁸, not 7 + 1/2⁸.
    x = np.array([[7, 0]], dtype=np.float16)
    got = rotary_embedding(x, cos=[[1 + 9 / 2**14]], sin=[[0.0]])
    assert got.tolist() == [[7 + 2 / 2**8, 0.0]]


def test_angles_of_single_precision_are_exact_far_out() -> None:
    # In float32 the angle 16,777,217 would be 16,777,216: a turn of 1 too little.
    x = np.array([[1.0, 0.0]], dtype=np.float32)
    ((cos, sin),) = rotary_embedding(x, [16_777_217])
    assert cos == pytest.approx(math.cos(16_777_217), abs=1e-7)
    assert sin == pytest.approx(math.sin(16_777_217), abs=1e-7)


def test_integers_are_taken_as_double_precision() -> None:
    got = rotary_embedding([[1, 0], [1, 0]])
    assert got.dtype == np.float64
    np.testing.assert_allclose(got[1], [math.cos(1), math.sin(1)], rtol=1e-15)


def test_bools_are_taken_as_zeros_and_ones() -> None:
    x = np.array([[True, False], [True, False]])
    got = rotary_embedding(x, [False, True])
    assert got.dtype == np.float64
    want = [[1.0, 0.0], [math.cos(1), math.sin(1)]]
    np.testing.assert_allclose(got, want, rtol=1e-15)


def test_the_given_array_stays_as_it_is() -> None:
    x = _numbers(3, 4)
    before = x.copy()
    rotary_embedding(x)
    np.testing.assert_array_equal(x, before)


def test_numbers_beyond_the_range_become_infinite_without_a_warning() -> None:
    x = np.array([[6e4, 6e4]], dtype=np.float16)
    got = rotary_embedding(x, [-math.pi / 4])
    assert got[0, 0] == np.inf


@pytest.mark.parametrize(
    "shape",
    [
        *((), (1,), (5,), (2, 5), (2, 1), (3, 5)),
        *((2, 1, 5), (1, 3, 5), (2, 3, 5), (2, 3, 1), (1, 1, 1, 5)),
    ],
)
def test_whatever_is_broadcast_to_batch_heads_and_rows_turns_them(shape) -> None:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((2, 3, 5, 4))  # (batch, heads, n, d)
    places = rng.integers(0, 9, size=shape)
    # Two axes that fit the batch are of the batch and the rows.
    own = places[:, None] if shape in ((2, 5), (2, 1)) else places
    spread = np.broadcast_to(own.reshape(own.shape[-3:]), (2, 3, 5))
    angles = spread[..., None] * np.array([1.0, 0.01])  # 10000 ** -(0 / 4, 2 / 4)
    turned = (x[..., :2] + 1j * x[..., 2:]) * np.exp(1j * angles)
    want = np.concatenate([turned.real, turned.imag], axis=-1)
    np.testing.assert_allclose(rotary_embedding(x, places), want, rtol=1e-12)
    table = np.arange(9)[:, None] * np.array([1.0, 0.01])
    cos, sin = np.cos(table), np.sin(table)
    taken = rotary_embedding(x, places, cos=cos, sin=sin)
    np.testing.assert_allclose(taken, want, rtol=1e-12)
    given = rotary_embedding(x, cos=cos[places], sin=sin[places])
    np.testing.assert_allclose(given, want, rtol=1e-12)


_X = np.ones((2, 3, 4))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"x": np.ones(4)}, ValueError, r"'x' .* 2 dimensions. Got shape \(4,\)"),
        ({"x": np.ones((3, 4), complex)}, TypeError, "'x' .* Got complex128"),
        ({"x": np.ones((3, 5))}, ValueError, "'rotary_dim' .* even.* Got 5 instead"),
        ({"rotary_dim": 3}, ValueError, "'rotary_dim' .* even.* Got 3 instead"),
        ({"rotary_dim": 6}, ValueError, "at most the 4 columns of 'x'. Got 6 instead"),
        ({"rotary_dim": 0}, ValueError, "'rotary_dim' .* at least 2.* Got 0 instead"),
        ({"rotary_dim": True}, TypeError, "'rotary_dim' .* Got True instead"),
        ({"base": 0.0}, ValueError, r"'base' .* positive number. Got 0\.0 instead"),
        ({"base": math.inf}, ValueError, "'base' .* Got inf instead"),
        (
            {"frequencies": [1.0]},
            ValueError,
            "half as many numbers as the 4 rotated columns. Got 1 instead",
        ),
        ({"frequencies": [1.0, -0.5]}, ValueError, "'frequencies' .* Got -0.5 instead"),
        (
            {"positions": [0, 1]},
            ValueError,
            r"'positions' .* shape \(3,\) or \(1, 3\) or \(2, 3\), .* "
            r"Got \(2,\) instead",
        ),
        ({"positions": np.ones((3, 3))}, ValueError, r"'positions' .* Got \(3, 3\)"),
        ({"positions": [0, 1, math.nan]}, ValueError, "'positions' .* Got nan instead"),
        (
            {"positions": [[0], [1, 2]]},
            ValueError,
            "'positions' .* Got rows of different lengths instead",
        ),
        ({"cos": _COS}, ValueError, "'sin' .* given with 'cos'. Got None instead"),
        ({"sin": _SIN}, ValueError, "'cos' .* given with 'sin'. Got None instead"),
        (
            {"cos": _COS[:2], "sin": _SIN[:2]},
            ValueError,
            r"'cos' .* shape \(3, w\) or \(1, 3, w\) or \(2, 3, w\), .* Got \(2, 2\)",
        ),
        ({"cos": _COS, "sin": _SIN[:, :1]}, ValueError, r"'sin' .* Got \(3, 1\)"),
        ({"cos": 1.0, "sin": 0.0}, ValueError, r"'cos' .* Got \(\) instead"),
        (
            {"cos": np.ones((3, 3)), "sin": np.ones((3, 3))},
            ValueError,
            r"w is at most 2, or even and at most 4. Got \(3, 3\) instead",
        ),
        (
            {"cos": np.ones((3, 0)), "sin": np.ones((3, 0))},
            ValueError,
            r"'cos' .* Got \(3, 0\) instead",
        ),
        (
            {"cos": np.ones((3, 6)), "sin": np.ones((3, 6))},
            ValueError,
            r"'cos' .* Got \(3, 6\) instead",
        ),
        (
            {"cos": np.ones((3, 1)), "sin": np.ones((3, 1)), "rotary_dim": 4},
            ValueError,
            r"w is 2 or 4. Got \(3, 1\) instead",
        ),
        (
            {"cos": _COS, "sin": _SIN, "positions": [0, 1, 3]},
            ValueError,
            "'positions' .* from 0 to 2, the rows of 'cos'. Got 3 instead",
        ),
        (
            {"cos": _COS, "sin": _SIN, "positions": [0, -1, 2]},
            ValueError,
            "'positions' .* Got -1 instead",
        ),
        (
            {"cos": _COS, "sin": _SIN, "positions": [0.0, 1.0, 2.0]},
            TypeError,
            "'positions' .* integers .* Got float64 instead",
        ),
        (
            {"cos": _COS[None], "sin": _SIN[None], "positions": [0, 1, 2]},
            ValueError,
            r"'cos' .* \(max_positions, w\) .* Got \(1, 3, 2\) instead",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_name(arguments, error, message) -> None:
    with pytest.raises(error, match=message):
        rotary_embedding(**{"x": _X, **arguments})


def test_each_item_of_a_batch_of_two_axes_turns_by_its_own_offset() -> None:
    offsets = ((3, 0), (2, 1))
    spec = Spec(projected=False, given=True, n_heads=2, positions=Rotary())
    x = _numbers(2, 2, 2, 3, 4)  # (batch, batch, heads, n, d)
    trace = run(replace(spec, query_offset=offsets), {"Q": x, "K": x, "V": x})
    for item in np.ndindex(2, 2):
        own = dict.fromkeys("QKV", x[item])
        alone = run(replace(spec, query_offset=offsets[item[0]][item[1]]), own)
        for step in ("rotated Q", "output"):
            np.testing.assert_allclose(trace[step][item], alone[step], rtol=1e-12)
