"""The computation to export, and the choice of its parts."""

from dataclasses import dataclass

from attnviewer.compute import Trace
from attnviewer.document import Document, Labels, Region
from attnviewer.io.examples import stated_title


@dataclass(frozen=True, slots=True, eq=False)
class Computation:
    """All steps of a document, with its title and labels.

    Parameters
    ----------
    title : str
        The document's title, see `stated_title`.
    labels : Labels
        Its tokens.
    trace : Trace
        Every step, inputs first.
    training : str
        How its matrices were trained, see `TrainingRecord.words`; "" if they were not.
    """

    title: str
    labels: Labels
    trace: Trace
    training: str = ""

    @classmethod
    def of(cls, document: Document) -> "Computation":
        """Compute a document as it is now."""
        return cls.by(document, document.labels, document.compute())

    @classmethod
    def by(cls, document: Document, labels: Labels, trace: Trace) -> "Computation":
        """Describe a trace of a document, computed before."""
        return cls(stated_title(document), labels, trace, trained(document))


@dataclass(frozen=True, slots=True)
class Choice:
    """Which parts of a computation to export, and how.

    Parameters
    ----------
    steps : tuple of str, optional
        The steps; None stands for all.
    head : int, optional
        One head of the queries, counted from zero; of keys and values the one that it
        uses. None stands for all.
    cells : Region, optional
        Rows and columns of the one step; None stands for all.
    headers : bool
        Whether to write labels: tokens, or numbers from zero for features.
    formulas : bool
        Whether to write formulas that recompute the steps, if the format has them.
    bom : bool
        Whether to start CSV and TSV files with a byte order mark, by which Excel
        recognises UTF-8. Without it Excel reads ``ü`` as ``Ã¼``.
    """

    steps: tuple[str, ...] | None = None
    head: int | None = None
    cells: Region | None = None
    headers: bool = True
    formulas: bool = False
    bom: bool = False


def trained(document: Document) -> str:
    """Return how matrices of a document were trained, in words; "" if none were."""
    record = document.training
    return "" if record is None else record.words(document.matrices)


ALL_STEPS = Choice()
