"""What is exported, and which part of it."""

from dataclasses import dataclass

from attnviewer.compute import Trace
from attnviewer.document import Document, Labels, Region
from attnviewer.io.examples import stated_title


@dataclass(frozen=True, slots=True, eq=False)
class Computation:
    """All steps of a document with their names.

    Parameters
    ----------
    title : str
        What the document is called, see `stated_title`.
    labels : Labels
        Its tokens.
    trace : Trace
        Every step, inputs first.
    """

    title: str
    labels: Labels
    trace: Trace

    @classmethod
    def of(cls, document: Document) -> "Computation":
        """Compute a document as it is now."""
        return cls(stated_title(document), document.labels, document.compute())


@dataclass(frozen=True, slots=True)
class Choice:
    """Which part of a computation is exported, and how.

    Parameters
    ----------
    steps : tuple of str, optional
        The steps; None stands for all.
    head : int, optional
        One head of the queries, counted from zero; keys and values have the one that
        serves it. None stands for all.
    cells : Region, optional
        Rows and columns of the one step; None stands for all.
    headers : bool
        With labels: tokens, or numbers from zero for features.
    formulas : bool
        With formulas that compute the steps anew, where the format knows such.
    bom : bool
        With a byte order mark at the start of CSV and TSV files, by which Excel
        recognises UTF-8. Without it Excel reads ``ü`` as ``Ã¼``.
    """

    steps: tuple[str, ...] | None = None
    head: int | None = None
    cells: Region | None = None
    headers: bool = True
    formulas: bool = False
    bom: bool = False


ALL_STEPS = Choice()
