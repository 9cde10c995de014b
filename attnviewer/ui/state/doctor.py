"""The doctor's findings, kept with the document of an implementation."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from attnviewer.compute import Trace
from attnviewer.document import Document, Snapshot
from attnviewer.ui.state.baseline import BaselineModel, Reference
from attnviewer.ui.state.undo import EditStack
from attnviewer.ui.text.translation import translate_in

# The doctor is imported in the worker thread: most windows never call it.
if TYPE_CHECKING:
    from attnviewer.doctor.as_document import WorstCell
    from attnviewer.doctor.comparing import ComparedStep
    from attnviewer.doctor.diagnosis import Diagnosis

_tr = translate_in("Doctor")


@dataclass(frozen=True, slots=True, eq=False)
class Examination:
    """An implementation that was checked.

    Parameters
    ----------
    title : str
        The name of its file.
    diagnosis : Diagnosis
        What was found.
    document : Document
        The right computation.
    theirs : Trace
        The implementation's steps.
    steps : mapping of str to ComparedStep
        How they compare, by the document's names.
    called : mapping of str to str
        The document's names of steps by those of the diagnosis.
    cells : mapping of str to WorstCell
        The largest difference of each step that has one.
    item : tuple of int
        Which item of a batch the document shows; () without a batch.
    """

    title: str
    diagnosis: "Diagnosis"
    document: Document
    theirs: Trace
    steps: "Mapping[str, ComparedStep]"
    called: Mapping[str, str]
    cells: "Mapping[str, WorstCell]"
    item: tuple[int, ...]


class DoctorModel(QObject):
    """The implementation that the open document belongs to. Views watch it.

    Attributes
    ----------
    changed : Signal
        Another examination, or none, belongs to the open document; or the document
        has been edited since, or is again as it was.
    """

    changed = Signal()

    def __init__(
        self, edits: EditStack, baseline: BaselineModel, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._edits = edits
        self._baseline = baseline
        self._kept: dict[Document, Examination] = {}
        self._coming: Examination | None = None
        self._shown: tuple[Examination | None, bool] = None, False
        edits.indexChanged.connect(self._tell)

    @property
    def examination(self) -> Examination | None:
        """The examination of the open document; None if it has none."""
        return self._kept.get(self._edits.document)

    @property
    def edited(self) -> bool:
        """Whether the open document is no longer as it was checked."""
        return self.examination is not None and self._edits.last is not None

    def expect(self, examination: Examination) -> None:
        """Keep an examination once its document is opened."""
        self._coming = examination

    def follow(self, document: Document, others: Collection[Document]) -> None:
        """Turn to the document that is open now.

        Parameters
        ----------
        document : Document
            The open document.
        others : collection of Document
            Those that can be opened again; the examinations of any other are dropped.
        """
        coming = self._coming
        if coming is not None and coming.document is document:
            self._kept[document] = coming
        self._coming = None
        there = (document, *others)
        self._kept = {d: e for d, e in self._kept.items() if d in there}
        found = self._kept.get(document)
        self._baseline.set_theirs(None if found is None else _reference(found))
        self._tell()

    def close(self) -> None:
        """Drop everything."""
        self._kept.clear()
        self._coming = None

    @Slot()
    def _tell(self) -> None:
        shown = self.examination, self.edited
        if shown != self._shown:
            self._shown = shown
            self.changed.emit()


def _reference(examination: Examination) -> Reference:
    snapshot = Snapshot.of(examination.document)
    title = _tr("theirs: {title}").format(title=examination.title)
    return Reference(title, snapshot, examination.theirs)
