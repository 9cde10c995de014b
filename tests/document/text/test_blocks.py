"""Blocks of numbers as programs write them, and as spreadsheets take them."""

import csv
import io
import json
from time import process_time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from attnviewer.document.text.blocks import block_text, parse_block

SQUARE = [[1.0, 2.0], [3.0, 4.0]]
finite = st.floats(allow_nan=False, allow_infinity=False)
blocks = arrays(
    np.float64, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=finite
)


@pytest.mark.parametrize(
    "text",
    [
        "1\t2\n3\t4",
        "1\t2\r\n3\t4\r\n",
        "1\t2\r3\t4\r",
        "\ufeff1\t2\n3\t4\n\n",
        " 1 \t 2 \n\u00a03\t4\u00a0",
        '"1"\t"2"\n"3"\t"4"',
        "1,2\n3, 4",
        "1;2\n3;4\n",
        '"1","2"\n"3","4"',
        "1 2\n3 4",
        "  1.0   2.0\n  3.0   4.0\n",
        "1.000000000000000000e+00 2.000000000000000000e+00\n3e0 4e0\n",
        "[[1 2]\n [3 4]]",
        "[[1. 2.]\n [3. 4.]]",
        "[[1.e+00 2.e+00]\n [3.e+00 4.e+00]]",
        "array([[1., 2.],\n       [3., 4.]])",
        "array([[1., 2.],\n       [3., 4.]], dtype=float32)",
        "np.array([[1, 2], [3, 4]])",
        "numpy.array([[1, 2], [3, 4]], dtype=np.float64)",
        "matrix([[1, 2],\n        [3, 4]])",
        "X = np.array([[1, 2], [3, 4]])",
        "[[1, 2], [3, 4]]",
        "[[1, 2,], [3, 4],]",
        "((1, 2), (3, 4))",
        "[(1, 2), (3, 4)]",
        "[[np.float64(1.0), np.float64(2.0)], [np.float64(3.0), np.float64(4.0)]]",
        "tensor([[1., 2.],\n        [3., 4.]])",
        "DeviceArray([[1., 2.],\n             [3., 4.]], dtype=float32)",
        "tensor([[1., 2.], [3., 4.]], device='cuda:0', grad_fn=<MmBackward0>)",
        "Parameter containing:\ntensor([[1., 2.], [3., 4.]], requires_grad=True)",
        "[1, 2; 3, 4]",
        "[1 2; 3 4]",
        "[1 2; 3 4;];",
        "A = [1 2\n3 4];",
        "A = [ 1, 2 ;\n      3, 4 ]",
        "A =\n\n     1     2\n     3     4\n\n",
        "=4/4\t=sqrt(4)\n2**2-1\t=4",
    ],
)
def test_a_square_is_read_however_it_is_written(text):
    block = parse_block(text)
    assert block.values.tolist() == SQUARE
    assert block.values.dtype == np.float64
    assert block.notices == ()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("5", [[5]]),
        ("1/3", [[1 / 3]]),
        ("1 / 4", [[0.25]]),
        ("1 -2", [[1, -2]]),
        ("(1+2)*3", [[9]]),
        ("sqrt(4)\t1/4\n2**3\t-1", [[2, 0.25], [8, -1]]),
        ("[1 2 3]", [[1, 2, 3]]),
        ("[1, 2, 3]", [[1, 2, 3]]),
        ("(1, 2, 3)", [[1, 2, 3]]),
        ("array([0.5])", [[0.5]]),
        ("[1; 2; 3]", [[1], [2], [3]]),
        ("1\n2\n3\n", [[1], [2], [3]]),
        ("[[(1+2)/3, 2]]", [[1, 2]]),
        ("[[ True False]\n [False  True]]", [[1, 0], [0, 1]]),
        ("TRUE\tFALSE", [[1, 0]]),
        ("−1\t−0.5", [[-1, -0.5]]),
        ("[1,\n 2,\n 3]", [[1, 2, 3]]),
        ("[\n  1,\n  2\n]", [[1, 2]]),
        ("[1 2]\n[3 4]", [[1, 2], [3, 4]]),
        ("[1, 2],\n[3, 4]", [[1, 2], [3, 4]]),
        ("Out[3]: array([1, 2])", [[1, 2]]),
        ("np.float64(1.5)", [[1.5]]),
        ("[np.True_, np.False_]", [[1, 0]]),
    ],
)
def test_other_shapes_and_cells_are_read_too(text, values):
    assert parse_block(text).values.tolist() == values


