"""Text tables of any make: read exactly, told what was chosen, or refused."""

import csv
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.io import FileError, FileFormatError
from attnviewer.io.export.csv_text import bare_rows, csv_pieces, matrix_rows
from attnviewer.io.matrices import Matrices
from attnviewer.io.matrices.csv_file import read_csv_file
from attnviewer.io.matrices.delimited.rows import Cells, Lines, RowError

LIMIT = 2**24
INF = float("inf")
ROWS = [[1, 2, 3], [4, 5, 6]]
_FOLDER = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def _read(folder: Path, content: str | bytes, name: str = "W_Q.csv") -> Matrices:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_csv_file(path, LIMIT)


def _values(matrices: Matrices, name: str = "W_Q") -> list[list[float]]:
    assert list(matrices.values) == [name]
    assert matrices.values[name].dtype == np.float64
    return matrices.values[name].tolist()


def _refused(folder: Path, content: str | bytes, name: str = "W_Q.csv") -> str:
    """Return the place and the reason of a refusal, as they are told together."""
    with pytest.raises(FileFormatError) as caught:
        _read(folder, content, name)
    assert caught.value.path == folder / name
    told = str(caught.value).removeprefix(str(folder / name))
    return told.removeprefix(", ").removeprefix(": ")


# --------------------------------------------------------------- files that are good


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3\n4,5,6\n",
        "1,2,3\n4,5,6",
        "1,2,3\r\n4,5,6\r\n",
        "1,2,3\r4,5,6\r",
        "1,2,3\n4,5,6\n\n\n",
        "\n\n1,2,3\n4,5,6\n",
        "1, 2, 3\n4 ,5 , 6\n",
        '"1","2","3"\n"4",5,6\n',
        '"1", "2", "3"\n4, 5, 6\n',
        "1;2;3\n4;5;6\n",
        "1\t2\t3\n4\t5\t6\n",
        "1 2 3\n4 5 6\n",
        "  1   2  3\n  4   5  6 \n",
        "1.000000000000000000e+00 2e0 +3.\n4.0E0 05 0.6e1\n",
        "sep=;\n1;2;3\n4;5;6\n",
        '"sep=,"\r\n1,2,3\r\n4,5,6\r\n',
        "# from a program\n# in two lines, and more: a, b, c, d\n1,2,3\n4,5,6\n",
        "\ufeff1,2,3\n4,5,6\n",
        "\ufeff1,2,3\n4,5,6\n".encode("utf-16-le"),
        "\ufeff1,2,3\n4,5,6\n".encode("utf-16-be"),
        "1,2,3\n4,5,6\n".encode("utf-16-le"),
        "1,2,3\n4,5,6\n".encode("utf-16-be"),
    ],
)
def test_plain_tables_are_read_without_a_word(text, tmp_path: Path) -> None:
    read = _read(tmp_path, text)
    assert _values(read) == ROWS
    assert (read.notices, read.tokens) == ([], ())


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("7\n", [[7]]),
        ("-7", [[-7]]),
        ("−7,1.5", [[-7, 1.5]]),
        ("1\n2\n3\n", [[1], [2], [3]]),
        ("1\n2\n3\n\n\n", [[1], [2], [3]]),
        ("0.1,1e-320,1.7976931348623157e308", [[0.1, 1e-320, 1.7976931348623157e308]]),
        ("1,2\n3,-4\n", [[1, 2], [3, -4]]),
    ],
)
def test_tables_of_any_shape_are_read_exactly(text, values, tmp_path) -> None:
    read = _read(tmp_path, text)
    assert (_values(read), read.notices) == (values, [])


def test_the_array_is_called_as_the_file_is(tmp_path: Path) -> None:
    read = _read(tmp_path, "1,2,3\n4,5,6\n", "good nämé with späces 東京.csv")
    assert _values(read, "good nämé with späces 東京") == ROWS


@pytest.mark.parametrize(
    "text",
    [
        "1,5;-2,0;3,25\n0;0,001;7\n",
        "1,5\t-2,0\t3,25\n0\t0,001\t7\n",
        "1,5 -2,0 3,25\n0 0,001 7\n",
        '"1,5","-2,0","3,25"\n0,"0,001",7\n',
    ],
)
def test_commas_that_can_only_be_decimal_are_read_so_and_told(text, tmp_path) -> None:
    read = _read(tmp_path, text)
    assert _values(read) == [[1.5, -2, 3.25], [0, 0.001, 7]]
    assert read.notices == ["Commas were read as decimal points."]


