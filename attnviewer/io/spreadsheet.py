"""Sizes and cell names of spreadsheets."""

from functools import cache

MOST_ROWS, MOST_COLUMNS = 2**20, 2**14
"""Maximum rows and columns of a sheet."""


@cache
def column_name(column: int) -> str:
    """Return the letters of a column, counted from zero."""
    letters = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell, such as ``B2`` for row 1, column 1."""
    return f"{column_name(column)}{row + 1}"