@pytest.mark.parametrize(
    ("text", "values", "notice"),
    [
        ("0,5\t1\n2\t3,25", [[0.5, 1], [2, 3.25]], "Commas were read as decimal"),
        ("0,5;1,5", [[0.5, 1.5]], "Commas were read as decimal"),
        ("1,500\t0,25", [[1.5, 0.25]], "Commas were read as decimal"),
        ('"1,5";"2"', [[1.5, 2]], "Commas were read as decimal"),
        ('"1,5","2,25"', [[1.5, 2.25]], "Commas were read as decimal"),
        ("-1,5e-3\t2", [[-0.0015, 2]], "Commas were read as decimal"),
        ("1\u00a0234\t5", [[1234, 5]], "Spaces between digits were read as marks"),
        ("12\u202f345\t5", [[12345, 5]], "Spaces between digits were read as marks"),
    ],
)
def test_a_comma_that_can_only_be_decimal_is_read_so_with_a_notice(
    text, values, notice
):
    block = parse_block(text)
    assert block.values.tolist() == values
    assert len(block.notices) == 1
    assert block.notices[0].startswith(notice)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "The text to paste is empty"),
        (" \n\n", "The text to paste is empty"),
        ("1\t2\n3", "Line 1 has 2, line 2 has 1."),
        ("1,2\n3,4\n5,6,7", "Line 1 has 2, line 3 has 3."),
        ("[[1, 2], [3]]", "Line 1 has 2, line 2 has 1."),
        ("1\t2\n3\tabc", "Line 2, cell 2 of the text: “abc” is not a number."),
        ("1\t\n3\t4", "Line 1, cell 2 of the text is empty"),
        ("1\n\n3", "Line 2 of the text is empty."),
        ("a\tb\n1\t2", "Line 1, cell 1 of the text: “a” is not a number."),
        ("a\tb\n1\t2", "Copy the numbers without their headings."),
        ("the\t1\ncat\t2", "Copy the numbers without their headings."),
        ("weight\n1\n2", "Copy the numbers without their headings."),
        ("| 1 | 2 |\n|---|---|", "The text has bars between its cells, as tables in"),
        ("     [,1] [,2]\n[1,]    1    3\n     [,3]\n[1,]  2", "has R's headings."),
        ("1\t50%", "cell 2 of the text: Write a percentage as a fraction: 50/100"),
        ("1\t2024-01-02", "cell 2 of the text: “2024-01-02” is a date, not a number."),
        ("1/2/2024\t1", "cell 1 of the text: “1/2/2024” is a date, not a number."),
        ("1\t(1.50)", "“(1.50)” stands for -1.50 in spreadsheets. Write it without"),
        ('"1\n2"\t3', "Line 1, cell 1 of the text: “1 2” is not a number."),
        ("1\tnan", "cell 2 of the text: The number must be finite. Got nan"),
        ("-inf\t1", "cell 1 of the text: The number must be finite. Got -inf"),
        ("1_000\t2", "“1_000” is not a number."),
        ("infinity\t1", "must be finite"),
        ("1e999\t2", "cell 1 of the text: 1e999 is too large"),
        ("2\t1e-999", "cell 2 of the text: 1e-999 is too small"),
        ("1\t1/0", "cell 2 of the text: “1/0” is not a number: it divides by zero."),
        ("0,5", "“0,5” may be one number or two."),
        ("1,0\n0,1", "“1,0” may be one number or two."),
        ("1,500\t2,500", "may stand for decimals or for thousands"),
        ("1,234,567\t0,5", "The comma in “1,234,567” may stand for"),
        ("1,234.5\t2", "The text has commas and points, such as in “1,234.5”."),
        ("1.234,5\t2", "The text has commas and points, such as in “1.234,5”."),
        ("[[1. 2. ... 3. 4.]\n ...]", "leaves numbers out where it has “...”."),
        ("tensor([[1., ..., 2.]])", 'torch.set_printoptions(profile="full")'),
        ("[[[1, 2]]]", "must have 2 dimensions. Got more"),
        ("[[1, 2], 3]", "Each row of the array must be in brackets of its own."),
        ("[[1, 2], [3, 4]", "Each row of the array must be in brackets of its own."),
        ("[1, 2", "The bracket that the array begins with must be closed."),
        ("[[1, 2]] + 1", "The array must end with its last bracket. Got “+ 1”"),
        ("[]", "Line 1 of the text is empty."),
        ("[[]]", "Line 1 of the text is empty."),
        ('"1\t2', "The quotation marks in the text do not match."),
        ("[1 - 2]", "Line 1, cell 2 of the text: “-” is not a number."),
        ("array([1, 2])[0]", "Each row of the array must be in brackets of its own."),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text, reason):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the message is compared
        parse_block(text)
    assert reason in str(caught.value)


