"""Rows of numbers after their names, from and to clipboard text."""

from collections.abc import Sequence

from attnviewer.compute import Array
from attnviewer.document.text.blocks import (
    Block,
    block_text,
    is_number_text,
    parse_block,
)
from attnviewer.document.text.expression import PLAIN, shortened
from attnviewer.document.text.lines import quoted_cell, unquoted_rows
from attnviewer.document.text.parsing import NO_NUMBERS


def named_block_text(names: Sequence[str], values: Array) -> str:
    """Write rows of numbers after their names, as `block_text` writes numbers.

    Where a name could be read as a number, the columns have headings, their numbers.

    Parameters
    ----------
    names : sequence of str
        One per row; quoted where necessary.
    values : ndarray, shape (rows, columns)
        The numbers.
    """
    numbers = block_text(values).split("\n")
    pairs = zip(map(quoted_cell, names), numbers, strict=True)
    lines = [f"{name}\t{row}" for name, row in pairs]
    if any(is_number_text(name) or _is_meant_as_number(name) for name in names):
        lines.insert(0, "\t" + "\t".join(map(str, range(values.shape[1]))))
    return "\n".join(lines)


def parse_named_block(text: str) -> Block | None:
    """Parse rows of numbers that begin with their names, such as ``cat 1 2 3``.

    Parameters
    ----------
    text : str
        The copied text, with tabs, semicolons, commas or spaces between cells. A first
        line without a name holds headings, and is skipped.

    Returns
    -------
    Block or None
        None unless the first line begins with a name, each line has cells after its
        first one, and some of the names are not written like numbers: ``1e400`` and
        ``nan`` alone are not.

    Raises
    ------
    ValueError
        If other lines have no name, or the numbers cannot be read, see `parse_block`.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    between = next((sign for sign in "\t;," if sign in text), None)
    if between is not None and '"' in text:
        rows = unquoted_rows(text, between)
    else:
        rows = [line.split(between) for line in text.split("\n")]
    headed = rows[0][:1] == [""]
    rows = rows[headed:]
    least = 2 if between is None else 1  # “word 1” is a name
    names = tuple(row[0] for row in rows if len(row) > least)
    if between != "\t":
        names = tuple(name.strip() for name in names)
    if not names or len(names) < len(rows) or all(map(_is_meant_as_number, names)):
        return None
    named = [bool(name) and not is_number_text(name) for name in names]
    if not named[0]:
        return None
    if not all(named):
        other = named.index(False)
        begun = f"the number {shortened(names[other])}" if names[other] else "none"
        raise ValueError(
            "All lines must begin with a name, or none of them. "
            f"Line {headed + 1} begins with “{shortened(names[0])}”, line "
            f"{headed + other + 1} with {begun}."
        )
    # A number for each name, so that error messages count all cells of the line.
    numbers = ((between or " ").join(["0", *row[1:]]) for row in rows)
    block = parse_block("\n".join(numbers))
    return Block(block.values[:, 1:], block.notices, names)


def _is_meant_as_number(text: str) -> bool:
    """Return whether a text is written as a number is, though it may be refused."""
    typed = text.strip().removesuffix("%").rstrip()
    infinite = typed.lower().lstrip("+-−") in NO_NUMBERS
    return infinite or typed.startswith("=") or bool(PLAIN.fullmatch(typed))
