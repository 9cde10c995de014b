"""Layouts of formulas in which numbers have changed."""

import math

import pytest
from PySide6.QtGui import QFont

from attnviewer.compute import Cell
from attnviewer.ui.paint.math import (
    Atom,
    Fraction,
    Grid,
    Node,
    Root,
    Row,
    Script,
    faces_of,
    lay_out,
    refilled,
)
from attnviewer.ui.paint.math.tex import EQUALS, PLUS

ROOM = 180.0


def n(text: str, row: int | None = None, *, color: str = "") -> Atom:
    cell = None if row is None else Cell("X", (row, 0))
    return Atom(text, color, mono=True, cell=cell)


def formula(one: str, other: str, *, row: int = 0, color: str = "") -> Node:
    """Return a formula with two numbers, the first of which is a link."""
    fraction = Fraction(n(one, row, color=color), Root(n("64")))
    power = Script(Atom("e", italic=True), None, n(other))
    table = Grid(((n(other), PLUS), (Atom("a"), n("1"))))
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
        formula("−3.21", "2.61", row=5, color="#ff0000"),
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
        Row((Atom("scaled"), EQUALS, n("−3.21"))),
    ],
)
def test_other_formulas_are_laid_out_anew(faces, new):
    old = formula("−3.21", "2.61")
    assert refilled(lay_out(old, faces), old, new) is None


def test_a_number_broken_between_its_digits_is_laid_out_anew(faces):
    old, new = n("1234567890123456789"), n("1234567890123456780")
    assert refilled(lay_out(old, faces, 40.0), old, new) is None


def test_only_texts_that_differ_lie_in_the_changed_rectangle(faces):
    old, new = formula("−3.21", "2.61"), formula("−4.80", "2.61")
    before = lay_out(old, faces)
    after = refilled(before, old, new)
    assert after is not None
    changed = after.changed_rect(before)
    assert changed is not None
    assert lay_out(new, faces).changed_rect(before) == changed
    (left, base, width), *_ = (m[:3] for m in after.marks if m[4].text == "−4.80")
    assert changed.contains(left, base)
    assert changed.contains(left + width, base)
    others = [m for m in after.marks if m[4].text == "scaled" or m[4] is EQUALS]
    assert not any(changed.contains(m[0] + m[2] / 2, m[1]) for m in others)
    assert after.changed_rect(after).isEmpty()
    assert lay_out(n("1"), faces).changed_rect(before) is None