def test_a_column_of_decimal_commas_below_a_name_is_no_pair(tmp_path: Path) -> None:
    read = _read(tmp_path, "bias\n1,5\n2,5\n")
    assert _values(read) == [[1.5], [2.5]]
    assert read.notices == [
        "The first row was taken as the names of the columns: bias.",
        "Commas were read as decimal points.",
    ]


# ------------------------------------------------------------------------- names


def test_words_in_the_first_row_are_names_of_columns(tmp_path: Path) -> None:
    read = _read(tmp_path, b"\xef\xbb\xbfx,y,z\n1,2,3\n4,5,6\n")
    told = "The first row was taken as the names of the columns: x, y, z."
    assert (_values(read), read.notices, read.tokens) == (ROWS, [told], ())


def test_words_in_the_first_column_are_names_of_rows(tmp_path: Path) -> None:
    read = _read(tmp_path, "token,f1,f2,f3\ncat,1,2,3\nsat,4,5,6\n")
    assert (_values(read), read.tokens) == (ROWS, ("cat", "sat"))
    assert read.notices == [
        "The first row was taken as the names of the columns: f1, f2, f3."
    ]
    signs = _read(tmp_path, '"#",x\n一,1\n二,2\n')
    assert (_values(signs), signs.tokens) == ([[1], [2]], ("一", "二"))
    numbered = _read(tmp_path, '"#","x"\n1,2\n3,4\n')
    assert _values(numbered) == [[1, 2], [3, 4]]
    bare = _read(tmp_path, "cat,1.5,2\nsat,4,5\n")
    assert (_values(bare), bare.tokens) == ([[1.5, 2], [4, 5]], ("cat", "sat"))
    assert bare.notices == []


@pytest.mark.parametrize("token", ["<s>", "[CLS]", "the;end", "a\tb", "don't", "{x}"])
def test_tokens_of_models_are_no_markup(token: str, tmp_path: Path) -> None:
    read = _read(tmp_path, f"{token},0.5,2\nsat,4,5\n")
    assert (_values(read), read.tokens) == ([[0.5, 2], [4, 5]], (token, "sat"))


def test_an_empty_corner_makes_names_of_what_looks_like_numbers(tmp_path) -> None:
    read = _read(tmp_path, ",0,1\n72,1.5,2\n73,4,5\n")
    assert (_values(read), read.tokens) == ([[1.5, 2], [4, 5]], ("72", "73"))
    assert read.notices == []
    doubtful = _read(tmp_path, ",2,3\n4,5,6\n")
    assert (_values(doubtful), doubtful.tokens) == ([[5, 6]], ("4",))
    assert doubtful.notices == [
        "The first cell is empty, so the first row was taken as the names of the "
        "columns, and the first column as those of the rows."
    ]


def test_whole_numbers_in_the_first_row_stay_numbers_and_are_told(tmp_path) -> None:
    named = _read(tmp_path, "year,2020,2021\ncat,1,2\n")
    assert _values(named) == [[2020, 2021], [1, 2]]
    assert named.notices == [
        "The first row was read as the numbers of “year”. If it names the columns, "
        "leave its first cell empty."
    ]
    counted = _read(tmp_path, "0,1,2\n0.5,0.25,7\n")
    assert _values(counted) == [[0, 1, 2], [0.5, 0.25, 7]]
    assert counted.notices == [
        "The first row was read as numbers, although they count the columns."
    ]


# ----------------------------------------------------------------------- notices


