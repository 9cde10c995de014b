"""The list of lessons, with the learner's progress in each."""

from pathlib import Path

from attnviewer.io import FileError
from attnviewer.teaching import Lesson, Progress, load_progress
from attnviewer.ui.lessons.chooser import ListedLesson


def listed(lesson: Lesson, folder: Path) -> ListedLesson:
    """Return the row of a lesson in the list.

    Parameters
    ----------
    lesson : Lesson
        The lesson.
    folder : Path
        Where progress is kept.
    """
    try:
        progress, notice = load_progress(folder, lesson.id)
    except FileError as error:
        progress, notice = Progress(), str(error)
    ids = {task.id for page in lesson.pages for task in page.tasks}
    through = progress.done | progress.skipped | progress.shown
    begun = bool(through or progress.answers or progress.page)
    return ListedLesson(lesson, len(ids & through), len(ids), begun, notice)
