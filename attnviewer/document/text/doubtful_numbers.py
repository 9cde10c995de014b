"""Errors for commas and notations of numbers that can be read in two ways."""

import re

from attnviewer.document.text.expression import shortened

DECIMAL_COMMA = re.compile(r"[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?")
"""A number with a comma in place of the decimal point."""
GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+")
"""A number with commas that may be thousands separators."""

_NEGATIVE = re.compile(r"\(\s*[0-9]+(\.[0-9]*)?\s*\)")
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}([-/])[0-9]{1,2}\1[0-9]{4}"
)


def one_or_two(text: str) -> ValueError:
    """Return the error for a comma that may be decimal or between two numbers."""
    return ValueError(
        f"“{shortened(text)}” may be one number or two. Write decimals with a "
        f"point ({shortened(text.replace(',', '.'))}), or a space after the comma "
        f"({shortened(text.replace(',', ', '))})."
    )


def commas_and_points(cell: str) -> ValueError:
    """Return the error for decimals that are written in two ways."""
    return ValueError(
        f"The text has commas and points, such as in “{shortened(cell)}”. Write "
        "decimals with a point, and nothing between thousands."
    )


def doubtful_comma(cell: str) -> ValueError:
    """Return the error for a comma that may be a thousands separator."""
    return ValueError(
        f"The comma in “{shortened(cell)}” may stand for decimals or for thousands. "
        "Write decimals with a point, and nothing between thousands."
    )


def check_as_in_spreadsheets(cell: str) -> None:
    """Refuse valid arithmetic that means something else in spreadsheets.

    Raises
    ------
    ValueError
        If it is a date, or a number in parentheses.
    """
    if _DATE.fullmatch(cell):
        raise ValueError(f"“{cell}” is a date, not a number.")
    if _NEGATIVE.fullmatch(cell):
        number = cell.strip("() ")
        raise ValueError(
            f"“{shortened(cell)}” stands for -{shortened(number)} in spreadsheets. "
            "Write it without parentheses."
        )
