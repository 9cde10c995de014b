"""Changing the variant, with the matrices that it then needs."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import (
    Alibi,
    Disentangled,
    Learned,
    Rotary,
    Sinusoidal,
    Spec,
    Variant,
)
from attnviewer.document import (
    VARIANT_TITLES,
    Document,
    EditError,
    Replace,
    spec_edit,
    variant_spec,
)
from attnviewer.document.variants.variants import (
    biases_spec,
    heads_spec,
    kv_heads_spec,
    normalizer_spec,
    output_projection_spec,
    possible_heads,
    possible_kv_heads,
)

COMPUTED = ["simplified", "self", "multi_head", "cross"]
"""The variants that compute queries, keys and values."""


def _simplified(d_model: int = 4) -> Document:
    x = np.arange(3.0 * d_model).reshape(3, d_model) / 10
    return Document("", ["a", "b", "c"], {"X": x}, Spec(projected=False, scale=1.0))


def _projected(d_k: int, d_v: int) -> Document:
    shapes = {"X": (2, 3), "W_Q": (3, d_k), "W_K": (3, d_k), "W_V": (3, d_v)}
    return Document("", ["a", "b"], {n: np.ones(s) for n, s in shapes.items()})


def _switch(document: Document, spec: Spec):
    return document.apply(spec_edit(document, spec, "Switch"))


def test_every_variant_has_a_title() -> None:
    assert set(VARIANT_TITLES) == set(get_args(Variant))


def test_missing_weights_start_as_the_identity_and_change_no_number() -> None:
    document = _simplified()
    before = document.compute()["output"]
    _switch(document, Spec(scale=1.0))
    for name in ("W_Q", "W_K", "W_V"):
        assert document.matrix(name).tolist() == np.eye(4).tolist()
    np.testing.assert_array_equal(document.compute()["output"], before)


def test_undo_takes_the_identities_away_again() -> None:
    document = _simplified()
    inverse = _switch(document, Spec(n_heads=2, output_projection=True))
    assert set(document.matrices) == {"X", "W_Q", "W_K", "W_V", "W_O"}
    document.apply(inverse)
    assert set(document.matrices) == {"X"}
    assert document.spec == Spec(projected=False, scale=1.0)


def test_matrices_that_are_there_stay_as_they_are() -> None:
    document = _projected(2, 6)
    _switch(document, Spec(output_projection=True))
    assert document.matrix("W_Q").tolist() == np.ones((3, 2)).tolist()
    assert document.matrix("W_V").tolist() == np.ones((3, 6)).tolist()


@pytest.mark.parametrize("d_v", [2, 3, 6])
def test_w_o_starts_as_an_identity_from_the_values_back_to_d_model(d_v: int) -> None:
    document = _projected(2, d_v)
    _switch(document, Spec(output_projection=True))
    assert document.matrix("W_O").tolist() == np.eye(d_v, 3).tolist()
    assert document.compute()["output"].shape == (2, 3)


@pytest.mark.parametrize(
    ("d_k", "d_v", "heads"),
    [(6, 6, [1, 2, 3, 6]), (4, 6, [1, 2]), (1, 8, [1]), (5, 3, [1])],
)
def test_possible_heads_divide_keys_and_values(d_k, d_v, heads) -> None:
    document = _projected(d_k, d_v)
    assert possible_heads(document) == heads
    for n_heads in heads:
        document.check(spec_edit(document, Spec(n_heads=n_heads), ""))
    refused = max(heads) + 1
    with pytest.raises(EditError, match=f"must be divisible by n_heads = {refused}"):
        document.check(spec_edit(document, Spec(n_heads=refused), ""))


def test_possible_heads_without_weights_divide_the_embeddings() -> None:
    assert possible_heads(_simplified(6)) == [1, 2, 3, 6]


@pytest.mark.parametrize(
    ("variant", "want"),
    [
        ("simplified", Spec(projected=False, scale=0.5, causal=True)),
        ("self", Spec(scale=0.5, causal=True)),
        (
            "multi_head",
            Spec(n_heads=2, output_projection=True, scale=0.5, causal=True),
        ),
    ],
)
def test_a_variant_keeps_scale_and_mask(variant, want) -> None:
    document = _projected(4, 4)
    _switch(document, Spec(scale=0.5, causal=True))
    assert variant_spec(document, variant) == want


def test_multi_head_keeps_the_heads_it_has() -> None:
    document = _projected(4, 4)
    _switch(document, Spec(n_heads=4))
    assert variant_spec(document, "multi_head") == Spec(n_heads=4)


def test_one_head_with_an_axis_of_its_own_loses_it_without_projections() -> None:
    document = _heads(1, None)
    _switch(document, replace(document.spec, head_axis=True))
    _switch(document, variant_spec(document, "simplified"))
    assert document.compute().shape("weights") == (3, 3)


def test_columns_that_no_heads_can_share_refuse_multi_head() -> None:
    with pytest.raises(EditError, match="needs at least 2 columns in 'W_Q' and 'W_V'"):
        variant_spec(_projected(1, 4), "multi_head")


def _heads(n_heads: int, n_kv_heads: int | None, d_k: int = 2, **spec) -> Document:
    kv_heads = n_kv_heads or n_heads
    generator = np.random.default_rng(5)
    shapes = {
        "X": (3, 4),
        "W_Q": (4, n_heads * d_k),
        "W_K": (4, kv_heads * d_k),
        "W_V": (4, kv_heads * d_k),
    }
    matrices = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    spec = Spec(n_heads=n_heads, n_kv_heads=n_kv_heads, **spec)
    return Document("", ["a", "b", "c"], matrices, spec)


def test_cross_attention_starts_with_a_copy_of_the_sequence_and_changes_no_number():
    document = _projected(2, 3)
    before = document.compute()["output"]
    inverse = _switch(document, variant_spec(document, "cross"))
    assert document.context_tokens == ("a", "b")
    np.testing.assert_array_equal(document.matrix("context"), document.matrix("X"))
    np.testing.assert_array_equal(document.compute()["output"], before)
    document.apply(inverse)
    assert "context" not in document.matrices
    assert document.context_tokens == ()


def test_the_second_sequence_is_kept_for_when_cross_attention_comes_back() -> None:
    document = _projected(2, 3)
    _switch(document, variant_spec(document, "cross"))
    document.apply(
        Replace(
            "",
            context_tokens=("x",),
            matrices={
                "context": np.ones((1, 2)),
                "W_K": np.ones((2, 2)),
                "W_V": np.ones((2, 3)),
            },
        )
    )
    _switch(document, variant_spec(document, "self"))
    # Three columns of X meet weights for two: the new row is of zeros.
    assert document.matrix("W_K").tolist() == [[1, 1], [1, 1], [0, 0]]
    assert document.context_tokens == ("x",)
    _switch(document, variant_spec(document, "cross"))
    assert document.matrix("W_K").tolist() == [[1, 1], [1, 1]]
    assert document.matrix("context").tolist() == [[1, 1]]


def test_cross_attention_keeps_heads_and_w_o() -> None:
    document = _projected(4, 4)
    _switch(document, variant_spec(document, "multi_head"))
    spec = variant_spec(document, "cross")
    assert (spec.variant, spec.n_heads, spec.output_projection) == ("cross", 2, True)
    _switch(document, spec)
    assert variant_spec(document, "multi_head").n_heads == 2


@pytest.mark.parametrize("start", COMPUTED)
@pytest.mark.parametrize("end", COMPUTED)
@pytest.mark.parametrize("n_kv_heads", [None, 1, 2])
def test_every_variant_leads_to_every_other(start, end, n_kv_heads) -> None:
    document = _heads(4, n_kv_heads)
    _switch(document, output_projection_spec(document.spec, on=True))
    _switch(document, biases_spec(document.spec, {"b_Q", "b_K", "b_V", "b_O"}))
    for variant in (start, end, start):
        _switch(document, variant_spec(document, variant))
        assert document.spec.variant == variant
        document.compute()


@pytest.mark.parametrize(
    ("positions", "names"),
    [
        (Learned(), ["P"]),
        (Sinusoidal(), []),
        (Rotary(), []),
        (Alibi(), []),
        (Disentangled(2), ["R"]),
    ],
)
def test_only_tables_are_added_for_positions(positions, names) -> None:
    document = _heads(1, None)
    edit = spec_edit(document, replace(document.spec, positions=positions), "")
    assert list(edit.matrices) == names
    document.apply(edit)


def test_the_position_table_starts_with_the_sinusoidal_encoding() -> None:
    document = _heads(1, None)
    _switch(document, replace(document.spec, positions=Learned()))
    # sin and cos of 1 and of 1 / 10000^(2 / 4) for the second token.
    want = [np.sin(1), np.cos(1), np.sin(0.01), np.cos(0.01)]
    np.testing.assert_allclose(document.matrix("P")[1], want, rtol=1e-15)


def test_biases_the_added_bias_and_the_mask_start_so_that_no_number_changes() -> None:
    document = _heads(2, None)
    before = document.compute()["output"]
    biases = ("b_Q", "b_K", "b_V")
    _switch(document, replace(document.spec, biases=biases, bias=True, mask=True))
    assert document.matrix("b_Q").tolist() == [[0, 0, 0, 0]]
    assert document.matrix("bias").tolist() == [[0] * 3] * 3
    assert document.matrix("mask").all()
    np.testing.assert_array_equal(document.compute()["output"], before)


def test_kept_matrices_that_no_longer_fit_are_cut_or_padded() -> None:
    kept = {
        "X": np.ones((2, 3)),
        "mask": np.zeros((3, 1), bool),
        "bias": np.full((1, 4), -np.inf),
        "P": np.ones((1, 4)),
        "W_Q": np.ones((3, 2)),
        "W_K": np.ones((3, 2)),
        "W_V": np.ones((3, 2)),
        "W_O": np.ones((5, 2)),
        "b_O": np.ones((1, 3)),
    }
    document = Document("", ["a", "b"], kept)
    spec = Spec(mask=True, bias=True, positions=Learned(), output_projection=True)
    _switch(document, replace(spec, biases=("b_O",)))
    assert document.matrix("mask").tolist() == [[False, True], [False, True]]
    assert document.matrix("bias").tolist() == [[-np.inf, -np.inf], [0, 0]]
    assert document.matrix("P").tolist() == [[1, 1, 1], [0, 0, 0]]
    assert document.matrix("W_O").tolist() == [[1, 1], [1, 1]]
    assert document.matrix("b_O").tolist() == [[1, 1]]


def test_a_spec_that_needs_nothing_touches_no_matrix() -> None:
    document = _heads(4, 2)
    spec = replace(document.spec, temperature=0.5, causal=True, scale=1.0)
    edit = spec_edit(document, spec, "")
    assert not edit.matrices
    assert edit.context_tokens is None


def test_fewer_heads_of_keys_are_the_mean_of_those_they_stand_for() -> None:
    document = _heads(4, None, d_k=1)
    keys = np.array([[1.0, 3.0, 10.0, 20.0]] * 4)
    document.apply(Replace("", matrices={"W_K": keys}))
    _switch(document, kv_heads_spec(document.spec, 2))
    assert document.matrix("W_K").tolist() == [[2, 15]] * 4
    assert document.spec.n_kv_heads == 2


@pytest.mark.parametrize("more", [3, 6])
def test_more_heads_of_keys_change_no_number(more) -> None:
    document = _heads(6, 1)
    before = document.compute()["output"]
    _switch(document, kv_heads_spec(document.spec, more))
    assert document.matrix("W_K").shape == (4, 2 * more)
    np.testing.assert_array_equal(document.compute()["output"], before)


def test_heads_that_share_keys_become_one_head_with_all_of_them() -> None:
    document = _heads(4, 2, d_k=1)
    keys, queries = document.matrix("W_K").copy(), document.matrix("W_Q").copy()
    _switch(document, variant_spec(document, "self"))
    assert document.spec == Spec()
    np.testing.assert_array_equal(document.matrix("W_Q"), queries)
    np.testing.assert_array_equal(document.matrix("W_K"), keys[:, [0, 0, 1, 1]])


def test_other_numbers_of_heads_stay_shared_by_as_many() -> None:
    document = _heads(4, 2, d_k=6)
    assert possible_heads(document) == [2, 4, 6, 8, 12, 24]
    for n_heads in possible_heads(document):
        spec = heads_spec(document.spec, n_heads)
        assert spec.kv_heads == n_heads // 2
        edit = spec_edit(document, spec, "")
        assert not edit.matrices
        document.check(edit)
    with pytest.raises(EditError, match="must be a multiple of 2, as 2 heads share"):
        heads_spec(document.spec, 3)


def test_possible_heads_of_keys_divide_the_heads() -> None:
    assert possible_kv_heads(Spec(n_heads=6)) == [1, 2, 3, 6]
    with pytest.raises(EditError, match=r"'n_heads' must be a multiple.*Got 6"):
        kv_heads_spec(Spec(n_heads=6), 4)


def test_learned_weights_of_a_score_must_be_there() -> None:
    with pytest.raises(EditError, match=r"The 'w_q' matrix must be given\. Got none"):
        spec_edit(_projected(2, 2), Spec(score="additive"), "")


def test_rotary_positions_need_an_even_width() -> None:
    spec = Spec(positions=Rotary())
    with pytest.raises(EditError, match=r"The 'd_k' must be even.*Got 3 instead"):
        spec_edit(_projected(3, 2), spec, "")
    document = _projected(4, 4)
    _switch(document, spec)
    assert possible_heads(document) == [1, 2]
    with pytest.raises(EditError, match=r"The 'd_model' must be even.*Got 3 instead"):
        spec_edit(document, variant_spec(document, "simplified"), "")


def test_frequencies_of_rotary_positions_fit_one_number_of_heads() -> None:
    document = _projected(4, 4)
    _switch(document, Spec(n_heads=2, positions=Rotary(frequencies=(0.5,))))
    assert possible_heads(document) == [2]
    spec = replace(document.spec, n_heads=1)
    with pytest.raises(EditError, match=r"The 'd_k' must be 2, .* Got 4 instead"):
        spec_edit(document, spec, "")
    _switch(document, replace(spec, positions=Rotary(rotary_dim=2, frequencies=(1.0,))))
    assert possible_heads(document) == [1, 2]


def test_without_w_o_its_bias_goes_too() -> None:
    spec = Spec(output_projection=True, biases=("b_Q", "b_O"))
    assert output_projection_spec(spec, on=False) == Spec(biases=("b_Q",))
    assert biases_spec(Spec(), {"b_O", "b_V", "b_Q"}).biases == ("b_Q", "b_V")


def test_options_that_another_normaliser_does_not_know_are_left_behind() -> None:
    spec = Spec(
        normalizer="sigmoid",
        temperature=2.0,
        normalizer_options=(("length_bias", False),),
    )
    assert normalizer_spec(spec, "softmax") == Spec(temperature=2.0)
    assert normalizer_spec(spec, "sigmoid") == spec


def _parts(document: Document):
    matrices = {name: m.tobytes() for name, m in document.matrices.items()}
    shapes = {name: m.shape for name, m in document.matrices.items()}
    return matrices, shapes, document.spec, document.context_tokens


def _chosen(document: Document, choice: tuple[str, object]) -> Spec:
    kind, value = choice
    spec = document.spec
    if kind == "variant":
        return variant_spec(document, value)
    if kind == "heads":
        return heads_spec(spec, value)
    if kind == "kv_heads":
        return kv_heads_spec(spec, value)
    if kind == "biases":
        return biases_spec(spec, value)
    if kind == "W_O":
        return output_projection_spec(spec, on=value and spec.projected)
    return replace(spec, **{kind: value})


choices = st.one_of(
    st.tuples(st.just("variant"), st.sampled_from(COMPUTED)),
    st.tuples(st.sampled_from(["heads", "kv_heads"]), st.integers(1, 6)),
    st.tuples(
        st.just("biases"), st.sets(st.sampled_from(["b_Q", "b_K", "b_V", "b_O"]))
    ),
    st.tuples(st.sampled_from(["W_O", "bias", "mask"]), st.booleans()),
    st.tuples(
        st.just("positions"),
        st.sampled_from([None, Learned(), Sinusoidal(), Rotary(), Alibi()]),
    ),
)


@given(st.lists(choices, max_size=8))
def test_any_choices_are_computed_or_refused_and_all_undone(chosen) -> None:
    document = _heads(1, None, d_k=12)
    states, inverses = [_parts(document)], []
    for choice in chosen:
        try:
            edit = spec_edit(document, _chosen(document, choice), "")
            inverse = document.apply(edit)
        except EditError:
            assert _parts(document) == states[-1]
            continue
        document.compute()
        inverses.append(inverse)
        states.append(_parts(document))
    for inverse, state in zip(reversed(inverses), states[-2::-1], strict=True):
        document.apply(inverse)
        assert _parts(document) == state


@given(*[st.integers(1, 6)] * 3, st.sampled_from([None, 1]), st.lists(choices))
def test_choices_for_scores_of_keys_of_any_width_are_computed_or_refused(
    d_q: int, d_k: int, d_v: int, n_kv_heads: int | None, chosen
) -> None:
    shapes = {"X": (3, 5), "W_Q": (5, d_q), "W_K": (5, d_k), "W_V": (5, d_v)}
    matrices = {name: np.ones(shape) for name, shape in shapes.items()}
    matrices["w"] = np.ones((d_q, d_k))
    spec = Spec(score="general", n_kv_heads=n_kv_heads)
    document = Document("", ["a", "b", "c"], matrices, spec)
    for choice in [("variant", "multi_head"), *chosen]:
        try:
            document.apply(spec_edit(document, _chosen(document, choice), ""))
        except EditError:
            continue
        document.compute()


def test_a_column_of_keys_that_heads_cannot_divide_is_refused_in_a_sentence() -> None:
    shapes = {"X": (3, 5), "W_Q": (5, 2), "W_K": (5, 1), "W_V": (5, 4), "w": (2, 1)}
    matrices = {name: np.ones(shape) for name, shape in shapes.items()}
    spec = Spec(score="general", n_kv_heads=1)
    document = Document("", ["a", "b", "c"], matrices, spec)
    with pytest.raises(EditError) as caught:
        _switch(document, variant_spec(document, "multi_head"))
    assert str(caught.value) == (
        "The 'w' matrix must have shape (1, 1). Got (2, 1) instead."
    )
