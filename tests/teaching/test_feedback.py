"""Wrong numbers made by hand in NumPy are traced back to what was done wrong."""

from time import process_time

import numpy as np
import pytest

from attnviewer.document import Document
from attnviewer.teaching import Situation, Verdict
from attnviewer.teaching.tasks import NumbersTask
from attnviewer.teaching.tasks.cells import CellBlock
from attnviewer.teaching.tolerance import Tolerance
from tests.mistaken import document as two_heads
from tests.teaching.texts import opened, situation, task

X = np.array([[1.0, 0, 2], [0, 1, 1], [2, 1, 0], [1, 1, 1]])
W_Q = np.array([[1.0, 2, 0], [0, 1, 1], [1, 0, 1]])
W_K = np.array([[0.0, 1, 1], [1, 0, 2], [1, 1, 0]])
W_V = np.array([[1.0, 0, 2], [2, 1, 0], [0, 1, 1]])
Q, K, V = X @ W_Q, X @ W_K, X @ W_V
SCORES = Q @ K.T
ROOT = np.sqrt(3)
ABOVE = np.triu(np.ones((4, 4), dtype=bool), 1)


def written(matrix: np.ndarray) -> str:
    return "; ".join(" ".join(f"{n:g}" for n in row) for row in matrix)


def document(options: str = "") -> Document:
    return opened(
        "tokens: a, b, c, d",
        *([f"options: {options}"] if options else []),
        f"X: {written(X)}",
        f"W_Q: {written(W_Q)}",
        f"W_K: {written(W_K)}",
        f"W_V: {written(W_V)}",
    )


def softmax(scores: np.ndarray, axis: int = 1) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def hidden(scores: np.ndarray, where: np.ndarray = ABOVE) -> np.ndarray:
    return np.where(where, -np.inf, scores)


def said(
    doc: Document, step: str, numbers: np.ndarray, head: int = 0, digits: int = 3
) -> Verdict:
    one = NumbersTask(
        id="one", step=step, head=head, tolerance=Tolerance("digits", digits)
    )
    typed = {
        cell: f"{number:.{digits}f}" if np.isfinite(number) else "-inf"
        for cell, number in np.ndenumerate(numbers)
    }
    begin = process_time()
    verdict = one.check(Situation(doc, {}, (one,)), typed)
    assert process_time() - begin < 2  # 300 ms on a machine that has nothing else
    return verdict


WEIGHTS = softmax(SCORES / ROOT)
CAUSAL = softmax(hidden(SCORES / ROOT))
MADE: list[tuple[str, str, np.ndarray, str]] = [
    ("", "scaled", SCORES, "without 1/√d_k"),
    ("", "weights", softmax(SCORES), "without 1/√d_k"),
    ("", "output", softmax(SCORES) @ V, "without 1/√d_k"),
    ("", "scaled", SCORES / 3, "if the scores are divided by d_k instead of its root"),
    (
        "",
        "scaled",
        SCORES * ROOT,
        "if the scores are multiplied by √d_k instead of divided",
    ),
    (
        "",
        "weights",
        softmax(SCORES / ROOT, 0),
        "if the softmax runs over the queries instead of the keys",
    ),
    (
        "",
        "weights",
        np.exp(SCORES / ROOT),
        "if the exponentials of the scores are not divided by their sum",
    ),
    (
        "",
        "weights",
        SCORES / SCORES.sum(1, keepdims=True),
        "if the scores are divided by their sum, without an exponential",
    ),
    (
        "",
        "weights",
        np.exp2(SCORES / ROOT) / np.exp2(SCORES / ROOT).sum(1, keepdims=True),
        "if the softmax uses powers of 2 instead of e",
    ),
    ("", "weights", SCORES / ROOT, "without the softmax"),
    ("", "Q", X @ W_Q.T, "if W_Q is transposed"),
    (
        "",
        "output",
        WEIGHTS @ K,
        "if the weights multiply the keys instead of the values",
    ),
    (
        "",
        "output",
        WEIGHTS.T @ V,
        "if the weights are transposed before they multiply the values",
    ),
    ("causal=true", "weights", WEIGHTS, "without the causal mask"),
    (
        "causal=true",
        "weights",
        np.where(ABOVE, 0, WEIGHTS),
        "if the mask is applied after the softmax",
    ),
    (
        "causal=true",
        "masked",
        hidden(SCORES / ROOT, ABOVE.T),
        "if the causal mask is the wrong way round",
    ),
    (
        "causal=true",
        "weights",
        softmax(np.where(ABOVE, 0, SCORES / ROOT)),
        "if hidden scores are 0 instead of −∞",
    ),
]


