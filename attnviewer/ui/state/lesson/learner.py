"""A learner in a lesson: pages are opened, and what is done there is followed."""

import secrets
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from attnviewer.compute import Trace
from attnviewer.document import Change, Document, EditError
from attnviewer.document.replacement import replacement
from attnviewer.io.errors import FileError
from attnviewer.teaching import Lesson, Progress, load_progress
from attnviewer.teaching.tasks import MakeTask
from attnviewer.teaching.tasks.make import changes
from attnviewer.ui.state.lesson.answering import Answering
from attnviewer.ui.state.lesson.made import made_documents, progress_key
from attnviewer.ui.state.lesson.standing import standings
from attnviewer.ui.state.lesson.veil import veil_of
from attnviewer.ui.state.live import NO_VEIL
from attnviewer.ui.state.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnviewer.teaching.exercise.file import Exercise

SEEDS = 2**31
"""Seeds are drawn below this."""
_ANSWERED = (
    *("_documents", "_made", "_place", "_seed", "_seeds", "_standings", "_times"),
)
"""The state that a restart sets aside."""


class Learner(Answering):
    """Opens a lesson's pages on the workbench and follows what the learner does there.

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
    edited : Signal
        The document of the lesson is another, or there is another document.
    restarted : Signal
        The lesson was begun anew; `bring_back` brings the answers back.
    """

    opened = Signal()
    turned = Signal()
    edited = Signal()
    restarted = Signal()

    def __init__(self, workbench: Workbench, folder: Path, parent: QObject) -> None:
        super().__init__(folder, parent)
        self._workbench = workbench
        self._followed: Document | None = None
        self._before: dict[str, Any] = {}
        self.draw_seed: Callable[[], int] = lambda: secrets.randbelow(SEEDS - 1) + 1
        # Edits of one gesture are looked at together.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._on_edited)
        # Connected before any view, which would show what is to be hidden.
        self.judged.connect(self._veil)
        workbench.opened.connect(self._follow)

    @property
    def away(self) -> bool:
        """Whether another document than the lesson's is open on the workbench."""
        return self._lesson is not None and self._followed is None

    @property
    def is_changed(self) -> bool:
        """Whether the document is neither as the open page opened it nor as asked."""
        page, document = self.page, self._followed
        if document is None or page is None:
            return False
        made = (self._made[t.id] for t in page.tasks if t.id in self._made)
        return all(changes(known, document) for known in (self.document, *made))

    def present(self) -> tuple[Document, Trace] | tuple[None, None]:
        """Return the document as it is now with all its steps, if it is open."""
        document = self._followed
        if document is None:
            return None, None
        try:
            return document, document.compute()
        except ValueError:  # such as a mistake that cannot be made any more
            return None, None

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
            progress, notice = load_progress(self._folder, key)
        except FileError as error:
            progress, notice = Progress(), str(error)
        before = vars(self).copy()
        self._lesson, self._exercise, self._key = lesson, exercise, key
        self._times, self._before = {}, {}
        self._made = made_documents(self._folder, key, progress.done)
        self._documents = self._new_documents()
        self._standings = standings(progress)
        self._seed = progress.seed or self.draw_seed()
        self._seeds = dict(progress.seeds)
        self._saving = True
        self._place = min(progress.page, self.places - 1)
        if all(map(self.finished, self._pages)):
            self._place = len(lesson.pages)
        try:
            self._show()
        except (FileError, ValueError, MemoryError):
            vars(self).update(before)
            raise
        self._judge_again()
        self.opened.emit()
        self._turn()
        return notice

    def close(self) -> None:
        """Leave the lesson; the document of before is for the caller to open."""
        if self._lesson is not None:
            self._keep()
            self._lesson = self._documents = self._exercise = None
            self._standings, self._seeds, self._before = {}, {}, {}
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
        answered = bool(self._standings)
        self._before = {name: vars(self)[name] for name in _ANSWERED}
        self._made, self._standings, self._seeds, self._times = {}, {}, {}, {}
        self._documents = self._new_documents()
        self._seed = self.draw_seed()
        self.go(0)
        if answered:
            self.restarted.emit()

    @Slot()
    def bring_back(self) -> None:
        """Undo the last restart of the open lesson."""
        vars(self).update(self._before)
        if self._before:
            self.go(self._place)

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
                self._made.pop(task.id, None)
        self._documents.forget(number)
        self.go(self._place)

    def _show(self) -> None:
        """Put the document of the open page on the workbench."""
        number = self._shown
        assert self._documents is not None
        document = self._documents.open(number, self._seed_of(number))
        if document is not self._workbench.document:
            self._workbench.visit(document)
        self._follow()

    def _turn(self) -> None:
        self._keep()
        self._veil()
        self.turned.emit()

    @Slot()
    def _veil(self) -> None:
        """Hide what the page has not asked for in vain."""
        document = self._followed
        if document is None:
            return
        assert self._documents is not None
        number = self._shown
        later = [t for p in self._documents.sharing(number) for t in p.tasks]
        tasks = self._pages[number].tasks
        veil = veil_of(document, tasks, later, lambda t: self.standing(t).settled)
        self._workbench.engine.withhold(veil)

    @Slot()
    def _follow(self) -> None:
        """Listen to the document if it is the lesson's."""
        self._stop_following()
        if self._documents is None:
            return
        number = self._shown
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

    def _check_made(self, task: MakeTask) -> None:
        """Look whether what shall be made is; an attempt is only what is right."""
        assert self._followed is not None
        verdict = task.check(self.situation(), self._followed)
        standing = self.standing(task)
        if verdict.right:
            self._times[task.id] = datetime.now(UTC)
            self._keep_made(task, self._followed)
            self._stand(
                task, replace(standing, outcome="right", verdict=verdict, attempts=1)
            )
        elif verdict != standing.verdict:
            self._standings[task.id] = replace(standing, verdict=verdict)
            self.judged.emit(task.id)
