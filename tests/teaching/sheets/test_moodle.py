"""Sheets as Moodle XML, read the way that Moodle does."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations
from xml.etree import ElementTree

import pytest

from attnviewer.teaching.sheets.moodle import sheets_moodle
from tests.teaching.sheets.sheets import sheets_of
from tests.teaching.texts import situation, task

# As Moodle documents embedded answers: a subquestion begins with a brace, its mark and
# its type, and ends at the first brace that no backslash precedes.
SUBQUESTION = re.compile(
    r"(?<!\\)\{(\d*):(NUMERICAL|MULTICHOICE_V|MULTIRESPONSE):((?:\\.|[^}\\])*)\}", re.S
)
NUMBER = re.compile(r"=(-?\d+(?:\.\d+)?):(\d+(?:\.\d+)?)")


@pytest.fixture(scope="module")
def sheets():
    return sheets_of("ada", "ben/c", tokens="<b>, {1:NUMERICAL:=2}, sat & x")


@pytest.fixture(scope="module")
def quiz(sheets):
    return ElementTree.fromstring(b"".join(sheets_moodle(sheets)))


def _html(question) -> str:
    return question.findtext("questiontext/text")


def _asked(question, kind: str) -> list[str]:
    """Return the subquestions of a kind, without mark and type."""
    return [body for _, k, body in SUBQUESTION.findall(_html(question)) if k == kind]


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag, attrs) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag


def test_each_student_has_a_category_and_a_question_for_each_page(quiz) -> None:
    types = [question.get("type") for question in quiz]
    assert types == ["category", "cloze", "cloze"] * 2
    paths = [q.findtext("category/text") for q in quiz if q.get("type") == "category"]
    assert paths[1] == "$course$/top/Week 3 & {more} <b>/Student ben//c"
    names = [question.findtext("name/text") for question in quiz.iter("question")]
    assert len(set(filter(None, names))) == 4


def test_the_html_is_closed_and_tokens_are_only_text(quiz) -> None:
    for question in quiz.iter("question"):
        if question.get("type") == "cloze":
            tags = _Tags()
            tags.feed(SUBQUESTION.sub("", _html(question)))
            assert tags.open == []
            assert "b" not in re.findall(r"<(\w+)", _html(question))


def test_numbers_have_their_tolerance_and_no_others_are_asked(quiz, sheets) -> None:
    clozes = [q for q in quiz if q.get("type") == "cloze"]
    parts = [part for sheet in sheets for part in sheet.parts]
    for cloze, part in zip(clozes, parts, strict=True):
        numbers = [NUMBER.fullmatch(body) for body in _asked(cloze, "NUMERICAL")]
        asked = [b for q in part.questions for b in getattr(q, "finite", {}).values()]
        assert len(numbers) == len(asked)
        for match, blank in zip(numbers, asked, strict=True):
            assert match is not None
            assert float(match[1]) == pytest.approx(blank.value, abs=1e-11)
            assert float(match[2]) == blank.tolerance


def test_marks_are_in_the_proportion_of_the_points(quiz) -> None:
    cloze = next(q for q in quiz if q.get("type") == "cloze")
    marks = [int(mark) for mark, _, _ in SUBQUESTION.findall(_html(cloze))]
    total = sum(marks)
    assert len(marks) == 6 + 3 + 1
    assert [sum(marks[:6]) / total, sum(marks[6:9]) / total, marks[9] / total] == [
        pytest.approx(points / 9) for points in (3, 2, 4)
    ]


def test_options_keep_their_signs_behind_backslashes(quiz) -> None:
    cloze = next(q for q in quiz if q.get("type") == "cloze")
    [body] = _asked(cloze, "MULTIRESPONSE")
    options = re.split(r"(?<!\\)~", body)
    shown = [re.sub(r"\\(.)", r"\1", option) for option in options]
    assert shown[0] == '%50.00000%a ~ b } # / "c" \\ d'
    assert shown[1] == r"%50.00000%\(\sqrt{2}\)"
    assert shown[2] == "%-50.00000%&lt;i&gt;no&lt;/i&gt;"


def test_any_choice_of_options_counts_as_in_the_app(quiz) -> None:
    [body] = _asked(next(q for q in quiz if q.get("type") == "cloze"), "MULTIRESPONSE")
    shares = [float(n) / 100 for n in re.findall(r"(?:^|(?<!\\)~)%(-?[0-9.]+)%", body)]
    options = [
        f"option: {place}" if share < 0 else f"right: {place}"
        for place, share in enumerate(shares)
    ]
    one, here = situation(task("kind: choice", *options))
    for count in range(len(shares) + 1):
        for chosen in combinations(range(len(shares)), count):
            # Moodle counts no answer as less than nothing.
            counted = max(sum(shares[place] for place in chosen), 0)
            assert one.check(here, chosen).share == pytest.approx(counted)


def test_one_right_option_is_marked_as_such(quiz) -> None:
    clozes = [q for q in quiz if q.get("type") == "cloze"]
    for _, kind, body in SUBQUESTION.findall(_html(clozes[1])):
        assert kind == "MULTICHOICE_V"
        assert sum(option.startswith("=") for option in body.split("~")) == 1


def test_control_characters_do_not_break_the_xml() -> None:
    sheets = [replace(sheet, who="a\x01b\ud800") for sheet in sheets_of("ada")]
    assert ElementTree.fromstring(b"".join(sheets_moodle(sheets))) is not None
