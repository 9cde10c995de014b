"""Data kept of a learner besides the progress, and their file names."""

import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.document import Document
from attnviewer.io.errors import FileError
from attnviewer.io.session import SUFFIX, read_session, save_session
from attnviewer.teaching import Lesson

# Loaded with the first copy of an exercise.
if TYPE_CHECKING:
    from attnviewer.teaching.exercise.file import Exercise


def progress_key(lesson: Lesson, exercise: "Exercise | None") -> str:
    """Return the name of a learner's progress; of a copy, one of its own."""
    if exercise is None or exercise.copy is None:
        return lesson.id
    whose = f"{exercise.id} {exercise.copy.student} {exercise.copy.seed}"
    return f"copy-{hashlib.sha256(whose.encode()).hexdigest()[:24]}"


def documents_of(exercise: "Exercise") -> tuple[Document, ...]:
    """Return the documents of the pages of a student's copy.

    Raises
    ------
    ValueError
        If one cannot be made.
    """
    if exercise.copy is None:
        return ()
    from attnviewer.teaching.exercise.opening import open_pages

    pages = open_pages(exercise.lesson, exercise.copy.seed)
    return tuple(page.document for page in pages)


def save_made(folder: Path, key: str, task: str, document: Document) -> None:
    """Keep what a learner made of a document.

    Raises
    ------
    FileError
        If it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    save_session(document, _path(folder, key, task))


def made_documents(
    folder: Path, key: str, tasks: Collection[str]
) -> dict[str, Document]:
    """Return what a learner made, by task; without what cannot be read any more."""
    found = {}
    for task in sorted(tasks):
        path = _path(folder, key, task)
        if path.exists():
            try:
                found[task] = read_session(path)
            except FileError:  # the page then opens as the lesson has it
                continue
    return found


def _path(folder: Path, key: str, task: str) -> Path:
    return folder / f"made-{key}-{task}{SUFFIX}"
