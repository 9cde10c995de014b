"""Workbooks as other programs write them: read exactly, or refused with the cell."""

import datetime
import time
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula

from attnviewer.io.matrices import read_matrices
from attnviewer.io.matrices.workbook import parts
from tests.io.matrices.files import NUMBERS, plain, refusal

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.xlsx"


def _saved(path: Path, **sheets: list[list[object]]) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def _forged(path: Path, sheet: str, **parts: str) -> None:
    """Write a workbook by hand, with the XML of its one sheet's rows."""
    written = {
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATED}"><sheets>'
        '<sheet name="W_Q" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="rId1" '
        f'Type="{_RELATED}/worksheet" Target="/xl/s.xml"/></Relationships>',
        "xl/s.xml": f'<worksheet xmlns="{_MAIN}">{sheet}</worksheet>',
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (written | parts).items():
            file.writestr(name, content)


def test_each_sheet_is_a_matrix_by_its_name(path: Path) -> None:
    random = np.random.default_rng(0).normal(size=(5, 3)).round(9).tolist()
    _saved(path, W_Q=NUMBERS, X=random, **{"My sheet": [[1]], "Sheet2": []})
    read = read_matrices(path)
    assert plain(read) == {"W_Q": NUMBERS, "X": random, "My sheet": [[1.0]]}
    assert read.notices == []


def test_names_above_and_beside_are_told_apart_as_in_csv(path: Path) -> None:
    table = [[None, "a", "b"], ["the", 1, 2], ["cat", 3, 4]]
    _saved(path, X=table, Q=[["f", "g"], [5, 6]])
    read = read_matrices(path)
    assert plain(read) == {"X": [[1, 2], [3, 4]], "Q": [[5, 6]]}
    assert read.tokens == ("the", "cat")
    told = "In 'Q': The first row was taken as the names of the columns: f, g."
    assert read.notices == [told]


def test_a_table_may_be_anywhere_and_have_gaps_between_rows(path: Path) -> None:
    _saved(path, X=[[], [], [None, None, 1, 2], [], [None, None, 3, 4]])
    read = read_matrices(path)
    assert plain(read) == {"X": [[1, 2], [3, 4]]}
    assert read.notices == ["In 'X', empty rows between the others were left out."]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "The cell is empty. Write 0 for nothing."),
        ("#DIV/0!", "“#DIV/0!” is not a number, but an error in a spreadsheet."),
        ("n/a", "“n/a” stands for a missing number. All must be there."),
        ("one", "“one” is not a number."),
        (True, "“TRUE” is a truth value. Write 1 or 0 instead."),
        (datetime.date(2024, 2, 29), "The cell is a date or a time, not a number."),
        (datetime.time(12, 30), "The cell is a date or a time, not a number."),
        ("=1+1", "The formula has no value. Open the workbook in a spreadsheet"),
        (ArrayFormula("B3", "=A1:A2"), "The formula has no value. Open the workbook"),
    ],
)
def test_a_cell_that_is_no_number_is_refused_with_its_place(
    path, content, reason
) -> None:
    _saved(path, Other=[[1]], W_Q=[[1, 2], [3, 4], [5, content]])
    assert refusal(path).startswith(f"sheet 'W_Q', cell B3: {reason}")


def test_sheets_of_truth_values_alone_are_masks_which_is_said_once(path: Path) -> None:
    seen = [[True, False], [True, True]]
    _saved(path, X=[[1], [2]], mask=seen, other=seen)
    read = read_matrices(path)
    ones = [[1, 0], [1, 1]]
    assert plain(read) == {"X": [[1], [2]], "mask": ones, "other": ones}
    assert read.notices == ["TRUE and FALSE were read as 1 and 0, as of a mask."]


def test_a_sheet_of_something_else_is_left_out_with_the_reason(path: Path) -> None:
    _saved(path, X=NUMBERS, Notes=[["Written", "today"], ["by", "hand"]])
    read = read_matrices(path)
    assert list(read.values) == ["X"]
    assert len(read.notices) == 1
    assert read.notices[0].startswith("'Notes' was left out.")


