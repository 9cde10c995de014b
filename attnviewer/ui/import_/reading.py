"""Reading arrays and making documents of them, beside the window."""

from dataclasses import dataclass, replace
from pathlib import Path

from attnviewer.document import Assignment, Document, Suggestion, problems
from attnviewer.io import Arrays, FileError, read_arrays
from attnviewer.io.stamp import Stamp


@dataclass(slots=True, eq=False)
class ArraysReading:
    """Files to be read, as a job for a worker.

    Parameters
    ----------
    paths : tuple of Path
        The files.
    ask : bool
        Whether a person is asked what the arrays are even if they were exported with
        all that makes a document of them.
    assignment : Assignment or None
        What was chosen before; suggested again where it still fits.

    Attributes
    ----------
    stopped : bool
        Set to give it up.
    stamp : Stamp or None
        What the first file was like before it was read.
    arrays : Arrays or None
        The result.
    suggestion : Suggestion or None
        What they probably are.
    document : Document or None
        The document that was exported, if nobody needs to be asked.
    """

    paths: tuple[Path, ...]
    ask: bool = True
    assignment: Assignment | None = None
    stopped: bool = False
    stamp: Stamp | None = None
    arrays: Arrays | None = None
    suggestion: Suggestion | None = None
    document: Document | None = None

    def run(self) -> None:
        """Read the files.

        Raises
        ------
        ValueError
            If one cannot be read, or does not fit what it says of itself, with the
            sentence that tells why.
        """
        self.stamp = Stamp.of(self.paths[0])
        try:
            self.arrays = arrays = read_arrays(self.paths)
            if not self.ask and arrays.exported is not None:
                self.document = arrays.exported.document()
        except FileError as error:
            raise ValueError(str(error)) from None
        self.suggestion = arrays.suggestion()
        before = self.assignment
        if before is not None and not problems(before, arrays.shapes):
            self.suggestion = replace(self.suggestion, assignment=before, doubts={})


@dataclass(slots=True, eq=False)
class Making:
    """A document to be made of arrays, as a job for a worker.

    Parameters
    ----------
    arrays : Arrays
        What was read.
    assignment : Assignment
        Which of them is what.

    Attributes
    ----------
    stopped : bool
        Set to give it up.
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
