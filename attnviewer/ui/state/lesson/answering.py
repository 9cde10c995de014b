"""A learner's answers, and which of them are kept."""

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from attnviewer.document import Document
from attnviewer.io.errors import FileError
from attnviewer.teaching import Page, Situation, Task, Verdict, save_progress
from attnviewer.teaching.tasks import MakeTask
from attnviewer.ui.state.lesson.made import save_made
from attnviewer.ui.state.lesson.places import Places
from attnviewer.ui.state.lesson.standing import Standing, progress_of

_NOTHING = Standing()


class Answering(Places):
    """Checks answers to the tasks of a lesson, and keeps how the learner stands.

    Parameters
    ----------
    folder : Path
        Where progress is kept.
    parent : QObject
        The Qt parent.

    Attributes
    ----------
    judged : Signal
        The id of a task that stands otherwise.
    failed : Signal
        Why progress could not be kept, or a page could not be opened.
    """

    judged = Signal(str)
    failed = Signal(str)

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder, self._key = folder, ""
        self._standings: dict[str, Standing] = {}
        self._times: dict[str, datetime] = {}
        self._saving = True

    @property
    def folder(self) -> Path:
        """The folder that progress is kept in."""
        return self._folder

    def standing(self, task: Task) -> Standing:
        """Return how the learner stands with a task."""
        return self._standings.get(task.id, _NOTHING)

    def situation(self) -> Situation:
        """Return what the tasks of the open page are checked against."""
        page = self.page
        assert page is not None
        earlier = {
            task.id: answer
            for task in page.tasks
            if (answer := self.standing(task).answer) is not None
        }
        return Situation(self.document, earlier, page.tasks)

    def finished(self, page: Page) -> bool:
        """Return whether nothing is left to do on a page."""
        return all(self.standing(task).settled for task in page.tasks)

    def page_before(self, place: int) -> Page | None:
        """Return the first page on the way to a later place that must be done first.

        That is one with a task that is neither done nor may be skipped.
        """
        assert self._lesson is not None
        places = (*self._lesson.pages, None, *self._lesson.exercises)
        for page in places[self._place : place]:
            tasks = () if page is None else page.tasks
            if not all(t.skippable or self.standing(t).finished for t in tasks):
                return page
        return None

    def answers(self) -> tuple[dict[str, Any], dict[str, datetime]]:
        """Return the answers to the tasks of the pages, and when they were given."""
        assert self._lesson is not None
        given = {
            task.id: answer
            for page in self._lesson.pages
            for task in page.tasks
            if (answer := self._made.get(task.id, self.standing(task).answer))
            is not None
        }
        # Those of an earlier session are as old as this one at least.
        now = datetime.now(UTC)
        return given, {id: self._times.get(id, now) for id in given}

    def keep_answer(self, task: Task, answer: Any) -> None:
        """Remember an answer that is not to be checked yet."""
        standing = self.standing(task)
        if standing.finished:
            return
        self._times[task.id] = datetime.now(UTC)
        self._standings[task.id] = replace(
            standing,
            outcome="open",
            answer=answer,
            verdict=_still_true(standing, answer),
        )
        self._keep()

    def check(self, task: Task, answer: Any) -> None:
        """Check an answer."""
        verdict = task.check(self.situation(), answer)
        standing = self.standing(task)
        self._times[task.id] = datetime.now(UTC)
        self._stand(
            task,
            replace(
                standing,
                outcome="right" if verdict.right else "wrong",
                answer=answer,
                verdict=verdict,
                attempts=standing.attempts + 1,
            ),
        )

    def hint(self, task: Task) -> None:
        """Show one more hint."""
        standing = self.standing(task)
        shown = min(standing.hints + 1, len(task.hints))
        self._stand(task, replace(standing, hints=shown))

    def show_answer(self, task: Task) -> None:
        """Show the right answer; it counts nothing."""
        answer = task.solution(self.situation())
        changed = replace(
            self.standing(task), outcome="shown", answer=answer, was_shown=True
        )
        verdict = task.check(self.situation(), answer)
        self._stand(task, replace(changed, verdict=verdict))

    def skip(self, task: Task) -> None:
        """Leave a task out."""
        self._stand(task, replace(self.standing(task), outcome="skipped"))

    def try_again(self, task: Task) -> None:
        """Answer a task anew."""
        standing = self.standing(task)
        self._stand(task, replace(standing, outcome="open", answer=None, verdict=None))

    def _stand(self, task: Task, standing: Standing) -> None:
        self._standings[task.id] = standing
        self._keep()
        self.judged.emit(task.id)

    def _judge_again(self) -> None:
        """Restore the verdicts on the answers of the page."""
        page = self.page
        for task in () if page is None else page.tasks:
            standing = self.standing(task)
            known = standing.verdict is not None or isinstance(task, MakeTask)
            if standing.attempts and not known and standing.answer is not None:
                verdict = task.check(self.situation(), standing.answer)
                self._standings[task.id] = replace(standing, verdict=verdict)

    def _keep(self) -> None:
        if self._lesson is None or not self._saving:
            return
        progress = progress_of(
            self._standings, page=self._place, seed=self._seed, seeds=self._seeds
        )
        try:
            save_progress(self._folder, self._key, progress)
        except FileError as error:
            self._saving = False  # reported once
            self.failed.emit(
                self.tr("Your answers are not kept: {reason}").format(reason=error)
            )

    def _keep_made(self, task: MakeTask, document: Document) -> None:
        """Keep what was made: later pages go on with it, and it may be handed in."""
        self._made[task.id] = copy(document)
        try:
            save_made(self._folder, self._key, task.id, self._made[task.id])
        except FileError as error:
            self.failed.emit(
                self.tr("Your document is not kept: {reason}").format(reason=error)
            )


def _still_true(standing: Standing, answer: Any) -> Verdict | None:
    """Return the verdicts on those numbers of an answer that are as they were."""
    verdict, before = standing.verdict, standing.answer
    if verdict is None or not isinstance(before, Mapping):
        return None
    same = {c: v for c, v in verdict.cells.items() if before.get(c) == answer.get(c)}
    return replace(verdict, message="", cells=same)
