"""Reading an implementation's arrays and checking them, in the background."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.ui.state.doctor import Examination
from attnviewer.ui.work.worker import Stopped

# The doctor is imported in the worker thread: most windows never call it.
if TYPE_CHECKING:
    from attnviewer.doctor.case import Case
    from attnviewer.doctor.diagnosis import Diagnosis, Finding
    from attnviewer.doctor.reading import CaseArrays
    from attnviewer.document import Document


@dataclass(slots=True, eq=False)
class ArraysReading:
    """A file to be read, as a job for a worker.

    Parameters
    ----------
    path : Path
        The file.

    Attributes
    ----------
    stopped : bool
        Set to cancel the job.
    arrays : CaseArrays or None
        The result.
    """

    path: Path
    stopped: bool = False
    arrays: "CaseArrays | None" = None

    def run(self) -> None:
        """Read the file."""
        from attnviewer.doctor.reading import read_case_arrays

        self.arrays = read_case_arrays(self.path)


@dataclass(slots=True, eq=False)
class CaseReading:
    """Arrays to be recognised with what was meant, as a job for a worker.

    Parameters
    ----------
    arrays : CaseArrays
        The arrays.
    spec : str
        What was meant, as on the command line.

    Attributes
    ----------
    stopped : bool
        Set to cancel the job.
    case : Case or None
        The result.
    """

    arrays: "CaseArrays"
    spec: str
    stopped: bool = False
    case: "Case | None" = None

    def run(self) -> None:
        """Recognise the arrays.

        Raises
        ------
        ValueError
            If they fit no reading.
        """
        self.case = self.arrays.case(self.spec)


@dataclass(slots=True, eq=False)
class Checking:
    """Arrays to be recognised and diagnosed, as a job for a worker.

    Parameters
    ----------
    arrays : CaseArrays
        The arrays.
    spec : str
        What was meant, as on the command line.
    title : str
        The name of its file.

    Attributes
    ----------
    stopped : bool
        Set to cancel the job.
    share : float
        How much of it is done, at most 1.
    diagnosis : Diagnosis or None
        The result.
    examination : Examination or None
        The same with the document; None if a document cannot hold the computation.
    refusal : str
        Why it cannot.
    """

    arrays: "CaseArrays"
    spec: str
    title: str
    stopped: bool = False
    share: float = 0.0
    diagnosis: "Diagnosis | None" = None
    examination: Examination | None = None
    refusal: str = ""

    def run(self) -> None:
        """Recognise and diagnose.

        Raises
        ------
        ValueError
            If the arrays fit no reading.
        Stopped
            If the job was cancelled.
        """
        from attnviewer.doctor.as_document import case_document
        from attnviewer.doctor.comparing import compared_steps
        from attnviewer.doctor.diagnosing import diagnose_case

        case = self.arrays.case(self.spec)
        self.diagnosis = diagnose_case(case, self._report)
        compared = compared_steps(case, self.diagnosis, self._go_on)
        try:
            made = case_document(case, compared, self.title)
        except ValueError as error:
            self.refusal = str(error)
            return
        self.examination = Examination(
            title=self.title,
            diagnosis=self.diagnosis,
            document=made.document,
            theirs=made.theirs,
            steps={
                made.steps[one.step]: one
                for one in reversed(compared)
                if one.step in made.steps
            },
            called={
                one.name: made.steps[one.step]
                for one in compared
                if one.step in made.steps
            },
            cells=made.cells,
            item=made.item,
        )

    def _report(self, share: float) -> None:
        self._go_on(share)
        self.share = share

    def _go_on(self, _share: float) -> None:
        if self.stopped:
            raise Stopped


@dataclass(slots=True, eq=False)
class FaultyMaking:
    """A document with a mistake in it to be made, as a job for a worker.

    Parameters
    ----------
    examination : Examination
        What was checked.
    finding : Finding
        The mistake.

    Attributes
    ----------
    stopped : bool
        Set to cancel the job.
    document : Document or None
        The result.
    """

    examination: Examination
    finding: "Finding"
    stopped: bool = False
    document: "Document | None" = None

    def run(self) -> None:
        """Make the document.

        Raises
        ------
        ValueError
            If no document can compute with the mistake.
        """
        from attnviewer.doctor.faulty import faulty_document

        examination = self.examination
        self.document = faulty_document(
            examination.diagnosis,
            self.finding,
            batch=examination.item or None,
            title=examination.title,
        )