@pytest.mark.parametrize(
    ("text", "values", "told"),
    [
        ("# a,b,c\n1,2,3\n4,5,6\n", ROWS, "Line 1 begins with # and was left out."),
        (
            "1,2,3\n#4,5,6\n4,5,6\n# end\n",
            ROWS,
            "Line 2 and all others that begin with # were left out.",
        ),
        ("1,2,3\n\n4,5,6", ROWS, "Empty lines between the rows were left out."),
        ("1,2,3\r\r\n4,5,6", ROWS, "Empty lines between the rows were left out."),
        ("1,2\n-inf,4", [[1, 2], [-INF, 4]], "'W_Q' has −∞ in it, which only a bias"),
        ("1,2\n3,-Infinity", [[1, 2], [3, -INF]], "'W_Q' has −∞ in it"),
        (
            "9007199254740993,2.5",
            [[9007199254740992, 2.5]],
            "9007199254740993 and maybe other whole numbers above 2⁵³ were rounded.",
        ),
        ("1e-400,2.5", [[0, 2.5]], "1e-400 and maybe other numbers are so small"),
        (
            "1.234;5.678",
            [[1.234, 5.678]],
            "The point in 1.234 was read as a decimal point.",
        ),
        (
            "1,5\n2,5",
            [[1, 5], [2, 5]],
            "The comma in “1,5” was read as one between two columns, not as a decimal",
        ),
    ],
)
def test_what_could_be_meant_otherwise_is_told(text, values, told, tmp_path) -> None:
    read = _read(tmp_path, text)
    assert _values(read) == values
    assert len(read.notices) == 1
    assert read.notices[0].startswith(told)


# ---------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1,5;2,5\n3.5;4.5\n", "line 1, column 1: The text has commas and points"),
        ("1.234,5;2\n3;4\n", "line 1, column 1: The text has commas and points"),
        ("1,234\n5,678\n", "“1,234” may be one number or two."),
        ("1,234 \n5,678 \n", "“1,234” may be one number or two."),
        ("a|3,5\nb|4,25\n", "line 1: There are bars between cells."),
        ("1,234;5\n2,000;6\n", "The comma in “1,234” may stand for decimals or for"),
        ("1,234,567;5,5\n", "line 1, column 1: The comma in “1,234,567” may stand"),
        ("1 234;5 678\n", "line 1, column 1: “1 234” is not one number"),
        ("1\u00a0234 5\n", "line 1, column 1: “1 234” is not one number"),
        ("1 234\t5 678\n", "line 1, column 1: “1 234” is not one number"),
    ],
)
def test_commas_in_doubt_are_refused(text, told, tmp_path: Path) -> None:
    assert _refused(tmp_path, text).startswith(told)


def test_a_column_of_decimal_commas_is_refused_where_tabs_belong(tmp_path) -> None:
    told = _refused(tmp_path, "1,5\n2,5\n", "b_Q.tsv")
    assert told.startswith("“1,5” may be one number or two.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1,2,3\n4,5\n6,7,8\n", "line 2: All rows must have the same number of cells."
            " Line 1 has 3, line 2 has 2."),
        ("1,2\n3,4\n5,6,7", "line 3: All rows must have the same number of cells. "
            "Line 1 has 2, line 3 has 3."),
        ("1,2\n3,4 5\n", "line 2, column 2: “4 5” is not one number"),
        (",2,3\n,5,6\n", "line 1, column 1: The cell is empty. Write 0 for nothing."),
        ("a\n1,2,3\n", "line 2: All rows must have the same number of cells."),
        ("x,y\n1,2\n3\n", "line 3: All rows must have the same number of cells."),
        ("1\n\n3\n", "line 2: The line is empty. Write 0 for nothing."),
        ("1,2\n3,\n", "line 2, column 2: The cell is empty. Write 0 for nothing."),
        ("1,2\n3,", "line 2, column 2: The cell is empty. Write 0 for nothing."),
        ("1,,2\n3,4,5\n", "line 1, column 2: The cell is empty."),
        ("", "The file is empty."),
        (" \n\n", "The file is empty."),
        ("\ufeff", "There are no numbers in it."),
        ("# only this\n", "There are no numbers in it."),
        ("a,b,c\n", "There are only names of columns in it, and no numbers."),
        (",0,1\n", "There are only names of columns in it, and no numbers."),
    ],
)  # fmt: skip
def test_tables_with_holes_are_refused_and_never_filled(text, told, tmp_path) -> None:
    assert _refused(tmp_path, text).startswith(told)


@pytest.mark.parametrize(
    "text", ["TRUE,FALSE\nTRUE,TRUE\n", '"a","b"\n"true","false"\n"True","True"\n']
)
def test_a_mask_of_truth_values_alone_is_read_and_told(text, tmp_path) -> None:
    read = _read(tmp_path, text)
    assert _values(read) == [[1, 0], [1, 1]]
    assert "TRUE and FALSE were read as 1 and 0, as of a mask." in read.notices


