"""New documents: their shapes, their tokens, and what is refused."""

from typing import get_args

import pytest

from attnviewer.compute import Variant
from attnviewer.document import EditError
from attnviewer.document.blank import Sizes, blank_document

SHAPES = {
    "simplified": {"X": (3, 5)},
    "self": {"X": (3, 5), "W_Q": (5, 2), "W_K": (5, 2), "W_V": (5, 7)},
    "multi_head": {
        "X": (3, 5),
        "W_Q": (5, 8),
        "W_K": (5, 8),
        "W_V": (5, 28),
        "W_O": (28, 5),
    },
    "cross": {
        "X": (3, 5),
        "context": (6, 5),
        "W_Q": (5, 8),
        "W_K": (5, 8),
        "W_V": (5, 28),
        "W_O": (28, 5),
    },
    "given": {"Q": (3, 2), "K": (3, 2), "V": (3, 7)},
    "given_scores": {"S": (3, 3), "V": (3, 7)},
}


@pytest.mark.parametrize("variant", get_args(Variant))
def test_a_new_document_has_the_shapes_of_its_variant_and_zeros(variant) -> None:
    sizes = Sizes(variant, n_tokens=3, n_context=6, d_model=5, d_k=2, d_v=7, n_heads=4)
    document = blank_document("Mine", sizes)
    assert document.spec.variant == variant
    assert sizes.shapes() == SHAPES[variant]
    assert {n: m.shape for n, m in document.matrices.items()} == SHAPES[variant]
    assert not any(matrix.any() for matrix in document.matrices.values())
    assert document.tokens == ("token 0", "token 1", "token 2")
    assert len(document.context_tokens) == (6 if variant == "cross" else 0)
    assert document.compute().shape("weights")[-2:] == (
        3,
        6 if variant == "cross" else 3,
    )


def test_names_count_instead_of_numbers_of_tokens() -> None:
    document = blank_document("Mine", Sizes("cross"), ["the", "cat"], ["le", "chat"])
    assert document.tokens == ("the", "cat")
    assert document.context_tokens == ("le", "chat")
    assert document.matrix("context").shape == (2, 4)


@pytest.mark.parametrize(
    ("sizes", "reason"),
    [
        (Sizes(n_tokens=0), "The 'n_tokens' must be from 1 to 16384. Got 0 instead."),
        (Sizes(d_k=16385), "The 'd_k' must be from 1 to 16384. Got 16385 instead."),
        (Sizes(d_model=16384, d_k=16384), "at most 16,777,216 cells together"),
    ],
)
def test_impossible_sizes_are_refused_with_the_reason(sizes, reason) -> None:
    with pytest.raises(EditError, match=reason):
        blank_document("Mine", sizes)


def test_sizes_that_the_variant_does_not_have_do_not_matter() -> None:
    sizes = Sizes("simplified", d_k=0, n_heads=0, n_context=0)
    assert blank_document("Mine", sizes).matrices.keys() == {"X"}
