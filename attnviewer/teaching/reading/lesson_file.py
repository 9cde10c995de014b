"""Lessons from files, checked as a whole."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from attnviewer.document import Document
from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.reading import read_bounded
from attnviewer.teaching.documents import DocumentBlock
from attnviewer.teaching.lesson import Block, Lesson, Page, Show, Text
from attnviewer.teaching.ranking import Ranking
from attnviewer.teaching.reading.document_block import read_document
from attnviewer.teaching.reading.entries import (
    Entries,
    LineError,
    read_entries,
    read_value,
)
from attnviewer.teaching.reading.sections import Section, front_matter, sections
from attnviewer.teaching.reading.show_block import read_show
from attnviewer.teaching.reading.task_block import read_id, read_task
from attnviewer.teaching.steps import matrix_of
from attnviewer.teaching.tasks import ChoiceTask, Task
from attnviewer.teaching.texts import ENGLISH, read_words

SIZE_LIMIT = 2**20
"""The most bytes of a lesson."""
MOST_LINES = 20_000
"""The most lines of a lesson."""
MOST_PAGES, MOST_TASKS = 200, 400
"""The most pages of a lesson, exercises among them, and the most tasks."""
_KEYS = "title", "id", "minutes", "order", "language", "summary", "words"


def read_lesson(path: str | Path, *, tried: bool = True) -> Lesson:
    """Return the lesson of a file.

    Parameters
    ----------
    path : str or Path
        A text in Markdown, see the page *Lessons* of the manual.
    tried : bool
        Whether to open its documents, and to check that they have what tasks ask for;
        otherwise only the text is checked.

    Raises
    ------
    FileError
        If it cannot be read, or, with the line, if something in it is missing, unknown,
        or does not fit its document.
    """
    path = Path(path)
    data = read_bounded(path, SIZE_LIMIT)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFormatError(path, "It is not UTF-8.", f"line {line}") from None
    return lesson_from_text(text, path, tried=tried)


def lesson_from_text(
    text: str, path: str | Path, folder: Path | None = None, *, tried: bool = True
) -> Lesson:
    """Return the lesson of a text.

    Parameters
    ----------
    text : str
        The text.
    path : str or Path
        Where it comes from, for messages; without an id of its own the lesson is called
        after it.
    folder : Path, optional
        Where the files that it names lie; by default beside `path`.
    tried : bool
        As in `read_lesson`.

    Raises
    ------
    FileError
        As in `read_lesson`.
    """
    path = Path(path)
    if len(text) > SIZE_LIMIT:
        raise FileError(path, f"It is larger than {SIZE_LIMIT // 2**20} MiB.")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MOST_LINES:
        raise FileError(path, f"It has more than {MOST_LINES} lines.")
    try:
        beside = path.parent if folder is None else folder
        return _Reader(path, beside, tried).read(lines)
    except LineError as error:
        raise FileFormatError(path, str(error), f"line {error.line}") from None


@dataclass
class _Draft:
    """A page while it is read."""

    title: str
    line: int
    blocks: list[Block] = field(default_factory=list)
    document: DocumentBlock | None = None
    show: Show | None = None
    show_line: int = 0

    def page(self) -> Page:
        return Page(self.title, tuple(self.blocks), self.document, self.show, self.line)


class _Reader:
    def __init__(self, path: Path, folder: Path, tried: bool) -> None:
        self._path = path
        self._folder = folder
        self._tried = tried
        self._ids: set[str] = set()

    def read(self, lines: list[str]) -> Lesson:
        start = front_matter(lines)
        entries = read_entries("lesson", lines[1 : start - 1], 2, 1)
        own, words = entries.one("id"), entries.one("words")
        name = "".join(
            c if c.isascii() and c.isalnum() else "-" for c in self._path.stem
        )
        lesson = Lesson(
            id=(name[:60].strip("-") or "lesson")
            if own is None
            else read_value(own, read_id),
            title=entries.required("title").value,
            pages=(),
            minutes=entries.whole("minutes", 0, 0, 600),
            order=entries.whole("order", 0, 0, 9999),
            language=entries.text("language", "en"),
            summary=entries.text("summary"),
            folder=self._folder,
            words=ENGLISH if words is None else read_value(words, read_words),
        )
        if not lesson.title:
            raise LineError(1, "The lesson must have a title.")
        entries.finish(_KEYS)
        pages, exercises = self._pages(lines, start)
        if not pages:
            raise LineError(
                start, "The lesson must have a page, which begins with '##'."
            )
        return replace(
            lesson, pages=self._checked(pages), exercises=self._checked(exercises)
        )

    def _pages(self, lines: list[str], start: int) -> tuple[list[_Draft], list[_Draft]]:
        pages: list[_Draft] = []
        exercises: list[_Draft] = []
        current = pages
        for section in sections(lines, start):
            if section.kind == "exercises":
                if current is exercises:
                    raise LineError(section.line, "'# Exercises' must be there once.")
                current = exercises
            elif section.kind == "heading":
                if len(pages) + len(exercises) == MOST_PAGES:
                    raise LineError(
                        section.line, f"A lesson must have at most {MOST_PAGES} pages."
                    )
                current.append(_Draft(section.lines[0], section.line))
            elif not current:
                raise LineError(
                    section.line, "Text must be on a page, which begins with '##'."
                )
            else:
                self._add(current[-1], section)
        return pages, exercises

    def _add(self, draft: _Draft, section: Section) -> None:
        if section.kind == "text":
            draft.blocks.append(Text("\n".join(section.lines)))
            return
        first, line = section.line + 1, section.line
        entries = read_entries(section.kind, section.lines, first, line)
        if section.kind == "task":
            draft.blocks.append(self._task(entries))
        elif section.kind == "document":
            if draft.document is not None:
                raise LineError(line, "A page must have one document.")
            draft.document = read_document(entries)
        else:
            if draft.show is not None:
                raise LineError(line, "A page must have one 'show'.")
            draft.show, draft.show_line = read_show(entries), line

    def _task(self, entries: Entries) -> Task:
        task = read_task(entries, f"task-{len(self._ids) + 1}")
        if task.id in self._ids:
            raise LineError(
                task.line, f"The 'id' of a task must be its own. Got '{task.id}' again."
            )
        if len(self._ids) == MOST_TASKS:
            raise LineError(
                task.line, f"A lesson must have at most {MOST_TASKS} tasks."
            )
        self._ids.add(task.id)
        return task

    def _checked(self, drafts: list[_Draft]) -> tuple[Page, ...]:
        """Return the pages, each tried with its document if that is wanted."""
        for number, draft in enumerate(drafts):
            if draft.document is not None:
                asked = _rankings(drafts[number:])
                draft.document = replace(draft.document, rankings=asked)
            elif number == 0:
                raise LineError(draft.line, "The first page must have a 'document'.")
        if self._tried:
            self._try(drafts)
        return tuple(draft.page() for draft in drafts)

    def _try(self, drafts: list[_Draft]) -> None:
        """Check that documents open, and have what is shown of them and asked for."""
        document: Document | None = None
        for draft in drafts:
            if draft.document is not None:
                document = self._opened(draft.document)
            assert document is not None
            _check_show(draft, document)
            for task in draft.page().tasks:
                try:
                    task.check_fit(document)
                except ValueError as error:
                    raise LineError(task.line, str(error)) from None

    def _opened(self, block: DocumentBlock) -> Document:
        try:
            document = block.open(0, self._folder)
            document.compute()
        except FileError as error:
            raise LineError(block.line, str(error)) from None
        except ValueError as error:
            raise LineError(block.line, str(error)) from None
        return document


def _rankings(drafts: list[_Draft]) -> tuple[Ranking, ...]:
    """Return what the tasks about the first page's document rank."""
    found: list[Ranking] = []
    for number, draft in enumerate(drafts):
        if number and draft.document is not None:
            break
        for task in draft.page().tasks:
            if isinstance(task, ChoiceTask) and isinstance(task.answer, Ranking):
                found.append(task.answer)
    return tuple(found)


def _check_show(draft: _Draft, document: Document) -> None:
    show = draft.show
    if show is None or not show.step:
        return
    try:
        matrix = matrix_of(document.compute(), show.step, show.head or 0)
        if show.cell is not None:
            _ = matrix[show.cell]
    except ValueError as error:
        raise LineError(draft.show_line, str(error)) from None
    except IndexError:
        raise LineError(
            draft.show_line,
            f"The 'cell' must lie inside '{show.step}' {matrix.shape}. "
            f"Got {show.cell} instead.",
        ) from None
