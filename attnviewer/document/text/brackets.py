"""Arrays as programs print them, with brackets around their rows."""

import re

from attnviewer.document.text.expression import shortened

_FULL_LINE = 65
"""NumPy breaks rows at 75 characters, less the “array(” and “[” removed here."""

_NAME = re.compile(r"\s*(Parameter containing:|Out\[[0-9]+\]:|[^\W\d]\w*\s*=(?!=))\s*")
_CALL = re.compile(
    r"(?:[a-z]\w*\.)?"
    r"(?:array|(?:Device)?Array|asarray|matrix|tensor|Tensor|Parameter)\(\s*"
)
_IN_PARENTHESES = re.compile(r"\(([^()\[\]]*)\)")
_TUPLES = re.compile(r"[\[(]?\s*\(")
_AFTER = re.compile(r"\s*,?\s*([A-Za-z_]+\s*=[^\[\]]*)?\)*\s*;?\s*")
_ROW = re.compile(r"\[([^\[\]]*)\]")
_LINES = re.compile(r"\[[^\[\]]*\]\s*,?\s*\[")
_BETWEEN = re.compile(r"\s*,?\s*")


def bracketed_rows(text: str) -> list[list[str]] | None:
    """Return the cells of an array in brackets, or of a named matrix.

    Accepted are ``[[1 2] [3 4]]`` with or without commas, the same inside ``array(…)``
    or ``tensor(…, device=…)``, lists and tuples, ``[1, 2; 3, 4]``, rows in brackets
    without outer brackets, and ``A =`` before any of them or before lines of numbers.

    Parameters
    ----------
    text : str
        The copied text.

    Returns
    -------
    list of list of str or None
        The cells, not checked for equal widths; None if it is no such text.

    Raises
    ------
    ValueError
        If its brackets do not form a matrix.
    """
    named = _NAME.match(text)
    body = text[named.end() :] if named else text.strip()
    if called := _CALL.match(body):
        body = body[called.end() :]
    if "(" in body:
        body = _without_calls(body)
    if body.startswith("[,1]"):
        raise ValueError(
            "The text has R's headings. In R, print the numbers alone: "
            "write.table(A, row.names = FALSE, col.names = FALSE)"
        )
    if _LINES.match(body):
        return _nested(body)
    if body.startswith("["):
        return _rows(body)
    if named and not called:
        lines = [line.split() for line in body.strip().rstrip(";").split("\n")]
        return [line for line in lines if line] or None
    return None


def _without_calls(body: str) -> str:
    if not _TUPLES.match(body):
        return body
    body = _IN_PARENTHESES.sub(_as_list, body)
    if body.startswith("(") and body[1:].lstrip().startswith("["):
        end = body.rfind(")")
        body = f"[{body[1:end]}]{body[end + 1 :]}"
    return body


def _as_list(found: re.Match[str]) -> str:
    return f"[{found[1]}]" if "," in found[1] else found[0]


def _rows(body: str) -> list[list[str]]:
    end = body.rfind("]")
    inside, after = body[1:end], body[end + 1 :]
    if end < 1 or not _AFTER.fullmatch(after):
        raise ValueError(
            f"The array must end with its last bracket. Got “{shortened(after)}” after "
            "it instead."
            if end >= 1
            else "The bracket that the array begins with must be closed."
        )
    if "[" not in inside and "]" not in inside:
        return [_cells(line) for line in _lines(inside)]
    if inside.lstrip().startswith("[") and re.match(r"\s*\[\s*\[", inside):
        raise ValueError(
            "The array must have 2 dimensions. Got more instead: copy one matrix of it."
        )
    return _nested(inside)


def _nested(inside: str) -> list[list[str]]:
    rows = []
    start = 0
    for row in _ROW.finditer(inside):
        _check_between(inside[start : row.start()])
        rows.append(_cells(row[1]))
        start = row.end()
    _check_between(inside[start:])
    return rows


def _check_between(text: str) -> None:
    if not _BETWEEN.fullmatch(text):
        raise ValueError(
            "Each row of the array must be in brackets of its own. "
            f"Got “{shortened(text.strip())}” between them instead."
        )


def _cells(row: str) -> list[str]:
    if "," not in row:
        return row.split()
    cells = row.split(",")
    # Python allows a trailing comma.
    return cells[:-1] if not cells[-1].strip() else cells


def _lines(inside: str) -> list[str]:
    """Return the rows of an array that has a single pair of brackets."""
    lines = re.split("[;\n]" if ";" in inside else "\n", inside)
    lines = [line for line in lines if line.strip()]
    if ";" in inside or (len(lines) > 1 and not _is_one_row(lines)):
        return lines
    return [" ".join(lines)]


def _is_one_row(lines: list[str]) -> bool:
    """Return whether lines are one long row that was wrapped, not rows of MATLAB."""
    if all(line.rstrip().endswith(",") for line in lines[:-1]):
        return True
    widest = max(len(cell) for line in lines for cell in line.split())
    return all(line.startswith(" ") for line in lines[1:]) and all(
        len(line) + widest >= _FULL_LINE for line in lines[:-1]
    )
