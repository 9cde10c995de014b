"""Matrices that are no plain numbers, and the second sequence."""

import numpy as np
import pytest

from attnviewer.compute import Learned, Spec
from attnviewer.document import Document, EditError, Replace, SetCells
from attnviewer.document.matrices import same_bits

X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])


def simplified(matrices, **spec) -> Document:
    return Document("", "abc", {"X": X, **matrices}, Spec(projected=False, **spec))


def test_a_mask_hides_keys_and_its_cells_can_be_set() -> None:
    mask = np.array([[True, False, True]] * 3)
    document = simplified({"mask": mask}, mask=True)
    assert document.compute()["weights"][:, 1].tolist() == [0, 0, 0]
    inverse = document.apply(SetCells("", "mask", 0, 1, np.array([[True]])))
    assert document.matrix("mask").dtype == np.bool_
    assert document.compute()["weights"][0].all()
    document.apply(inverse)
    assert document.matrix("mask").tolist() == mask.tolist()


@pytest.mark.parametrize(
    "mask",
    [np.ones((3, 3)), np.ones((1, 3), dtype=bool), np.ones((2, 3), dtype=bool)],
    ids=["numbers", "one row for all", "too few rows"],
)
def test_a_mask_is_true_or_false_for_each_query_and_key(mask) -> None:
    with pytest.raises(EditError, match="mask"):
        simplified({"mask": mask}, mask=True)


@pytest.mark.parametrize(
    ("matrix", "value"), [("mask", 1.0), ("X", True), ("X", -np.inf), ("bias", np.inf)]
)
def test_cells_of_another_kind_are_refused(matrix, value) -> None:
    extra = {"mask": np.ones((3, 3), dtype=bool), "bias": np.zeros((3, 3))}
    document = simplified(extra, mask=True, bias=True)
    with pytest.raises(EditError):
        document.apply(SetCells("", matrix, 0, 0, np.array([[value]])))
    assert document.revision == 0


def test_minus_infinity_in_the_added_bias_hides_a_key() -> None:
    bias = np.zeros((3, 3))
    bias[2, 0] = -np.inf
    document = simplified({"bias": bias}, bias=True)
    weights = document.compute()["weights"]
    assert weights[2, 0] == 0
    document.apply(SetCells("", "bias", 0, 1, np.array([[-np.inf]])))
    assert document.compute()["weights"][0, 1] == 0


def test_the_place_of_a_number_that_is_refused_is_that_in_the_matrix() -> None:
    document = simplified({})
    with pytest.raises(EditError, match=r"Got nan at \[2, 1\] instead"):
        document.apply(SetCells("", "X", 1, 1, np.array([[0.0], [np.nan]])))


def test_keys_and_values_can_come_from_a_second_sequence() -> None:
    context = np.array([[2.0, 0.0], [0.0, 2.0]])
    document = Document(
        "",
        "abc",
        {"X": X, "context": context},
        Spec(projected=False, context=True, scale=1.0),
        context_tokens=["die", "Katze"],
    )
    assert document.labels.queries == ("a", "b", "c")
    assert document.labels.keys == ("die", "Katze")
    assert document.compute()["scores"].tolist() == [[2, 0], [0, 2], [2, 2]]
    inverse = document.apply(
        Replace("", context_tokens=("die",), matrices={"context": context[:1]})
    )
    assert document.compute()["weights"].tolist() == [[1], [1], [1]]
    document.apply(inverse)
    assert document.labels.keys == ("die", "Katze")
    assert document.matrix("context").tolist() == context.tolist()


def test_a_second_sequence_has_as_many_tokens_as_rows() -> None:
    with pytest.raises(EditError, match="'context_tokens' must be as many"):
        simplified({"context": X}, context=True)


def test_a_bias_of_a_projection_is_kept_as_one_row() -> None:
    eye = np.eye(2)
    matrices = {"X": X, "W_Q": eye, "W_K": eye, "W_V": eye, "b_V": [5.0, 7.0]}
    document = Document("", "abc", matrices, Spec(biases=("b_V",)))
    assert document.matrix("b_V").shape == (1, 2)
    assert document.compute()["V"].tolist() == [[6, 7], [5, 8], [6, 8]]
    document.apply(SetCells("", "b_V", 0, 0, np.array([[0.0]])))
    assert document.compute()["V"].tolist() == [[1, 7], [0, 8], [1, 8]]


def test_only_the_rows_of_present_tokens_are_computed_with() -> None:
    table = np.arange(20.0).reshape(10, 2)
    document = simplified({"P": table}, positions=Learned())
    assert document.inputs()["P"].tolist() == table[:3].tolist()
    assert document.matrix("P").shape == (10, 2)
    assert document.compute()["X + P"].tolist() == (X + table[:3]).tolist()


def test_bits_tell_the_zeros_apart_that_equality_does_not():
    zeros = np.zeros((2, 2))
    assert same_bits(zeros, np.zeros((2, 2)))
    assert not same_bits(zeros, -zeros)
    assert not same_bits(zeros, np.zeros((1, 4)))
    assert same_bits(np.eye(4)[:, 1:3], np.array([[0.0, 0], [1, 0], [0, 1], [0, 0]]))


def test_true_and_false_are_never_the_same_as_numbers():
    seen = np.ones((2, 2), dtype=bool)
    assert same_bits(seen, seen.copy())
    assert not same_bits(seen, ~seen)
    assert not same_bits(seen, np.ones((2, 2)))
