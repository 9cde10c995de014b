"""Tables that pandas 2.3 printed or copied; the texts are its own."""

import pytest

from attnviewer.document.text.blocks import parse_block

NAMED = """\
          the       cat       now
the -2.325031 -0.218792 -0.732267
cat -0.544259 -0.316300  1.042513
"""
VALUES = [[-2.325031, -0.218792, -0.732267], [-0.544259, -0.3163, 1.042513]]
COUNTED = """\
       0      1
0  0.126 -0.132
1 -0.536  0.362
"""
WIDE = (
    "        0        1  \\\n"
    "the  1.50  0.25000   \n"
    "cat -1.25  0.00001   \n\n"
    "        2  \n"
    "the  10.0  \n"
    "cat   2.0  \n"
)
SPACED = """\
                   d 0  d1
New York  1.000000e-08   3
b         2.000000e+00   4
"""
R = """\
     [,1] [,2]
[1,]  0.5    3
[2,]  2.0    4
"""


@pytest.mark.parametrize(
    "text",
    [
        NAMED,
        NAMED.lstrip(" "),  # copied from its first letter on
        NAMED.replace("now\n", "now\nquery                           \n", 1),
        NAMED.replace("    ", "key ", 1).replace("now\n", "now\nq\n", 1),
        NAMED + "\n[2 rows x 3 columns]",
    ],
)
def test_names_above_and_beside_are_told_from_numbers(text):
    block = parse_block(text)
    assert block.values.tolist() == VALUES
    assert block.names == ("the", "cat")
    assert block.notices == (
        "The first row was taken as the names of the columns: the, cat, now.",
    )


@pytest.mark.parametrize(
    ("text", "values", "names"),
    [
        (COUNTED, [[0.126, -0.132], [-0.536, 0.362]], ()),
        ("\t0\t1\n0\t0.5\t1\n1\t2\t3", [[0.5, 1], [2, 3]], ()),
        ("\td0\td1\nthe\t0.5\t1\ncat\t2\t3", [[0.5, 1], [2, 3]], ("the", "cat")),
        ("\t0\t1\n'-3\t0.5\t1\n'=b\t2\t3", [[0.5, 1], [2, 3]], ("-3", "=b")),
        ("\t72\t3\n72\t0.5\t1\n3\t2\t3", [[0.5, 1], [2, 3]], ("72", "3")),
        (WIDE, [[1.5, 0.25, 10], [-1.25, 0.00001, 2]], ("the", "cat")),
        (SPACED, [[1e-8, 3], [2, 4]], ("New York", "b")),
        ("the    1.5\ncat    2.5\ndtype: float64", [[1.5], [2.5]], ("the", "cat")),
        ("  a     b\n0  1  True\n1  2 False", [[1, 1], [2, 0]], ()),
        (R, [[0.5, 3], [2, 4]], ()),
    ],
)
def test_names_that_count_are_left_out_and_parts_are_joined(text, values, names):
    block = parse_block(text)
    assert (block.values.tolist(), block.names) == (values, names)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("     0      1\n0  1.0    2.0\n1  NaN    3.0", "Row “1”, column “0”"),
        (
            "     0  ...   9\n0  1.0  ...  2\n\n[1 rows x 10 columns]",
            "In pandas, print",
        ),
        ("  0.5  1.0\n1 0.5  1.0", "Line 1 has 2, line 2 has 3."),
        ("\t0.5\t1.0\ncat\t0.5\t1.0", "Line 1, cell 1 of the text is empty"),
    ],
)
def test_what_may_be_something_else_or_lacks_numbers_is_refused(text, reason):
    with pytest.raises(ValueError, match=reason):
        parse_block(text)
