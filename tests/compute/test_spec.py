"""Variants and what they are made of."""

import math

import numpy as np
import pytest

from attnviewer.compute import (
    NORMALIZERS,
    Alibi,
    Learned,
    Rotary,
    Shape,
    Sinusoidal,
    Spec,
    build_stages,
    run,
)
from attnviewer.compute.scoring import SCORES


class _Wide(dict[str, Shape]):
    """Shapes of any input."""

    def __missing__(self, name: str) -> Shape:
        return (8, 8)


def _names(spec: Spec) -> list[str]:
    return [stage.name for stage in build_stages(spec, _Wide())]


@pytest.mark.parametrize(
    ("spec", "variant", "inputs"),
    [
        (Spec(projected=False), "simplified", ("X",)),
        (Spec(), "self", ("X", "W_Q", "W_K", "W_V")),
        (Spec(n_heads=2), "multi_head", ("X", "W_Q", "W_K", "W_V")),
        (
            Spec(output_projection=True),
            "multi_head",
            ("X", "W_Q", "W_K", "W_V", "W_O"),
        ),
    ],
)
def test_a_spec_names_its_variant_and_its_inputs(spec, variant, inputs) -> None:
    assert spec.variant == variant
    assert spec.input_names == inputs


@pytest.mark.parametrize(
    ("spec", "names"),
    [
        (Spec(projected=False, scale=1.0), "X scores weights output"),
        (
            Spec(projected=False, scale=0.5, causal=True),
            "X scores scaled masked weights output",
        ),
        (Spec(), "X W_Q W_K W_V Q K V scores scaled weights output"),
        (
            Spec(n_heads=2),
            "X W_Q W_K W_V Q K V scores scaled weights heads output",
        ),
        (
            Spec(output_projection=True),
            "X W_Q W_K W_V W_O Q K V scores scaled weights heads output",
        ),
        (
            Spec(n_heads=2, output_projection=True, causal=True),
            "X W_Q W_K W_V W_O Q K V scores scaled masked weights heads "
            "concatenated output",
        ),
    ],
)
def test_a_variant_has_its_own_steps_and_no_others(spec, names) -> None:
    assert " ".join(_names(spec)) == names


_EVERYTHING = {
    "n_heads": 4,
    "n_kv_heads": 2,
    "context": True,
    "values": True,
    "biases": ("b_Q", "b_K", "b_V", "b_O"),
    "output_projection": True,
    "extra_rows": True,
    "softcap": 2.0,
    "bias": True,
    "mask": True,
}


@pytest.mark.parametrize(
    "spec",
    [
        Spec(),
        Spec(n_heads=2, output_projection=True),
        *(
            Spec(score=score, scale=0.5, **_EVERYTHING)
            for score in SCORES
            if score != "given"
        ),
        *(
            Spec(positions=scheme, **_EVERYTHING)
            for scheme in (Sinusoidal(), Learned(), Rotary(), Alibi())
        ),
        Spec(projected=False, positions=Rotary(), score="cosine"),
        Spec(projected=False, given=True, positions=Rotary(), score="additive"),
    ],
)
def test_every_stage_is_computed_from_stages_before_it(spec) -> None:
    seen: set[str] = set()
    for stage in build_stages(spec, _Wide()):
        assert set(stage.inputs) <= seen
        assert stage.name not in seen
        seen.add(stage.name)
    assert set(spec.input_names) <= seen


def test_computations_of_one_kind_share_their_stages_and_no_others_do() -> None:
    spec, shapes = Spec(causal=True), {"X": (5, 4), "W_K": (4, 4)}
    stages = build_stages(spec, shapes)
    assert build_stages(Spec(causal=True), dict(shapes)) is stages
    for other in (
        build_stages(Spec(), shapes),
        build_stages(spec, {**shapes, "X": (6, 4)}),
        build_stages(spec, {**shapes, "W_K": (4, 3)}),
    ):
        assert not set(other) & set(stages)


