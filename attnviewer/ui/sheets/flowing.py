"""A sheet as boxes, and boxes as pages."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, groupby

from attnviewer.teaching.sheets.prose import Paragraph, Span
from attnviewer.teaching.sheets.sheet import (
    Block,
    ChoiceQuestion,
    NumberQuestion,
    Prose,
    Question,
    Sheet,
    Table,
    WindowQuestion,
    worth,
)
from attnviewer.teaching.texts import Words
from attnviewer.ui.sheets.boxes import (
    Box,
    RuleBox,
    SpaceBox,
    TextBox,
    Together,
    side_by_side,
)
from attnviewer.ui.sheets.lines import Line, lines_of, text_line
from attnviewer.ui.sheets.measures import (
    DEPTH,
    MILLIMETRE,
    ROOM,
    SIZES,
    faces,
)
from attnviewer.ui.sheets.tables import tables_of

_GAP = 3 * MILLIMETRE
_BETWEEN_TABLES = 9 * MILLIMETRE
_INDENT = 8 * MILLIMETRE


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A box, and how far below the margin its top is."""

    box: Box
    top: float


def pages_of(sheet: Sheet, *, key: bool = False) -> list[list[PlacedBox]]:
    """Return the pages of a sheet.

    Parameters
    ----------
    sheet : Sheet
        The sheet.
    key : bool
        Whether the answers are filled in.
    """
    pages: list[list[PlacedBox]] = [[]]
    down = 0.0
    for box in _boxes(sheet, key=key):
        if down + box.height > DEPTH and pages[-1]:
            pages.append([])
            down = 0.0
        if isinstance(box, SpaceBox) and not pages[-1]:
            continue
        pages[-1].append(PlacedBox(box, down))
        down += box.height
    return [page for page in pages if page]


def _boxes(sheet: Sheet, *, key: bool) -> Iterator[Box]:
    words = sheet.words
    yield from _lines((Span(sheet.headline(key=key), "strong"),), SIZES.title)
    points = words.counted(sheet.points)
    yield from _lines((Span(f"{sheet.name} · {points}"),), SIZES.text)
    yield SpaceBox(1.5 * MILLIMETRE)
    yield RuleBox(ROOM)
    for part in sheet.parts:
        yield SpaceBox(_GAP)
        groups = groupby(part.blocks, lambda block: isinstance(block, Table))
        runs = (_run(run, words, tables, key=key) for tables, run in groups)
        boxes = list(chain.from_iterable(runs))
        heading = list(_lines((Span(part.title, "strong"),), SIZES.heading))
        # A heading at the foot of a page would stand alone.
        yield Together((*heading, SpaceBox(1 * MILLIMETRE), *boxes[:1]))
        yield from boxes[1:]


def _run(
    blocks: Iterable[Block], words: Words, tables: bool, *, key: bool
) -> Iterator[Box]:
    if not tables:
        for block in blocks:
            yield from _block(block, words, key=key)
        return
    boxes = [box for t in blocks if isinstance(t, Table) for box in tables_of(t)]
    for row in side_by_side(boxes, _BETWEEN_TABLES, ROOM):
        yield row
        yield SpaceBox(_GAP)


def _block(block: Block, words: Words, *, key: bool) -> Iterator[Box]:
    match block:
        case Prose():
            yield from _prose(block)
        case NumberQuestion():
            tables = list(tables_of(block.table, block.blanks, key=key))
            ask = list(_asked(block, words))
            # The question stands above its blanks.
            yield Together((*ask, SpaceBox(1 * MILLIMETRE), tables[0]))
            yield from tables[1:]
            yield SpaceBox(_GAP)
        case ChoiceQuestion():
            options = [
                box
                for place, option in enumerate(block.options)
                for box in _option(option, ticked=key and place in block.right)
            ]
            yield Together((*_asked(block, words), *options))
            yield SpaceBox(_GAP)
        case WindowQuestion():
            yield Together(tuple(_asked(block, words)))
            yield SpaceBox(_GAP)


def _asked(question: Question | WindowQuestion, words: Words) -> Iterator[Box]:
    """Yield a question; what it counts stands at its end."""
    points = Span(f"({worth(question, words)})", "emphasis")
    paragraphs = list(question.ask.paragraphs)
    if paragraphs and paragraphs[-1].kind != "formula":
        last = paragraphs.pop()
        spans = (*last.spans, Span(" "), points)
        paragraphs.append(Paragraph(spans, last.kind))
    else:
        paragraphs.append(Paragraph((points,)))
    yield from _prose(Prose(tuple(paragraphs)))


def _option(option: Paragraph, *, ticked: bool) -> Iterator[Box]:
    mark = "ticked" if ticked else "tick"
    for line in lines_of(option.spans, faces(SIZES.text), ROOM - _INDENT):
        yield TextBox(line, _INDENT, mark)
        mark = ""


def _prose(prose: Prose) -> Iterator[Box]:
    number = 0
    for paragraph in prose.paragraphs:
        number = number + 1 if paragraph.kind == "number" else 0
        if paragraph.kind == "heading":
            spans = tuple(Span(s.text, "strong") for s in paragraph.spans)
            yield from _lines(spans, SIZES.text)
        elif paragraph.kind in ("item", "number"):
            sign = "•" if paragraph.kind == "item" else f"{number}."
            yield from _item(paragraph, sign)
        elif paragraph.kind == "formula":
            for line in lines_of(paragraph.spans, faces(SIZES.text), ROOM):
                yield TextBox(line, (ROOM - line.width) / 2)
        else:
            yield from _lines(paragraph.spans, SIZES.text)
        yield SpaceBox(1.5 * MILLIMETRE)


def _item(paragraph: Paragraph, sign: str) -> Iterator[Box]:
    usual = faces(SIZES.text)
    mark: Line | None = text_line(sign, usual, _INDENT)
    for line in lines_of(paragraph.spans, usual, ROOM - _INDENT):
        yield TextBox(line, _INDENT, marked=mark)
        mark = None


def _lines(spans: Iterable[Span], size: float) -> Iterator[Box]:
    for line in lines_of(spans, faces(size), ROOM):
        yield TextBox(line)
