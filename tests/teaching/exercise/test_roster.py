"""Rosters."""

import pytest

from attnviewer.io import FileError
from attnviewer.teaching.exercise.roster import Student, read_roster


@pytest.fixture
def file(tmp_path):
    def write(text: str | bytes):
        path = tmp_path / "roster.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


def test_a_plain_roster_needs_ids_alone(file) -> None:
    students = read_roster(file("id\ns1\n\ns2\n")).students
    assert students == (Student("s1"), Student("s2"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_are_known_by_their_headings(file, delimiter: str) -> None:
    lines = ["\ufeffName|Email|Student ID|Section", "Ada|ada@x.org|s1|A"]
    path = file("\r\n".join(lines).replace("|", delimiter))
    expected = Student("s1", name="Ada", email="ada@x.org", section="A")
    assert read_roster(path).students == (expected,)


def test_a_gradebook_of_canvas_is_a_roster(file) -> None:
    path = file(
        "Student,ID,SIS User ID,SIS Login ID,Section,Quiz 1 (23)\n"
        "    Points Possible,,,,,10.00\n"
        '"Lovelace, Ada",11,S1,ada,CS 1,8\n'
        '"Student, Test",99,,abc,CS 1,\n'
    )
    expected = Student(
        "S1", name="Lovelace, Ada", login="ada", section="CS 1", lms_id="11"
    )
    assert read_roster(path).students == (expected,)


def test_participants_of_moodle_are_a_roster(file) -> None:
    path = file('First name,Last name,"ID number",Email address\nAda,Lovelace,7,a@x\n')
    [student] = read_roster(path).students
    assert student == Student("7", first="Ada", last="Lovelace", email="a@x")
    assert student.shown == "Ada Lovelace"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "The file is empty."),
        ("name\nAda\n", "line 1: No heading is 'id'"),
        ("id\n", "headings but no students"),
        ("id\nada\nben\nada\n", "line 4: The id 'ada' is in line 2 already."),
        ("id\nada\nADA\n", "line 3: The id 'ADA' is in line 2 already."),
        ("id,name\n,Ada\n", "line 2: The student has no id."),
        ("id\n=1+1\n", "line 2: The id '=1+1' must begin with a letter"),
        ("id\n../x\n", "line 2: The id '../x' must begin with a letter"),
        ("id\na\u202eb\n", "line 2: The id 'a\\ufffdb' has characters that cannot be"),
        (f"id\n{'x' * 101}\n", "line 2: The id has more than 100 characters."),
        ('id\n"ada\n', "It is not CSV"),
        (b"id\n\xff\n", "It is not text in UTF-8."),
    ],
)
def test_what_is_wrong_is_told_with_its_line(file, text, reason: str) -> None:
    with pytest.raises(FileError) as caught:
        read_roster(file(text))
    assert reason.replace("\\ufffd", "\ufffd") in str(caught.value)
