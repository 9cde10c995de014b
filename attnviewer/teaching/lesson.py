"""Lessons: pages of text and tasks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from attnviewer.teaching.documents import DocumentBlock
from attnviewer.teaching.tasks.task import Task
from attnviewer.teaching.texts import ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Text:
    """Text between tasks.

    Parameters
    ----------
    markdown : str
        Markdown with ``$formulas$``.
    """

    markdown: str


Block: TypeAlias = Text | Task


@dataclass(frozen=True, slots=True)
class Show:
    """The view of the window when a page opens.

    Parameters
    ----------
    step : str
        A step of the document; "" for the one that is shown.
    view : str
        A name of `VIEWS`; "" for the one that is shown.
    cell : tuple of two int, or None
        The row and column to select.
    head : int or None
        The head to select.
    """

    step: str = ""
    view: str = ""
    cell: tuple[int, int] | None = None
    head: int | None = None


VIEWS = ("how", "heatmap", "table", "lines", "step-by-step")
"""The views that a page can open with."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a lesson.

    Parameters
    ----------
    title : str
        Its heading.
    blocks : tuple of Text or Task
        Its content in the order of the text.
    document : DocumentBlock or None
        The document that it opens; None goes on with that of the page before, as the
        learner left it.
    show : Show or None
        What the window shows first; None leaves the window as it is.
    line : int
        The line of its heading, counted from 1.
    """

    title: str
    blocks: tuple[Block, ...]
    document: DocumentBlock | None = None
    show: Show | None = None
    line: int = 0

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Its tasks in their order."""
        return tuple(block for block in self.blocks if isinstance(block, Task))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson, or an exercise of a teacher.

    Parameters
    ----------
    id : str
        Its name in the learner's progress.
    title : str
        Its title.
    pages : tuple of Page
        The pages in their order.
    exercises : tuple of Page
        Generated exercises, each with numbers of its own for every seed.
    minutes : int
        How long it takes.
    order : int
        Its place among bundled lessons.
    language : str
        The language of its text, such as ``en``.
    summary : str
        A sentence for lists.
    folder : Path or None
        Where the files that it names lie; None if it may name none.
    words : Words
        The fixed words of its sheets.
    """

    id: str
    title: str
    pages: tuple[Page, ...]
    exercises: tuple[Page, ...] = ()
    minutes: int = 0
    order: int = 0
    language: str = "en"
    summary: str = ""
    folder: Path | None = None
    words: Words = ENGLISH

    @property
    def points(self) -> int:
        """The points of all tasks of the pages; exercises are not included."""
        return sum(task.points for page in self.pages for task in page.tasks)

    @property
    def tasks(self) -> Iterator[Task]:
        """All tasks, those of the exercises last."""
        return (task for p in (*self.pages, *self.exercises) for task in p.tasks)

    def document_of(self, page: Page) -> DocumentBlock:
        """Return the block whose document a page is about: its own or an earlier one.

        Raises
        ------
        ValueError
            If it is no page of the lesson.
        """
        for pages in (self.pages, self.exercises):
            if page in pages:
                before = pages[: pages.index(page) + 1]
                return next(p.document for p in reversed(before) if p.document)
        raise ValueError("The 'page' must be one of the lesson. Got another instead.")
