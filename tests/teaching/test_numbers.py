"""Typed numbers beside those that were worked out on paper, see `texts`."""

import math

import pytest

from attnviewer.teaching import Verdict
from attnviewer.teaching.tasks import NumbersTask
from attnviewer.teaching.tolerance import Tolerance, read_typed
from tests.teaching.texts import situation, task

FIRST_ROW = "kind: numbers", "step: weights", "cells: 0, :"


def checked(row: list[str], *lines: str) -> Verdict:
    one, here = situation(task(*FIRST_ROW, *lines))
    return one.check(here, {(0, k): text for k, text in enumerate(row)})


def test_right_numbers_are_right_as_numbers_fractions_and_arithmetic() -> None:
    assert checked(["0.07", "0.31", "0.62"]).right
    rule = "exp(4/sqrt(2)) / (exp(1/sqrt(2)) + exp(3/sqrt(2)) + exp(4/sqrt(2)))"
    assert checked(["7/100", " 0.3057 ", rule]).right


def test_the_share_counts_right_cells_and_empty_ones_are_wrong() -> None:
    verdict = checked(["0.07", "", "0.6"])
    assert (verdict.right, verdict.share) == (False, pytest.approx(1 / 3))
    assert verdict.cells[0, 0].right
    assert verdict.cells[0, 1].message == "Nothing is typed here yet."
    assert verdict.message == "1 of 3 numbers is right."


@pytest.mark.parametrize(
    "typed", ["a half", "0,31", "1e999", "((((", "∞∞", "9" * 20_000]
)
def test_what_is_no_number_is_a_wrong_cell_that_says_why(typed: str) -> None:
    verdict = checked(["0.07", typed, "0.62"])
    assert verdict.share == pytest.approx(2 / 3)
    assert verdict.cells[0, 1].message


def test_an_answer_of_another_kind_is_all_empty() -> None:
    one, here = situation(task(*FIRST_ROW))
    for answer in (None, 3, "0.07", [0.07], {"0,0": "0.07"}, {(9, 9): "1"}):
        assert one.check(here, answer).share == 0
    assert one.check(here, {(0, 0): 0.0743, (0, 1): "0.31", (0, 2): "0.62"}).right


def test_whole_numbers_are_exact_unless_a_tolerance_is_given() -> None:
    one, here = situation(task("kind: numbers", "step: scores", "cells: 0, :"))
    assert one.check(here, {(0, 0): "1", (0, 1): "3.0", (0, 2): "4"}).right
    assert not one.check(here, {(0, 0): "1.004", (0, 1): "3", (0, 2): "4"}).right
    wide, here = situation(
        task("kind: numbers", "step: scores", "cells: 0, :", "abs: 0.01")
    )
    assert wide.check(here, {(0, 0): "1.004", (0, 1): "3", (0, 2): "4"}).right


@pytest.mark.parametrize(
    ("lines", "typed", "right"),
    [
        (("digits: 2",), "0.615", True),
        (("digits: 2",), "0.614", False),
        (("digits: 3",), "0.615", False),
        (("abs: 0.01",), "0.629", True),
        (("abs: 0.01",), "0.6301", False),
        (("rel: 1/62",), "0.629", True),
        (("rel: 1e-3",), "0.621", False),
    ],
)
def test_a_number_must_come_as_close_as_asked(
    lines: tuple[str], typed: str, right: bool
) -> None:
    cells = ("kind: numbers", "step: weights", "cells: 0, 2")
    one, here = situation(task(*cells, *lines))
    assert one.check(here, {(0, 2): typed}).right is right


def test_hidden_scores_are_typed_as_minus_infinity() -> None:
    assert math.isinf(read_typed("-inf"))
    assert Tolerance("digits", 2).holds(read_typed("−∞"), -math.inf)
    assert Tolerance("digits", 2).holds(read_typed("NaN"), math.nan)
    assert not Tolerance("abs", 1e9).holds(5.0, math.inf)


@pytest.mark.parametrize(
    ("cells", "asked"),
    [
        ("all", [(r, c) for r in range(3) for c in range(3)]),
        ("2, 0", [(2, 0)]),
        ("1, :", [(1, 0), (1, 1), (1, 2)]),
        (":, 2", [(0, 2), (1, 2), (2, 2)]),
        ("0..1, 2; 2, 2; 0, 2", [(0, 2), (1, 2), (2, 2)]),
        ('"b", "c"', [(1, 2)]),
        ('"b".."c", "a"', [(1, 0), (2, 0)]),
    ],
)
def test_cells_are_asked_as_they_are_written(
    cells: str, asked: list[tuple[int, int]]
) -> None:
    one, here = situation(task("kind: numbers", "step: scores", f"cells: {cells}"))
    assert isinstance(one, NumbersTask)
    assert list(one.cells(here.document)) == asked


def test_the_asked_step_is_hidden_with_all_that_follow() -> None:
    one, here = situation(task("kind: numbers", "step: scaled"))
    assert one.hide(here.document) == {"scaled", "weights", "output"}
    one, here = situation(task("kind: numbers", "step: scaled", "hide: output, Q"))
    assert one.hide(here.document) == {"output", "Q"}
    one, here = situation(task("kind: numbers", "step: scaled", "hide: nothing"))
    assert one.hide(here.document) == frozenset()


@pytest.mark.parametrize("lines", [(), ("digits: 4",), ("abs: 1e-7",), ("rel: 1e-5",)])
@pytest.mark.parametrize("step", ["Q", "scores", "scaled", "weights", "output"])
def test_the_key_is_right(step: str, lines: tuple[str, ...]) -> None:
    one, here = situation(task("kind: numbers", f"step: {step}", *lines))
    assert one.check(here, one.solution(here)).right