def test_the_steps_of_everything_at_once_stand_in_the_order_of_the_computation() -> (
    None
):
    spec = Spec(positions=Rotary(), score="cosine", scale=2.0, **_EVERYTHING)
    assert " ".join(_names(spec)) == (
        "X context values W_Q b_Q W_K b_K W_V b_V extra_keys extra_values bias mask "
        "W_O b_O Q K V rotated Q rotated K extended K extended V unit rotated Q "
        "unit extended K scores scaled capped biased masked weights heads "
        "concatenated output"
    )


def test_one_sequence_turned_by_its_places_is_turned_once() -> None:
    x = {"X": np.ones((3, 2))}
    trace = run(Spec(projected=False, positions=Rotary(), score="cosine"), x)
    turned = ["X", "rotated X", "unit rotated X"]
    assert list(trace) == [*turned, "scores", "weights", "output"]
    # Ones turned by i and by j: the cosine of the angle between.
    i, j = np.ogrid[:3, :3]
    np.testing.assert_allclose(trace["scores"], np.cos(i - j), rtol=1e-14)
    assert trace.stages["rotated X"].axes[0] == "tokens"


def test_positions_without_projections_reach_queries_keys_and_values() -> None:
    x = np.zeros((3, 2))
    trace = run(Spec(projected=False, positions=Sinusoidal(), scale=1.0), {"X": x})
    i, j = np.ogrid[:3, :3]
    np.testing.assert_allclose(trace["scores"], np.cos(i - j), rtol=1e-14)
    want = trace["weights"] @ [[math.sin(p), math.cos(p)] for p in range(3)]
    np.testing.assert_allclose(trace["output"], want, rtol=1e-14)
    alibi = run(Spec(projected=False, positions=Alibi()), {"X": x})
    np.testing.assert_allclose(alibi["biased"], (j - i) / 2**8, rtol=1e-14)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"n_heads": 0}, "The 'n_heads' must be at least 1. Got 0 instead."),
        (
            {"scale": math.inf},
            "The 'scale' must be a finite number. Got inf instead.",
        ),
        (
            {"scale": math.nan},
            "The 'scale' must be a finite number. Got nan instead.",
        ),
        (
            {"score": "dott"},
            f"The 'score' must be one of {', '.join(SCORES)}. "
            "Got 'dott' instead. Did you mean 'dot'?",
        ),
        (
            {"normalizer": "xyz"},
            f"The 'normalizer' must be one of {', '.join(NORMALIZERS)}. "
            "Got 'xyz' instead.",
        ),
        (
            {"n_heads": 4, "n_kv_heads": 3},
            "The 'n_heads' must be a multiple of n_kv_heads = 3. Got 4 instead.",
        ),
        (
            {"biases": ("b_q",)},
            "The 'biases' must be one of b_Q, b_K, b_V, b_KR, b_QR, b_O. "
            "Got 'b_q' instead. Did you mean 'b_Q'?",
        ),
        (
            {"window": (1, -1)},
            "The 'window' must count at least 0 keys on each side. "
            "Got (1, -1) instead.",
        ),
        (
            {"softcap": 0.0},
            "The 'softcap' must be a finite number above 0. Got 0.0 instead.",
        ),
        (
            {"given": True},
            "The 'projected' must be off where queries, keys and values are given. "
            "Got on instead.",
        ),
        (
            {"projected": False, "positions": Rotary(), "query_offset": 2},
            "The 'query_offset' must be 0 without projections (simplified "
            "self-attention) where X is rotated by its positions. Got 2 instead.",
        ),
        (
            {"projected": False, "n_heads": 2},
            "The 'n_heads' must be 1 without projections (simplified "
            "self-attention). Got 2 instead.",
        ),
        (
            {"projected": False, "head_axis": True},
            "The 'head_axis' must be off without projections (simplified "
            "self-attention). Got on instead.",
        ),
        (
            {"projected": False, "output_projection": True},
            "The 'output_projection' must be off without projections (simplified "
            "self-attention). Got on instead.",
        ),
    ],
)
def test_an_impossible_spec_says_what_it_must_be(parts, message) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the message is compared
        Spec(**parts)
    assert str(caught.value) == message
