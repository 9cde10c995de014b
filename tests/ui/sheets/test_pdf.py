"""Sheets as PDF: A4, blanks to write in, and nothing beyond the margins."""

import re
import zlib
from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from attnviewer.figures import sheets_pdf
from attnviewer.teaching.sheets.prose import paragraphs, spans
from attnviewer.teaching.sheets.sheet import (
    Blank,
    ChoiceQuestion,
    NumberQuestion,
    Part,
    Prose,
    Sheet,
    Table,
)
from attnviewer.ui.sheets.boxes import Box, RowBox, TextBox, Together
from attnviewer.ui.sheets.flowing import pages_of
from attnviewer.ui.sheets.lines import lines_of
from attnviewer.ui.sheets.measures import DEPTH, MILLIMETRE, ROOM, SIZES, faces
from attnviewer.ui.sheets.pdf import paint_page
from attnviewer.ui.sheets.tables import TableBox, tables_of
from tests.teaching.sheets.sheets import HOSTILE, sheets_of

LONG = "a-token-that-is-much-longer-than-any-column-of-a-sheet-may-be"
A4 = (595, 842)
"""In whole points."""


@pytest.fixture
def sheet(qapp) -> Sheet:
    return sheets_of("ada", tokens=f"{LONG}, {HOSTILE}, Ünïcode-日本")[0]


def _wide(rows: int, columns: int) -> Sheet:
    """Return a sheet whose one table is larger than a page."""
    cells = {(r, c): "−0.1234" for r in range(rows) for c in range(columns)}
    names = tuple(f"t{k}" for k in range(max(rows, columns)))
    table = Table("weights, head 1", names[:rows], names[:columns], {})
    given = replace(table, cells=cells)
    blanks = {cell: Blank(-0.1234, "−0.12", 0.005) for cell in cells}
    question = NumberQuestion("all", 1.0, Prose(paragraphs("Fill in:")), table, blanks)
    part = Part("Large", (given, question))
    return Sheet("large", "Large", "ada", "ada", "en", (part,))


def _inner(box: Box) -> list[Box]:
    if isinstance(box, Together | RowBox):
        return [leaf for inner in box.boxes for leaf in _inner(inner)]
    return [box]


def _leaves(sheet: Sheet, *, key: bool = False) -> list[Box]:
    pages = pages_of(sheet, key=key)
    return [leaf for page in pages for placed in page for leaf in _inner(placed.box)]


@pytest.mark.parametrize("key", [False, True])
@pytest.mark.parametrize("size", [None, (3, 12), (40, 4), (60, 60)])
def test_nothing_is_wider_or_deeper_than_a_page(sheet, size, key: bool) -> None:
    shown = sheet if size is None else _wide(*size)
    for page in pages_of(shown, key=key):
        for placed in page:
            assert placed.box.width <= ROOM
            assert placed.top + placed.box.height <= DEPTH


def test_blanks_are_large_enough_to_write_in(sheet) -> None:
    tables = [box for box in _leaves(sheet) if isinstance(box, TableBox) and box.blanks]
    assert len(tables) == 2
    for table in tables:
        for cell in table.blanks:
            frame = table.blank(cell)
            assert frame.width() >= 18 * MILLIMETRE - 1e-6
            assert frame.height() >= 9 * MILLIMETRE - 1e-6


@pytest.mark.parametrize("size", [(3, 3), (3, 12), (40, 4), (60, 60)])
def test_every_blank_of_a_large_table_is_on_some_page(qapp, size) -> None:
    tables = [box for box in _leaves(_wide(*size)) if isinstance(box, TableBox)]
    assert sum(len(table.blanks) for table in tables) == size[0] * size[1]
    assert sum(len(t.cells) for t in tables if not t.blanks) == size[0] * size[1]


def test_a_key_has_a_number_in_every_blank_and_a_sheet_in_none(sheet) -> None:
    for key in (False, True):
        for box in _leaves(sheet, key=key):
            if isinstance(box, TableBox) and box.blanks:
                assert set(box.cells) == (set(box.blanks) if key else set())


def test_a_key_ticks_the_right_options(sheet) -> None:
    def marks(key: bool) -> list[str]:
        texts = [box for box in _leaves(sheet, key=key) if isinstance(box, TextBox)]
        return [box.mark for box in texts if box.mark]

    blank, ticked = marks(False), marks(True)
    assert set(blank) == {"tick"}
    assert len(ticked) == len(blank)
    questions = [question for part in sheet.parts for question in part.questions]
    right = [len(q.right) for q in questions if isinstance(q, ChoiceQuestion)]
    assert ticked.count("ticked") == sum(right)


def test_a_question_stays_with_its_blanks(sheet) -> None:
    boxes = [placed.box for page in pages_of(sheet) for placed in page]
    kept = [box for box in boxes if isinstance(box, Together)]
    assert sum(any(isinstance(b, TableBox) for b in box.boxes) for box in kept) == 2


def test_paper_is_a4_with_a_page_for_each_part_that_needs_one(qapp) -> None:
    sheets = sheets_of("ada", "ben")
    content = sheets_pdf(sheets)
    assert content.startswith(b"%PDF-")
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", content)
    assert len(boxes) == sum(len(pages_of(sheet)) for sheet in sheets)
    assert {(round(float(w)), round(float(h))) for w, h in boxes} == {A4}


def test_fonts_are_in_the_file(qapp) -> None:
    content = sheets_pdf(sheets_of("ada"))
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", content, re.DOTALL)
    assert streams
    assert b"/FontFile" in content
    assert any(zlib.decompressobj().decompress(s) for s in streams if s[:1] == b"x")


def test_a_painted_page_keeps_its_margins(sheet) -> None:
    scale = 0.1
    width, height = (round(side * 2 * 10) for side in A4)
    for page in pages_of(sheet):
        image = QImage(width // 10, height // 10, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        painter.scale(scale, scale)
        paint_page(painter, page, "foot")
        painter.end()
        assert _ink(image) == _ink(image, QRectF(100, 100, 990, 1564))


def _ink(image: QImage, within: QRectF | None = None) -> int:
    """Return how many pixels are not white."""
    white = QImage(image)
    if within is not None:
        white.fill(Qt.GlobalColor.white)
        painter = QPainter(white)
        painter.drawImage(within, image, within)
        painter.end()
    data = bytes(white.constBits())
    return sum(data[k : k + 3] != b"\xff\xff\xff" for k in range(0, len(data), 4))


@pytest.mark.parametrize(
    "text",
    [
        "word " * 200,
        "x" * 500,
        r"see $\frac{1}{\sqrt{d_k}}$ and `code` **bold** " * 20,
        r"$\frac{a$ b} \unknown{ $x^$ $_$ $\left($",
        "日本語" * 100,
    ],
)
def test_lines_are_no_wider_than_their_room(qapp, text: str) -> None:
    lines = lines_of(spans(text), faces(SIZES.text), ROOM)
    assert lines
    assert max(line.width for line in lines) <= ROOM * 1.001


def test_a_table_of_one_column_that_does_not_fit_is_cut_short_not_lost(qapp) -> None:
    table = Table("X", (LONG * 4,), (LONG * 4,), {(0, 0): "1"})
    [box] = tables_of(table)
    assert box.width <= ROOM
