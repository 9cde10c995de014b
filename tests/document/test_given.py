"""Documents whose queries, keys and values are given: what they hold and refuse."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import Alibi, Cell, Learned, Rotary, Sinusoidal, Spec
from attnviewer.document import (
    Comparison,
    Derivation,
    Dimensions,
    Document,
    EditError,
    Replace,
    Snapshot,
    spec_edit,
    variant_spec,
)
from attnviewer.document.comparison import Side
from attnviewer.document.derivation import worked_latex
from attnviewer.document.masks import MaskPreset, mask_edit, visibility
from attnviewer.document.pasting import paste_and_grow, paste_tokens
from attnviewer.document.rearranging import together_with, tokens_of
from attnviewer.document.replacement import replacement
from attnviewer.document.sequences import (
    duplicate_tokens,
    insert_tokens,
    move_tokens,
    remove_tokens,
    rename_token,
    set_sentence,
)
from attnviewer.document.variants.resizing import plan_dimensions
from attnviewer.document.variants.variants import (
    heads_spec,
    output_projection_spec,
    possible_biases,
    possible_heads,
    possible_variants,
)
from tests.documents import GIVEN, four_words, given, given_across, state_of

Q, K, V = (np.array(GIVEN[name]) for name in "QKV")
SPEC = Spec(projected=False, given=True)


def _square(n: int) -> np.ndarray:
    """Return a bias in which every cell tells its query and its key."""
    return 10.0 * np.arange(n)[:, np.newaxis] + np.arange(n)  # (n, n)


def _rows(document: Document, name: str) -> list[list[float]]:
    return document.matrix(name).tolist()


def _refused(make) -> str:
    with pytest.raises(EditError) as caught:
        make()
    return str(caught.value)


# ------------------------------------------------------------- what it holds


@pytest.mark.parametrize(("make", "n_k"), [(given, 5), (given_across, 3)])
def test_attention_is_computed_from_what_is_given(make, n_k) -> None:
    trace = make().compute()
    exponentials = np.exp(Q @ K[:n_k].T / np.sqrt(2))  # (5, n_k)
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(trace["weights"], weights, rtol=1e-12)
    np.testing.assert_allclose(trace["output"], weights @ V[:n_k], rtol=1e-12)


def test_the_inputs_are_the_three_matrices_and_what_enters_later() -> None:
    assert list(given().inputs()) == ["Q", "K", "V"]
    document = given()
    document.apply(spec_edit(document, replace(document.spec, bias=True), ""))
    assert list(document.inputs()) == ["Q", "K", "V", "bias"]
    assert document.matrix("bias").tolist() == np.zeros((5, 5)).tolist()


def test_keys_have_the_tokens_of_queries_or_their_own() -> None:
    words = ("the", "cat", "sat", "down", ".")
    assert given().labels == (words, words)
    assert given_across().labels == (words, ("le", "chat", "dort"))


@pytest.mark.parametrize(
    ("make", "name", "together", "first"),
    [
        (given, "Q", ("Q", "K", "V"), "the"),
        (given, "V", ("Q", "K", "V"), "the"),
        (given, "X", (), None),
        (given, "context", (), None),
        (given_across, "Q", ("Q",), "the"),
        (given_across, "K", ("K", "V"), "le"),
        (given_across, "V", ("K", "V"), "le"),
        (four_words, "X", ("X",), "word 1"),
        (four_words, "K", (), None),
    ],
)
def test_a_sequence_goes_by_any_matrix_with_its_rows(
    make, name, together, first
) -> None:
    assert together_with(make(), name) == together
    assert tokens_of(make(), name)[:1] == (() if first is None else (first,))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"K": None}, "The 'K' matrix must be given. Got none instead."),
        ({"K": K[:3]}, "The 'V' matrix must have shape (3, any). Got (5, 3) instead."),
        (
            {"K": K[:3], "V": V[:3]},
            "The 'tokens' must be as many as the rows of 'K', 3. Got 5 instead.",
        ),
        (
            {"Q": Q[:2]},
            "The 'tokens' must be as many as the rows of 'Q', 2. Got 5 instead.",
        ),
        ({"K": V}, "The 'K' matrix must have shape (5, 2). Got (5, 3) instead."),
        (
            {"Q": Q[np.newaxis]},
            "The 'Q' matrix must have 2 dimensions of at least 1 each. "
            "Got shape (1, 5, 2) instead.",
        ),
        (
            {"X": V},
            "The matrices must be without 'X' where queries, keys and values are "
            "given. Got Q, K, V, X instead.",
        ),
        (
            {"context": V},
            "The matrices must be without 'context' where queries, keys and values "
            "are given. Got Q, K, V, context instead.",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(changes, message) -> None:
    document = given()
    before = state_of(document)
    edit = Replace("", matrices=changes)
    assert _refused(lambda: document.apply(edit)) == message
    assert state_of(document) == before


@pytest.mark.parametrize(
    ("spec", "context_tokens", "message"),
    [
        (
            SPEC,
            ["a"],
            "The 'context_tokens' must be none without a second sequence. "
            "Got 1 instead.",
        ),
        (
            replace(SPEC, context=True),
            ["a"],
            "The 'context_tokens' must be as many as the rows of 'K', 5. "
            "Got 1 instead.",
        ),
        (
            replace(SPEC, n_heads=2),
            [],
            "The 'spec' must have 'heads_joined' where several heads of queries, keys "
            "and values are given. Got 2 heads without it instead.",
        ),
    ],
)
def test_a_spec_that_does_not_fit_makes_no_document(
    spec, context_tokens, message
) -> None:
    def make() -> Document:
        return Document("", "abcde", GIVEN, spec, context_tokens=context_tokens)

    assert _refused(make) == message


def test_given_matrices_beside_x_are_refused() -> None:
    message = _refused(lambda: Document("", "ab", {"X": np.eye(2), "Q": np.eye(2)}))
    assert message.startswith(
        "The matrices must be without 'Q' where queries, keys and values come from 'X'."
    )


# -------------------------------------------------------------------- tokens


@pytest.mark.parametrize("sequence", ["Q", "K", "V"])
def test_tokens_come_and_go_with_their_rows_of_all_three_matrices(sequence) -> None:
    document = given(bias=False)
    spec = replace(document.spec, bias=True, mask=True)
    document.apply(
        Replace("", spec=spec, matrices={"bias": _square(5), "mask": _square(5) > 9})
    )
    before = state_of(document)
    inverses = [document.apply(remove_tokens(document, sequence, 1, 2, "Remove"))]
    left = [0, 3, 4]
    assert document.tokens == ("the", "down", ".")
    for name, whole in (("Q", Q), ("K", K), ("V", V)):
        assert _rows(document, name) == whole[left].tolist()
    assert _rows(document, "bias") == _square(5)[np.ix_(left, left)].tolist()
    assert _rows(document, "mask") == (_square(5) > 9)[np.ix_(left, left)].tolist()

    inverses.append(document.apply(move_tokens(document, sequence, 2, 1, 0, "Move")))
    assert document.tokens == (".", "the", "down")
    assert _rows(document, "V") == V[[4, 0, 3]].tolist()

    inverses.append(
        document.apply(duplicate_tokens(document, sequence, 0, 1, "Duplicate"))
    )
    assert document.tokens == (".", ". (2)", "the", "down")
    assert _rows(document, "K") == K[[4, 4, 0, 3]].tolist()
    assert document.matrix("bias").shape == (4, 4)

    for inverse in reversed(inverses):
        document.apply(inverse)
    assert state_of(document) == before


def test_a_new_token_has_its_row_in_one_matrix_and_zeros_in_the_others() -> None:
    document = given()
    row = np.array([[7.0, 8.0, 9.0]])
    document.apply(insert_tokens(document, "V", 1, ["new"], row, "Add"))
    assert document.tokens == ("the", "new", "cat", "sat", "down", ".")
    assert document.matrix("V")[1].tolist() == [7.0, 8.0, 9.0]
    for name, whole in (("Q", Q), ("K", K)):
        assert document.matrix(name)[1].tolist() == [0.0, 0.0]
        assert np.delete(document.matrix(name), 1, axis=0).tolist() == whole.tolist()


def test_keys_with_tokens_of_their_own_move_without_the_queries() -> None:
    document = given_across()
    spec = replace(document.spec, bias=True, key_lengths=3)
    bias = _square(5)[:, :3]
    document.apply(Replace("", spec=spec, matrices={"bias": bias}))
    document.apply(remove_tokens(document, "V", 0, 1, "Remove"))
    assert document.context_tokens == ("chat", "dort")
    assert document.tokens == ("the", "cat", "sat", "down", ".")
    assert _rows(document, "K") == K[1:3].tolist()
    assert _rows(document, "V") == V[1:3].tolist()
    assert _rows(document, "Q") == Q.tolist()
    assert _rows(document, "bias") == bias[:, 1:].tolist()
    assert document.spec.key_lengths == 2
    document.apply(remove_tokens(document, "Q", 0, 4, "Remove"))
    assert document.tokens == (".",)
    assert _rows(document, "bias") == [[41.0, 42.0]]
    assert _rows(document, "K") == K[1:3].tolist()


def test_a_token_is_renamed_wherever_its_row_is_looked_at() -> None:
    document = given()
    document.apply(rename_token(document, "K", 1, "dog", "Rename"))
    assert document.labels.queries[1] == document.labels.keys[1] == "dog"
    across = given_across()
    across.apply(rename_token(across, "V", 1, "chien", "Rename"))
    assert across.tokens == (*document.tokens[:1], "cat", "sat", "down", ".")
    assert across.context_tokens == ("le", "chien", "dort")


def test_pasted_rows_beyond_the_last_become_tokens() -> None:
    document = given()
    values = np.array([[1.5, 2.5], [3.5, 4.5]])
    document.apply(paste_and_grow(document, "V", 4, 1, values, "Paste"))
    assert document.tokens == ("the", "cat", "sat", "down", ".", "token 5")
    assert document.matrix("V")[4:].tolist() == [[0.0, 1.5, 2.5], [0.0, 3.5, 4.5]]
    assert document.matrix("Q")[5].tolist() == [0.0, 0.0]


def test_pasted_names_beyond_the_last_become_tokens_of_zeros() -> None:
    document = given_across()
    document.apply(paste_tokens(document, "K", 2, ["boit", "du", "lait"], "Paste"))
    assert document.context_tokens == ("le", "chat", "boit", "du", "lait")
    assert document.matrix("K")[3:].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert document.matrix("V").shape == (5, 3)
    assert document.tokens == ("the", "cat", "sat", "down", ".")


def test_a_sentence_is_refused_as_nothing_says_what_its_queries_are() -> None:
    document = given()
    message = _refused(lambda: set_sentence(document, "Q", ["a"], np.ones((1, 2)), ""))
    assert message == (
        "The tokens must have embeddings to get others by a sentence. Got queries, "
        "keys and values that are given instead."
    )


# ------------------------------------------------------------------- variants


@pytest.mark.parametrize("variant", ["simplified", "self", "multi_head", "cross"])
def test_no_other_variant_can_be_computed_without_x(variant) -> None:
    document = given()
    wanted = (
        "Other variants compute queries, keys and values from X; there is no X here."
    )
    assert _refused(lambda: variant_spec(document, variant)) == wanted
    assert _refused(lambda: spec_edit(document, Spec(), "")) == wanted
    assert variant_spec(document, "given") == document.spec


def test_computed_queries_do_not_turn_into_given_ones() -> None:
    document = four_words()
    wanted = (
        "Queries, keys and values come from X here. Given ones are a document of "
        "their own."
    )
    assert _refused(lambda: variant_spec(document, "given")) == wanted
    assert _refused(lambda: spec_edit(document, SPEC, "")) == wanted


def test_only_variants_that_can_be_had_are_possible() -> None:
    assert possible_variants(SPEC) == ("given",)
    assert possible_variants(Spec()) == ("simplified", "self", "multi_head", "cross")


def test_there_is_one_head_and_nothing_to_project() -> None:
    document = given()
    assert possible_heads(document) == [1]
    assert possible_biases(document.spec) == ()
    edit = spec_edit(document, heads_spec(document.spec, 2), "")
    assert "must have 'heads_joined'" in _refused(lambda: document.apply(edit))
    with pytest.raises(ValueError, match="must be off where queries, keys and values"):
        output_projection_spec(document.spec, on=True)


@pytest.mark.parametrize("positions", [Sinusoidal(), Learned()])
def test_positions_that_are_added_to_x_are_refused(positions) -> None:
    with pytest.raises(ValueError, match="must not be added to X where queries"):
        Spec(projected=False, given=True, positions=positions)


@pytest.mark.parametrize("positions", [Rotary(), Alibi()])
def test_positions_enter_where_there_are_queries_and_keys(positions) -> None:
    document = given_across()
    spec = replace(document.spec, positions=positions)
    document.apply(spec_edit(document, spec, ""))
    assert document.compute().shape("weights") == (5, 3)


def test_rotary_positions_turn_an_even_number_of_columns() -> None:
    document = Document("", "ab", dict.fromkeys("QKV", np.ones((2, 3))), SPEC)
    spec = replace(SPEC, positions=Rotary())
    assert _refused(lambda: spec_edit(document, spec, "")) == (
        "The 'd_k' must be even where rotary positions rotate its columns in pairs. "
        "Got 3 instead."
    )


def test_keys_get_tokens_of_their_own_as_copies() -> None:
    document = given()
    document.apply(spec_edit(document, replace(document.spec, context=True), ""))
    assert document.context_tokens == document.tokens
    assert list(document.matrices) == ["Q", "K", "V"]


def test_masks_hide_keys_from_given_queries() -> None:
    document = given_across()
    document.apply(mask_edit(document, MaskPreset("causal"), ""))
    assert visibility(document).window().tolist() == np.tri(5, 3, dtype=bool).tolist()
    assert document.compute()["weights"][0].tolist() == [1.0, 0.0, 0.0]


def test_dimensions_are_the_widths_of_keys_and_values() -> None:
    document = given()
    dimensions = Dimensions.of(document)
    assert dimensions == Dimensions(None, None, 2, 3, 1, 1, 5, None)
    plan = plan_dimensions(document, replace(dimensions, d_k=3, d_v=1))
    changed = {e.matrix: (e.before, e.after, e.lost) for e in plan.effects}
    assert changed == {
        "Q": ((5, 2), (5, 3), 0),
        "K": ((5, 2), (5, 3), 0),
        "V": ((5, 3), (5, 1), 5),
    }
    inverse = document.apply(plan.edit("Change"))
    assert document.matrix("Q").tolist() == np.pad(Q, ((0, 0), (0, 1))).tolist()
    assert document.matrix("V").tolist() == V[:, :1].tolist()
    document.apply(inverse)
    assert document.matrix("V").tolist() == V.tolist()


# ------------------------------------------------------- told and compared


def test_a_number_is_worked_out_down_to_what_is_given() -> None:
    document = given()
    derivation = Derivation(document.compute(), document.labels)
    score = derivation.of(Cell("scores", (0, 2)))
    derivation.open(score)
    names = [(part.name, part.given) for part in score.below]
    assert names[:2] == [("Q[the, 0]", True), ("K[sat, 0]", True)]
    latex = worked_latex(score, derivation)
    assert [line.strip() for line in latex.splitlines()[1:-1]] == [
        r"\mathrm{scores}_{\text{the}, \text{sat}} &= Q_{i} \cdot K_{j} \\",
        r"&= 1 \cdot 1 + 0 \cdot \left(-1\right) \\",
        r"&= 1 + 0 \\",
        "&= 1",
    ]


def test_two_computations_with_given_queries_are_compared_by_their_tokens() -> None:
    document = given()
    before = Snapshot.of(document)
    document.apply(remove_tokens(document, "Q", 1, 1, ""))
    sides = (
        Side(document.compute(), document.labels),
        Side(before.compute(), before.labels),
    )
    pair = Comparison(*sides).pair("Q")
    assert not pair.partial
    assert pair.rounding == 0.0
    assert pair.after[0].shape == (4, 2)
    assert not (pair.after[0].window() - pair.before[0].window()).any()
    with_x = four_words()
    crossed = Comparison(sides[0], Side(with_x.compute(), with_x.labels))
    assert crossed.pair("weights").rounding > 0


def test_a_document_with_x_becomes_one_with_given_queries_and_back() -> None:
    document = four_words()
    before = state_of(document)
    inverse = document.apply(replacement(document, given_across(), "Reload"))
    assert state_of(document) == state_of(given_across())
    document.apply(inverse)
    assert state_of(document) == before
