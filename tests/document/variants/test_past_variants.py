"""From one variant to others and back: nothing that was there is lost."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import Spec
from attnviewer.document import Document, SetCells, spec_edit, variant_spec
from attnviewer.document.sequences import insert_tokens

VARIANTS = ("simplified", "self", "multi_head", "cross")
OTHERS = ("simplified", "self")


def shared(*, context: bool) -> Document:
    """Four heads that share two of keys; the second sequence is wider and longer."""
    rng = np.random.default_rng(0)
    n, d_model, n_k, d_keys = (3, 4, 5, 6) if context else (3, 4, 3, 4)
    shapes = {
        "X": (n, d_model),
        "W_Q": (d_model, 8),
        "W_K": (d_keys, 4),
        "W_V": (d_keys, 4),
        "b_V": (1, 4),
        "W_O": (8, d_model),
        "b_O": (1, d_model),
        "bias": (n, n_k),
    }
    if context:
        shapes["context"] = (n_k, d_keys)
    matrices = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    matrices["mask"] = rng.random((n, n_k)) > 0.3
    spec = Spec(
        context=context,
        n_heads=4,
        n_kv_heads=2,
        biases=("b_V", "b_O"),
        output_projection=True,
        bias=True,
        mask=True,
    )
    tokens = [f"k{place}" for place in range(n_k)] if context else ()
    return Document("Shared", ["a", "b", "c"], matrices, spec, context_tokens=tokens)


def turn(document, variant):
    spec = variant_spec(document, variant)
    return document.apply(spec_edit(document, spec, variant))


def held(document):
    matrices = {name: (m.shape, m.tobytes()) for name, m in document.matrices.items()}
    return document.spec, document.past_variants, matrices


def assert_has_all_of(document, start):
    spec, _, matrices = held(document)
    assert spec == start[0]
    assert {name: matrices[name] for name in start[2]} == start[2]


@pytest.mark.parametrize("context", [False, True])
@pytest.mark.parametrize("other", OTHERS)
def test_heads_biases_and_matrices_come_back_with_their_variant(context, other):
    document = shared(context=context)
    start, variant = held(document), document.spec.variant
    turn(document, other)
    assert document.spec.n_heads == 1
    turn(document, variant)
    assert_has_all_of(document, start)


@given(st.booleans(), st.lists(st.sampled_from(VARIANTS), max_size=6))
def test_any_way_that_ends_where_it_began_loses_nothing(context, way):
    document = shared(context=context)
    start, variant = held(document), document.spec.variant
    undo, states = [], []
    for step in (*way, *OTHERS, variant):
        states.append(held(document))
        undo.append(turn(document, step))
        document.compute()
        assert len(document.past_variants) < len(VARIANTS)
    assert_has_all_of(document, start)
    for inverse, was in zip(reversed(undo), reversed(states), strict=True):
        document.apply(inverse)
        assert held(document) == was


def test_what_was_edited_meanwhile_stays_edited():
    document = shared(context=False)
    before = document.matrix("W_V").copy()
    keys = document.matrix("W_K").copy()
    turn(document, "self")
    document.apply(SetCells("Set", "W_K", 0, 0, np.array([[99.0]])))
    turn(document, "multi_head")
    assert document.spec.kv_heads == 2
    assert document.matrix("W_V").tolist() == before.tolist()
    # The two heads that shared what was edited share its mean with the old number.
    assert document.matrix("W_K")[0, 0] == (99.0 + keys[0, 0]) / 2
    assert document.matrix("W_K")[1:].tolist() == keys[1:].tolist()


def test_a_bias_follows_tokens_that_came_meanwhile():
    document = shared(context=True)
    bias, keys = document.matrix("bias").copy(), document.matrix("W_K").copy()
    turn(document, "self")
    rows = np.ones((1, 4))
    document.apply(insert_tokens(document, "X", 0, ["new"], rows, "Add"))
    turn(document, "cross")
    assert document.matrix("bias").shape == (4, 5)
    assert document.matrix("bias")[1:, 1:4].tolist() == bias[:, :3].tolist()
    assert document.matrix("W_K").tolist() == keys.tolist()