def test_numbers_far_below_truth_values_are_refused(tmp_path: Path) -> None:
    told = _refused(tmp_path, "TRUE,TRUE\n" * 33_000 + "TRUE,1\n")
    assert told.startswith("line 33001, column 2: The cell must be TRUE or FALSE")


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("inf", "The number must be finite or −inf, which hides a key. Got inf"),
        ("NaN", "The number must be finite or −inf, which hides a key. Got NaN"),
        ("+Infinity", "The number must be finite or −inf"),
        ("1+2j", "“1+2j” is a complex number, which cannot be used here."),
        ("(1+2j)", "“(1+2j)” is a complex number"),
        ("True", "“True” is a truth value. Write 1 or 0 instead."),
        ("N/A", "“N/A” stands for a missing number."),
        ("#DIV/0!", "“#DIV/0!” is not a number, but an error in a spreadsheet."),
        ("#N/A", "“#N/A” is not a number, but an error in a spreadsheet."),
        ("=A1*2", "“=A1*2” is a formula. Save its value instead."),
        ("0x1F", "“0x1F” is hexadecimal."),
        ("1_000", "“1_000” is not a number: it has underscores between digits."),
        ("١", "“١” is not a number: it has other digits than 0 to 9."),
        ("３", "“３” is not a number: it has other digits than 0 to 9."),
        ("½", "“½” is not a number."),
        ("2026-11-21", "“2026-11-21” is a date, not a number."),
        ("21/11/2026", "“21/11/2026” is a date, not a number."),
        ("21.11.2026", "“21.11.2026” is a date or a time, not a number."),
        ("12:30", "“12:30” is a date or a time, not a number."),
        ("1-Jan", "“1-Jan” is a date or a time, not a number."),
        ("(5)", "“(5)” stands for -5 in spreadsheets."),
        ("12%", "“12%” is a percentage."),
        ("$5", "“$5” is an amount of money."),
        ("1d5", "“1d5” is not a number here. Write 1e5 instead."),
        ("1e999", "1e999 is too large: the limit is about 1.8e308."),
        ("-1e999", "-1e999 is too large: the limit is about 1.8e308."),
        ("--inf", "The number must be finite or −inf"),
        ("1|3", "There are bars between cells. Put commas or tabs there."),
        ("1.5.2", "“1.5.2” is not a number."),
        ("+" * 99 + "inf", f"“{'+' * 23}…” is not a number."),
        ("1/3", "“1/3” is not a number."),
        ("1e", "“1e” is not a number."),
        ("l0", "“l0” is not a number."),
        ("1 2", "“1 2” is not one number: it has a space or line break."),
        ("", "The cell is empty. Write 0 for nothing."),
        ('"=HYPERLINK(""http://example.invalid/"")"', "“=HYPERLINK("),
        ('"1\n2"', "“1 2” is not one number: it has a space or line break."),
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused_with_its_place(cell, told, tmp_path) -> None:
    text = f"1,2.5,3\n4,{cell},6\n7,8,9\n"
    assert _refused(tmp_path, text).startswith(f"line 2, column 2: {told}")