def test_a_date_in_a_format_of_its_own_is_no_number_and_a_unit_is_one(path) -> None:
    book = openpyxl.Workbook()
    for value, code in ((1, '0.0 "days"'), (2, "[Red]0"), (3, "General"), (4, "0%")):
        book.active.append([value])
        book.active.cell(value, 1).number_format = code
    book.save(path)
    assert plain(read_matrices(path)) == {"Sheet": [[1], [2], [3], [4]]}
    book.active["A2"].number_format = '"on" d. mmm'
    book.save(path)
    assert refusal(path).startswith("sheet 'Sheet', cell A2: The cell is a date")


def test_minus_infinity_is_a_text_and_told_of(path: Path) -> None:
    _saved(path, bias=[[0, "-inf"], [1, 2]])
    read = read_matrices(path)
    assert read.values["bias"].tolist() == [[0, -np.inf], [1, 2]]
    assert read.notices == ["'bias' has −∞ in it, which only a bias can use."]


def test_what_formulas_were_worth_is_read(path: Path) -> None:
    _forged(
        path,
        "<sheetData><row><c><f>1/3</f><v>0.33333333333333331</v></c><c><v>1E-3</v></c>"
        "</row></sheetData>",
    )
    assert plain(read_matrices(path)) == {"W_Q": [[1 / 3, 0.001]]}


def test_a_sheet_that_claims_to_be_huge_is_read_at_once(path: Path) -> None:
    start = time.process_time()
    cell = '<row r="7"><c r="C7"><v>1.5</v></c></row>'
    _forged(path, f'<dimension ref="A1:XFD1048576"/><sheetData>{cell}</sheetData>')
    assert plain(read_matrices(path)) == {"W_Q": [[1.5]]}
    far = '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    _forged(path, f"<sheetData>{cell}{far}</sheetData>")
    told = refusal(path)
    assert told.startswith("sheet 'W_Q', cell D7: The cell is empty.")
    rows = "".join(
        f'<row r="{r}"><c r="A{r}"><v>1</v></c><c r="XFD{r}"><v>1</v></c></row>'
        for r in range(1, 5000)
    )
    _forged(path, f"<sheetData>{rows}</sheetData>")
    assert refusal(path) == "sheet 'W_Q': A sheet may have 4,194,304 cells."
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    "cell", ["A1048577", "XFE1", "ZZZ9999999", "A0", "a1", "A1:B2", "", "Z" * 9]
)
def test_a_cell_that_cannot_be_is_refused(path: Path, cell: str) -> None:
    row = f'<sheetData><row><c r="{cell}"><v>1</v></c></row></sheetData>'
    _forged(path, row)
    assert "There is no such cell." in refusal(path)


def test_a_cell_that_is_there_twice_is_refused(path: Path) -> None:
    cells = '<c r="B1"><v>1</v></c><c r="B1"><v>2</v></c>'
    _forged(path, f"<sheetData><row>{cells}</row></sheetData>")
    assert refusal(path) == "sheet 'W_Q', cell B1: The cell is there twice."


def test_a_row_whose_number_cannot_be_is_the_next_one(path: Path) -> None:
    rows = (
        f'<row r="{"9" * 5000}"><c><v>1</v></c></row><row r="x"><c><v>2</v></c></row>'
    )
    _forged(path, f"<sheetData>{rows}</sheetData>")
    assert plain(read_matrices(path)) == {"W_Q": [[1.0], [2.0]]}


@pytest.mark.parametrize(
    "part", ["<a/><a/>", "<row><c><v>1</v></c></row>", '<a b=""/>']
)
def test_a_sheet_of_too_many_elements_is_refused_unread(path: Path, part) -> None:
    _forged(path, part * 4_200_000)
    start = time.process_time()
    assert refusal(path, 2**29).startswith(
        "xl/s.xml: A workbook may have 8,388,608 elements and attributes"
    )
    assert time.process_time() - start < 5


@pytest.mark.parametrize("part", ["{}", "<row {}/>", "<!--{}-->", "<c><v>{}</v></c>"])
def test_a_sheet_of_blanks_is_refused_unread(path: Path, part, monkeypatch) -> None:
    monkeypatch.setattr(parts, "MOST_BESIDE", 2**12)
    _forged(path, part.format(" " * 2**13))
    told = "nearly all of it is blanks or text, not numbers."
    assert refusal(path, 2**29).endswith(told)


