"""Drawing into documents: the stream goes on, and what it drew is remembered."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.compute import Spec
from attnviewer.document import (
    Dimensions,
    Document,
    Draw,
    EditError,
    Recipe,
    Region,
    Replace,
    SetCells,
    spec_edit,
    variant_spec,
)
from attnviewer.document.drawing.distributions import Integers, Normal, Uniform
from attnviewer.document.drawing.draws import (
    draw_edit,
    drawn_cell,
    is_edited,
    last_draw,
)
from attnviewer.document.fills import Constant, fill_edit
from attnviewer.document.pasting import paste_and_grow
from attnviewer.document.sequences import (
    duplicate_tokens,
    insert_tokens,
    move_tokens,
    remove_tokens,
    rename_token,
    set_sentence,
)
from attnviewer.document.variants.resizing import plan_dimensions

# np.random.seed(42), then np.random.randint(3, size=(3, 3)) three times.
PRINTED = {
    "W_Q": [[2, 0, 2], [2, 0, 0], [2, 1, 2]],
    "W_K": [[2, 2, 2], [0, 2, 1], [0, 1, 1]],
    "W_V": [[1, 1, 0], [0, 1, 1], [0, 0, 0]],
}
SEED_42 = Recipe(42, ())
WHOLE = Region(0, 0, 3, 3)


@pytest.fixture
def words():
    matrices = {name: np.full((3, 3), 9.0) for name in PRINTED}
    return Document("Words", "abcd", {"X": np.zeros((4, 3)), **matrices}, Spec())


def whole(name, high=3):
    return Draw((3, 3), Integers(high), name)


def draw(document, stream, *draws):
    return document.apply(draw_edit(document, stream, draws, "Draw"))


def weights(document):
    return {name: document.matrix(name).tolist() for name in PRINTED}


def test_one_after_the_other_gives_what_the_notebook_prints(words):
    draw(words, SEED_42, whole("W_Q"))
    for name in ("W_K", "W_V"):
        draw(words, words.recipes[-1], whole(name))
    assert weights(words) == PRINTED
    assert words.recipes == (Recipe(42, tuple(map(whole, PRINTED))),)


def test_all_at_once_gives_the_same_in_one_edit_that_undo_takes_back(words):
    before = weights(words)
    edit = draw_edit(words, SEED_42, [whole(name) for name in PRINTED], "Draw all")
    assert isinstance(edit, Replace)
    assert edit.label == "Draw all"
    inverse = words.apply(edit)
    assert weights(words) == PRINTED
    assert words.recipes == (Recipe(42, tuple(map(whole, PRINTED))),)
    words.apply(inverse)
    assert weights(words) == before
    assert words.recipes == ()


def test_a_part_is_drawn_and_the_rest_stays(words):
    edit = draw_edit(
        words, SEED_42, [Draw((2, 2), Integers(3), "W_Q", 1, 1)], "Draw part"
    )
    assert isinstance(edit, SetCells)
    words.apply(edit)
    # The first four numbers of seed 42.
    assert words.matrix("W_Q").tolist() == [[9, 9, 9], [9, 2, 0], [9, 2, 2]]
    assert last_draw(words, "W_Q") == (words.recipes[0], words.recipes[0].draws[0])
    assert is_edited(words, "W_Q") is False


def test_two_parts_of_one_matrix_are_drawn_at_once(words):
    parts = [Draw((1, 3), Integers(3), "W_Q", row) for row in (0, 2)]
    draw(words, SEED_42, *parts)
    assert words.matrix("W_Q").tolist() == [[2, 0, 2], [9, 9, 9], [2, 0, 0]]


def test_what_is_drawn_over_counts_as_thrown_away_in_its_stream(words):
    for _ in range(2):
        draw(words, words.recipes[-1] if words.recipes else SEED_42, whole("W_Q"))
    assert words.matrix("W_Q").tolist() == PRINTED["W_K"]
    assert [draw.matrix for draw in words.recipes[0].draws] == [None, "W_Q"]
    draw(words, words.recipes[-1], whole("W_V"))
    assert words.matrix("W_V").tolist() == PRINTED["W_V"]


def test_a_new_seed_makes_a_recipe_of_its_own_and_old_ones_are_dropped(words):
    draw(words, SEED_42, whole("W_Q"), whole("W_K"))
    draw(words, Recipe(7, (), "default"), whole("W_Q"))
    first, second = words.recipes
    assert [draw.matrix for draw in first.draws] == [None, "W_K"]
    assert second == Recipe(7, (whole("W_Q"),), "default")
    draw(words, Recipe(8, ()), whole("W_K"))
    assert [recipe.seed for recipe in words.recipes] == [7, 8]


def test_a_part_drawn_over_leaves_the_older_draw_remembered(words):
    draw(words, SEED_42, whole("W_Q"))
    draw(words, Recipe(1, ()), Draw((1, 1), Normal(), "W_Q"))
    assert [recipe.seed for recipe in words.recipes] == [42, 1]
    assert is_edited(words, "W_Q") is False
    assert last_draw(words, "W_Q")[0].seed == 1


def test_edited_since_is_told_and_untold(words):
    assert last_draw(words, "W_Q") is None
    draw(words, SEED_42, whole("W_Q"))
    inverse = words.apply(SetCells("Set", "W_Q", 1, 1, np.array([[5.0]])))
    assert is_edited(words, "W_Q") is True
    words.apply(inverse)
    assert is_edited(words, "W_Q") is False


def test_a_cell_that_was_changed_is_told_from_those_that_were_drawn(words):
    assert drawn_cell(words, "W_Q", 1, 1) is None
    draw(words, SEED_42, whole("W_Q"))
    inverse = words.apply(SetCells("Set", "W_Q", 1, 1, np.array([[5.0]])))
    changed, kept = (drawn_cell(words, "W_Q", 1, column) for column in (1, 2))
    assert not changed.kept
    assert kept.kept
    assert (kept.recipe.seed, kept.draw) == (42, whole("W_Q"))
    words.apply(inverse)
    assert drawn_cell(words, "W_Q", 1, 1).kept


def test_each_cell_is_of_the_last_draw_into_it(words):
    draw(words, SEED_42, whole("W_Q"))
    draw(words, Recipe(1, ()), Draw((1, 1), Normal(), "W_Q"))
    seeds = [drawn_cell(words, "W_Q", 0, column).recipe.seed for column in (0, 1)]
    assert seeds == [1, 42]


def test_a_draw_that_is_all_written_over_is_forgotten_and_comes_back_by_undo(words):
    draw(words, SEED_42, whole("W_Q"), whole("W_K"))
    before = words.recipes
    redo = SetCells("Clear", "W_Q", 0, 0, np.zeros((3, 3)))
    for _ in range(2):
        inverse = words.apply(redo)
        assert drawn_cell(words, "W_Q", 0, 1) is None
        assert last_draw(words, "W_Q") is None
        assert drawn_cell(words, "W_K", 0, 1).kept
        redo = words.apply(inverse)
        assert words.recipes == before
        assert drawn_cell(words, "W_Q", 0, 1).kept


def test_a_draw_larger_than_its_matrix_is_edited(words):
    words.apply(Replace("Draw", recipes=(Recipe(42, (whole("W_V"),)),)))
    words.apply(Replace("Shrink", matrices={"W_V": np.zeros((3, 2))}, recipes=()))
    words.apply(Replace("Draw", recipes=(Recipe(42, (whole("W_V"),)),)))
    assert is_edited(words, "W_V") is True


_TOKENS = Draw((4, 3), Integers(3), "X")


def _resized(document, d_model):
    wanted = replace(Dimensions.of(document), d_model=d_model)
    return plan_dimensions(document, wanted).edit("E")


_UNCHANGED = {
    "append": lambda d: insert_tokens(d, "X", 4, ["e"], np.ones((1, 3)), "E"),
    "rename": lambda d: rename_token(d, "X", 0, "z", "E"),
    "widen": lambda d: _resized(d, 5),
    "variant": lambda d: spec_edit(d, variant_spec(d, "multi_head"), "E"),
}
_CHANGED = {
    "move": lambda d: move_tokens(d, "X", 0, 1, 2, "E"),
    "remove": lambda d: remove_tokens(d, "X", 3, 1, "E"),
    "duplicate": lambda d: duplicate_tokens(d, "X", 0, 1, "E"),
    "insert": lambda d: insert_tokens(d, "X", 0, ["e"], np.ones((1, 3)), "E"),
    "narrow": lambda d: _resized(d, 2),
    "paste": lambda d: paste_and_grow(d, "X", 3, 0, np.full((2, 3), 7.0), "E"),
}


@pytest.mark.parametrize("name", _UNCHANGED)
def test_a_draw_is_remembered_while_its_cells_stay_where_they_are(words, name):
    draw(words, SEED_42, _TOKENS)
    inverse = words.apply(_UNCHANGED[name](words))
    assert last_draw(words, "X") == (Recipe(42, (_TOKENS,)), _TOKENS)
    assert is_edited(words, "X") is False
    words.apply(inverse)
    assert words.recipes == (Recipe(42, (_TOKENS,)),)


@pytest.mark.parametrize("name", _CHANGED)
def test_a_draw_is_forgotten_with_its_place_and_comes_back_with_undo(words, name):
    draw(words, SEED_42, _TOKENS, whole("W_V"))
    was = words.recipes
    edit = _CHANGED[name](words)
    inverse = words.apply(edit)
    assert last_draw(words, "X") is None
    if name != "narrow":
        # Its numbers come after those of X in their stream.
        thrown = Draw((4, 3), Integers(3))
        assert words.recipes == (Recipe(42, (thrown, whole("W_V"))),)
    redone = words.recipes
    words.apply(inverse)
    assert words.recipes == was
    words.apply(edit)
    assert words.recipes == redone


def test_a_sentence_forgets_what_was_drawn_into_a_bias_whose_rows_move(words):
    words.apply(Replace("Bias", matrices={"bias": np.zeros((4, 4))}))
    draw(words, SEED_42, Draw((4, 4), Integers(3), "bias"))
    recipe = Recipe(7, (Draw((3, 3), Uniform(), "X"),))
    edit = set_sentence(words, "X", "dba", np.zeros((3, 3)), "S", recipe)
    words.apply(edit)
    assert words.recipes == (recipe,)


def test_large_matrices_are_not_compared():
    large = Document("L", ["a"] * 300, {"X": np.zeros((300, 300))}, Spec(projected=0))
    draw(large, SEED_42, Draw((300, 300), Uniform(), "X"))
    assert is_edited(large, "X") is None


def test_what_cannot_be_drawn_is_refused(words):
    mask = np.ones((4, 4), bool)
    words.apply(Replace("Mask", matrices={"mask": mask}))
    with pytest.raises(EditError, match="The 'mask' must not be drawn at random"):
        draw_edit(words, SEED_42, [Draw((4, 4), Uniform(), "mask")], "D")
    huge = Draw((4097, 4096), Uniform(), "X")
    with pytest.raises(EditError, match="at most 16,777,216"):
        draw_edit(words, SEED_42, [huge], "D")
    beyond = draw_edit(words, SEED_42, [Draw((3, 3), Normal(1e308, 1e308), "W_Q")], "D")
    with pytest.raises(EditError, match="finite"):
        words.apply(beyond)
    assert words.recipes == ()


names = st.sampled_from(list(PRINTED))
steps = st.lists(st.tuples(names, st.sampled_from(["seed", "continue", "fill"])))


@given(steps)
def test_remembered_draws_are_always_what_the_matrices_hold(steps):
    matrices = {name: np.full((3, 3), 0.5) for name in PRINTED}
    document = Document("D", "abcd", {"X": np.zeros((4, 3)), **matrices}, Spec())
    undo, states = [], []
    for seed, (name, kind) in enumerate(steps):
        states.append((weights(document), document.recipes))
        if kind == "fill":
            edit = fill_edit(document, name, WHOLE, Constant(0.5), "F")
        else:
            goes_on = kind == "continue" and document.recipes
            stream = document.recipes[-1] if goes_on else Recipe(seed, ())
            edit = draw_edit(document, stream, [whole(name, 1000)], "D")
        if edit is None:
            states.pop()
            continue
        undo.append(document.apply(edit))
    kept = {}
    for recipe in document.recipes:
        for one, numbers in recipe.draw():
            if one.matrix is not None:
                assert one.matrix not in kept
                kept[one.matrix] = numbers.tolist()
    held = weights(document)
    assert kept == {name: held[name] for name in kept}
    undrawn = {name for name in PRINTED if name not in kept}
    assert all(held[name] == [[0.5] * 3] * 3 for name in undrawn)
    for inverse, (was, recipes) in zip(reversed(undo), reversed(states), strict=True):
        document.apply(inverse)
        assert (weights(document), document.recipes) == (was, recipes)
