"""Errors carried forward, beside what NumPy makes of the learner's own numbers."""

import numpy as np
import pytest

from attnviewer.teaching import Situation, Verdict
from tests.teaching.texts import PAPER, lesson, situation, task

ASK = ["Q", "scores", "weights", "output"]
PAGE = [task("kind: numbers", f"step: {s}", f"id: {s}", "cells: 0, :") for s in ASK]
K = np.array([[1.0, 0], [1, 1], [2, 1]])
V = np.array([[2.0, 0], [0, 2], [2, 2]])


def on_from(query: list[float]) -> dict[str, np.ndarray]:
    """Return the first row of each step for a query of one's own."""
    scores = K @ np.array(query)
    powers = np.exp(scores / np.sqrt(2))
    weights = powers / powers.sum()
    return {"scores": scores, "weights": weights, "output": weights @ V}


def texts(row: np.ndarray, digits: int = 2) -> dict[tuple[int, int], str]:
    return {(0, k): f"{number:.{digits}f}" for k, number in enumerate(row)}


def checked(name: str, answer: object, **earlier: object) -> Verdict:
    (page,) = lesson(*PAGE).pages
    (one,) = [task for task in page.tasks if task.id == name]
    assert page.document is not None
    return one.check(Situation(page.document.open(), earlier, page.tasks), answer)


WRONG = {(0, 0): "1", (0, 1): "1"}  # Q[0] is 1, 2


def test_a_slip_in_one_step_costs_that_step_only() -> None:
    own = on_from([1, 1])
    scores = texts(own["scores"], 0)
    assert scores == {(0, 0): "1", (0, 1): "2", (0, 2): "3"}
    weights = texts(own["weights"])
    assert weights == {(0, 0): "0.14", (0, 1): "0.28", (0, 2): "0.58"}
    assert checked("Q", WRONG).share == 0.5
    for verdict in (
        checked("scores", scores, Q=WRONG),
        checked("weights", weights, Q=WRONG, scores=scores),
        checked("weights", weights, Q=WRONG),
        checked("output", texts(own["output"]), Q=WRONG, weights=weights),
    ):
        assert (verdict.right, verdict.share) == (True, 1)
        assert any(cell.carried for cell in verdict.cells.values())
        said = {cell.message for cell in verdict.cells.values() if cell.carried}
        assert said == {"It follows from your earlier answer."}


def test_right_numbers_stay_right_after_a_wrong_answer() -> None:
    right = on_from([1, 2])
    verdict = checked("weights", texts(right["weights"]), Q=WRONG)
    assert verdict.right
    assert not any(cell.carried for cell in verdict.cells.values())


def test_one_may_go_on_from_the_last_answer_alone() -> None:
    scores = {(0, 0): "1", (0, 1): "3", (0, 2): "5"}  # right would be 4
    powers = np.exp(np.array([1.0, 3, 5]) / np.sqrt(2))
    verdict = checked("weights", texts(powers / powers.sum()), Q=WRONG, scores=scores)
    assert verdict.right


def test_a_second_slip_costs_its_own_step() -> None:
    own = on_from([1, 1])["weights"]
    typed = texts(own) | {(0, 2): "0.99"}
    verdict = checked("weights", typed, Q=WRONG)
    assert verdict.share == pytest.approx(2 / 3)
    assert not verdict.cells[0, 2].right


def test_numbers_computed_from_rounded_ones_are_right_and_not_carried() -> None:
    weights = texts(on_from([1, 2])["weights"])
    output = np.array([0.07, 0.31, 0.62]) @ V  # 1.38 and 1.86, of 1.3886 and 1.8514
    verdict = checked("output", texts(output), weights=weights)
    assert verdict.right
    assert not any(cell.carried for cell in verdict.cells.values())
    assert not checked("output", texts(output)).right


def test_later_answers_and_what_cannot_be_read_are_not_gone_on_from() -> None:
    own = texts(on_from([1, 1])["scores"], 0)
    assert not checked("scores", own, output=WRONG).right
    assert not checked("scores", own, Q={(0, 0): "one", (0, 1): ""}).right
    assert not checked("scores", own, Q=None).right


def test_nothing_is_left_in_the_document() -> None:
    one, here = situation(*PAGE, Q=WRONG)
    before = here.document.revision, here.document.spec
    one.check(here, {})
    assert (here.document.revision, here.document.spec) == before


def test_errors_are_carried_in_a_head_of_its_own() -> None:
    heads = PAPER.replace("X:", "options: heads=2\nX:")
    text = [
        task("kind: numbers", f"step: {s}", f"id: {s}", "head: 1", "cells: 2, :")
        for s in ("Q", "scores")
    ]
    from attnviewer.teaching import lesson_from_text

    (page,) = lesson_from_text(
        "---\ntitle: Heads\n---\n## P\n" + heads + "".join(text), "heads.md"
    ).pages
    assert page.document is not None
    # Head 1 has the last column: Q = 2, 1, 3 and K = 0, 1, 1.
    here = Situation(page.document.open(), {"Q": {(2, 0): "5"}}, page.tasks)
    verdict = page.tasks[1].check(here, {(2, 0): "0", (2, 1): "5", (2, 2): "5"})
    assert verdict.right
    assert [c.carried for c in verdict.cells.values()] == [False, True, True]
