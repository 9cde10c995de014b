"""The lesson "Find the bug": bundled implementations with a mistake each."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import msgspec

from attnviewer.io.errors import FileError
from attnviewer.paths import resource

PREFIX = "bug:"
"""Prefix of the id of a lesson where a file name is also possible."""
_FOLDER = "find-the-bug"


@dataclass(frozen=True, slots=True)
class Lesson:
    """An implementation with a mistake.

    Parameters
    ----------
    id : str
        Such as ``too-sure``.
    title : str
        A few words that do not give it away.
    story : str
        The symptoms.
    spec : str
        What was intended, see `parse_options`.
    path : Path
        The file with its inputs and steps.
    """

    id: str
    title: str
    story: str
    spec: str
    path: Path


def list_lessons() -> list[Lesson]:
    """Return the lessons in order."""
    text = resource(_FOLDER, "lessons.json").read_bytes()
    texts = msgspec.json.decode(text, type=dict[str, Mapping[str, str]])
    return [
        Lesson(id_, **fields, path=resource(_FOLDER, f"{id_}.npz"))
        for id_, fields in texts.items()
    ]


def lesson(id_: str) -> Lesson:
    """Return a lesson.

    Parameters
    ----------
    id_ : str
        Its id.

    Raises
    ------
    FileError
        If there is no such lesson; names them all.
    """
    lessons = {lesson.id: lesson for lesson in list_lessons()}
    if id_ in lessons:
        return lessons[id_]
    nearest = get_close_matches(id_, lessons, n=1)
    hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
    raise FileError(
        f"{PREFIX}{id_}",
        f"There is no such lesson.{hint} They are {', '.join(lessons)}.",
    )