def test_a_sheet_is_read_in_pieces_wherever_they_end(path: Path, monkeypatch) -> None:
    monkeypatch.setattr(parts, "_PIECE", 7)
    _saved(path, X=NUMBERS)
    assert plain(read_matrices(path)) == {"X": NUMBERS}


def test_sheets_that_are_the_same_part_are_read_once(path: Path) -> None:
    sheets = "".join(f'<sheet name="W{k}" r:id="rId1"/>' for k in range(9))
    book = f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATED}">{sheets}</workbook>'
    row = "<row><c><v>1</v></c></row>"
    _forged(path, row, **{"xl/workbook.xml": book})
    assert plain(read_matrices(path)) == {"W0": [[1.0]]}


def test_too_long_texts_are_refused_unread(path: Path) -> None:
    texts = f"<sst><si><t>{'a' * 2**26}</t></si></sst>"
    _forged(path, "", **{"xl/sharedStrings.xml": texts})
    assert "The texts of a workbook may have 67,108,864 bytes" in refusal(path, 2**29)


def test_entities_are_not_unfolded(path: Path) -> None:
    bomb = '<!DOCTYPE b [<!ENTITY a "1111111111">' + "".join(
        f'<!ENTITY a{k} "{f"&a{k - 1 or str()};" * 10}">' for k in range(1, 10)
    )
    for encoding in ("utf-8", "utf-16"):
        content = f"{bomb}]><worksheet><row><c><v>&a9;</v></c></row></worksheet>"
        _forged(path, "", **{"xl/s.xml": content.encode(encoding)})
        told = refusal(path)
        assert told == "xl/s.xml: The part has declarations, which are not read."


def test_an_archive_that_unpacks_into_too_much_is_refused(path: Path) -> None:
    _forged(path, "<sheetData>" + " " * 2**21 + "</sheetData>")
    assert path.stat().st_size < 2**14
    assert "Its parts may have 1,048,576 bytes together" in refusal(path)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"xl/s.xml": "<worksheet><row>"}, "xl/s.xml: The part is damaged: no element"),
        ({"xl/workbook.xml": "<workbook/>"}, "There are no numbers in it."),
        ({"xl/workbook.xml": "?"}, "xl/workbook.xml: The part is damaged"),
        ({"xl/_rels/workbook.xml.rels": "<a/>"}, "There are no numbers in it."),
        (
            {
                "xl/s.xml": '<worksheet><row><c t="s"><v>7</v></c></row></worksheet>',
                "xl/sharedStrings.xml": "<sst><si><t>a</t></si></sst>",
            },
            "sheet 'W_Q', cell A1: The cell is damaged.",
        ),
        (
            {
                "xl/s.xml": '<worksheet><row><c t="s"><v>-1</v></c></row></worksheet>',
                "xl/sharedStrings.xml": "<sst><si><t>a</t></si></sst>",
            },
            "sheet 'W_Q', cell A1: The cell is damaged.",
        ),
    ],
)
def test_a_damaged_workbook_is_refused(path: Path, parts, reason: str) -> None:
    _forged(path, "", **parts)
    assert refusal(path).startswith(reason)


def test_texts_in_several_styles_are_whole_and_readings_are_left_out(path) -> None:
    shared = (
        "<sst><si><r><t>wo</t></r><r><t>rd</t></r><rPh><t>x</t></rPh></si>"
        "<si><t>a</t></si></sst>"
    )
    rows = (
        '<row><c/><c t="s"><v>1</v></c></row>'
        '<row><c t="s"><v>0</v></c><c><v>2</v></c></row>'
    )
    _forged(path, f"<sheetData>{rows}</sheetData>", **{"xl/sharedStrings.xml": shared})
    assert read_matrices(path).tokens == ("word",)


def test_a_workbook_with_another_name_is_read_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    _saved(tmp_path / "a.xlsx", X=NUMBERS)
    (tmp_path / "a.xlsx").rename(path)
    read = read_matrices(path)
    assert plain(read) == {"X": NUMBERS}
    assert read.notices == ["By its content it is a .xlsx file."]
