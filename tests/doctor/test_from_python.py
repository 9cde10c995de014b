"""The doctor in Python sessions: ``attnviewer.diagnose``."""

import inspect
import subprocess
import sys

import numpy as np
import pytest

import attnviewer
from tests.doctor.reading.layer import inputs, one, steps

GIVEN = inputs()
RIGHT = one(steps(GIVEN, causal=True))
MEANT = {"n_heads": 2, "causal": True}


def _unscaled():
    masked = np.where(np.tril(np.ones((5, 5), bool)), RIGHT["scores"], -np.inf)
    powers = np.exp(masked - masked.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_a_right_implementation_agrees() -> None:
    diagnosis = attnviewer.diagnose(GIVEN, {"output": RIGHT["output"]}, **MEANT)
    assert diagnosis.agrees
    assert diagnosis.first_different is None
    assert diagnosis.findings == ()
    assert diagnosis.precision == "float64"


def test_the_number_of_heads_is_no_divisor_where_there_is_one_head() -> None:
    q, k, v = np.random.default_rng(0).standard_normal((3, 5, 4))
    scores = q @ k.T
    diagnosis = attnviewer.diagnose({"Q": q, "K": k, "V": v}, {"scaled": scores})
    assert diagnosis.findings[0].id == "scale-missing"
    assert "scale-heads" not in diagnosis.findings[0].ids


def test_a_window_is_found_for_queries_after_cached_keys() -> None:
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((n, 4)) for n in (2, 6, 6))
    back = np.arange(4, 6)[:, None] - np.arange(6)
    powers = np.exp(np.where((back >= 0) & (back < 2), q @ k.T / 2, -np.inf))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    diagnosis = attnviewer.diagnose(
        {"Q": q, "K": k, "V": v}, {"weights": weights}, query_offset=4, causal=True
    )
    (finding,) = diagnosis.findings
    assert (finding.id, finding.parameter) == ("window-added", 2)


def test_a_window_to_both_sides_is_found_where_few_queries_see_many_keys() -> None:
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((n, 4)) for n in (2, 6, 6))
    apart = abs(np.arange(2)[:, None] - np.arange(6))
    powers = np.exp(np.where(apart < 3, q @ k.T / 2, -np.inf))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    for mine in ({"weights": weights}, {"output": weights @ v}):
        (finding,) = attnviewer.diagnose({"Q": q, "K": k, "V": v}, mine).findings
        assert (finding.id, finding.parameter) == ("window-added", 3)


def test_queries_after_cached_keys_may_not_see_their_own() -> None:
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((n, 4)) for n in (2, 6, 6))
    powers = np.exp(np.where(np.eye(2, 6, 4, dtype=bool), -np.inf, q @ k.T / 2))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    diagnosis = attnviewer.diagnose(
        {"Q": q, "K": k, "V": v}, {"weights": weights}, query_offset=4
    )
    assert diagnosis.findings[0].id == "diagonal-masked"


@pytest.mark.parametrize("heads", [2, 3])
def test_an_output_with_an_axis_for_the_heads_is_right_before_they_are_joined(
    heads: int,
) -> None:
    """Also with as many heads as queries, where its axes may be either."""
    q, k, v = np.random.default_rng(0).standard_normal((3, heads, 3, 4))
    powers = np.exp(q @ k.swapaxes(-1, -2) / 2)
    output = powers / powers.sum(axis=-1, keepdims=True) @ v
    diagnosis = attnviewer.diagnose({"Q": q, "K": k, "V": v}, {"output": output})
    assert diagnosis.agrees


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("size", "factor"), [(1, 1e-200), (1, 1e200), (1e200, 3)])
def test_numbers_whose_squares_overflow_are_compared_without_a_warning(
    size: float, factor: float
) -> None:
    q, k, v = np.random.default_rng(0).standard_normal((3, 5, 4))
    powers = np.exp(q @ k.T / 2)
    weights = powers / powers.sum(axis=-1, keepdims=True)
    diagnosis = attnviewer.diagnose(
        {"Q": q, "K": k, "V": size * v},
        {"weights": weights, "output": factor * (weights @ (size * v))},
    )
    assert diagnosis.first_different == "output"


def test_a_mask_after_a_softmax_with_sinks_is_followed_to_the_weights() -> None:
    random = np.random.default_rng(0)
    q, k, v = random.standard_normal((3, 2, 4, 4))
    sinks = random.standard_normal(2)
    scaled = q @ k.swapaxes(-1, -2) / 2
    powers = np.where(np.tri(4), np.exp(scaled), 0)
    weights = powers / powers.sum(axis=-1, keepdims=True)  # the sink is missing, too
    diagnosis = attnviewer.diagnose(
        {"Q": q, "K": k, "V": v, "sinks": sinks},
        {"masked": scaled, "weights": weights},
        causal=True,
    )
    assert not diagnosis.agrees
    assert diagnosis.first_different == "masked"


