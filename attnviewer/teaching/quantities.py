"""Numbers of a document that conditions compare."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from attnviewer.compute import Trace, entropy
from attnviewer.document import Document
from attnviewer.teaching.scanning import Scanner
from attnviewer.teaching.steps import Place, matrix_of, position


class Quantity(ABC):
    """A number that is read from a computation."""

    @abstractmethod
    def value(self, document: Document, trace: Trace, head: int) -> float:
        """Return it for one head.

        Raises
        ------
        ValueError
            If the document has no such number.
        """


@dataclass(frozen=True, slots=True)
class Constant(Quantity):
    """A number that is written out."""

    number: float

    def value(self, document: Document, trace: Trace, head: int) -> float:
        return self.number


@dataclass(frozen=True, slots=True)
class CellOf(Quantity):
    """The number in a cell: ``weights[2, 0]``."""

    step: str
    row: Place
    column: Place

    def value(self, document: Document, trace: Trace, head: int) -> float:
        row = position(document, trace, self.step, 0, self.row)
        column = position(document, trace, self.step, 1, self.column)
        return float(matrix_of(trace, self.step, head)[row, column])


@dataclass(frozen=True, slots=True)
class RowEntropy(Quantity):
    """The entropy of a row in bits: ``entropy weights[2]``."""

    step: str
    row: Place

    def value(self, document: Document, trace: Trace, head: int) -> float:
        row = position(document, trace, self.step, 0, self.row)
        return float(entropy(matrix_of(trace, self.step, head)[row]))


@dataclass(frozen=True, slots=True)
class RowSum(Quantity):
    """The sum of a row: ``sum weights[2, :]``."""

    step: str
    row: Place

    def value(self, document: Document, trace: Trace, head: int) -> float:
        row = position(document, trace, self.step, 0, self.row)
        return float(matrix_of(trace, self.step, head)[row].sum())


def scan_quantity(scanner: Scanner) -> Quantity:
    """Return a number of a document, as it is written in a condition.

    Raises
    ------
    ValueError
        If something else is written.
    """
    if scanner.take("entropy"):
        step = scanner.words()
        scanner.expect("[")
        row = scanner.place()
        if scanner.take(","):
            scanner.expect(":")
        scanner.expect("]")
        return RowEntropy(step, row)
    if scanner.take("sum"):
        step = scanner.words()
        scanner.expect("[")
        row = scanner.place()
        for sign in (",", ":", "]"):
            scanner.expect(sign)
        return RowSum(step, row)
    step = scanner.words()
    scanner.expect("[")
    row = scanner.place()
    scanner.expect(",")
    column = scanner.place()
    scanner.expect("]")
    return CellOf(step, row, column)
