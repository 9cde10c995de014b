"""Lessons: their list, the dock with the open page, and what the window shows."""

from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFileDialog

from attnviewer.io import FileError
from attnviewer.io.export import file_stem
from attnviewer.sources import EXERCISE
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.how import HowFeature
from attnviewer.ui.files.file_dialogs import ask_where_to_save
from attnviewer.ui.frame.frame import Feature, Frame
from attnviewer.ui.state.folders import data_folder, documents_folder
from attnviewer.ui.state.selection import Position
from attnviewer.ui.views.lesson import LessonPanel
from attnviewer.ui.widgets.actions import ActionRow
from attnviewer.ui.widgets.docks import Panel

# Loaded with the first lesson: most windows open none.
if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.teaching import Lesson, Show
    from attnviewer.teaching.exercise.file import Exercise
    from attnviewer.ui.state.lesson import Learner

PLAYED = "step-by-step"


@dataclass(frozen=True, slots=True)
class _Place:
    """The view of the user's own document before a lesson."""

    step: str
    cell: Position | None
    head: int
    view: str


class LessonsFeature(Feature):
    """Opens lessons beside the user's document, which waits and comes back."""

    def __init__(self, frame: Frame) -> None:
        super().__init__(frame)
        workbench = frame.workbench
        self._left: _Place | None = None
        self._returning: Document | None = None
        dock = frame.dock(self.tr("Lesson"))
        self.panel = LessonPanel(
            workbench.selection, frame.appearance, frame.reason, dock
        )
        self.panel.choosing.connect(self.choose)
        self.panel.closing.connect(self.close_lesson)
        self.panel.saving.connect(self.save_answers)
        self.panel.filled.connect(frame.order_tabs)
        self.panel.wanted.connect(self._enter)
        frame.panels.append(
            Panel(
                "lesson",
                dock,
                self.tr("Le&sson"),
                lambda: (self.panel, self.panel.heading),
                Qt.DockWidgetArea.RightDockWidgetArea,
                narrowest=25,
                opened=False,
                beside="explain",
                own_menu=True,
            )
        )
        row = ActionRow("lessons", self.tr("Le&ssons…"), self.choose)
        frame.menus.add("help.tour", [row])
        # People look for something to begin with there, too.
        row = ActionRow("examples.lessons", self.tr("Le&ssons…"), self.choose)
        frame.menus.add("lessons", [row])
        record = ActionRow("record", self.tr("R&ecord a task…"), self.record)
        frame.menus.add("edit.texts", [record])
        workbench.opened.connect(self._on_opened)

    @cached_property
    def learner(self) -> "Learner":
        """The learner, created with the first lesson."""
        from attnviewer.ui.state.lesson import Learner

        learner = Learner(self.frame.workbench, data_folder() / "lessons", self)
        learner.turned.connect(self._show_page)
        learner.failed.connect(self.frame.notice.refuse)
        learner.restarted.connect(self._offer_answers)
        self.panel.follow(learner)
        return learner

    def commit_editors(self) -> bool:
        self.panel.commit()
        return True

    def join(self) -> None:
        self.frame.docks.toggle("lesson").triggered.connect(self._on_toggled)
        opener = self.frame.feature(FilesFeature).opener
        opener.lesson_wanted.connect(self.open_path)

    def release(self) -> None:
        self.panel.commit()
        if "learner" in self.__dict__:
            self.learner.release()

    @Slot()
    def choose(self, _data: object = None) -> None:
        """Show the list of lessons."""
        from attnviewer.teaching import bundled_lessons
        from attnviewer.ui.lessons.chooser import LessonChooser
        from attnviewer.ui.lessons.listing import listed

        try:
            rows = [listed(lesson, self.learner.folder) for lesson in bundled_lessons()]
        except FileError as error:
            self.frame.notice.refuse(str(error))
            return
        notices = [row.notice for row in rows if row.notice]
        if notices:
            self.frame.notice.refuse("\n".join(notices))
        dialog = LessonChooser(rows, self.frame.window)
        dialog.chosen.connect(self.open_lesson)
        dialog.file_wanted.connect(self.open_file)
        dialog.open()

    @Slot()
    def record(self, _data: object = None) -> None:
        """Ask how a task about the selected cell shall be, and show its text."""
        from attnviewer.ui.lessons.recorder import RecordDialog

        workbench, notice = self.frame.workbench, self.frame.notice
        workbench.engine.catch_up()
        if reason := workbench.withheld_reason:
            notice.refuse(reason)
            return
        selection, trace = workbench.selection, workbench.engine.current.trace
        cell = selection.cell or (0, 0)
        head = min(selection.head, trace.spec.n_heads - 1)
        place = selection.step, *cell, head
        dialog = RecordDialog(
            copy(workbench.document), trace, place, notice, self.frame.window
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    @Slot()
    def open_file(self) -> None:
        """Ask for the file of a lesson, and open it."""
        name, _filter = QFileDialog.getOpenFileName(
            self.frame.window,
            self.tr("Open a lesson"),
            str(documents_folder()),
            self.tr("Lessons and exercises (*.md *.attnx);;All files (*)"),
        )
        if name:
            self.open_path(Path(name))

    def open_found(self, found: "Lesson | Exercise") -> None:
        """Open a lesson, or a copy of an exercise."""
        from attnviewer.teaching import Lesson

        if isinstance(found, Lesson):
            self.open_lesson(found)
        else:
            self.open_lesson(found.lesson, found)

    @Slot(object)
    def open_path(self, path: Path) -> None:
        """Open the lesson or the exercise of a file, or say why that fails."""
        from attnviewer.teaching import read_lesson

        try:
            if path.suffix.lower() == EXERCISE:
                from attnviewer.teaching.exercise.file import read_exercise

                self.open_found(read_exercise(path))
            else:
                self.open_found(read_lesson(path))
        except FileError as error:
            self.frame.notice.refuse(str(error))

    @Slot()
    def save_answers(self) -> None:
        """Ask for a file, and write the answers to an exercise into it."""
        from attnviewer.teaching.exercise import submission

        exercise, window = self.learner.exercise, self.frame.window
        assert exercise is not None
        assert exercise.copy is not None
        name = file_stem(f"{exercise.id}-{exercise.copy.student}")
        suggested = documents_folder() / f"{name}{submission.SUFFIX}"
        try:
            path = ask_where_to_save(
                window, self.tr("Save my answers"), suggested, self.tr("Answers")
            )
            if path is None:
                return
            answers, times = self.learner.answers()
            now = datetime.now(UTC)
            handed_in = submission.submission_of(exercise, answers, times, now)
            submission.write_submission(handed_in, path)
        except (FileError, ValueError) as error:
            self.frame.notice.refuse(str(error))
            return
        text = self.tr("Your answers were saved as “{name}”. Hand in this file.")
        self.frame.notice.show_message(text.format(name=path.name))

    @Slot(object)
    def open_lesson(self, lesson: "Lesson", exercise: "Exercise | None" = None) -> None:
        """Open a lesson or a copy of an exercise where the learner left it."""
        files = self.frame.feature(FilesFeature)
        if not files.saver.commit_editors():
            return
        files.opener.give_up()
        self.panel.commit()
        workbench, step_view = self.frame.workbench, self.frame.step_view
        if workbench.host is None:
            selection = workbench.selection
            self._left = _Place(
                selection.step, selection.cell, selection.head, step_view.view
            )
        try:
            notice = self.learner.open(lesson, exercise)
        except (FileError, ValueError, MemoryError) as error:
            self.frame.notice.refuse(f"{lesson.title}: {error}")
            return
        self.frame.notice.dismiss()
        if notice:
            self.frame.notice.refuse(notice)
        self.panel.offer_saving(
            offered=exercise is not None and exercise.copy is not None
        )
        self.frame.docks.open_panel("lesson")
        # A narrow window has yet to put its docks behind one another.
        QTimer.singleShot(0, self, self._enter)

    @Slot()
    def close_lesson(self) -> None:
        """Leave the lesson, and go back to the document of before it."""
        workbench, files = self.frame.workbench, self.frame.feature(FilesFeature)
        # What is refused would keep the lesson's document open without its lesson.
        if not files.saver.commit_editors():
            return
        self.learner.close()
        self.frame.docks.dock("lesson").close()
        host = workbench.host
        if host is not None:
            self._returning = host
            files.opener.open_document(host)

    @Slot()
    def _enter(self) -> None:
        self.frame.docks.open_panel("lesson")
        self.panel.enter()

    @Slot(bool)
    def _on_toggled(self, shown: bool) -> None:
        """Say that a lesson whose dock is closed is still open."""
        if shown or "learner" not in self.__dict__ or self.learner.lesson is None:
            return
        if self.frame.workbench.host is None:
            return
        offers = [
            (self.tr("&Close the lesson"), self.close_lesson),
            (self.tr("&Show the lesson"), self._enter),
        ]
        text = self.tr("The lesson is still open, and your document waits.")
        self.frame.notice.offer(text, offers)

    @Slot()
    def _on_opened(self) -> None:
        """Show of the user's document what was shown before the lesson."""
        workbench, left = self.frame.workbench, self._left
        if workbench.host is not None:
            return
        back = workbench.document is self._returning
        self._returning = self._left = None
        if left is None or not back:
            return
        trace, selection = workbench.engine.current.trace, workbench.selection
        if left.step in trace:
            if left.head < trace.spec.n_heads:
                selection.choose_head(left.head)
            if left.cell is not None:
                selection.choose_cell(left.step, left.cell)
            else:
                selection.choose_step(left.step)
        self.frame.step_view.set_view(left.view)

    @Slot()
    def _offer_answers(self) -> None:
        """Say that the answers are gone, and offer to bring them back."""
        self.frame.notice.show_message(
            self.tr("The lesson begins anew, with nothing answered."),
            [(self.tr("&Bring my answers back"), self.learner.bring_back)],
        )

    @Slot()
    def _show_page(self) -> None:
        """Move the window to what the page is about."""
        page = self.learner.page
        if page is not None and page.show is not None:
            self._show(page.show)
        computed = self.frame.workbench.engine.current
        selection = self.frame.workbench.selection
        named = page is not None and page.show is not None and page.show.step
        if selection.step in computed.withheld and not named:
            # The input of the hidden step, which its numbers follow from.
            first = next(s for s in computed.trace if s in computed.withheld)
            selection.choose_step(computed.trace.stages[first].inputs[0])

    def _show(self, show: "Show") -> None:
        workbench, step_view = self.frame.workbench, self.frame.step_view
        trace, selection = workbench.engine.current.trace, workbench.selection
        if show.head is not None and show.head < trace.spec.n_heads:
            selection.choose_head(show.head)
        step = show.step or selection.step
        if step in trace:
            rows, columns = trace.shape(step)[-2:]
            cell = show.cell
            if cell is not None and cell[0] < rows and cell[1] < columns:
                selection.choose_cell(step, cell)
            else:
                selection.choose_step(step)
        if show.view == PLAYED:
            self.frame.feature(HowFeature).start()
        elif show.view:
            step_view.set_view(show.view)
