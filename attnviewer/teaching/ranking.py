"""The largest or the smallest of some numbers of a document."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute import Array, Trace
from attnviewer.document import Document
from attnviewer.teaching.scanning import Scanner
from attnviewer.teaching.steps import Place, matrix_of, position

Among: TypeAlias = Literal["keys", "queries", "heads"]
"""What is ranked: the columns of a row, the rows of a column, or a cell's heads."""
_APART = 1e-9


@dataclass(frozen=True, slots=True)
class Ranking:
    """The key, query or head with the largest or the smallest number.

    Parameters
    ----------
    among : str
        What is ranked.
    largest : bool
        Whether the largest is meant.
    step : str
        Of which step.
    row, column : int, str or None
        The cells; None for all of them.
    head : int
        Of which head, where heads are not ranked.
    """

    among: Among
    largest: bool
    step: str
    row: Place | None
    column: Place | None
    head: int = 0

    @property
    def other_is(self) -> str:
        """The feedback on a wrong one."""
        one = {"keys": "key", "queries": "query", "heads": "head"}[self.among]
        size = "larger" if self.largest else "smaller"
        return f"Another {one} has a {size} number in “{self.step}”."

    def best(
        self,
        document: Document,
        trace: Trace | None = None,
        apart: float = _APART,
    ) -> int:
        """Return the number of the key, query or head.

        Parameters
        ----------
        document : Document
            The document.
        trace : Trace, optional
            Its computation, where that is at hand.
        apart : float
            Numbers that are no further apart count as the same.

        Raises
        ------
        ValueError
            If the document has no such cells, or several have the same number.
        """
        trace = document.compute() if trace is None else trace
        numbers = self._numbers(document, trace)  # (k,)
        ordered = np.sort(numbers if self.largest else -numbers)[::-1]
        if np.isnan(numbers).any():
            raise ValueError(f"The numbers of '{self.step}' must not be NaN here.")
        if len(ordered) > 1 and not ordered[0] > ordered[1] + apart:
            what = "largest" if self.largest else "smallest"
            raise ValueError(
                f"The {what} number must be one alone. Got {ordered[0]:g} several "
                f"times in '{self.step}' instead."
            )
        return int(np.argmax(numbers) if self.largest else np.argmin(numbers))

    def _numbers(self, document: Document, trace: Trace) -> Array:
        row, column = self.row, self.column
        rows = slice(None) if row is None else self._at(document, trace, 0, row)
        columns = (
            slice(None) if column is None else self._at(document, trace, 1, column)
        )
        heads = range(trace.spec.n_heads) if self.among == "heads" else (self.head,)
        return np.concatenate(
            [
                np.atleast_1d(matrix_of(trace, self.step, head)[rows, columns])
                for head in heads
            ]
        )

    def _at(self, document: Document, trace: Trace, axis: int, place: Place) -> int:
        return position(document, trace, self.step, axis, place)


def parse_ranking(text: str, among: str) -> Ranking:
    """Return a ranking as it is written: ``largest weights[2, :]``.

    Parameters
    ----------
    text : str
        What is written.
    among : str
        What is ranked. Among keys a row is written, ``[2, :]``; among queries a column,
        ``[:, 1]``; among heads a cell, ``[2, 0]``.

    Raises
    ------
    ValueError
        With what cannot be read.
    """
    assert among in get_args(Among)
    scanner, head = Scanner(text), 0
    if scanner.take("head"):
        head = scanner.whole()
        scanner.expect(":")
    largest = scanner.expect("largest", "smallest") == "largest"
    step = scanner.words()
    row, column = scanner.places()
    scanner.finish()
    wanted = {"keys": (False, True), "queries": (True, False), "heads": (False, False)}
    if (row is None, column is None) != wanted[among]:
        example = {"keys": "[2, :]", "queries": "[:, 1]", "heads": "[2, 0]"}[among]
        raise ValueError(
            f"The cells must be like {example} among {among}. Got “{text}” instead."
        )
    kind: Among = among  # type: ignore[assignment]
    return Ranking(kind, largest, step, row, column, head)