@pytest.mark.parametrize(
    ("options", "step", "numbers", "wanted"),
    MADE,
    ids=[f"{made[1]}-{made[3]}" for made in MADE],
)
def test_a_mistake_is_named(
    options: str, step: str, numbers: np.ndarray, wanted: str
) -> None:
    verdict = said(document(options), step, numbers)
    assert not verdict.right
    assert verdict.message == f"These numbers are what comes out {wanted}."
    wrong = [cell for cell in verdict.cells.values() if not cell.right]
    assert len(wrong) > 1
    assert all(cell.message.endswith(f"is what comes out {wanted}.") for cell in wrong)


def test_exchanged_queries_and_keys_are_a_transposed_matrix() -> None:
    verdict = said(document(), "scores", K @ Q.T)
    assert (Q @ K.T)[1, 0] == 7
    wrong = verdict.cells[0, 1].message
    assert wrong == "7.000 is scores[b, a]: row and column are exchanged."


def test_a_mistake_of_another_head_is_named() -> None:
    doc = two_heads()
    trace = doc.compute()
    unscaled = softmax(hidden(trace["scores"][1], np.triu(np.ones((5, 5), bool), 1)))
    verdict = said(doc, "weights", unscaled, head=1)
    assert verdict.message == "These numbers are what comes out without 1/√d_k."


def one_cell(
    step: str, cell: tuple[int, int], typed: str, *lines: str, **earlier: object
) -> str:
    row, column = cell
    asked = task("kind: numbers", f"step: {step}", f"cells: {row}, {column}", *lines)
    one, here = situation(asked, **earlier)
    verdict = one.check(here, {cell: typed})
    assert not verdict.right
    return verdict.cells[cell].message


def test_the_contract_of_one_cell() -> None:
    # e¹ / (e¹ + e³ + e⁴) = 0.0351 in the place of 0.0743
    said = one_cell("weights", (0, 0), "0.04")
    assert said == "0.04 is what comes out without 1/√d_k."


@pytest.mark.parametrize(
    ("step", "cell", "typed", "said"),
    [
        ("scores", (0, 2), "-4", "-4 has the wrong sign."),
        ("weights", (0, 2), "0.6", "0.6 is cut off instead of rounded."),
        ("weights", (0, 1), "0.30", "0.30 is cut off instead of rounded."),
        ("scaled", (0, 1), "2.1", "2.1 is cut off instead of rounded."),
        ("output", (0, 0), "1.4", "1.4 has too few digits."),
        # scores[0, 2] = 1·2 + 2·1
        ("scores", (2, 0), "4", "4 is scores[a, c]: row and column are exchanged."),
        ("weights", (0, 1), "0.62", "0.62 is also weights[a, c]."),
        ("V", (0, 1), "2", "2 is also V[a, 0]."),
        ("scaled", (0, 1), "2", "2 is cut off instead of rounded."),
    ],
)
def test_a_slip_of_the_pen_is_told(
    step: str, cell: tuple[int, int], typed: str, said: str
) -> None:
    assert one_cell(step, cell, typed) == said


def test_a_term_that_was_left_out_is_told() -> None:
    # scores[c, c] = 1·2 + 3·1 = 5, and Q[c] = 1·1 + 1·0, 1·2 + 1·1
    assert one_cell("Q", (2, 1), "2") == "2 is what comes out without 1·1."


