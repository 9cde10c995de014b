"""Layouts of formulas in which numbers have changed."""

import math

import pytest
from PySide6.QtGui import QFont

from attnviewer.compute import Cell
from attnviewer.ui.paint.math import (
    Atom,
    Filled,
    Fraction,
    Grid,
    Node,
    Root,
    Row,
    Script,
    Value,
    faces_of,
    filled,
    lay_out,
    refilled,
)
from attnviewer.ui.paint.math.tex import EQUALS, PLUS
from attnviewer.ui.paint.theme import LIGHT

ROOM = 180.0
LINKED = Cell("X", (0, 0))


def formula(one: str, other: str, cell: Cell = LINKED) -> Filled:
    """Return a formula with two numbers, the first of which is a link."""
    numbers = Value(one, cell), Value("64"), Value(other), Value(other)
    return filled(LIGHT, *numbers, arrange=_arranged)


def _arranged(first: Node, under: Node, raised: Node, entry: Node) -> Node:
    fraction = Fraction(first, Root(under))
    power = Script(Atom("e", italic=True), None, raised)
    table = Grid(((entry, PLUS), (Atom("a"), Atom("1", mono=True))))
    return Row((Atom("scaled"), EQUALS, fraction, PLUS, power, EQUALS, table))


@pytest.fixture
def faces(qapp):
    font = QFont("Sans Serif")
    font.setPixelSize(16)
    return faces_of(font)


@pytest.mark.parametrize("room", [math.inf, ROOM])
@pytest.mark.parametrize(
    "new",
    [
        formula("−4.80", "2.61"),
        formula("−3.21", "9.99"),
        formula("−3.21", "2.61", Cell("X", (5, 0))),
        formula("−3.21", "2.61", Cell("Q", (0, 0))),
        formula("−3.21", "2.61"),
    ],
)
def test_numbers_with_other_digits_stand_where_a_new_layout_puts_them(faces, new, room):
    old = formula("−3.21", "2.61")
    before = lay_out(old, faces, room)
    before.links  # noqa: B018 (found once, and kept)
    after, anew = refilled(before, old, new), lay_out(new, faces, room)
    assert after is not None
    assert after.marks == anew.marks
    assert after.strokes == anew.strokes
    assert after.links == anew.links
    assert (after.width, after.ascent, after.descent) == (
        anew.width,
        anew.ascent,
        anew.descent,
    )


@pytest.mark.parametrize(
    "new",
    [
        formula("3.21", "2.61"),
        formula("−3.2", "2.61"),
        formula("−3.21", "12.61"),
        formula("NaN", "2.61"),
        filled(LIGHT, Atom("scaled"), EQUALS, Value("−3.21", LINKED)),
        Atom("scaled"),
    ],
)
def test_other_formulas_are_laid_out_anew(faces, new):
    old = formula("−3.21", "2.61")
    assert refilled(lay_out(old, faces), old, new) is None


def test_a_number_broken_between_its_digits_is_laid_out_anew(faces):
    old, new = (filled(LIGHT, Value(f"123456789012345678{d}")) for d in "90")
    assert refilled(lay_out(old, faces, 40.0), old, new) is None


def test_only_texts_that_differ_lie_in_the_changed_rectangles(faces):
    old, new = formula("−3.21", "2.61"), formula("−4.80", "2.61")
    before = lay_out(old, faces)
    after = refilled(before, old, new)
    assert after is not None
    changed, *others = after.changed_rects(before, 0.0, 0.0)
    assert not others
    assert lay_out(new, faces).changed_rects(before, 0.0, 0.0) == [changed]
    assert after.changed_rects(before, 7.0, 30.0) == [changed.translated(7, 30)]
    (left, base, width), *_ = (m[:3] for m in after.marks if m[4].text == "−4.80")
    assert changed.contains(round(left), round(base))
    assert changed.contains(round(left + width), round(base))
    others = [m for m in after.marks if m[4].text == "scaled" or m[4] is EQUALS]
    assert not any(
        changed.contains(round(m[0] + m[2] / 2), round(m[1])) for m in others
    )
    assert after.changed_rects(after, 0.0, 0.0) == []
    assert lay_out(Atom("1"), faces).changed_rects(before, 0.0, 0.0) is None
