"""The verdict on an answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """The verdict on the number in one cell.

    Parameters
    ----------
    right : bool
        Whether it counts as right.
    carried : bool
        Whether it is right only because it follows from an earlier wrong answer.
    message : str
        A sentence on a wrong number; "" where nothing is known of it.
    """

    right: bool
    carried: bool = False
    message: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on an answer.

    Parameters
    ----------
    right : bool
        Whether the task is done.
    share : float
        How much of it is right, from 0 to 1.
    message : str
        A sentence or two; "" if there is nothing to say.
    cells : mapping of (int, int) to CellVerdict
        The asked cells, (row, column), of a task about numbers.
    explains_all : bool
        Whether the message tells why all wrong numbers are wrong, so that those of the
        cells need not be shown beside it.
    unmet : tuple of str
        The conditions that a document has yet to meet, which the message lists.
    """

    right: bool
    share: float
    message: str = ""
    cells: Mapping[tuple[int, int], CellVerdict] = field(default_factory=dict)
    explains_all: bool = False
    unmet: tuple[str, ...] = ()
