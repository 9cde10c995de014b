"""Mistakes that a document computes with: set and removed by one edit each."""

from dataclasses import replace

import numpy as np
import pytest

from attnviewer.compute import Pin, Slip
from attnviewer.document import Document, EditError, Region, Replace, SetCells
from attnviewer.document.mistakes import set_mistakes
from attnviewer.document.pins import add_pins
from attnviewer.document.sequences import move_tokens, remove_tokens
from attnviewer.document.variants.spec_edit import spec_edit
from attnviewer.document.variants.variants import variant_spec
from attnviewer.teaching.planting import mistakes_in
from tests.documents import four_words, state_of
from tests.mistaken import MISTAKES, SPEC, by_hand, document, with_mistake


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_document_computes_with_a_mistake_as_numpy_does(mistake) -> None:
    made = with_mistake(mistake)
    made.apply(SetCells("Set", "X", 2, 1, np.array([[0.5]])))
    want = by_hand(mistake, made.inputs())
    trace = made.compute()
    for step, numbers in want.items():
        np.testing.assert_allclose(trace[step], numbers, atol=1e-12)


def test_weights_kept_from_an_earlier_variant_offer_no_mistakes() -> None:
    made = four_words()
    made.apply(spec_edit(made, variant_spec(made, "simplified"), "Simplify"))
    only_x = Document("X", made.tokens, {"X": made.matrix("X")}, made.spec)
    assert mistakes_in(made) == mistakes_in(only_x) != ()


def test_setting_and_removing_are_one_step_each_and_undone_by_one() -> None:
    made = document()
    before = state_of(made)
    back = made.apply(set_mistakes(made, [Slip("scale-missing")], "Make it"))
    assert made.spec.mistakes == (Slip("scale-missing"),)
    assert made.title == "Five (with the mistake: The scores are not scaled)"
    during = state_of(made)
    again = made.apply(set_mistakes(made, [], "Remove it"))
    assert state_of(made) == before
    made.apply(again)
    assert state_of(made) == during
    made.apply(back)
    assert state_of(made) == before


def test_the_title_names_the_mistakes_in_place_of_those_before() -> None:
    made = with_mistake("scale-missing")
    slips = [Slip("softmax-over-queries"), Slip("weight-transposed:W_Q")]
    made.apply(set_mistakes(made, slips, "Make two"))
    assert made.title == (
        "Five (with the mistakes: The softmax runs over the queries instead of the "
        "keys; W_Q is transposed)"
    )
    made.apply(Replace("Rename", title="Mine"))
    made.apply(set_mistakes(made, [], "Remove them"))
    assert made.title == "Mine"


def test_a_mistake_that_the_variant_cannot_have_changes_nothing() -> None:
    made = document()
    before = state_of(made)
    with pytest.raises(EditError, match="computation can be made with"):
        set_mistakes(made, [Slip("window-ignored")], "Make it")
    with pytest.raises(EditError, match="computation can be made with"):
        made.apply(Replace("X", spec=replace(SPEC, mistakes=(Slip("gqa-tiled"),))))
    assert state_of(made) == before


def test_a_variant_that_cannot_have_the_mistake_is_refused() -> None:
    made = with_mistake("causal-flipped")
    with pytest.raises(EditError, match="'causal-flipped'"):
        made.apply(spec_edit(made, replace(made.spec, causal=False), "No mask"))
    made.apply(set_mistakes(made, [], "Remove it"))
    made.apply(spec_edit(made, replace(made.spec, causal=False), "No mask"))


def test_the_mistake_stays_when_tokens_are_moved_and_removed() -> None:
    made = with_mistake("softmax-over-queries")
    made.apply(add_pins(made, [Pin("scaled", 3, 1, 0.5)], "Pin"))
    made.apply(move_tokens(made, "X", 3, 1, 0, "Move"))
    made.apply(remove_tokens(made, "X", 4, 1, "Remove"))
    trace = made.compute()
    assert trace["scaled"][0, 0, 2] == 0.5
    np.testing.assert_allclose(trace["weights"].sum(axis=-2), 1)


def test_cells_of_a_region_can_be_set() -> None:
    made = with_mistake("scale-missing")
    region = Region(1, 0, 2, 2)
    made.apply(SetCells("Set", "W_Q", region.row, region.column, np.ones((2, 2))))
    np.testing.assert_array_equal(made.compute()["scaled"], made.compute()["scores"])
