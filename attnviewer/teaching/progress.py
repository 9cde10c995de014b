"""A learner's progress, kept in a folder."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from attnviewer.io.atomic import write_atomically
from attnviewer.io.errors import FileError, system_reason
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import SchemaError, decode, encode
from attnviewer.teaching.answers import Plain, answer_of, plain_answer

LIMIT = 8 * 2**20
"""The most bytes of a file."""
_ID = re.compile(r"[A-Za-z0-9_-]{1,60}")


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a learner in a lesson.

    Parameters
    ----------
    answers : mapping of str to object
        The last answers by the ids of their tasks, but documents.
    done, skipped : frozenset of str
        The tasks that were answered rightly, and those that were left out.
    hints : mapping of str to int
        How many hints of a task were looked at.
    page : int
        The page that was open, counted from 0; exercises come after the pages.
    seed : int
        What drawn numbers follow from.
    attempts : mapping of str to int
        How often an answer to a task was checked.
    shown : frozenset of str
        The tasks whose answer was shown.
    seeds : mapping of int to int
        What the numbers of single pages follow from instead, by their number.
    """

    answers: Mapping[str, Any] = field(default_factory=dict)
    done: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    hints: Mapping[str, int] = field(default_factory=dict)
    page: int = 0
    seed: int = 0
    attempts: Mapping[str, int] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    seeds: Mapping[int, int] = field(default_factory=dict)


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    """Progress as it is written."""

    answers: dict[str, str | list[int] | dict[str, str]]
    done: list[str]
    skipped: list[str]
    hints: dict[str, int]
    page: int
    seed: int
    attempts: dict[str, int] = {}
    shown: list[str] = []
    seeds: dict[int, int] = {}
    format: Literal["attnviewer-progress"] = "attnviewer-progress"
    version: Literal[1] = 1


def save_progress(folder: Path, lesson: str, progress: Progress) -> None:
    """Keep how far a learner is.

    Parameters
    ----------
    folder : Path
        Where; it is made if it is missing.
    lesson : str
        The lesson's id.
    progress : Progress
        What to keep.

    Raises
    ------
    FileError
        If it cannot be written; what was kept before is then unchanged.
    """
    answers: dict[str, Plain] = {}
    for task, answer in progress.answers.items():
        plain = plain_answer(answer)
        if plain is not None:
            answers[task] = plain
    kept = _Kept(
        answers=answers,
        done=sorted(progress.done),
        skipped=sorted(progress.skipped),
        hints=dict(progress.hints),
        page=progress.page,
        seed=progress.seed,
        attempts=dict(progress.attempts),
        shown=sorted(progress.shown),
        seeds=dict(progress.seeds),
    )
    path = _path(folder, lesson)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(folder, system_reason(error)) from error
    write_atomically(path, encode(kept))


def load_progress(folder: Path, lesson: str) -> tuple[Progress, str]:
    """Return a learner's progress, and a notice about it.

    A file that cannot be understood is set aside under another name, and the lesson
    begins anew.

    Parameters
    ----------
    folder : Path
        Where it was kept.
    lesson : str
        The lesson's id.

    Returns
    -------
    tuple of (Progress, str)
        The progress, and a sentence if a damaged file was set aside; "" otherwise.

    Raises
    ------
    FileError
        If the file is there and cannot be read.
    """
    path = _path(folder, lesson)
    if not path.exists():
        return Progress(), ""
    try:
        kept = decode(read_bounded(path, LIMIT), _Kept)
    except (SchemaError, UnicodeDecodeError, RecursionError):
        return Progress(), _set_aside(path)
    answers = {task: answer_of(plain) for task, plain in kept.answers.items()}
    done, skipped = frozenset(kept.done), frozenset(kept.skipped)
    page, seed = max(kept.page, 0), max(kept.seed, 0)
    shown = frozenset(kept.shown)
    return (
        Progress(
            answers,
            done,
            skipped,
            kept.hints,
            page,
            seed,
            kept.attempts,
            shown,
            kept.seeds,
        ),
        "",
    )


def _path(folder: Path, lesson: str) -> Path:
    if not _ID.fullmatch(lesson):
        raise ValueError(
            "The 'lesson' must be the id of a lesson: letters, digits, hyphens and "
            f"underscores. Got '{lesson}' instead."
        )
    return folder / f"lesson-{lesson}.json"


def _set_aside(path: Path) -> str:
    aside = path.with_suffix(".damaged.json")
    try:
        path.replace(aside)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    return (
        "The answers that were kept could not be read; the lesson starts again. "
        f"They are in {aside}."
    )
