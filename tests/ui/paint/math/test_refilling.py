"""Layouts of formulas in which numbers have changed."""

import math

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QRegion

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
    lay_out_line,
    refilling,
)
from attnviewer.ui.paint.math.laid_out import LaidOut
from attnviewer.ui.paint.math.tex import EQUALS, PLUS
from attnviewer.ui.paint.theme import LIGHT

ROOM = 180.0
ORIGIN = 11.0, 60.0
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


def same(one: LaidOut, other: LaidOut) -> bool:
    return all(
        getattr(one, part) == getattr(other, part)
        for part in ("marks", "strokes", "links", "underlines", "extents")
    ) and (one.width, one.ascent, one.descent) == (
        other.width,
        other.ascent,
        other.descent,
    )


@pytest.mark.parametrize("room", [math.inf, ROOM])
@pytest.mark.parametrize("seed", range(4))
def test_numbers_stand_where_a_new_layout_puts_them(faces, room, seed):
    rng = np.random.default_rng(seed)
    texts = ("−4.80", "2.61", "−3.21", "9.99", "12.5", "NaN", "∞", "−7.40e−9", "3")
    cells = (LINKED, Cell("X", (5, 0)), Cell("Q", (0, 0)))
    for _ in range(60):
        one, other = rng.choice(texts, 2)
        line = formula(str(one), str(other), cells[rng.integers(3)])
        found = lay_out_line(line, faces, room)
        if rng.integers(2):
            found.links  # noqa: B018 (found once, and kept)
        assert same(found, lay_out(line.whole, faces, room))


def test_numbers_of_the_same_widths_are_laid_out_once(faces, monkeypatch):
    laid_out = []

    def counting(node, *rest):
        laid_out.append(node)
        return lay_out(node, *rest)

    monkeypatch.setattr(refilling, "lay_out", counting)
    for numbers in (("−3.21", "2.61"), ("−4.80", "9.99"), ("3.21", "2.61")):
        lay_out_line(formula(*numbers, Cell("X", (7, 0))), faces, 177.0)
    assert len(laid_out) == 2


def test_a_number_broken_between_its_digits_is_laid_out_anew(faces):
    for digit in "90":
        line = filled(LIGHT, Value(f"123456789012345678{digit}"))
        found = lay_out_line(line, faces, 40.0)
        assert same(found, lay_out(line.whole, faces, 40.0))


@pytest.mark.parametrize("texts", [("−4.80", "2.61"), ("−14.8", "2.61")])
def test_only_texts_that_differ_lie_in_the_changed_rectangles(faces, texts):
    old, new = formula("−3.21", "2.61"), formula(*texts)
    before, after = lay_out_line(old, faces), lay_out_line(new, faces)
    changed, *others = after.changed_rects(before, 0.0, 0.0)
    assert not others
    assert after.changed_rects(before, 7.0, 30.0) == [changed.translated(7, 30)]
    (left, base, width), *_ = (m[:3] for m in after.marks if m[4].text == texts[0])
    assert changed.contains(round(left), round(base))
    assert changed.contains(round(left + width), round(base))
    others = [m for m in after.marks if m[4].text == "scaled" or m[4] is EQUALS]
    assert not any(
        changed.contains(round(m[0] + m[2] / 2), round(m[1])) for m in others
    )
    assert after.changed_rects(after, 0.0, 0.0) == []
    assert lay_out(Atom("1"), faces).changed_rects(before, 0.0, 0.0) is None


def test_what_a_wider_number_moves_is_painted_too(faces):
    old, new = formula("−3.21", "2.61"), formula("−13.21", "2.61")
    before, after = lay_out_line(old, faces), lay_out_line(new, faces)
    areas = after.changed_rects(before, 0.0, 0.0)
    for layout, other in ((before, after), (after, before)):
        for mark, was in zip(layout.marks, other.marks, strict=True):
            middle = round(mark[0] + mark[2] / 2), round(mark[1] - 1)
            assert any(area.contains(*middle) for area in areas) == (mark != was)


def painted(layout: LaidOut, image: QImage, region: QRegion | None = None) -> QImage:
    """Return an image with a formula painted on it, all of it or a region."""
    image = image.copy()
    painter = QPainter(image)
    if region is not None:
        painter.setClipRegion(region)
    painter.fillRect(image.rect(), QColor("#ffffff"))
    painter.setPen(QColor("#000000"))
    layout.paint(painter, *ORIGIN, region)
    painter.end()
    return image


@pytest.mark.parametrize("room", [math.inf, ROOM])
@pytest.mark.parametrize("seed", range(3))
def test_a_formula_looks_the_same_if_only_what_changed_is_painted(faces, room, seed):
    rng = np.random.default_rng(seed)
    texts = ("−4.80", "2.61", "19.99", "−1.50e9", "3.20e14", "7.40e−9", "NaN", "∞", "3")
    cells = (LINKED, Cell("X", (5, 0)), Cell("Q", (0, 0)))
    canvas = QImage(420, 160, QImage.Format.Format_RGB32)
    before, image, partly = None, canvas, 0
    for _ in range(80):
        one, other = map(str, rng.choice(texts, 2))
        line = formula(one, other, cells[rng.integers(3)])
        after = lay_out_line(line, faces, room)
        areas = before and after.changed_rects(before, *ORIGIN)
        whole = painted(after, canvas)
        if areas is not None:
            region = QRegion()
            for area in areas:
                region = region.united(area)
            partly += 1
            assert painted(after, image, region) == whole, (one, other)
        before, image = after, whole
    assert partly > 20
