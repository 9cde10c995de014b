"""The documents of a lesson's pages: as they are, and as their pages opened them."""

from collections.abc import Mapping, Sequence
from copy import copy

from attnviewer.document import Document, Replace
from attnviewer.teaching import Lesson, Page


class PageDocuments:
    """Opens the documents of a lesson and keeps them while it is open.

    Pages without a document of their own go on with that of the page before, as the
    learner left it.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    pages : tuple of Page
        All its pages, exercises among them.
    made : mapping of str to Document
        What the learner made of documents, by the ids of the tasks that asked for it.
    given : sequence of Document
        The documents of the first pages, where they are not for the lesson to make.
    """

    def __init__(
        self,
        lesson: Lesson,
        pages: tuple[Page, ...],
        made: Mapping[str, Document],
        given: Sequence[Document] = (),
    ) -> None:
        self._lesson, self._pages = lesson, pages
        self._made_by, self._given = made, given
        self._live: dict[int, Document] = {}
        self._opened: dict[int, Document] = {}

    def source(self, number: int) -> int:
        """Return the number of the page whose document a page is about."""
        while self._pages[number].document is None:
            number -= 1
        return number

    def sharing(self, number: int) -> tuple[Page, ...]:
        """Return a page and those after it that are about the same document."""
        source = self.source(number)
        places = range(number, len(self._pages))
        return tuple(self._pages[n] for n in places if self.source(n) == source)

    def open(self, number: int, seed: int) -> Document:
        """Return the document of a page, with what the learner did to it.

        Raises
        ------
        FileError
            If it cannot be read.
        ValueError
            If it cannot be made.
        """
        source = self.source(number)
        if source not in self._live:
            before = self._pages[source:number]
            ids = [t.id for page in before for t in page.tasks if t.id in self._made_by]
            if ids:  # as in an earlier session
                self._live[source] = copy(self._made_by[ids[-1]])
            else:
                self._live[source] = self._made(source, seed)
        live = self._live[source]
        self._opened.setdefault(number, copy(live))
        return live

    def opened(self, number: int) -> Document:
        """Return the document as a page opened it, which nobody changes."""
        return self._opened[number]

    def forget(self, number: int) -> None:
        """Let a page, and all that share its document, open it anew."""
        source = self.source(number)
        self._live.pop(source, None)
        for other in [n for n in self._opened if self.source(n) == source]:
            del self._opened[other]

    def _made(self, number: int, seed: int) -> Document:
        block = self._pages[number].document
        assert block is not None
        if number < len(self._given):
            made = copy(self._given[number])
        else:
            made = block.open(seed, self._lesson.folder)
        # Notes of an example may tell what is asked.
        made.apply(Replace("", title=self._lesson.title, notes=""))
        return made
