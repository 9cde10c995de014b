"""Other dimensions: what they do to each matrix, and that nothing else changes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import Learned, Rotary, Spec
from attnviewer.document import (
    Dimensions,
    Document,
    EditError,
    Replace,
    SetCells,
    spec_edit,
)
from attnviewer.document.sequences import insert_tokens, remove_tokens
from attnviewer.document.variants.resizing import plan_dimensions


def _document(seed: int = 0, n: int = 3, **spec) -> Document:
    """Make a document that has every matrix, whatever the spec uses of them."""
    spec = Spec(**spec)
    d, d_context, d_k, d_v = 4, 5, 2, 3
    d_keys = d_context if spec.context else d
    h, h_kv = spec.n_heads, spec.kv_heads
    shapes = {
        "X": (n, d),
        "context": (2, d_context),
        "W_Q": (d, h * d_k),
        "W_K": (d_keys, h_kv * d_k),
        "W_V": (d_keys, h_kv * d_v),
        "W_O": (h * d_v, d),
        "b_Q": (1, h * d_k),
        "b_K": (1, h_kv * d_k),
        "b_V": (1, h_kv * d_v),
        "b_O": (1, d),
        "P": (n + 1, d),
    }
    generator = np.random.default_rng(seed)
    matrices = {name: generator.normal(size=shape) for name, shape in shapes.items()}
    tokens = [str(k) for k in range(n)]
    return Document("", tokens, matrices, spec, context_tokens=["x", "y"])


_ALL = {
    "n_heads": 2,
    "output_projection": True,
    "biases": ("b_Q", "b_K", "b_V", "b_O"),
    "positions": Learned(),
}


def _apply(document, padding="zeros", seed=0, **changes):
    dimensions = replace(Dimensions.of(document), **changes)
    return document.apply(
        plan_dimensions(document, dimensions, padding, seed).edit("Change")
    )


def _parts(document):
    return {name: matrix.tobytes() for name, matrix in document.matrices.items()} | {
        "spec": document.spec
    }


def test_dimensions_are_read_per_head() -> None:
    document = _document(n_heads=4, n_kv_heads=2, context=True)
    assert Dimensions.of(document) == Dimensions(4, 5, 2, 3, 4, 2, 3, 2)


def test_without_weights_there_is_d_model_alone() -> None:
    document = Document("", ["a"], {"X": [[1, 2, 3]]}, Spec(projected=False))
    assert Dimensions.of(document) == Dimensions(3, None, 3, 3, 1, 1, 1, None)
    _apply(document, d_model=2)
    assert document.matrix("X").tolist() == [[1, 2]]


def test_each_head_is_cut_and_padded_by_itself() -> None:
    weights = {
        "X": [[1, 1]],
        "W_Q": [[1, 2, 3, 4], [5, 6, 7, 8]],
        "W_K": [[1, 2, 3, 4], [5, 6, 7, 8]],
        "W_V": [[1, 2], [3, 4]],
        "W_O": [[1, 2], [3, 4]],
    }
    document = Document("", ["a"], weights, Spec(n_heads=2, output_projection=True))
    _apply(document, d_k=1, d_v=2)
    assert document.matrix("W_Q").tolist() == [[1, 3], [5, 7]]
    assert document.matrix("W_V").tolist() == [[1, 0, 2, 0], [3, 0, 4, 0]]
    assert document.matrix("W_O").tolist() == [[1, 2], [0, 0], [3, 4], [0, 0]]


def test_heads_are_dropped_and_added_whole_at_the_end() -> None:
    document = _document(**_ALL)
    before = {name: matrix.copy() for name, matrix in document.matrices.items()}
    _apply(document, n_heads=3, n_kv_heads=3)
    np.testing.assert_array_equal(document.matrix("W_Q")[:, :4], before["W_Q"])
    assert not document.matrix("W_Q")[:, 4:].any()
    assert document.matrix("W_O").shape == (9, 4)
    assert document.matrix("b_V").shape == (1, 9)
    assert document.spec.n_heads == 3
    _apply(document, n_heads=1, n_kv_heads=1)
    np.testing.assert_array_equal(document.matrix("W_V"), before["W_V"][:, :3])


def test_what_is_as_wide_as_d_model_follows_it() -> None:
    document = _document(**_ALL)
    _apply(document, d_model=6)
    shapes = {name: matrix.shape for name, matrix in document.matrices.items()}
    assert shapes["X"] == (3, 6)
    assert shapes["P"] == (4, 6)
    assert shapes["W_Q"] == (6, 4)
    assert shapes["W_O"] == (6, 6)
    assert shapes["b_O"] == (1, 6)
    assert shapes["context"] == (2, 5)


def test_a_w_o_of_another_width_keeps_it() -> None:
    weights = {name: np.ones((2, 2)) for name in ("X", "W_Q", "W_K", "W_V")}
    weights["W_O"] = np.ones((2, 5))
    document = Document("", ["a", "b"], weights, Spec(output_projection=True))
    _apply(document, d_model=3)
    assert document.matrix("W_O").shape == (2, 5)


def test_matrices_that_the_variant_does_not_use_follow_too() -> None:
    document = _document()
    _apply(document, d_model=3, d_v=1)
    assert document.matrix("W_O").shape == (1, 3)
    assert document.matrix("b_V").shape == (1, 1)
    assert document.matrix("P").shape == (4, 3)


def test_the_plan_tells_what_becomes_of_each_matrix() -> None:
    weights = {
        "X": [[1, 0, 2]],
        "W_Q": [[1, 0], [0, 0], [5, 6]],
        "W_K": np.ones((3, 2)),
        "W_V": np.ones((3, 2)),
    }
    document = Document("", ["a"], weights)
    dimensions = Dimensions(2, None, 3, 2, 1, 1, 1, None)
    effects = {e.matrix: e for e in plan_dimensions(document, dimensions).effects}
    x, w_q = effects["X"], effects["W_Q"]
    assert (x.before, x.after, x.cut, x.added, x.lost) == (
        *((1, 3), (1, 2)),
        *((0, 1), (0, 0), 1),
    )
    assert (w_q.before, w_q.after, w_q.cut, w_q.added, w_q.lost) == (
        *((3, 2), (2, 3)),
        *((1, 0), (0, 1), 2),
    )
    assert list(effects) == ["X", "W_Q", "W_K", "W_V"]
    same = plan_dimensions(document, Dimensions.of(document))
    assert not any(effect.changes for effect in same.effects)
    assert not same.edit("").matrices


def test_fewer_but_wider_heads_are_cut_and_padded_at_once() -> None:
    document = _document(n_heads=2)
    plan = plan_dimensions(document, Dimensions(4, None, 4, 3, 1, 1, 3, None))
    effect = next(effect for effect in plan.effects if effect.matrix == "W_Q")
    assert effect.before == effect.after == (4, 4)
    assert (effect.cut, effect.added, effect.lost) == ((0, 2), (0, 2), 8)


def test_random_padding_is_drawn_by_seed_and_name() -> None:
    one, other, third = _document(**_ALL), _document(**_ALL), _document(**_ALL)
    _apply(one, "random", 7, d_model=400)
    _apply(other, "random", 7, d_model=400, d_k=3)
    _apply(third, "random", 8, d_model=400)
    new = one.matrix("X")[:, 4:]
    np.testing.assert_array_equal(new, other.matrix("X")[:, 4:])
    assert (new != third.matrix("X")[:, 4:]).all()
    # The standard error of a standard deviation from 1188 numbers is 0.02.
    assert abs(new.std() - 1) < 0.1
    assert abs(one.matrix("W_Q")[4:].std() * np.sqrt(400) - 1) < 0.1
    assert not one.matrix("b_O")[:, 4:].any()


sizes = st.integers(1, 4)


@st.composite
def heads(draw):
    shared = draw(st.integers(1, 3))
    group = draw(st.integers(1, 3))
    return shared * group, shared


@given(sizes, sizes, sizes, sizes, heads(), st.booleans(), st.booleans())
def test_undo_restores_every_bit(d_model, d_context, d_k, d_v, heads, context, random):
    document = _document(context=context, **_ALL)
    before = _parts(document)
    changes = {"d_model": d_model, "d_k": d_k, "d_v": d_v}
    if context:
        changes["d_context"] = d_context
    inverse = _apply(
        document,
        "random" if random else "zeros",
        n_heads=heads[0],
        n_kv_heads=heads[1],
        **changes,
    )
    now = Dimensions.of(document)
    assert (now.n_heads, now.n_kv_heads) == heads
    assert [getattr(now, name) for name in changes] == list(changes.values())
    document.compute()
    document.apply(inverse)
    assert _parts(document) == before


@given(sizes, sizes, sizes, st.integers(0, 3), st.booleans())
def test_growing_and_shrinking_restores_every_number(model, keys, values, more, random):
    document = _document(**_ALL)
    before, start = _parts(document), Dimensions.of(document)
    grown = Dimensions(
        start.d_model + model,
        None,
        start.d_k + keys,
        start.d_v + values,
        start.n_heads + more,
        start.n_kv_heads + more,
        start.n + model,
        None,
    )
    padding = "random" if random else "zeros"
    document.apply(plan_dimensions(document, grown, padding).edit(""))
    document.apply(plan_dimensions(document, start).edit(""))
    # The table P, 4 rows for 3 tokens, is never cut.
    added = max(0, start.n + model - 4)
    assert document.matrix("P").shape == (4 + added, 4)
    document.apply(Replace("", matrices={"P": document.matrix("P")[:4]}))
    assert _parts(document) == before


@given(st.integers(0, 99), sizes, sizes, st.integers(0, 2))
def test_zeros_change_no_output(seed, keys, values, more):
    document = _document(seed, scale=1.0, **_ALL)
    before = document.compute()
    start = Dimensions.of(document)
    _apply(
        document,
        d_k=start.d_k + keys,
        d_v=start.d_v + values,
        n_heads=start.n_heads + more,
        n_kv_heads=start.n_kv_heads + more,
    )
    after = document.compute()
    np.testing.assert_allclose(after["weights"][:2], before["weights"], rtol=1e-13)
    np.testing.assert_allclose(after["output"], before["output"], atol=1e-13)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"d_k": 0}, r"The 'd_k' must be from 1 to 16384\. Got 0 instead\."),
        ({"d_model": 16385}, r"The 'd_model' must be from 1 to 16384\. Got 16385"),
        ({"n_heads": 3}, r"'n_heads' must be a multiple of n_kv_heads = 2\. Got 3"),
        (
            {"d_model": 16384, "d_k": 4096},
            r"The 'W_Q' matrix must have at most 67108864 numbers\. "
            r"Got 16384 · 8192 = 134217728 instead\.",
        ),
        ({"n": 0}, r"The 'n' must be from 1 to 16384\. Got 0 instead\."),
        (
            {"n": 16384, "d_k": 1, "n_heads": 8192, "n_kv_heads": 8192},
            r"The steps must take at most 4 GiB of memory\. "
            r"16,384 queries and 16,384 keys with 8192 heads would take \d+\.\d GiB",
        ),
    ],
)
def test_impossible_dimensions_are_refused(changes, reason) -> None:
    document = _document(n=3, n_heads=2)
    dimensions = replace(Dimensions.of(document), **changes)
    with pytest.raises(EditError, match=reason):
        plan_dimensions(document, dimensions)


@pytest.mark.parametrize(
    ("positions", "d_k", "reason"),
    [
        (Rotary(), 3, "The 'd_k' must be even .* Got 3 instead"),
        (Rotary(rotary_dim=2), 1, "The 'd_k' must be at least 2, .* Got 1 instead"),
    ],
)
def test_rotary_positions_need_pairs_of_columns(positions, d_k, reason) -> None:
    document = _document(positions=positions)
    dimensions = replace(Dimensions.of(document), d_k=d_k)
    with pytest.raises(EditError, match=reason):
        plan_dimensions(document, dimensions)
    plan_dimensions(document, replace(dimensions, d_k=4))


def test_frequencies_of_rotary_positions_decide_how_wide_a_head_is() -> None:
    document = _document(positions=Rotary(frequencies=(0.5,)))
    dimensions = Dimensions.of(document)
    with pytest.raises(EditError) as caught:
        plan_dimensions(document, replace(dimensions, d_k=4))
    assert str(caught.value) == (
        "The 'd_k' must be 2, two columns for each frequency of the rotary positions. "
        "Got 4 instead."
    )
    plan_dimensions(document, replace(dimensions, d_model=6))


def test_one_head_is_all_there_is_without_weights() -> None:
    document = _document(projected=False)
    dimensions = replace(Dimensions.of(document), n_heads=2, n_kv_heads=2)
    with pytest.raises(EditError, match="'n_heads' must be 1 without projections"):
        plan_dimensions(document, dimensions)


def test_a_matrix_beyond_the_limit_may_stay_or_shrink_but_not_grow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("attnviewer.document.variants.resizing.MOST_NUMBERS", 4)
    document = Document("", "ab", {"X": np.ones((2, 5))}, Spec(projected=False))
    now = Dimensions.of(document)
    assert not any(effect.changes for effect in plan_dimensions(document, now).effects)
    _apply(document, d_model=3)
    assert document.matrix("X").shape == (2, 3)
    with pytest.raises(EditError, match="must have at most 4 numbers"):
        _apply(document, d_model=4)


_HIDING = {"mask": True, "bias": True, "key_lengths": 2}


def _hidden(document: Document) -> Document:
    """Give a document a mask and a bias that tell rows and columns apart."""
    shape = tuple(map(len, document.labels))
    generator = np.random.default_rng(1)
    mask = np.tri(*shape, dtype=bool)
    matrices = {"mask": mask, "bias": generator.normal(size=shape)}
    document.apply(
        Replace("", matrices=matrices, spec=replace(document.spec, **_HIDING))
    )
    return document


def _given(document: Document) -> Document:
    scores = np.arange(1.0, 13.0).reshape(3, 4)[:, [0, 1, 3, 0, 2, 3]]  # 2 heads of 3
    spec = Spec(
        projected=False,
        given=True,
        score="given",
        n_heads=2,
        heads_joined=True,
    )
    return Document("", document.tokens, {"S": scores, "V": np.ones((3, 4))}, spec)


@pytest.mark.parametrize(
    "make",
    [
        lambda: _hidden(_document(positions=Learned())),
        lambda: _hidden(_document(context=True)),
        lambda: _given(_document()),
    ],
    ids=["self", "cross", "given scores"],
)
@pytest.mark.parametrize("count", [1, 2, 3, 5, 7])
def test_tokens_are_added_and_removed_as_the_token_commands_do(make, count) -> None:
    document, expected = make(), make()
    sequences = [names[0] for names in document.rows if names]
    if not document.spec.context:
        sequences = sequences[:1]
    wanted = Dimensions.of(document)
    for sequence, field in zip(sequences, ("n", "n_k"), strict=False):
        before = getattr(wanted, field)
        wanted = replace(wanted, **{field: count})
        if count < before:
            edit = remove_tokens(expected, sequence, count, before - count, "")
            expected.apply(edit)
        for k in range(before, count):
            names = [f"token {k}"]
            row = np.zeros((1, expected.matrix(sequence).shape[1]))
            expected.apply(insert_tokens(expected, sequence, k, names, row, ""))
    before = _parts(document)
    inverse = document.apply(plan_dimensions(document, wanted).edit("Change"))
    assert _parts(document) == _parts(expected)
    assert document.tokens == expected.tokens
    assert document.context_tokens == expected.context_tokens
    document.compute()
    document.apply(inverse)
    assert _parts(document) == before


def test_what_is_lost_of_a_mask_are_the_cells_that_hide_a_key() -> None:
    document = _hidden(_document())
    plan = plan_dimensions(document, replace(Dimensions.of(document), n=2))
    effects = {effect.matrix: effect for effect in plan.effects}
    # The third column hides its key from the first two of three queries.
    assert effects["mask"].cut == (1, 1)
    assert effects["mask"].lost == 2
    assert effects["X"].lost == 4
    assert not effects["P"].changes


@pytest.mark.parametrize("gate", ["elementwise", "headwise"])
def test_gates_follow_the_heads_and_their_widths(gate) -> None:
    # As many heads as values have columns: only the gate tells what W_G has.
    document = _document(n_heads=3)
    edit = spec_edit(document, replace(document.spec, output_gate=gate), "Gate")
    document.apply(edit)
    weights = document.matrix("W_G")
    assert not weights.any()  # half open
    document.apply(SetCells("Draw", "W_G", 0, 0, np.ones_like(weights)))
    _apply(document, d_model=5, d_v=4, n_heads=2, n_kv_heads=2)
    columns = [1, 1] if gate == "headwise" else [1, 1, 1, 0, 1, 1, 1, 0]
    kept = np.outer([1, 1, 1, 1, 0], columns)
    np.testing.assert_array_equal(document.matrix("W_G"), kept)
    assert "gated" in document.compute()


def test_a_second_head_is_as_wide_as_the_first() -> None:
    weights = {name: np.eye(2) for name in ("X", "W_Q", "W_K", "W_V")}
    document = Document("", ["a", "b"], weights)
    _apply(document, n_heads=2, n_kv_heads=2)
    for name in ("W_Q", "W_K", "W_V"):
        assert document.matrix(name).tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]
