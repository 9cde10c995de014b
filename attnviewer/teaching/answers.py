"""Answers as plain values, to be kept in files."""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

Plain: TypeAlias = str | list[int] | dict[str, str]
"""An answer in JSON: a name, the numbers of options, or texts by ``row,column``."""
_CELL = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")


def plain_answer(answer: Any) -> Plain | None:
    """Return an answer as a plain value; None for one that is no value, as a document.

    Parameters
    ----------
    answer : object
        As a task takes it.
    """
    if isinstance(answer, Mapping):
        return {f"{row},{column}": str(text) for (row, column), text in answer.items()}
    if isinstance(answer, tuple | list):
        return [int(number) for number in answer]
    return answer if isinstance(answer, str) else None


def answer_of(plain: Plain) -> Any:
    """Return the answer that a plain value stands for.

    Cells that are none are left out; whether the answer fits a task is for the task to
    say.
    """
    if isinstance(plain, dict):
        cells = ((_CELL.fullmatch(key), text) for key, text in plain.items())
        return {(int(c[1]), int(c[2])): text for c, text in cells if c is not None}
    return tuple(plain) if isinstance(plain, list) else plain
