"""Frequencies of stretched models against those recorded of transformers 5.23.0.

That computes them in single precision, from the fields of a model's config.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute.positions import (
    base_frequencies,
    linear_frequencies,
    llama3_frequencies,
    rotary_embedding,
    yarn_attention_factor,
    yarn_frequencies,
)

_SINGLE = 2e-6
"""What single precision may be off, some roundings."""

_LLAMA = {
    "factor": 8.0,
    "low_frequency_factor": 1.0,
    "high_frequency_factor": 4.0,
    "trained_length": 8192,
}
_SMALL_LLAMA = {
    "factor": 4.0,
    "low_frequency_factor": 2.0,
    "high_frequency_factor": 64.0,
    "trained_length": 2048,
}


def test_linear_scaling_is_that_of_transformers() -> None:
    want = [0.25, 0.02500000037252903, 0.0024999999441206455, 0.0002500000118743628]
    got = linear_frequencies(8, 10000.0, factor=4.0)
    np.testing.assert_allclose(got, want, rtol=_SINGLE)


@pytest.mark.parametrize(
    ("base", "options", "want"),
    [
        (
            500000.0,
            _LLAMA,
            [
                *(1.0, 0.193922758102417, 0.03760603070259094, 0.00729266507551074),
                *(0.0005248460220173001, 3.428102354519069e-05),
                *(6.647869668086059e-06, 1.289173155782919e-06),
            ],
        ),
        (
            500000.0,
            _LLAMA | {"factor": 32.0},
            [
                *(1.0, 0.193922758102417, 0.03760603070259094, 0.00729266507551074),
                *(0.000429556705057621, 8.570255886297673e-06),
                *(1.6619674170215148e-06, 3.2229328894572973e-07),
            ],
        ),
        (
            10000.0,
            _SMALL_LLAMA,  # three pairs lie between
            [
                *(1.0, 0.3162277638912201, 0.06201000139117241, 0.011083562858402729),
                *(0.002652358030900359, 0.0007905694656074047),
                *(0.0002500000118743628, 7.905694656074047e-05),
            ],
        ),
    ],
    ids=["Llama 3.1", "Llama 3.2", "other numbers"],
)
def test_llama_3_is_that_of_transformers(base, options, want) -> None:
    got = llama3_frequencies(16, base, **options)
    np.testing.assert_allclose(got, want, rtol=_SINGLE)


@pytest.mark.parametrize(
    ("rotary_dim", "base", "options", "want"),
    [
        (
            *(16, 10000.0, {"factor": 4.0, "trained_length": 4096}),
            [
                *(1.0, 0.3162277638912201, 0.10000000149011612, 0.025693506002426147),
                *(0.00624999962747097, 0.0013834965648129582),
                *(0.0002500000118743628, 7.905694656074047e-05),
            ],
        ),
        (
            *(16, 1000000.0),
            {
                "factor": 4.0,
                "trained_length": 32768,
                "beta_fast": 64.0,
                "beta_slow": 2.0,
            },
            [
                *(1.0, 0.17782793939113617, 0.03162277862429619, 0.004217559937387705),
                *(0.0005000000237487257, 4.4456985051510856e-05),
                *(7.905693564680405e-06, 1.405853367941745e-06),
            ],
        ),
        (
            *(16, 150000.0),
            {"factor": 32.0, "trained_length": 4096, "truncate": False},
            [
                *(1.0, 0.22541800141334534, 0.05081327259540558, 0.006794959306716919),
                *(0.0004564839182421565, 1.818833698052913e-05),
                *(4.099978468730114e-06, 9.242089618055616e-07),
            ],
        ),
        # No text of the training was long enough for a turn: all but one are slower.
        (
            *(4, 10000.0, {"factor": 2.0, "trained_length": 4}),
            [1.0, 0.004999999888241291],
        ),
    ],
    ids=["as in the paper", "other turns", "between pairs", "short texts"],
)
def test_yarn_is_that_of_transformers(rotary_dim, base, options, want) -> None:
    got = yarn_frequencies(rotary_dim, base, **options)
    np.testing.assert_allclose(got, want, rtol=_SINGLE)


@pytest.mark.parametrize(
    ("factor", "options", "want"),
    [
        (4.0, {}, 1.138629436111989),
        (32.0, {}, 1.3465735902799727),
        (0.5, {}, 1.0),
        (40.0, {"mscale": 0.707, "mscale_all_dim": 1.0}, 0.9210423553163399),
        (40.0, {"mscale": 1.0, "mscale_all_dim": 1.0}, 1.0),
        # One alone is left aside: 0.1 · ln 40 + 1.
        (40.0, {"mscale": 0.707}, 1.3688879454113936),
    ],
)
def test_the_factor_of_yarn_is_that_of_transformers(factor, options, want) -> None:
    assert yarn_attention_factor(factor, **options) == pytest.approx(want, rel=1e-12)


_ROWS = [
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
    [0.5, -1.0, 0.25, 2.0, -0.75, 1.5, -2.0, 1.0],
]


def test_rows_turn_as_those_of_a_llama_of_transformers() -> None:
    frequencies = llama3_frequencies(8, 10000.0, **_SMALL_LLAMA)
    want = [
        [
            *(-1.6955925226211548, 0.8557393550872803, 2.9442062377929688),
            *(3.9939987659454346, -4.808842658996582, 6.266395568847656),
            *(7.023649215698242, 8.002997398376465),
        ],
        [
            *(-0.011574268341064453, -0.022907137870788574, 1.8483479022979736),
            *(1.7953449487686157, 0.9013135433197021, 1.802630066871643),
            *(0.8038095831871033, 1.3329428434371948),
        ],
    ]
    got = rotary_embedding(_ROWS, [3, 700], frequencies=frequencies)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-5)


def test_rows_turn_as_those_of_yarn_in_transformers() -> None:
    frequencies = yarn_frequencies(8, 10000.0, factor=4.0, trained_length=4096)
    want = [
        [
            *(-1.9306515455245972, 0.15662050247192383, 3.2658514976501465),
            *(4.547684669494629, -5.475489616394043, 7.199621677398682),
            *(8.033049583435059, 9.112448692321777),
        ],
        [
            *(-0.013178795576095581, -2.0428779125213623, -2.24310040473938),
            *(2.0442326068878174, 1.0262620449066162, 0.20049917697906494),
            *(0.485220342874527, 1.5177278518676758),
        ],
    ]
    turned = rotary_embedding(_ROWS, [3, 700], frequencies=frequencies)
    got = turned * yarn_attention_factor(4.0)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-5)


_dims = st.integers(1, 32).map(lambda pairs: 2 * pairs)
_bases = st.floats(1.5, 1e7)
_factors = st.floats(1, 100)
_lengths = st.integers(1, 2**20)


@given(_dims, _bases, _factors, _lengths)
def test_no_pair_is_faster_than_before_or_slower_than_by_the_factor(
    rotary_dim, base, factor, length
) -> None:
    before = base_frequencies(rotary_dim, base)
    llama = _LLAMA | {"factor": factor, "trained_length": length}
    for after in (
        llama3_frequencies(rotary_dim, base, **llama),
        yarn_frequencies(rotary_dim, base, factor=factor, trained_length=length),
    ):
        slowed = before / np.array(after)
        assert len(slowed) == rotary_dim // 2
        assert (slowed >= 1 - 1e-12).all()
        assert (slowed <= factor * (1 + 1e-12)).all()


@given(_dims, _bases, _factors)
def test_linear_scaling_is_a_factor_on_the_places(rotary_dim, base, factor) -> None:
    x = np.random.default_rng(1).normal(size=(3, rotary_dim))
    frequencies = linear_frequencies(rotary_dim, base, factor=factor)
    got = rotary_embedding(x, [1, 50, 900], frequencies=frequencies)
    want = rotary_embedding(x, np.array([1, 50, 900]) / factor, base=base)
    np.testing.assert_allclose(got, want, rtol=0, atol=1e-10)


@pytest.mark.parametrize(
    ("function", "arguments", "error", "message"),
    [
        (linear_frequencies, {"factor": 0.0}, ValueError, r"'factor' .* Got 0\.0"),
        (linear_frequencies, {"factor": "4"}, TypeError, "'factor' .* Got '4' instead"),
        (linear_frequencies, {"rotary_dim": 5}, ValueError, "'rotary_dim' .* even"),
        (linear_frequencies, {"base": math.inf}, ValueError, "'base' .* Got inf"),
        (
            llama3_frequencies,
            _LLAMA | {"high_frequency_factor": 1.0},
            ValueError,
            "'high_frequency_factor' .* more than low_frequency_factor = 1.0. Got 1.0",
        ),
        (
            llama3_frequencies,
            _LLAMA | {"low_frequency_factor": -1.0},
            ValueError,
            "'low_frequency_factor' .* positive number. Got -1.0 instead",
        ),
        (
            llama3_frequencies,
            _LLAMA | {"trained_length": 0},
            ValueError,
            "'trained_length' .* at least 1. Got 0 instead",
        ),
        (
            yarn_frequencies,
            {"trained_length": 4096.0},
            TypeError,
            "'trained_length' .* Got 4096.0 instead",
        ),
        (
            yarn_frequencies,
            {"trained_length": 4096, "beta_fast": 1.0, "beta_slow": 2.0},
            ValueError,
            "'beta_fast' .* at least beta_slow = 2.0. Got 1.0 instead",
        ),
        (
            yarn_frequencies,
            {"trained_length": 4096, "base": 1.0},
            ValueError,
            "'base' .* more than 1. Got 1.0 instead",
        ),
    ],
)
def test_what_is_no_such_scheme_is_refused(function, arguments, error, message) -> None:
    given_ = {"rotary_dim": 8, "base": 10000.0, "factor": 2.0} | arguments
    with pytest.raises(error, match=message):
        function(**given_)


def test_a_factor_of_yarn_needs_positive_numbers() -> None:
    with pytest.raises(ValueError, match=r"'factor' .* Got -1\.0 instead"):
        yarn_attention_factor(-1.0)
    with pytest.raises(ValueError, match=r"'mscale_all_dim' .* Got -2\.0 instead"):
        yarn_attention_factor(4.0, mscale=1.0, mscale_all_dim=-2.0)