@pytest.mark.parametrize(
    "cell", ["1+2j", "0x1F", "#DIV/0!", "True", "١", "NaN", "12%", "2nd", "=A1", "½"]
)
def test_a_broken_number_at_the_start_makes_no_names(cell, tmp_path: Path) -> None:
    told = _refused(tmp_path, f"{cell},3\n4,5\n")
    assert told.startswith("line 1, column 1: ")
    told = _refused(tmp_path, f"{cell},{cell}\n4,5\n")
    assert told.startswith("line 1, column 1: ")
    assert _refused(tmp_path, f"1,{cell}\n4,5\n").startswith("line 1, column 2: ")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "It is no table of numbers: it is a PNG"),
        (b"\x1f\x8b\x08\x00", "It is no table of numbers: it is compressed with gzip"),
        (b"PK\x03\x04\x14\x00", "It is no table of numbers: it is a ZIP archive"),
        (b"x\x9c3\xd41\xe22\xd61\xe1\x02\x00\x05\xe4\x017", "It is not a text file."),
        (b"\xff\xe4\"y\xf3\xbd\x06\x83f\xa8R\xc1\xbb", "It is not a text file."),
        (b"1,2\n3,\xff\xfe\xfa\n", "line 2: The text is not UTF-8 there."),
        (b"1,2\n3,4\nn\xe9,5", "line 3: The text is not UTF-8 there."),
        (b"1,2\n3,\x004,5,6,7,8,9", "line 2: It is not a text file: it has a null"),
        (b"\xff\xfe1\x00,\x002\x00\n\x003", "line 2: The text is not UTF-16 there."),
        ("\ufeff1,2".encode("utf-32-le"), "It is in UTF-32. Save it as UTF-8."),
        (b"<!DOCTYPE html><html><body>404</body></html>\n",
            "It is no table of numbers: it is an HTML page."),
        (b'<?xml version="1.0"?>\n', "It is no table of numbers: it is an XML"),
        (b"[[1, 2], [3, 4]]", "It is no table of numbers: it is JSON"),
        (b'{"W_Q": [[1, 2]]}', "It is no table of numbers: it is JSON"),
        (b'1,"2,3\n', "line 1: A quotation mark is opened here and never closed."),
        (b'"1\n2,3\n', "line 1: A quotation mark is opened here and never closed."),
        (b'"a b\n', "line 1: A quotation mark is opened here and never closed."),
        (b'1,2\n"3"4,5\n', "line 2: The quotation marks do not match."),
    ],
)  # fmt: skip
def test_other_files_are_refused_as_what_they_are(data, told, tmp_path) -> None:
    assert _refused(tmp_path, data).startswith(told)


def test_a_line_is_found_far_behind_pieces_and_blocks(tmp_path: Path) -> None:
    many = b"1,2,3\r\n" * 400_000
    told = _refused(tmp_path, many + b"1,x,3\r\n" + many)
    assert told == "line 400001, column 2: “x” is not a number."
    told = _refused(tmp_path, many + b"1,2\r\n" + many)
    assert told.startswith("line 400001: All rows")
    told = _refused(tmp_path, many + b"1,\xff,3\r\n" + many)
    assert told.startswith("line 400001: The text is not UTF-8")


def test_files_that_are_too_large_or_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"1,2,3\n")
    with pytest.raises(FileError, match=r"It has 6 bytes\. At most 5 are read\."):
        read_csv_file(path, 5)
    for other in (tmp_path, tmp_path / "none.csv", Path("a\0.csv")):
        with pytest.raises(FileError):
            read_csv_file(other, LIMIT)


@pytest.mark.parametrize(
    "content",
    [
        b'1,"2,3\n' + b"2,3\n" * 600_000,
        b'"' * 2_000_000,
        b"1," * 1_000_000,
        b"1" * 2_000_000,
        b"(" * 2_000_000,
        b"1;" + b"," * 1_000_000,
        b"#" * 2_000_000,
        b"1,2\n" + b"\n" * 1_000_000 + b"3,4",
        b" " * 2_000_000 + b"x",
        (b"'" * 100_000 + b",1\n") * 20,
        (b"$" * 100_000 + b",1\n") * 20,
        b"x,1\n" + b"1" * 130_000 + b"j,1\n",
        b'"1"\n' * 800_000,
        b'"a",1\n' * 400_000,
    ],
)
def test_nothing_takes_long(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    start = time.process_time()
    with suppress(FileFormatError):
        read_csv_file(path, LIMIT)
    assert time.process_time() - start < 1.5


# -------------------------------------------------------------- there and back again

_ANY = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=5),
    elements=st.floats(allow_nan=False, max_value=1.7976931348623157e308),
)
_TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8
)


@given(values=_ANY)
@_FOLDER
def test_what_is_exported_without_names_is_read_back_bit_for_bit(
    values, tmp_path: Path
) -> None:
    read = _read(tmp_path, b"".join(csv_pieces(bare_rows(values))))
    assert read.values["W_Q"].tobytes() == values.tobytes()
    assert read.values["W_Q"].shape == values.shape
    assert read.tokens == ()


@given(values=_ANY, data=st.data())
@_FOLDER
def test_what_is_exported_with_names_is_read_back_with_them(
    values, data, tmp_path: Path
) -> None:
    rows, columns = (
        data.draw(st.lists(_TEXTS | st.sampled_from("#;,"), min_size=n, max_size=n))
        for n in values.shape
    )
    assume(any(name.strip() for name in rows) and any(n.strip() for n in columns))
    read = _read(tmp_path, b"".join(csv_pieces(matrix_rows(values, rows, columns))))
    assert read.values["W_Q"].tobytes() == values.tobytes()
    assert read.tokens == tuple(rows)