def test_what_nothing_explains_is_only_wrong() -> None:
    assert one_cell("weights", (0, 2), "17.23") == ""


def test_a_mistake_in_the_learners_own_numbers_is_named() -> None:
    own = {(0, 0): "1", (0, 1): "1"}  # Q[0] = 1, 2; scores 1, 2, 3 follow
    asked = [
        task("kind: numbers", "step: Q", "id: Q", "cells: 0, :"),
        task("kind: numbers", "step: scaled", "id: scaled", "cells: 0, :"),
    ]
    one, here = situation(*asked, Q=own)
    verdict = one.check(here, {(0, 0): "1", (0, 1): "2", (0, 2): "3"})
    assert verdict.message == "These numbers are what comes out without 1/√d_k."


def test_feedback_on_eight_tokens_is_quick() -> None:
    random = np.random.default_rng(0)
    matrices = {f"W_{n}": random.normal(size=(8, 8)) for n in "QKV"}
    doc = Document(
        "Eight", list("abcdefgh"), {"X": random.normal(size=(8, 8)), **matrices}
    )
    verdict = said(doc, "output", random.normal(size=(8, 8)))
    assert verdict.share == 0
    times = []
    for _ in range(3):
        begin = process_time()
        said(doc, "output", np.zeros((8, 8)))
        times.append(process_time() - begin)
    assert min(times) < 0.3


def test_the_number_of_another_head_is_told() -> None:
    doc = two_heads()
    scores = doc.compute()["scores"]  # (2, n, n)
    verdict = said(doc, "scores", scores[1], head=0)
    told = {cell.message for cell in verdict.cells.values() if not cell.right}
    assert told
    assert all(text.endswith(" is the number of head 1.") for text in told)


def test_the_right_number_is_told_where_a_mistake_is_asked_for() -> None:
    doc = opened(
        "tokens: a, b",
        "options: scale=1",
        "Q: 1; 1",
        "K: 1000; 1001",
        "V: 1; 0",
        "mistake: softmax-overflow",
    )
    verdict = said(doc, "weights", softmax(np.array([[1000.0, 1001], [1000, 1001]])))
    assert not verdict.right
    for cell in verdict.cells.values():
        assert cell.message.endswith(" is what comes out without the mistake.")


def test_a_mistake_that_would_change_right_numbers_is_not_named() -> None:
    # 0.04 is the first weight without the scale, and the others of the row are right.
    one, here = situation(task("kind: numbers", "step: weights", "cells: 0, :"))
    row = {(0, 0): "0.04", (0, 1): "0.31", (0, 2): "0.62"}
    assert "comes out" not in one.check(here, row).cells[0, 0].message
    unscaled = {(0, 0): "0.04", (0, 1): "0.26", (0, 2): "0.62"}
    said = one.check(here, unscaled).cells[0, 0].message
    assert said == "0.04 is what comes out without 1/√d_k."


def row(step: str, number: int, numbers: np.ndarray, digits: int = 2) -> Verdict:
    one = NumbersTask(id="one", step=step, blocks=(CellBlock((number, number), None),))
    typed = {(number, k): f"{n:.{digits}f}" for k, n in enumerate(numbers)}
    return one.check(Situation(document(), {}, (one,)), typed)


def test_what_explains_all_numbers_is_told_once_and_as_one_thing() -> None:
    turned = row("scores", 0, SCORES[:, 0], digits=0)
    assert turned.message == "In these numbers, row and column are exchanged."
    assert turned.explains_all
    other = row("K", 1, K[0], digits=0)
    assert other.message == "These are the numbers of another row: K[a, :]."
    assert row("K", 1, K[1] + 50).message == "No number is right yet."


def test_a_bare_zero_among_weights_is_no_mistake_of_the_scale() -> None:
    weights = row("weights", 0, np.array([0.0, 1, 0, 0]), digits=0)
    told = {cell: v.message for cell, v in weights.cells.items() if v.message}
    assert set(told.values()) == {"Softmax never gives exactly 0 to a finite score."}
    assert not weights.explains_all
