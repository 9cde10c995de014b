"""Reading arrays and making documents from them, in the background."""

from dataclasses import dataclass, replace
from pathlib import Path

from attnviewer.document import Document
from attnviewer.document.array_roles.assignment import Assignment
from attnviewer.document.array_roles.problems import problems
from attnviewer.document.array_roles.suggesting import Suggestion
from attnviewer.io import FileError
from attnviewer.io.importing import Arrays, read_arrays
from attnviewer.io.stamp import Stamp


@dataclass(slots=True, eq=False)
class ArraysReading:
    """Files to be read, as a job for a worker.

    Parameters
    ----------
    paths : tuple of Path
        The files.
    ask : bool
        Whether to ask for the roles of the arrays even if they were exported with
        everything that a document needs, or hold what an implementation gave.
    assignment : Assignment or None
        The previous choice; suggested again if it still fits.

    Attributes
    ----------
    stopped : bool
        Set to cancel the job.
    stamp : Stamp or None
        The first file's stamp from before it was read.
    arrays : Arrays or None
        The result.
    suggestion : Suggestion or None
        Their probable roles.
    document : Document or None
        The exported document, if there is nothing to ask.
    is_case : bool
        Whether the file holds what an implementation gave, which is to be checked
        rather than imported; nothing else is read then.
    """

    paths: tuple[Path, ...]
    ask: bool = True
    assignment: Assignment | None = None
    stopped: bool = False
    stamp: Stamp | None = None
    arrays: Arrays | None = None
    suggestion: Suggestion | None = None
    document: Document | None = None
    is_case: bool = False

    def run(self) -> None:
        """Read the files.

        Raises
        ------
        ValueError
            With the reason, if one cannot be read or contradicts its own metadata.
        """
        # Imported here, as most windows never check an implementation.
        from attnviewer.doctor.reading import holds_case

        self.stamp = Stamp.of(self.paths[0])
        if not self.ask and holds_case(self.paths[0]):
            self.is_case = True
            return
        try:
            self.arrays = arrays = read_arrays(self.paths)
            if not self.ask and arrays.exported is not None:
                self.document = arrays.exported.document()
        except FileError as error:
            raise ValueError(str(error)) from None
        self.suggestion = arrays.suggestion()
        previous = self.assignment
        if previous is not None and not problems(previous, arrays.shapes):
            self.suggestion = replace(self.suggestion, assignment=previous, doubts={})


@dataclass(slots=True, eq=False)
class DocumentMaking:
    """A document to be made from arrays, as a job for a worker.

    Parameters
    ----------
    arrays : Arrays
        The arrays read.
    assignment : Assignment
        Their roles.

    Attributes
    ----------
    stopped : bool
        Set to cancel the job.
    document : Document or None
        The result.
    """

    arrays: Arrays
    assignment: Assignment
    stopped: bool = False
    document: Document | None = None

    def run(self) -> None:
        """Make the document.

        Raises
        ------
        EditError
            If the arrays do not fit each other.
        """
        self.document = self.arrays.document(self.assignment)
