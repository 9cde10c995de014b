"""Variants and what they are made of."""

import math

import pytest

from attnviewer.compute import Spec, build_stages


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
            Spec(projected=False, scale=0.5, mask="causal"),
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
            Spec(n_heads=2, output_projection=True, mask="causal"),
            "X W_Q W_K W_V W_O Q K V scores scaled masked weights heads "
            "concatenated output",
        ),
    ],
)
def test_a_variant_has_its_own_steps_and_no_others(spec, names) -> None:
    assert " ".join(stage.name for stage in build_stages(spec, 2)) == names


@pytest.mark.parametrize("spec", [Spec(), Spec(n_heads=2, output_projection=True)])
def test_every_stage_is_computed_from_stages_before_it(spec) -> None:
    seen: set[str] = set()
    for stage in build_stages(spec, 1):
        assert set(stage.inputs) <= seen
        assert stage.name not in seen
        seen.add(stage.name)


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
            {"mask": "casual"},
            "The 'mask' must be one of none, causal. Got 'casual' instead. "
            "Did you mean 'causal'?",
        ),
        (
            {"normalizer": "xyz"},
            "The 'normalizer' must be one of softmax, sum. Got 'xyz' instead.",
        ),
        (
            {"projected": False, "n_heads": 2},
            "The 'n_heads' must be 1 without projections (simplified "
            "self-attention). Got 2 instead.",
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