def test_minus_infinity_is_read_only_where_it_is_allowed():
    text = "0\t-inf\n-∞\t0"
    expected = [[0, -np.inf], [-np.inf, 0]]
    assert parse_block(text, infinite=True).values.tolist() == expected
    with pytest.raises(ValueError, match="cell 2 of the text: The number"):
        parse_block("0\tinf", infinite=True)


@given(blocks)
def test_a_copied_block_reads_back_bit_for_bit(values):
    back = parse_block(block_text(values)).values
    assert back.shape == values.shape
    assert back.tobytes() == values.tobytes()


@given(blocks)
def test_what_other_writers_make_of_a_block_is_read_back_exactly(values):
    file = io.StringIO()
    csv.writer(file, delimiter=";").writerows(values.tolist())
    whole = {"threshold": 10**9, "floatmode": "unique"}
    with np.printoptions(**whole):
        printed, shown = str(values), repr(values)
    texts = [file.getvalue(), json.dumps(values.tolist()), printed, shown]
    for text in texts:
        assert np.array_equal(parse_block(text).values, values)


@pytest.mark.parametrize("write", [str, repr])
@pytest.mark.parametrize("count", [3, 40, 200])
def test_a_long_printed_row_is_one_row_on_however_many_lines(write, count):
    row = np.random.default_rng(1).normal(size=count)
    with np.printoptions(floatmode="unique"):
        text = write(row)
    assert ("\n" in text) == (count > 3)
    assert np.array_equal(parse_block(text).values, row[np.newaxis])


def test_whole_numbers_are_copied_without_a_point_and_minus_zero_with_its_sign():
    values = np.array([[0.0, -0.0, 10.0], [-10.0, 0.5, -np.inf]])
    assert block_text(values) == "0\t-0.0\t10\n-10\t0.5\t-inf"
    assert block_text(np.array([[True, False]])) == "1\t0"


@pytest.mark.parametrize("kind", ["tabs", "csv", "list"])
def test_a_quarter_of_a_million_cells_are_copied_and_read_without_a_wait(kind):
    values = np.random.default_rng(0).normal(size=(500, 500))
    start = process_time()
    text = block_text(values)
    copied = process_time() - start
    if kind == "csv":
        text = text.replace("\t", ",")
    elif kind == "list":
        text = str(values.tolist())
    start = process_time()
    back = parse_block(text).values
    # About 0.13 s and 0.23 s here; a Python call per cell takes several times that.
    assert copied < 0.75
    assert process_time() - start < 1.25
    assert back.tobytes() == values.tobytes()


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "(" * 200_000,
        "[(" + "1," * 100_000,
        "np.float64(" * 50_000,
        "1," * 200_000 + "x",
        '"' * 200_001 + "\t",
        "," * 200_000 + ".\t",
        "a = " * 50_000,
        "[1" + "\n1" * 200_000 + " x]",
        "\u00a01" * 200_000 + "x",
    ],
)
def test_a_hostile_text_is_refused_soon(text):
    start = process_time()
    with pytest.raises(ValueError, match=r"."):
        parse_block(text)
    assert process_time() - start < 5


def test_too_much_text_too_many_cells_and_formulas_are_refused(monkeypatch):
    monkeypatch.setattr("attnviewer.document.text.blocks.MOST_CHARACTERS", 10)
    with pytest.raises(ValueError, match=r"at most 10 characters\. Got 11"):
        parse_block("1" * 11)
    monkeypatch.setattr("attnviewer.document.text.blocks.MOST_CHARACTERS", 100)
    monkeypatch.setattr("attnviewer.document.text.blocks.MOST_COPIED", 3)
    with pytest.raises(ValueError, match=r"at most 3 cells\. Got 4"):
        parse_block("1\t2\n3\t4")
    monkeypatch.setattr("attnviewer.document.text.blocks.MOST_FORMULAS", 2)
    with pytest.raises(ValueError, match="2 different formulas at most"):
        parse_block("1/2\t1/3\t1/4")
    assert parse_block("1/2\t1/2\t1/2").values.tolist() == [[0.5, 0.5, 0.5]]
