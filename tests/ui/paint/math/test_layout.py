"""Where the parts of a formula stand, in every font and at every width."""

from itertools import combinations

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QImage, QPainter

from attnviewer.compute import Cell
from attnviewer.ui.paint.math import (
    Atom,
    Big,
    Fenced,
    Fraction,
    Grid,
    LaidOut,
    Root,
    Row,
    Script,
    faces_of,
    in_columns,
    lay_out,
    prose,
    vector,
)
from attnviewer.ui.paint.math.tex import EQUALS, PLUS

FAMILIES = ("Sans Serif", "monospace", "Serif")


def n(text: str, cell: Cell | None = None) -> Atom:
    return Atom(text, mono=True, cell=cell)


@pytest.fixture(params=FAMILIES)
def faces(request, qapp):
    font = QFont(request.param)
    font.setPixelSize(20)
    return faces_of(font)


def place(laid_out: LaidOut, text: str) -> tuple[float, float]:
    """Return where the first atom with a text begins, and its baseline."""
    return next(mark[:2] for mark in laid_out.marks if mark[4].text == text)


def test_a_fraction_has_its_bar_between_its_parts(faces):
    laid_out = lay_out(Fraction(n("1"), n("1.3349")), faces)
    ((thickness, ((left, bar), (right, _))),) = laid_out.strokes
    (above, over), (below, under) = place(laid_out, "1"), place(laid_out, "1.3349")
    assert over < bar - thickness
    assert under > bar + thickness
    # Both are centred on the bar, which is wider than either.
    assert above > below > left
    assert left < right
    assert laid_out.ascent > 0 > bar


def test_numbers_beside_a_fraction_are_level_with_its_bar(faces):
    laid_out = lay_out(Row((n("2"), Fraction(n("1"), n("2")))), faces)
    (_, ((_, bar), _)) = laid_out.strokes[0]
    # The middle of a sign, not the baseline: between it and the top of the digits.
    assert -faces.em < bar < 0


def test_a_root_covers_what_it_is_taken_of(faces):
    inner = lay_out(n("12345"), faces)
    laid_out = lay_out(Root(n("12345")), faces)
    ((_, points),) = laid_out.strokes
    assert min(y for _, y in points) < -inner.ascent
    (left, _), right = place(laid_out, "12345"), points[-1][0]
    assert left + inner.width <= right


def test_scripts_are_smaller_and_above_and_below_their_base(faces):
    laid_out = lay_out(Script(Atom("x"), Atom("i"), Atom("2")), faces)
    assert place(laid_out, "2")[1] < 0 < place(laid_out, "i")[1]
    (_, _, _, base, _), (_, _, _, sub, _), _ = laid_out.marks
    assert sub.font.pixelSize() == round(0.7 * base.font.pixelSize())


def test_limits_stand_below_a_large_sign_and_beside_one_in_a_fraction(faces):
    total = Big("Σ", Atom("k"))
    free = lay_out(total, faces)
    (sign, _), (limit, under) = place(free, "Σ"), place(free, "k")
    assert under > faces.em / 2
    assert abs(sign - limit) < faces.em
    inside = lay_out(Fraction(total, n("2")), faces)
    assert place(inside, "k")[0] > place(inside, "Σ")[0] + 0.3 * faces.em


def test_brackets_are_as_high_as_what_they_enclose(faces):
    low, high = n("2"), Fraction(n("1"), n("2"))
    assert not lay_out(Fenced(low), faces).strokes  # an ordinary letter is enough
    body = lay_out(high, faces)
    for opening in "([":
        laid_out = lay_out(Fenced(high, opening, opening), faces)
        heights = [y for _, points in laid_out.strokes[1:] for _, y in points]
        assert min(heights) < -body.ascent
        assert max(heights) > body.descent


def test_a_row_of_a_matrix_is_evenly_spaced(faces):
    laid_out = lay_out(vector([n("2"), n("0"), n("2")]), faces)
    first, second, third = (m[0] for m in laid_out.marks if m[4].text in "20")
    assert second - first == pytest.approx(third - second)


def test_a_column_sum_has_a_rule_above_its_last_row(faces):
    rows = ((Atom("d 0"), n("2.5")), (Atom("d 1"), n("-10")), (Atom("qk"), n("-7.5")))
    laid_out = lay_out(Grid(rows, align="lr", ruled=True), faces)
    ((_, ((_, rule), (right, _))),) = laid_out.strokes
    assert place(laid_out, "-10")[1] < rule < place(laid_out, "-7.5")[1]
    assert right == laid_out.width
    ends = [m[0] + m[2] for m in laid_out.marks if m[4].mono]
    assert ends == pytest.approx([right] * 3)  # flush right


def test_a_long_row_breaks_at_its_equals_signs_first(faces):
    name, product = Atom("scores"), Row((n("1000"), PLUS, n("2000")))
    row = Row((name, EQUALS, *product.parts, EQUALS, n("3000")))
    whole = lay_out(row, faces)
    broken = lay_out(row, faces, 0.9 * whole.width)
    signs = [mark[:2] for mark in broken.marks if mark[4] is EQUALS]
    (first, top), (second, below) = signs
    assert top == 0 < below
    assert second == pytest.approx(first, abs=0.3 * faces.em)  # aligned
    assert place(broken, "2000")[1] == 0