def test_a_finding_says_all_of_the_mistake() -> None:
    diagnosis = attnviewer.diagnose(GIVEN, {"weights": _unscaled()}, **MEANT)
    assert not diagnosis.agrees
    assert diagnosis.first_different == "weights"
    (finding,) = diagnosis.findings
    assert finding.id == "scale-missing"
    assert finding.ids[0] == finding.id
    assert finding.step == "weights"
    assert finding.parameter is None
    assert 0 <= finding.evidence <= 1
    for text in (finding.title, finding.explanation, finding.source):
        assert text
    assert "math.sqrt" in finding.remedy
    assert isinstance(diagnosis.harmless, tuple)
    assert isinstance(diagnosis.unseen, tuple)


@pytest.mark.parametrize("axes", [(), (2,), (2, 2)])
def test_a_computation_stands_for_its_inputs_and_options(axes) -> None:
    q, k, v = np.random.default_rng(0).standard_normal((3, *axes, 5, 4))
    right = attnviewer.attention(q, k, v, causal=True)
    masked = np.where(np.tril(np.ones((5, 5), bool)), q @ np.swapaxes(k, -1, -2), -99)
    powers = np.exp(masked)
    mine = powers / powers.sum(axis=-1, keepdims=True)
    (finding,) = attnviewer.diagnose(right, {"weights": mine}).findings
    assert finding.id == "scale-missing"
    powers = np.exp(masked / 2)
    output = powers / powers.sum(axis=-1, keepdims=True) @ v
    assert attnviewer.diagnose(right, {"output": output}).agrees
    with pytest.raises(ValueError, match=r"which has its own. Got causal instead"):
        attnviewer.diagnose(right, {"output": output}, causal=True)


def test_of_computations_only_one_without_weights_is_refused() -> None:
    one_head = attnviewer.load_example("four-words").compute()
    mine = {"weights": one_head["weights"]}
    assert attnviewer.diagnose(one_head, mine).agrees
    with pytest.raises(ValueError, match=r"simplified self-attention instead"):
        attnviewer.diagnose(attnviewer.load_example("journey").compute(), mine)


def test_the_text_tells_the_mistake() -> None:
    diagnosis = attnviewer.diagnose(GIVEN, {"weights": _unscaled()}, **MEANT)
    told = str(diagnosis)
    assert told.startswith(
        "First difference at 'weights': The scores are not scaled.\n"
    )
    assert "[scale-missing]" in told
    assert "scale-missing" in diagnosis._repr_html_()


def test_lists_do_as_arrays() -> None:
    given = {name: array.tolist() for name, array in GIVEN.items()}
    mine = {"output": RIGHT["output"].tolist()}
    assert attnviewer.diagnose(given, mine, **MEANT).agrees


@pytest.mark.parametrize(
    ("inputs_", "mine", "options", "words"),
    [
        ({}, {"output": RIGHT["output"]}, MEANT, "The 'inputs' must hold X"),
        (GIVEN, {}, MEANT, "The 'mine' must hold a step"),
        (GIVEN, {"output": np.ones((9, 9))}, MEANT, "of another run"),
        (GIVEN, {"output": RIGHT["output"]}, {"n_headz": 2}, "The 'option' must be"),
        (GIVEN, RIGHT["output"], MEANT, "must be a mapping from names to arrays"),
    ],
)
def test_what_cannot_be_compared_is_told(inputs_, mine, options, words) -> None:
    with pytest.raises(ValueError, match=words):
        attnviewer.diagnose(inputs_, mine, **options)


def test_signatures_are_short() -> None:
    assert str(inspect.signature(attnviewer.diagnose)) == (
        "(inputs: Mapping[str, ArrayLike], mine: Mapping[str, ArrayLike], "
        "**options: Any) -> Diagnosis"
    )
    assert str(inspect.signature(attnviewer.record)) == "(module: Any) -> Recording"


def test_nothing_of_it_is_loaded_until_it_is_asked_for() -> None:
    code = (
        "import sys, attnviewer; assert {'diagnose', 'record', 'testing'} <= "
        "set(dir(attnviewer)); assert 'attnviewer.doctor' not in sys.modules; "
        "attnviewer.diagnose; attnviewer.record; attnviewer.testing; "
        "assert 'attnviewer.doctor' in sys.modules; "
        "assert not {'torch', 'PySide6', 'scipy', 'pytest'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
