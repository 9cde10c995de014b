"""Limits of real computations, by every policy."""

import numpy as np
import pytest

from attnviewer.compute import Spec, run
from attnviewer.document import Labels
from attnviewer.ui.paint.step_scale import step_scale, with_scaling
from attnviewer.ui.paint.theme import DARK, LIGHT
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.looks import Look, Looks

X = [[1.0, 0.0], [0.0, 2.0], [3.0, -1.0]]
"""X Xᵀ is [[1, 0, 3], [0, 4, −2], [3, −2, 10]]."""


def trace_of(x=X, **options):
    return run(Spec(projected=False, **options), {"X": np.array(x)})


def computed(trace):
    return Computed(trace, Labels((), ()), 0, None)


def limits(step, look, trace=None, head=0, theme=LIGHT):
    scale = step_scale(computed(trace or trace_of()), step, head, theme, look)
    return scale.low, scale.high


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        (Look(), (-10, 10)),
        (Look(policy="unit"), (0, 1)),
        (Look(policy="extremes"), (-2, 10)),
        (Look(policy="symmetric"), (-10, 10)),
        (Look(policy="typed", typed=(2, 5)), (2, 5)),
        # Of −2 −2 0 0 1 3 3 4 10 a quarter lies below 0 and a quarter above 3.
        (Look(policy="percentile", percentile=25), (0, 3)),
        (Look(kept=(-1, 7), policy="extremes"), (-1, 7)),
    ],
)
def test_the_limits_of_scores_are_those_of_the_policy(look, expected):
    assert limits("scores", look) == pytest.approx(expected)


def test_weights_run_from_0_to_1_unless_their_extremes_are_asked_for():
    assert limits("weights", Look()) == (0, 1)
    low, high = limits("weights", Look(policy="extremes"))
    weights = trace_of()["weights"]
    assert (low, high) == (weights.min(), weights.max())


@pytest.mark.parametrize(
    ("log", "shape", "signed", "expected"),
    [
        (None, (1024, 1024), False, False),
        (None, (2, 1025, 1024), False, True),
        (None, (1025, 1024), True, False),
        (False, (1025, 1024), False, False),
        (True, (3, 3), True, True),
    ],
)
def test_large_weights_alone_have_a_logarithmic_scale_unless_the_user_chooses(
    log, shape, signed, expected
):
    assert with_scaling(Look(log=log), shape, signed=signed).log is expected


def test_a_large_mask_keeps_a_linear_scale():
    trace = causal(np.zeros((1025, 1)))
    for step, scaling in [("weights", "log"), ("mask", "linear")]:
        scale = step_scale(computed(trace), step, 0, LIGHT, Look())
        assert scale.scaling == scaling


def test_steps_that_share_limits_have_those_of_all():
    look = Look(policy="extremes", across_steps=True)
    assert limits("scaled", look) == (-2, 10)
    alone = limits("scaled", Look(policy="extremes"))
    assert alone == pytest.approx((-2 / 2**0.5, 10 / 2**0.5))


def test_a_causal_mask_leaves_the_limits_of_masked_scores_finite():
    trace = causal()
    # Left of the diagonal and on it: 1, 0, 4, 3, −2, 10, over √2.
    low, high = limits("masked", Look(policy="extremes"), trace)
    assert (low, high) == pytest.approx((-2 / 2**0.5, 10 / 2**0.5))
    low, high = limits("masked", Look(policy="percentile", percentile=0), trace)
    assert (low, high) == pytest.approx((-2 / 2**0.5, 10 / 2**0.5))


def test_a_mask_has_the_quiet_colours_of_the_theme():
    shown = computed(causal())
    for theme in (LIGHT, DARK):
        scale = step_scale(shown, "mask", 0, theme, Look())
        assert (scale.name, scale.low, scale.high) == (theme.quiet, 0, 1)


def causal(x=X):
    mask = np.tri(len(x), dtype=bool)
    return run(Spec(projected=False, mask=True), {"X": np.array(x), "mask": mask})


def two_heads():
    inputs = {
        "X": np.eye(2),
        "W_Q": np.array([[1.0, 0, 10, 0], [0, 1, 0, 10]]),
        "W_K": np.array([[1.0, 0, 1, 0], [0, 1, 0, 1]]),
        "W_V": np.eye(2, 4),
    }
    return run(Spec(n_heads=2), inputs)


def test_heads_share_one_scale_unless_each_has_its_own():
    trace = two_heads()
    for head in (0, 1):
        assert limits("scores", Look(), trace, head) == (0, 10)
    own = [limits("scores", Look(per_head=True), trace, head) for head in (0, 1)]
    assert own == [(0, 1), (0, 10)]


@pytest.mark.parametrize("policy", ["automatic", "extremes", "symmetric", "percentile"])
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize(
    "x",
    [
        [[0.0, 0.0], [0.0, 0.0]],
        [[1.0, 0.0], [1.0, 0.0]],
        [[1.3e154, 0.0], [-1.3e154, 0.0]],
        [[1e-162, 0.0], [0.0, 1e-162]],
        [[1e200, 0.0], [-1e200, 0.0]],
    ],
)
def test_no_numbers_make_a_scale_without_extent(policy, log, x):
    look = Look(policy=policy, log=log)
    for step in ("X", "scores", "weights"):
        low, high = limits(step, look, trace_of(x))
        assert np.isfinite([low, high]).all()
        assert low < high


def test_the_map_has_its_neutral_middle_at_zero_or_none():
    trace = trace_of()
    for theme, name in ((LIGHT, "signed-light"), (DARK, "signed-dark")):
        assert step_scale(computed(trace), "scores", 0, theme, Look()).name == name
        uneven = Look(policy="extremes")
        assert step_scale(computed(trace), "scores", 0, theme, uneven).name == "viridis"
    chosen = Look(colors="magma")
    assert step_scale(computed(trace), "scores", 0, LIGHT, chosen).name == "magma"


def test_a_look_that_is_shared_is_that_of_all_scores_and_of_them_alone(qtbot):
    looks = Looks()
    shared = Look(policy="extremes", across_steps=True)
    with qtbot.waitSignal(looks.changed):
        looks.set("scaled", shared)
    assert looks.of("scores") == looks.of("masked") == shared
    assert looks.of("weights") == looks.of("Q") == Look()
    apart = Look(policy="extremes")
    looks.set("masked", apart)
    assert looks.of("scores") == apart
    looks.set("scores", Look(policy="unit"))
    assert looks.of("masked") == apart
    with qtbot.assertNotEmitted(looks.changed):
        looks.set("masked", apart)


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        (Look(policy="extremes", per_head=True), (0.0, 9.0)),
        # A lone cell is among a fifth of a million blocks: it does not count.
        (Look(policy="percentile", percentile=1.0), (0.0, 1.0)),
        (Look(policy="percentile", percentile=0.0), (0.0, 9.0)),
    ],
)
def test_a_large_step_is_looked_at_in_blocks_and_no_cell_is_missed(look, expected):
    x = np.zeros((1100, 1))
    x[:550] = 1.0
    x[77] = 3.0
    assert limits("scores", look, trace_of(x)) == expected
