"""A learner's place in a lesson, and the document that is open there."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from attnviewer.document import Document
from attnviewer.teaching import Lesson, Page
from attnviewer.teaching.tasks import MakeTask
from attnviewer.ui.state.lesson.documents import PageDocuments
from attnviewer.ui.state.lesson.made import documents_of

if TYPE_CHECKING:
    from attnviewer.teaching.exercise.file import Exercise


class Places(QObject):
    """The places of a lesson: its pages, then the summary, then its exercises.

    Parameters
    ----------
    parent : QObject
        The Qt parent.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._lesson: Lesson | None = None
        self._exercise: Exercise | None = None
        self._documents: PageDocuments | None = None
        self._made: dict[str, Document] = {}
        self._place = self._seed = 0
        self._seeds: dict[int, int] = {}

    @property
    def lesson(self) -> Lesson | None:
        """The open lesson."""
        return self._lesson

    @property
    def exercise(self) -> "Exercise | None":
        """The student's copy of an exercise that is open; None for a lesson."""
        return self._exercise

    @property
    def place(self) -> int:
        """The learner's place: a page, the summary, or an exercise."""
        return self._place

    @property
    def places(self) -> int:
        """The number of places."""
        return len(self._pages) + 1

    @property
    def at_summary(self) -> bool:
        """Whether the learner is at the summary, behind the pages."""
        return self._lesson is not None and self._place == len(self._lesson.pages)

    @property
    def page(self) -> Page | None:
        """The open page; None at the summary and without a lesson."""
        number = self._number
        return None if number is None else self._pages[number]

    @property
    def is_exercise(self) -> bool:
        """Whether the open page is a generated exercise."""
        return self._lesson is not None and self._place > len(self._lesson.pages)

    @property
    def document(self) -> Document:
        """The document of the open page as its tasks mean it."""
        assert self._documents is not None
        number = self._number
        assert number is not None
        return self._documents.opened(number)

    @property
    def varies(self) -> bool:
        """Whether the open page can have other numbers."""
        assert self._documents is not None
        number = self._number
        if number is None:
            return False
        if self._exercise is not None and not self.is_exercise:
            return False  # the numbers of a copy are the student's
        block = self._pages[self._documents.source(number)].document
        return block is not None and block.varies

    @property
    def makes(self) -> bool:
        """Whether the open page asks for the document to be changed."""
        page = self.page
        return page is not None and any(isinstance(t, MakeTask) for t in page.tasks)

    @property
    def _pages(self) -> tuple[Page, ...]:
        lesson = self._lesson
        return () if lesson is None else (*lesson.pages, *lesson.exercises)

    @property
    def _number(self) -> int | None:
        """The number of the open page among all of them; None at the summary."""
        if self._lesson is None or self.at_summary:
            return None
        return self._place - (self._place > len(self._lesson.pages))

    @property
    def _shown(self) -> int:
        """The number of the page whose document is open; at the summary, the last."""
        number = self._number
        return self._place - 1 if number is None else number

    def _new_documents(self) -> PageDocuments:
        assert self._lesson is not None
        given = () if self._exercise is None else documents_of(self._exercise)
        return PageDocuments(self._lesson, self._pages, self._made, given)

    def _seed_of(self, number: int) -> int:
        assert self._documents is not None
        return self._seeds.get(self._documents.source(number), self._seed)
