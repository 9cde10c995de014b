"""The lessons that come with the program."""

from functools import cache

from attnviewer.paths import resource
from attnviewer.teaching.lesson import Lesson
from attnviewer.teaching.reading import read_lesson


@cache
def bundled_lessons() -> tuple[Lesson, ...]:
    """Return the bundled lessons in their order; none if the folder is missing.

    Their documents are not tried, which would take a second: the tests do that.

    Raises
    ------
    FileError
        If one of them is not valid.
    """
    try:
        folder = resource("lessons")
    except FileNotFoundError:
        return ()
    lessons = [read_lesson(path, tried=False) for path in sorted(folder.glob("*.md"))]
    return tuple(sorted(lessons, key=lambda lesson: (lesson.order, lesson.id)))
