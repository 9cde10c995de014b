"""Changing the variant, with the matrices that it then needs."""

import numpy as np
import pytest

from attnviewer.compute import Spec
from attnviewer.document import (
    VARIANT_TITLES,
    Document,
    EditError,
    possible_heads,
    spec_edit,
    variant_spec,
)


def _simplified(d_model: int = 4) -> Document:
    x = np.arange(3.0 * d_model).reshape(3, d_model) / 10
    return Document("", ["a", "b", "c"], {"X": x}, Spec(projected=False, scale=1.0))


def _projected(d_k: int, d_v: int) -> Document:
    shapes = {"X": (2, 3), "W_Q": (3, d_k), "W_K": (3, d_k), "W_V": (3, d_v)}
    return Document("", ["a", "b"], {n: np.ones(s) for n, s in shapes.items()})


def _switch(document: Document, spec: Spec):
    return document.apply(spec_edit(document, spec, "Switch"))


def test_every_variant_has_a_title() -> None:
    assert set(VARIANT_TITLES) == {"simplified", "self", "multi_head"}


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


def test_columns_that_no_heads_can_share_refuse_multi_head() -> None:
    with pytest.raises(EditError, match="needs at least 2 columns in 'W_Q' and 'W_V'"):
        variant_spec(_projected(1, 4), "multi_head")
