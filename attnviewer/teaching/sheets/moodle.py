"""Sheets as Moodle XML: a cloze question for each page of each sheet."""

from collections.abc import Iterator, Mapping, Sequence
from math import gcd, lcm

from attnviewer.teaching.sheets.html import prose_html, table_html, xml_text
from attnviewer.teaching.sheets.prose import Paragraph
from attnviewer.teaching.sheets.sheet import (
    Block,
    ChoiceQuestion,
    NumberQuestion,
    Part,
    Prose,
    Question,
    Sheet,
    Table,
    WindowQuestion,
)

_SPECIAL = '\\}#~/"'
"""What an answer of a cloze question must have a backslash before."""


def sheets_moodle(sheets: Sequence[Sheet]) -> Iterator[bytes]:
    """Yield sheets as questions that Moodle imports.

    Each sheet is a category of its own within that of the exercise, so that a quiz can
    draw one variant at random. Marks of a cloze question are whole numbers: those of
    the cells are in the proportion of the tasks' points.

    Parameters
    ----------
    sheets : sequence of Sheet
        The sheets.
    """
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
    for sheet in sheets:
        names = (sheet.title, sheet.who)
        path = "/".join(name.replace("/", "//") for name in names)
        yield (
            '<question type="category"><category>'
            f"<text>{xml_text(f'$course$/top/{path}')}</text>"
            "</category></question>\n"
        ).encode()
        for number, part in enumerate(sheet.parts, 1):
            if part.questions:
                yield _question(sheet, part, number).encode()
    yield b"</quiz>\n"


def _question(sheet: Sheet, part: Part, number: int) -> str:
    marks = _marks(part.questions)
    body = "".join(_block(block, marks) for block in part.blocks)
    name = f"{sheet.title} {number}: {part.title} ({sheet.key})"
    return (
        '<question type="cloze">\n'
        f"<name><text>{xml_text(name)}</text></name>\n"
        '<questiontext format="html"><text>'
        f"{xml_text(body)}</text></questiontext>\n"
        '<generalfeedback format="html"><text></text></generalfeedback>\n'
        "<penalty>0</penalty>\n<hidden>0</hidden>\n"
        f"<idnumber>{xml_text(f'{sheet.exercise}-{sheet.key}-{number}'[:100])}"
        "</idnumber>\n</question>\n"
    )


def _marks(questions: Sequence[Question]) -> dict[str, int]:
    """Return the mark of each answer of a task, as whole numbers in proportion."""
    counts = {question.task: _answers(question) for question in questions}
    common = lcm(*counts.values())
    marks = {
        question.task: round(question.points * common) // counts[question.task]
        for question in questions
    }
    divisor = gcd(*marks.values()) or 1
    return {task: mark // divisor for task, mark in marks.items()}


def _answers(question: Question) -> int:
    return len(question.finite) or 1 if isinstance(question, NumberQuestion) else 1


def _block(block: Block, marks: Mapping[str, int]) -> str:
    match block:
        case Prose():
            return prose_html(block, _text)
        case WindowQuestion():
            return prose_html(block.ask, _text)
        case Table():
            return table_html(block, {}, _text)
        case NumberQuestion():
            mark = marks[block.task]
            blanks = {
                cell: f"{{{mark}:NUMERICAL:={_plain(blank.value)}:"
                f"{_plain(blank.tolerance)}}}"
                for cell, blank in block.finite.items()
            }
            table = table_html(block.shown, blanks, _text)
            return prose_html(block.ask, _text) + table
        case ChoiceQuestion():
            return prose_html(block.ask, _text) + _choice(block, marks[block.task])


def _plain(number: float) -> str:
    """Return a number without an exponent, which not every form takes."""
    return f"{number:.12f}".rstrip("0").rstrip(".")


def _choice(question: ChoiceQuestion, mark: int) -> str:
    kind = "MULTIRESPONSE" if question.several else "MULTICHOICE_V"
    right = len(question.right)
    answers = []
    for place, option in enumerate(question.options):
        text = _in_answer(option)
        if not question.several:  # of two that are the same mistake, either is right
            answers.append(f"={text}" if place in question.right else text)
        elif place in question.right:
            answers.append(f"%{100 / right:.5f}%{text}")
        else:
            # A wrong one takes off as much as a right one adds, as in the app.
            answers.append(f"%-{100 / right:.5f}%{text}")
    return f"<p>{{{mark}:{kind}:{'~'.join(answers)}}}</p>"


def _in_answer(option: Paragraph) -> str:
    """Return an option as the text of an answer; its formulas are for MathJax."""
    plain = "".join(
        rf"\({span.text}\)" if span.kind == "formula" else span.text
        for span in option.spans
    )
    escaped = "".join(f"\\{sign}" if sign in _SPECIAL else sign for sign in plain)
    return xml_text(escaped)


def _text(text: str) -> str:
    return xml_text(text).replace("{", "&#123;")