def test_a_sum_breaks_before_a_plus_and_goes_on_after_the_equals_sign(faces):
    terms = [part for k in range(9) for part in (PLUS, n(f"{k}.2345"))][1:]
    laid_out = lay_out(Row((Atom("s"), EQUALS, *terms)), faces, 14 * faces.em)
    lines = sorted({mark[1] for mark in laid_out.marks})
    assert len(lines) > 2
    starts = [min(m[0] for m in laid_out.marks if m[1] == line) for line in lines]
    assert len({round(start, 3) for start in starts[1:]}) == 1
    first = next(mark[4] for mark in laid_out.marks if mark[1] == lines[1])
    assert first is PLUS
    # A term that is too long beside this indent keeps its sign: it begins further left.
    long = Row((n("380 more = "), n("0.9" * 6)))
    row = Row((Atom("s" * 8), EQUALS, *terms[:5], PLUS, long, PLUS, *terms[:3]))
    laid_out = lay_out(row, faces, 1.1 * lay_out(Row((PLUS, long)), faces).width)
    begins, line = place(laid_out, "380 more = ")
    sign, *_ = (mark for mark in laid_out.marks if mark[1] == line)
    assert sign[4] is PLUS
    assert sign[0] < begins
    others = {mark[0] for mark in laid_out.marks if mark[4] is PLUS and mark[1] > line}
    assert min(others) > sign[0]


WIDE = Row(
    (
        Atom("weights"),
        EQUALS,
        Fraction(
            Script(Atom("e"), None, n("5.77")),
            Row((n("0.315"), PLUS, n("0.0099"), PLUS, n("1"), PLUS, n("0.0099"))),
        ),
        EQUALS,
        Fenced(Row((n("123.45"), PLUS, n("678.9")))),
        EQUALS,
        Root(Row((n("123.45"), PLUS, n("678.9")))),
    )
)


@pytest.mark.parametrize("room", [130, 160, 200, 333])
@pytest.mark.parametrize(
    "node",
    [
        WIDE,
        prose("a note in words, with anextraordinarilylongwordwithoutanyblank in it"),
        Atom("anextraordinarilylongtokenwithoutanyblank", cell=Cell("X", (0, 0))),
        in_columns("lr")(*(Atom("anextraordinarilylongtoken[0]"), n("+0.868")) * 5),
    ],
    ids=["fractions", "words", "token", "columns"],
)
def test_nothing_is_wider_than_its_room(faces, node, room):
    laid_out = lay_out(node, faces, room)
    assert laid_out.width <= room
    assert all(left + width <= room + 0.01 for left, _, width, _, _ in laid_out.marks)
    assert all(left >= 0 for left, *_ in laid_out.marks)


def test_no_text_runs_into_another(faces):
    laid_out = lay_out(WIDE, faces, 150)
    places = [
        QRectF(left, base - 0.5 * faces.em, width, 0.5 * faces.em)
        for left, base, width, _, atom in laid_out.marks
        if atom.mono
    ]
    for place, other in combinations(places, 2):
        assert not place.intersects(other.adjusted(0.1, 0.1, -0.1, -0.1))


def test_a_cell_is_found_where_its_number_stands_and_nowhere_else(faces):
    q, k = Cell("Q", (0, 0)), Cell("K", (1, 0))
    laid_out = lay_out(Row((n("2", q), PLUS, Fraction(n("3", k), n("4")))), faces)
    for text, cell in (("2", q), ("3", k), ("4", None), ("+", None)):
        left, base = place(laid_out, text)
        assert laid_out.cell_at(left + 2, base - 3) == cell
    assert [link.cell for link in laid_out.links] == [q, k]
    assert laid_out.cell_at(laid_out.width + 9, 0) is None


def test_a_name_with_a_subscript_and_an_emoji_is_one_link(faces):
    cell = Cell("W_Q", (0, 1))
    name = Script(Atom("W", cell=cell), Atom("Q", cell=cell))
    laid_out = lay_out(Row((name, Atom("[😀, 1]", cell=cell), n("2"))), faces)
    (link,) = laid_out.links
    (spot,) = link.places
    end, _ = place(laid_out, "2")
    assert spot.left() == 0
    assert spot.right() == pytest.approx(end, abs=0.1 * faces.em)
    assert laid_out.cell_at(spot.right() - 2, -3) == cell
    assert laid_out.cell_at(end + 4, -3) is None


def test_it_is_painted_where_it_says_it_stands(faces):
    laid_out = lay_out(WIDE, faces, 200)
    image = QImage(300, 400, QImage.Format.Format_Grayscale8)
    image.fill(255)
    painter = QPainter(image)
    laid_out.paint(painter, 40.0, 40.0 + laid_out.ascent)
    painter.end()
    dark = [
        (x, y)
        for y in range(image.height())
        for x in range(image.width())
        if image.pixelColor(x, y).value() < 128
    ]
    xs, ys = zip(*dark, strict=True)
    assert 38 <= min(xs) < max(xs) <= 42 + laid_out.width
    assert 38 <= min(ys) < max(ys) <= 42 + laid_out.height


def test_numbers_are_not_shaped_and_look_as_if_they_were(faces):
    font = faces.face(n("0"), 0).font
    shaped = QFont(font)
    shaped.setStyleStrategy(QFont.StyleStrategy.PreferDefault)
    assert font.styleStrategy() == QFont.StyleStrategy.PreferNoShaping

    def painted(font: QFont, text: str) -> QImage:
        image = QImage(240, 60, QImage.Format.Format_RGB32)
        image.fill("white")
        painter = QPainter(image)
        painter.setFont(font)
        painter.drawText(QPointF(10.3, 40), text)
        painter.end()
        return image

    for text in ("−0.4852", "1234567890", "7.40e−9", "−∞", "NaN"):
        assert painted(font, text) == painted(shaped, text)


def test_the_painter_is_left_as_it_was(faces):
    image = QImage(300, 100, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    font, pen = painter.font(), painter.pen()
    lay_out(WIDE, faces).paint(painter, 0.0, 50.0)
    assert (painter.font(), painter.pen()) == (font, pen)
    painter.end()
