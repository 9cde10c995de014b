"""A document keeps how it was trained, through edits, copies and undo."""

import hashlib
from copy import copy
from dataclasses import asdict, replace

import numpy as np
import pytest

from attnviewer.document import Document, Replace, SetCells, TrainingRecord
from attnviewer.document.joined import joined
from attnviewer.document.replacement import replacement
from attnviewer.document.training_record import digest
from tests.documents import four_words


def record_of(document: Document, **other) -> TrainingRecord:
    """Return a record by which W_Q and W_K are as they are in the document."""
    names = "W_Q", "W_K"
    values = {
        "task": "attend to the token before",
        "call": "copy_previous(loss='cross_entropy')",
        "optimizer": "adam",
        "lr": 0.01,
        "options": (("beta1", 0.9), ("weight_decay", 0.0)),
        "seed": 3,
        "batch": None,
        "steps": 300,
        "kept": 120,
        "first_loss": 2.25,
        "last_loss": 0.125,
        "start": "0123456789ab" + "0" * 52,
        "free": names,
        "trained": tuple((name, digest([document.matrix(name)])) for name in names),
    }
    return TrainingRecord(**(values | other))


def trained_words() -> Document:
    document = four_words()
    document.apply(Replace("Train", training=(record_of(document),)))
    return document


def edit_one(document: Document, name: str) -> SetCells:
    return SetCells("Edit", name, 0, 1, document.matrix(name)[:1, 1:2] + 0.5)


def test_a_new_document_was_not_trained() -> None:
    assert four_words().training is None


def test_an_edit_sets_the_record_and_its_inverse_takes_it_back() -> None:
    document = four_words()
    first, second = record_of(document), record_of(document, earlier=1)
    undo_first = document.apply(Replace("Train", training=(first,)))
    undo_second = document.apply(Replace("Train", training=(second,)))
    assert document.training == second
    redo = document.apply(undo_second)
    assert document.training == first
    document.apply(redo)
    assert document.training == second
    document.apply(undo_second)
    document.apply(undo_first)
    assert document.training is None


def test_copies_keep_the_record() -> None:
    document = trained_words()
    assert copy(document).training == document.training
    assert document.with_matrices(document.matrices).training == document.training


def test_the_record_says_what_it_takes_to_repeat_the_run() -> None:
    document = trained_words()
    assert document.training is not None
    assert document.training.words(document.matrices) == (
        "attend to the token before (copy_previous(loss='cross_entropy')); "
        "W_Q, W_K by adam, lr 0.01, beta1 0.9, weight_decay 0; "
        "120 of 300 steps on its own tokens, seed 3; "
        "loss 2.25 at first, 0.125 at last; from numbers of digest 0123456789ab"
    )


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"batch": 1}, "1 random sequence each"),
        ({"batch": 16}, "16 random sequences each"),
        ({"earlier": 1}, "; after 1 earlier run"),
        ({"earlier": 2}, "; after 2 earlier runs"),
    ],
    ids=str,
)
def test_the_record_says_what_is_unusual_about_the_run(other, words) -> None:
    document = four_words()
    assert words in record_of(document, **other).words(document.matrices)


def test_a_record_of_numbers_that_were_edited_says_so_until_that_is_undone() -> None:
    document = trained_words()
    record = document.training
    assert record is not None
    undo = document.apply(edit_one(document, "W_K"))
    assert document.training == record
    assert record.edited(document.matrices) == ("W_K",)
    assert record.words(document.matrices).endswith("; then edited: W_K")
    document.apply(undo)
    assert record.edited(document.matrices) == ()
    assert "edited" not in record.words(document.matrices)


def test_an_edit_of_what_was_not_trained_leaves_the_result_as_it_is() -> None:
    document = trained_words()
    document.apply(edit_one(document, "W_V"))
    document.apply(edit_one(document, "X"))
    assert document.training is not None
    assert document.training.edited(document.matrices) == ()


def test_a_trained_matrix_that_is_gone_is_not_as_trained() -> None:
    document = trained_words()
    spec = replace(document.spec, projected=False)
    gone = dict.fromkeys(["W_Q", "W_K", "W_V"])
    document.apply(Replace("Simplify", spec=spec, matrices=gone))
    assert document.training is not None
    assert document.training.edited(document.matrices) == ("W_Q", "W_K")


def test_another_document_in_place_drops_the_record_and_undo_restores_it() -> None:
    document = trained_words()
    record = document.training
    undo = document.apply(replacement(document, four_words(), "Reload"))
    assert document.training is None
    document.apply(undo)
    assert document.training == record
    other = four_words()
    other.apply(replacement(other, document, "Reload"))
    assert other.training == record


def test_edits_are_joined_only_if_the_second_says_how_it_was_trained() -> None:
    document, other = trained_words(), four_words()
    whole = replacement(document, other, "Reload")
    before = Replace("Train", training=(record_of(document, earlier=1),))
    both = joined(before, whole)
    assert both is not None
    assert both.training == ()
    assert joined(before, replace(whole, training=None)) is None


def test_a_digest_is_of_types_shapes_and_bits() -> None:
    array = np.array([[1.0, 2.0, 3.0]])
    expected = hashlib.sha256(b"('<f8', (1, 3))" + array.tobytes()).hexdigest()
    assert digest([array]) == expected
    assert digest([array.astype(">f8")]) == expected
    assert digest([np.asfortranarray(np.eye(3))]) == digest([np.eye(3)])
    others = [array.T, array.astype(np.float32), -array, np.array([[-0.0]])]
    assert len({expected, *(digest([a]) for a in others), digest([np.zeros((1, 1))])})
    assert digest([np.array([[-0.0]])]) != digest([np.array([[0.0]])])
    assert digest([array.T]) != expected


@pytest.mark.parametrize(
    "wrong",
    [
        {"task": ""},
        {"call": "x" * 201},
        {"optimizer": 3},
        {"lr": float("nan")},
        {"last_loss": float("inf")},
        {"options": (("eps", float("inf")),)},
        {"options": (("eps", 1.0), ("eps", 2.0))},
        {"options": tuple((f"a{k}", 0.0) for k in range(65))},
        {"seed": -1},
        {"steps": 0},
        {"kept": 301},
        {"kept": 0},
        {"batch": 0},
        {"earlier": -1},
        {"free": ("W_Q", "W_K", "W_Q")},
        {"free": ("W_Q",)},
        {"start": "0" * 63},
        {"start": "A" * 64},
        {"trained": (("W_Q", "z" * 64),)},
    ],
    ids=str,
)
def test_what_is_no_record_is_refused(wrong) -> None:
    with pytest.raises(ValueError, match=r"must"):
        record_of(four_words(), **wrong)


@pytest.mark.parametrize("name", ["seed", "steps", "kept", "batch"])
def test_counts_of_a_record_are_whole(name) -> None:
    with pytest.raises(TypeError, match=f"'{name}' parameter must be an integer"):
        record_of(four_words(), **{name: 1.5})


def test_equal_records_are_equal() -> None:
    document = four_words()
    record = record_of(document)
    assert TrainingRecord(**asdict(record)) == record
    assert len({record, record_of(document), record_of(document, seed=4)}) == 2