@given(
    values=_ANY,
    between=st.sampled_from(["\t", ";", ",", " ", ", ", " ; ", "   "]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be"]),
    decimal=st.sampled_from([".", ","]),
    names=st.booleans(),
)
@_FOLDER
def test_random_tables_come_back_bit_for_bit_or_are_refused(
    values, between, end, encoding, decimal, names, tmp_path: Path
) -> None:
    # A column alone with decimal commas may be two, which is told.
    assume(decimal == "." or ("," not in between and values.shape[1] > 1))
    lines = [
        [repr(number).replace(".", decimal) for number in r] for r in values.tolist()
    ]
    if names:
        lines.insert(0, [f"x{place}" for place in range(values.shape[1])])
    text = end.join(between.join(line) for line in lines) + end
    try:
        read = _read(tmp_path, text.encode(encoding))
    except FileFormatError as error:
        assert decimal == ","
        assert "“" in error.reason  # noqa: PT017
        return
    pairs = any("between two columns" in notice for notice in read.notices)
    assert pairs or read.values["W_Q"].tobytes() == values.tobytes()


@given(text=st.text('01," \n', max_size=40), width=st.integers(1, 3))
@example(text='","\n"x"y"\n', width=2)
@example(text='"1,2"\n"1\n2",1\n', width=2)
@example(text='1""\n', width=1)
def test_cells_that_are_taken_at_once_are_those_of_the_csv_module(text, width) -> None:
    try:
        want = list(csv.reader(text.splitlines(keepends=True), strict=True))
    except csv.Error:
        want = None
    try:
        taken = Lines(text.splitlines(keepends=True), ",", 0).take(99, width)
    except RowError:
        assert want is None
        return
    if isinstance(taken, Cells):
        assert want is not None
        assert [len(row) for row in want] == [width] * len(taken.lines)
        assert taken.cells == [cell for row in want for cell in row]


@given(
    content=st.binary(max_size=200)
    | st.text('0123,;. \t\n\r"#-ejx=', max_size=60).map(str.encode)
)
@example(content=b"")
@settings(_FOLDER, max_examples=100)
def test_any_bytes_are_read_or_refused_in_a_sentence(content, tmp_path: Path) -> None:
    try:
        read = _read(tmp_path, content)
    except FileFormatError as error:
        assert error.reason[0].isprintable()  # noqa: PT017
        assert error.reason.endswith((".", ")."))  # noqa: PT017
        return
    assert not np.isnan(read.values["W_Q"]).any()


@pytest.mark.parametrize(
    ("text", "values", "names"),
    [
        ("1,2,\n3,4,\n", [[1, 2], [3, 4]], ()),
        ("a,b,\n1,2,\n3,4, \n", [[1, 2], [3, 4]], ()),
        (",a,b,\nthe,1,2,\ncat,3,4,\n", [[1, 2], [3, 4]], ("the", "cat")),
        ("1,5;2;\n3;4;\n\n", [[1.5, 2], [3, 4]], ()),
        ("1\t2\t\n3\t4\t\n", [[1, 2], [3, 4]], ()),
        ('"1","2",\n"3","4",\n', [[1, 2], [3, 4]], ()),
        ("1,\n2,\n", [[1], [2]], ()),
    ],
)
def test_a_separator_at_the_end_of_every_line_is_left_out(
    text, values, names, tmp_path
) -> None:
    read = _read(tmp_path, text)
    assert _values(read) == values
    assert read.tokens == names
    assert "Every line ends with a separator, which was left out." in read.notices
    assert not any("The comma in" in notice for notice in read.notices)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1,2,\n3,4,5\n", "line 1, column 3: The cell is empty. Write 0 for nothing."),
        ("1,2,\n3,4\n", "line 2: All rows must have the same number of cells."),
        ("1,,\n2,,\n", "line 1, column 2: The cell is empty. Write 0 for nothing."),
        (
            "1,2,\n" * 100 + "3,4,5\n",
            "line 101: Line 1 ends with a separator and nothing after it, line 101 "
            "does not.",
        ),
    ],
)
def test_a_cell_that_is_missing_is_no_separator_at_the_end(
    text, told, tmp_path
) -> None:
    assert told in _refused(tmp_path, text)
