"""A learner in a lesson: what is asked, answered, shown and hidden."""

import secrets
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Trace
from attnviewer.document import Change, Document, EditError
from attnviewer.document.replacement import replacement
from attnviewer.io.errors import FileError
from attnviewer.teaching import (
    Lesson,
    Page,
    Progress,
    Situation,
    Task,
    Verdict,
    load_progress,
    save_progress,
)
from attnviewer.teaching.tasks import MakeTask, MistakeTask, WrongStepTask
from attnviewer.teaching.tasks.make import changes
from attnviewer.ui.state.lesson.documents import PageDocuments
from attnviewer.ui.state.lesson.made import (
    documents_of,
    made_documents,
    progress_key,
    save_made,
)
from attnviewer.ui.state.lesson.standing import (
    Standing,
    progress_of,
    standings,
)
from attnviewer.ui.state.live import NO_VEIL, Veil
from attnviewer.ui.state.workbench import Workbench

if TYPE_CHECKING:
    from attnviewer.teaching.exercise.file import Exercise

SEEDS = 2**31
"""Seeds are drawn below this."""
_NOTHING = Standing()


class Learner(QObject):
    """Opens a lesson's pages on the workbench and keeps what the learner does.

    The places of a lesson are its pages, then the summary, then its exercises.

    Parameters
    ----------
    workbench : Workbench
        Where documents are opened; the user's own waits there meanwhile.
    folder : Path
        Where progress is kept.
    parent : QObject
        The Qt parent.

    Attributes
    ----------
    opened : Signal
        A lesson was opened or closed.
    turned : Signal
        Another page is open, or the same anew.
    judged : Signal
        The id of a task that stands otherwise.
    edited : Signal
        The document of the lesson is another, or there is another document.
    failed : Signal
        Why progress could not be kept, or a page could not be opened.
    """

    opened = Signal()
    turned = Signal()
    judged = Signal(str)
    edited = Signal()
    failed = Signal(str)

    def __init__(self, workbench: Workbench, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._workbench, self._folder = workbench, folder
        self._lesson: Lesson | None = None
        self._documents: PageDocuments | None = None
        self._standings: dict[str, Standing] = {}
        self._place = self._seed = 0
        self._key = ""
        self._seeds: dict[int, int] = {}
        self._exercise: Exercise | None = None
        self._made: dict[str, Document] = {}
        self._times: dict[str, datetime] = {}
        self._followed: Document | None = None
        self._saving = True
        self.draw_seed: Callable[[], int] = lambda: secrets.randbelow(SEEDS - 1) + 1
        # Edits of one gesture are looked at together.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._on_edited)
        workbench.opened.connect(self._follow)

    # ------------------------------------------------------------ what there is

    @property
    def lesson(self) -> Lesson | None:
        """The open lesson."""
        return self._lesson

    @property
    def exercise(self) -> "Exercise | None":
        """The student's copy of an exercise that is open; None for a lesson."""
        return self._exercise

    @property
    def folder(self) -> Path:
        """Where progress is kept."""
        return self._folder

    @property
    def place(self) -> int:
        """Where the learner is: a page, the summary, or an exercise."""
        return self._place

    @property
    def places(self) -> int:
        """How many places there are."""
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
    def away(self) -> bool:
        """Whether another document than the lesson's is open on the workbench."""
        return self._lesson is not None and self._followed is None

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
    def is_changed(self) -> bool:
        """Whether the document is not as the open page opened it."""
        if self._followed is None or self._number is None:
            return False
        return bool(changes(self.document, self._followed))

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

    def present(self) -> tuple[Document, Trace] | tuple[None, None]:
        """Return the document as it is now with all its steps, if it is open."""
        document = self._followed
        if document is None:
            return None, None
        try:
            return document, document.compute()
        except ValueError:  # such as a mistake that cannot be made any more
            return None, None

    def finished(self, page: Page) -> bool:
        """Return whether nothing is left to do on a page."""
        return all(self.standing(task).settled for task in page.tasks)

    def may_go_on(self) -> bool:
        """Return whether all tasks that cannot be skipped are done."""
        page = self.page
        if page is None:
            return True
        return all(t.skippable or self.standing(t).finished for t in page.tasks)

    # ------------------------------------------------------------ going about

    def open(self, lesson: Lesson, exercise: "Exercise | None" = None) -> str:
        """Open a lesson where the learner left it.

        Parameters
        ----------
        lesson : Lesson
            The lesson.
        exercise : Exercise, optional
            The student's copy that it is of, which decides on its numbers.

        Returns
        -------
        str
            A sentence on progress that could not be read; "" if there is none.

        Raises
        ------
        FileError, ValueError
            If its document cannot be opened; nothing has changed then.
        """
        key = progress_key(lesson, exercise)
        try:
            progress, said = load_progress(self._folder, key)
        except FileError as error:
            progress, said = Progress(), str(error)
        before = vars(self).copy()
        self._lesson, self._exercise, self._key = lesson, exercise, key
        self._times = {}
        self._made = made_documents(self._folder, key, progress.done)
        self._documents = self._new_documents()
        self._standings = standings(progress)
        self._seed = progress.seed or self.draw_seed()
        self._seeds = dict(progress.seeds)
        self._saving = True
        self._place = min(progress.page, self.places - 1)
        try:
            self._show()
        except (FileError, ValueError, MemoryError):
            vars(self).update(before)
            raise
        self._judge_again()
        self.opened.emit()
        self._turn()
        return said

    def close(self) -> None:
        """Leave the lesson; the document of before is for the caller to open."""
        if self._lesson is not None:
            self._keep()
            self._lesson = self._documents = self._exercise = None
            self._standings, self._seeds = {}, {}
            self._stop_following()
            self._workbench.engine.withhold(NO_VEIL)
            self.opened.emit()

    def release(self) -> None:
        """Let go of the document, as the window closes."""
        self._stop_following()

    def go(self, place: int) -> None:
        """Go to a place of the lesson."""
        place = max(0, min(place, self.places - 1))
        before, self._place = self._place, place
        try:
            self._show()
        except (FileError, ValueError, MemoryError) as error:
            self._place = before
            self.failed.emit(str(error))
            return
        self._judge_again()
        self._turn()

    def come_back(self) -> None:
        """Open the lesson's document again after another one."""
        self.go(self._place)

    def put_back(self, label: str) -> None:
        """Make the document as the page opened it, as an edit that can be undone."""
        assert self._followed is not None
        edit = replacement(self._followed, self.document, label)
        try:
            self._workbench.edits.submit(edit)
        except EditError as error:
            self.failed.emit(str(error))

    def restart(self) -> None:
        """Begin the lesson anew, with nothing answered."""
        assert self._lesson is not None
        self._made.clear()
        self._documents = self._new_documents()
        self._standings.clear()
        self._seeds.clear()
        self._seed = self.draw_seed()
        self.go(0)

    def another(self) -> None:
        """Open the page with other numbers, and nothing answered."""
        number = self._number
        assert number is not None
        assert self._documents is not None
        source, before = self._documents.source(number), self._seed_of(number)
        while (seed := self.draw_seed()) == before:
            pass
        self._seeds[source] = seed
        for page in (self._pages[source], *self._documents.sharing(source)):
            for task in page.tasks:
                self._standings.pop(task.id, None)
        self._documents.forget(number)
        self.go(self._place)

    # -------------------------------------------------------------- answering

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

    # ----------------------------------------------------------------- inside

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

    def _new_documents(self) -> PageDocuments:
        assert self._lesson is not None
        given = () if self._exercise is None else documents_of(self._exercise)
        return PageDocuments(self._lesson, self._pages, self._made, given)

    def _seed_of(self, number: int) -> int:
        assert self._documents is not None
        return self._seeds.get(self._documents.source(number), self._seed)

    def _show(self) -> None:
        """Put the document of the open page on the workbench."""
        number = self._number
        if number is None:
            # The summary stays with the document of the last page.
            number = self._place - 1
        assert self._documents is not None
        document = self._documents.open(number, self._seed_of(number))
        if document is not self._workbench.document:
            self._workbench.visit(document)
        self._follow()

    def _turn(self) -> None:
        self._keep()
        self._veil()
        self.turned.emit()

    def _stand(self, task: Task, standing: Standing) -> None:
        self._standings[task.id] = standing
        self._keep()
        self._veil()
        self.judged.emit(task.id)

    def _judge_again(self) -> None:
        """Say of the answers of the page what was said of them before."""
        page = self.page
        for task in () if page is None else page.tasks:
            standing = self.standing(task)
            known = standing.verdict is not None or isinstance(task, MakeTask)
            if standing.attempts and not known and standing.answer is not None:
                verdict = task.check(self.situation(), standing.answer)
                self._standings[task.id] = replace(standing, verdict=verdict)

    def _veil(self) -> None:
        """Hide what the page has not asked for in vain."""
        page, document = self.page, self._followed
        if document is None:
            return
        number = self._number
        if page is None or number is None:
            self._workbench.engine.withhold(NO_VEIL)
            return
        assert self._documents is not None
        # Who leaves a task out has given up on it.
        left = [task for task in page.tasks if not self.standing(task).settled]
        hidden = (task.hide(document) for task in left)
        # A later page may ask for a mistake that this page has found the step of.
        later = (task for p in self._documents.sharing(number) for task in p.tasks)
        hunted = any(
            isinstance(task, WrongStepTask | MistakeTask)
            and not self.standing(task).settled
            for task in later
        )
        veil = Veil(frozenset().union(*hidden), hunted)
        self._workbench.engine.withhold(veil)

    def _keep(self) -> None:
        if self._lesson is None or not self._saving:
            return
        progress = progress_of(
            self._standings, page=self._place, seed=self._seed, seeds=self._seeds
        )
        try:
            save_progress(self._folder, self._key, progress)
        except FileError as error:
            self._saving = False  # said once
            self.failed.emit(
                self.tr("Your answers are not kept: {reason}").format(reason=error)
            )

    @Slot()
    def _follow(self) -> None:
        """Listen to the document if it is the lesson's."""
        self._stop_following()
        number = self._number
        if self._documents is None:
            return
        number = self._place - 1 if number is None else number
        document = self._workbench.document
        live = self._documents.open(number, self._seed_of(number))
        if document is live:
            self._followed = document
            document.changed.connect(self._on_changed)
        self.edited.emit()

    def _stop_following(self) -> None:
        if self._followed is not None:
            self._followed.changed.disconnect(self._on_changed, missing_ok=True)
            self._followed = None
        self._soon.stop()

    def _on_changed(self, _change: Change) -> None:
        self._soon.start()

    @Slot()
    def _on_edited(self) -> None:
        """Look at what the learner did to the document."""
        page = self.page
        if self._followed is None:
            return
        for task in () if page is None else page.tasks:
            if isinstance(task, MakeTask) and not self.standing(task).finished:
                self._check_made(task)
        self.edited.emit()

    def _keep_made(self, task: MakeTask) -> None:
        """Keep what was made: later pages go on with it, and it may be handed in."""
        assert self._followed is not None
        self._made[task.id] = copy(self._followed)
        try:
            save_made(self._folder, self._key, task.id, self._made[task.id])
        except FileError as error:
            self.failed.emit(
                self.tr("Your document is not kept: {reason}").format(reason=error)
            )

    def _check_made(self, task: MakeTask) -> None:
        """Look whether what shall be made is; an attempt is only what is right."""
        verdict = task.check(self.situation(), self._followed)
        standing = self.standing(task)
        if verdict.right:
            self._times[task.id] = datetime.now(UTC)
            self._keep_made(task)
            self._stand(
                task, replace(standing, outcome="right", verdict=verdict, attempts=1)
            )
        elif verdict != standing.verdict:
            self._standings[task.id] = replace(standing, verdict=verdict)
            self.judged.emit(task.id)


def _still_true(standing: Standing, answer: Any) -> Verdict | None:
    """Return what was said of those numbers of an answer that are as they were."""
    verdict, before = standing.verdict, standing.answer
    if verdict is None or not isinstance(before, Mapping):
        return None
    same = {c: v for c, v in verdict.cells.items() if before.get(c) == answer.get(c)}
    return replace(verdict, message="", cells=same)
