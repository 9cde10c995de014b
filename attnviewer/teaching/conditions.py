"""Conditions on a document, as they are written in lessons."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Trace
from attnviewer.doctor.reading.intention import Intention
from attnviewer.doctor.reading.options_text import parse_options
from attnviewer.document import Document
from attnviewer.document.masks import visibility
from attnviewer.teaching.quantities import Constant, Quantity, scan_quantity
from attnviewer.teaching.scanning import Scanner
from attnviewer.teaching.steps import Place, matrix_of, position, token_position

EXACT = 1e-9
"""How far numbers that are to be equal may be apart without ``~``."""
RELATIONS = "=", "!=", "<", "<=", ">", ">="


@dataclass(frozen=True, slots=True)
class Condition(ABC):
    """Something that holds of a document or not.

    Parameters
    ----------
    text : str
        The condition as it is written.
    head : int
        The head that it is about.
    """

    text: str
    head: int

    def holds(self, document: Document, trace: Trace | None = None) -> bool:
        """Return whether it holds.

        Parameters
        ----------
        document : Document
            The document.
        trace : Trace, optional
            Its computation, where that is at hand.

        Raises
        ------
        ValueError
            If the document has no such step, row, column or head.
        """
        return self._holds(document, document.compute() if trace is None else trace)

    @abstractmethod
    def _holds(self, document: Document, trace: Trace) -> bool: ...


@dataclass(frozen=True, slots=True)
class Compared(Condition):
    """``weights[2, 0] >= 0.8``: a number beside another.

    Parameters
    ----------
    left, right : Quantity
        The numbers.
    relation : str
        One of `RELATIONS`.
    within : float
        How far they may be apart to count as equal.
    """

    left: Quantity
    relation: str
    right: Quantity
    within: float

    def _holds(self, document: Document, trace: Trace) -> bool:
        left = self.left.value(document, trace, self.head)
        right = self.right.value(document, trace, self.head)
        if math.isnan(left) or math.isnan(right):
            return False
        same = left == right or abs(left - right) <= self.within
        return {
            "=": same,
            "!=": not same,
            "<": left < right and not same,
            "<=": left < right or same,
            ">": left > right and not same,
            ">=": left > right or same,
        }[self.relation]


@dataclass(frozen=True, slots=True)
class LargestIs(Condition):
    """``largest weights[2, :] is 0``: where the largest number of a row stands."""

    step: str
    row: Place
    column: Place

    def _holds(self, document: Document, trace: Trace) -> bool:
        row = position(document, trace, self.step, 0, self.row)
        column = position(document, trace, self.step, 1, self.column)
        numbers = matrix_of(trace, self.step, self.head)[row]  # (columns,)
        others = np.delete(numbers, column)
        return bool(np.all(numbers[column] > others + EXACT))


@dataclass(frozen=True, slots=True)
class Seen(Condition):
    """``visible[2, 3]`` or ``hidden[:, 3]``: whether queries see keys.

    Parameters
    ----------
    row, column : int, str or None
        The query and the key; None for all of them.
    visible : bool
        Whether each of them must be seen, or each hidden.
    """

    row: Place | None
    column: Place | None
    visible: bool

    def _holds(self, document: Document, trace: Trace) -> bool:
        queries, keys = document.labels
        rows = _part(queries, self.row, "row")
        columns = _part(keys, self.column, "column")
        seen = visibility(document).window(rows, columns)  # (rows, columns)
        return bool(np.all(seen == self.visible))


@dataclass(frozen=True, slots=True)
class OptionIs(Condition):
    """``option causal = true``: how the attention is computed."""

    name: str

    def _holds(self, document: Document, trace: Trace) -> bool:
        wanted = Intention.of(parse_options(self.name))
        own = document.spec
        (name,) = parse_options(self.name)
        if wanted.positions is not None or name == "positions":
            alike = type(own.positions) is type(wanted.positions)
            return alike and ("[" not in self.name or own.positions == wanted.positions)
        if wanted.output_projection is not None:
            return own.output_projection == wanted.output_projection
        if wanted.n_heads is not None:
            return own.n_heads == wanted.n_heads
        if wanted.n_kv_heads is not None:
            return own.kv_heads == wanted.n_kv_heads
        return bool(getattr(own, name) == getattr(wanted.options.spec(()), name))


_OPTIONS = (
    *("scale", "causal", "window", "softcap", "normalizer", "temperature", "score"),
    *("query_offset", "key_lengths"),
)
_OTHER_OPTIONS = "n_heads", "heads", "n_kv_heads", "positions", "output_projection"


def parse_condition(text: str) -> Condition:
    """Return a condition as it is written in a lesson.

    Parameters
    ----------
    text : str
        Such as ``weights["it", "animal"] >= 0.8``, ``visible[2, 3]``, ``largest
        weights[2, :] is "cat"``, ``entropy weights[0] < 1`` or ``option causal =
        true``, with ``head 1:`` before it for another head than the first.

    Raises
    ------
    ValueError
        With what cannot be read.
    """
    scanner, head = Scanner(text), 0
    if scanner.take("head"):
        head = scanner.whole()
        scanner.expect(":")
    if scanner.take("option"):
        return _option(text, head)
    if seen := scanner.take("visible", "hidden"):
        row, column = scanner.places()
        scanner.finish()
        return Seen(text, head, row, column, seen == "visible")
    if scanner.take("largest"):
        step = scanner.words()
        scanner.expect("[")
        row = scanner.place()
        for sign in (",", ":", "]", "is"):
            scanner.expect(sign)
        column = scanner.place()
        scanner.finish()
        return LargestIs(text, head, step, row, column)
    left = scan_quantity(scanner)
    relation = scanner.expect(*RELATIONS)
    right: Quantity
    if scanner.kind == "word" and scanner.next not in ("sqrt", "exp", "log", "pi", "e"):
        right = scan_quantity(scanner)
    else:
        right = Constant(scanner.arithmetic("~"))
    within = EXACT
    if scanner.take("~"):
        within = scanner.arithmetic()
        if not 0 <= within < math.inf:
            raise ValueError("The number after '~' must be finite and at least 0.")
    scanner.finish()
    return Compared(text, head, left, relation, right, within)


def _option(text: str, head: int) -> OptionIs:
    written = text.partition("option")[2].strip()
    options = parse_options(written)
    if len(options) != 1:
        raise ValueError(
            f"The 'option' must be one, NAME = VALUE. Got “{written}” instead."
        )
    (name,) = options
    if name not in (*_OPTIONS, *_OTHER_OPTIONS):
        known = ", ".join((*_OPTIONS, *_OTHER_OPTIONS))
        raise ValueError(f"The 'option' must be one of {known}. Got '{name}' instead.")
    return OptionIs(text, head, written)


def _part(tokens: tuple[str, ...], place: Place | None, what: str) -> slice:
    if place is None:
        return slice(0, len(tokens))
    index = _index(tokens, place, what)
    return slice(index, index + 1)


def _index(tokens: tuple[str, ...], place: Place, what: str) -> int:
    if isinstance(place, str):
        return token_position(tokens, place, what)
    if place >= len(tokens):
        raise ValueError(
            f"The '{what}' must be below {len(tokens)}. Got {place} instead."
        )
    return place
