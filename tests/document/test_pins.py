"""Pins of a document: edited, undone, and kept with the tokens they are for."""

from dataclasses import replace

import pytest

from attnviewer import Pin
from attnviewer.document.edits import EditError
from attnviewer.document.pins import add_pins, change_pin, enable_pins, remove_pins
from attnviewer.document.sequences import (
    duplicate_tokens,
    insert_tokens,
    move_tokens,
    remove_tokens,
)
from attnviewer.document.variants.dimensions import Dimensions
from attnviewer.document.variants.resizing import plan_dimensions
from attnviewer.document.variants.spec_edit import spec_edit
from tests.documents import four_words, state_of

SCORE = Pin("scores", 1, 3, 5.0)
ROW = Pin("weights", 0, slice(None), [[0.1, 0.2, 0.3, 0.4]])
EVERY = Pin("Q", slice(None), 0, 2.0, how="scale")


def pinned(*pins: Pin, **spec):
    document = four_words(**spec)
    document.apply(add_pins(document, pins, "Pin"))
    return document


def cells(pin: Pin) -> tuple[list[int], list[int]]:
    return list(pin.rows), list(pin.columns)


def test_pins_are_added_changed_switched_and_removed_each_by_one_edit() -> None:
    document = four_words()
    states, inverses = [state_of(document)], []

    def apply(edit) -> None:
        inverses.append(document.apply(edit))
        states.append(state_of(document))

    apply(add_pins(document, [SCORE, ROW], "Pin"))
    assert document.pins == (SCORE, ROW)
    apply(change_pin(document, 0, replace(SCORE, value=6.0), "Change"))
    assert document.compute()["scores"][1, 3] == 6.0
    apply(enable_pins(document, [0], False, "Off"))
    assert document.compute()["scores"][1, 3] != 6.0
    apply(remove_pins(document, [0], "Remove"))
    assert document.pins == (ROW,)
    for state, inverse in zip(reversed(states[:-1]), reversed(inverses), strict=True):
        document.apply(inverse)
        assert state_of(document) == state


@pytest.mark.parametrize(
    "pin", [Pin("masked", 0, 0, 1.0), Pin("scores", 4, 0, 1.0), Pin("X", 0, 0, 1.0)]
)
def test_a_pin_that_fits_no_step_is_refused_and_changes_nothing(pin) -> None:
    document = four_words()
    with pytest.raises(EditError, match="of a pin"):
        add_pins(document, [pin], "Pin")
    with pytest.raises(EditError, match="'index' of a pin"):
        remove_pins(document, [0], "Remove")


def test_a_pin_whose_row_cannot_share_with_it_is_not_switched_on() -> None:
    first = Pin("weights", 1, 0, 0.7, rest="share")
    document = pinned(replace(first, enabled=False))
    document.apply(add_pins(document, [replace(first, columns=(2,))], "Pin"))
    with pytest.raises(
        EditError, match=r"sum to at most 1 .* row 1 \(“word 2”\) they sum to 1\.4"
    ):
        enable_pins(document, [0], True, "On")
    smaller = replace(first, value=0.3, enabled=False)
    document.apply(change_pin(document, 0, smaller, "Change"))
    document.apply(enable_pins(document, [0], True, "On"))
    assert document.compute()["weights"][1, 0] == 0.3


def test_a_pin_that_leaves_nothing_for_others_of_its_row_is_not_switched_on() -> None:
    document = pinned(Pin("weights", 1, 2, 0.6, enabled=False))
    shared = Pin("weights", 1, 0, 0.7, rest="share")
    document.apply(add_pins(document, [shared], "Pin"))
    with pytest.raises(EditError, match=r"row 1 \(“word 2”\) they sum to 1\.3"):
        enable_pins(document, [0], True, "On")


def test_pins_follow_their_tokens() -> None:
    document = pinned(SCORE, EVERY, ROW)
    back = document.apply(move_tokens(document, "X", 3, 1, 0, "Move"))
    assert cells(document.pins[0]) == ([2], [0])
    assert document.pins[1] == EVERY
    assert cells(document.pins[2]) == ([1], [0, 1, 2, 3])
    assert document.pins[2].value == ((0.4, 0.1, 0.2, 0.3),)
    document.apply(back)
    assert document.pins == (SCORE, EVERY, ROW)
    document.apply(insert_tokens(document, "X", 0, ["new"], [[0, 0, 0]], "Insert"))
    assert cells(document.pins[0]) == ([2], [4])


def test_a_copied_token_has_the_pins_of_its_original() -> None:
    document = pinned(SCORE)
    document.apply(duplicate_tokens(document, "X", 1, 1, "Copy"))
    assert cells(document.pins[0]) == ([1, 2], [4])


def test_a_pin_goes_with_the_last_of_its_tokens_and_comes_back() -> None:
    document = pinned(SCORE, ROW)
    back = document.apply(remove_tokens(document, "X", 3, 1, "Remove"))
    (row,) = document.pins
    assert row.value == ((0.1, 0.2, 0.3),)
    document.apply(back)
    assert document.pins == (SCORE, ROW)


def test_pins_of_tokens_that_remain_survive_other_dimensions() -> None:
    document = pinned(SCORE, ROW, EVERY)
    wanted = replace(Dimensions.of(document), n=3)
    back = document.apply(plan_dimensions(document, wanted).edit("Resize"))
    assert document.pins == (
        replace(ROW, columns=range(3), value=((0.1, 0.2, 0.3),)),
        EVERY,
    )
    document.apply(back)
    assert document.pins == (SCORE, ROW, EVERY)


def test_pins_of_a_step_that_a_variant_lacks_are_dropped_and_come_back() -> None:
    masked = Pin("masked", 0, 3, 0.5)
    document = pinned(SCORE, masked, causal=True)
    without = replace(document.spec, causal=False)
    back = document.apply(spec_edit(document, without, "No mask"))
    assert document.pins == (SCORE,)
    document.apply(back)
    assert document.pins == (SCORE, masked)


def test_other_edits_leave_pins_alone() -> None:
    document = pinned(SCORE)
    document.apply(spec_edit(document, replace(document.spec, scale=2.0), "Scale"))
    assert document.pins == (SCORE,)


@pytest.mark.parametrize(
    ("pin", "reason"),
    [
        (Pin("weights", 0, slice(None), 0.1, rest="share"), r"sum to 1 .* Got 0\.4"),
        (
            Pin("weights", slice(None), slice(None), 0.2, rest="share"),
            r"as no others are left\. Got 0\.8",
        ),
        (
            Pin("weights", 1, 0, 0.9, how="add", rest="share"),
            r"where the others share the rest\. In row 1 \(“word 2”\) they sum to 1\.3",
        ),
    ],
)
def test_a_row_that_cannot_share_the_rest_is_refused_as_it_is_pinned(
    pin, reason
) -> None:
    document = four_words()
    with pytest.raises(EditError, match=reason):
        add_pins(document, [pin], "Pin")
    plain = replace(pin, rest="leave")
    document.apply(add_pins(document, [plain], "Pin"))
    with pytest.raises(EditError, match=reason):
        change_pin(document, 0, pin, "Pin")
    assert document.pins == (plain,)


def test_a_whole_row_that_leaves_nothing_may_share_it() -> None:
    quarter = Pin("weights", 0, slice(None), 0.25, rest="share")
    assert pinned(quarter).compute()["weights"][0].tolist() == [0.25] * 4
