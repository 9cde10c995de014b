"""The computation to export, and the choice of its parts."""

from dataclasses import dataclass

from attnviewer.compute import Array, Trace
from attnviewer.document import Document, Labels, Region, Snapshot
from attnviewer.document.document import TABLE
from attnviewer.io.examples import stated_notes, stated_title
from attnviewer.io.export.folded import FoldedWeights


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
    readout : ndarray, optional
        The readout that was trained with them, see `TrainingRecord`.
    notes : str
        The document's notes, see `stated_notes`.
    """

    title: str
    labels: Labels
    trace: Trace
    training: str = ""
    readout: Array | None = None
    notes: str = ""

    @classmethod
    def of(cls, document: Document) -> "Computation":
        """Compute a document as it is now, with all rows of its position table."""
        has_table = TABLE in document.spec.input_names
        trace = Snapshot.whole(document).compute() if has_table else document.compute()
        return cls.by(document, document.labels, trace)

    @classmethod
    def by(cls, document: Document, labels: Labels, trace: Trace) -> "Computation":
        """Describe a trace of a document, computed before."""
        training, readout = trained(document)
        title, notes = stated_title(document), stated_notes(document)
        return cls(title, labels, trace, training, readout, notes)


@dataclass(frozen=True, slots=True)
class Choice:
    """The parts of a computation to export, and their form.

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
    folded : FoldedWeights, optional
        The groups that count as one row or column of the weights. Programs, worked
        steps, formulas and chosen cells are of the tokens.
    """

    steps: tuple[str, ...] | None = None
    head: int | None = None
    cells: Region | None = None
    headers: bool = True
    formulas: bool = False
    bom: bool = False
    folded: FoldedWeights | None = None

    def folded_in(self, trace: Trace, step: str) -> FoldedWeights | None:
        """Return what is folded in a step of a computation; None for nothing."""
        whole = self.cells is None and not self.formulas
        return self.folded if whole and step == trace.pipeline.weights else None


def trained(document: Document) -> tuple[str, Array | None]:
    """Return how matrices of a document were trained, in words, and the readout.

    "" and None if they were not, or without one.
    """
    record = document.training
    if record is None:
        return "", None
    return record.words(document.matrices), record.readout


ALL_STEPS = Choice()
