"""Exports from the menu: ask where, write, report the outcome."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from attnviewer.document import Snapshot
from attnviewer.document.text.blocks import MOST_COPIED
from attnviewer.io import FileError, stated_notes, stated_title
from attnviewer.io.export import (
    FORMATS,
    Choice,
    Computation,
    FoldedWeights,
    file_stem,
    matrix_text,
    trained,
)
from attnviewer.one_line import one_line
from attnviewer.ui.export.dialog import ExportDialog, remembered_bom
from attnviewer.ui.export.job import ExportJob
from attnviewer.ui.export.selected import selected_block
from attnviewer.ui.files.file_dialogs import ask_where_to_save
from attnviewer.ui.files.folder_dialog import FolderDialog
from attnviewer.ui.state.folders import documents_folder
from attnviewer.ui.state.heads import own_head
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Job, Worker


class Exporter(QObject):
    """Exports the open document to files, in the background.

    Exports include every edit made before they were requested.

    Attributes
    ----------
    worker : Worker
        The worker, which reports progress.
    with_headers : QAction
        Checked if files get token names and column numbers.
    """

    def __init__(
        self,
        workbench: Workbench,
        step_view: StepView,
        notice: NoticeBar,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._window = parent
        self._workbench = workbench
        self._step_view = step_view
        self._notice = notice
        self._folder = documents_folder()
        self.worker = Worker(self)
        self.worker.done.connect(self._on_done)
        self.worker.failed.connect(self._on_failed)
        self._refused: ExportJob | None = None
        self.with_headers = QAction(self.tr("With &token names"), parent)
        self.with_headers.setObjectName("action.export_headers")
        self.with_headers.setCheckable(True)
        self.with_headers.setChecked(True)

    def export_step(self, _data: object = None) -> None:
        """Ask for a file and write the open step to it, as CSV."""
        step, head = self._open_step()
        self.ask("csv", self._as_tables((step,), head), self._part_name(step))

    def export_all(self, _data: object = None) -> None:
        """Ask for a folder and write every step to it, as CSV."""
        self.ask("csv", self._as_tables())

    @property
    def _folded(self) -> FoldedWeights | None:
        """The weights with groups folded as in the window; None if all are open."""
        folds, document = self._workbench.folds.current, self._workbench.document
        queries = [g for g in document.groups if ("queries", g) in folds.folded]
        keys = [g for g in document.key_groups if ("keys", g) in folds.folded]
        if not (queries or keys):
            return None
        rules = folds.query_rule, folds.key_rule
        return FoldedWeights.of(document.labels, queries, keys, *rules)

    def _as_tables(
        self, steps: tuple[str, ...] | None = None, head: int | None = None
    ) -> Choice:
        headers, bom = self.with_headers.isChecked(), remembered_bom()
        return Choice(steps, head, headers=headers, bom=bom, folded=self._folded)

    def choose(self, _data: object = None) -> None:
        """Open the dialog of all formats."""
        step, head = self._open_step()
        if reason := self._workbench.withheld_reason:
            self._notice.refuse(reason)
            return
        trace = self._workbench.engine.current.trace
        block = selected_block(self._step_view, self._workbench.selection.marked)
        dialog = ExportDialog(
            *(step, head if trace.n_query_heads > 1 else None, block, self._folded),
            self._window,
        )
        dialog.headers.setChecked(self.with_headers.isChecked())
        dialog.chosen.connect(self._on_chosen)
        dialog.open()

    def copy_step(self, _data: object = None) -> None:
        """Copy the open step with its labels as tab-separated text."""
        if reason := self._workbench.outdated_reason():
            self._notice.refuse(reason)
            return
        step, head = self._open_step()
        computed = self._workbench.engine.current
        if step in computed.withheld:
            self._notice.refuse(self._workbench.withheld_reason)
            return
        rows, columns = computed.trace.matrix_shape(step)
        if rows * columns > MOST_COPIED:
            self._notice.refuse(
                self.tr(
                    "{step} has {count:,} cells; at most {most:,} can be copied. "
                    "Export it to a file."
                ).format(step=step, count=rows * columns, most=MOST_COPIED)
            )
            return
        document = self._workbench.document
        computation = Computation.by(document, computed.labels, computed.trace)
        choice = replace(self._as_tables((step,), head), bom=False)
        QGuiApplication.clipboard().setText(matrix_text(computation, choice))
        self._notice.show_message(
            self.tr("{step} copied").format(step=self._part_name(step))
        )

    def ask(self, format_: str, choice: Choice, stem: str | None = None) -> None:
        """Ask for the destination, then write.

        Parameters
        ----------
        format_ : str
            A name of `attnviewer.io.FORMATS`.
        choice : Choice
            What to export.
        stem : str, optional
            The suggested file name. Without one, a format with a file per matrix asks
            for a folder.
        """
        if reason := self._workbench.withheld_reason:
            self._notice.refuse(reason)
            return
        # Another document may be opened while the dialog is open.
        document, wanted = self._workbench.document, FORMATS[format_]
        if stem is None and wanted.content is None:
            title = self.tr("Export all steps as {format}").format(format=wanted.title)
            folder = str(self._folder)
            name = FolderDialog.ask(self._window, title, folder)
            path = Path(name) if name else None
        else:
            stem = stem or file_stem(document.title) + wanted.mark
            title = self.tr("Export {name} as {format}")
            try:
                path = ask_where_to_save(
                    self._window,
                    title.format(name=stem, format=wanted.title),
                    self._folder / f"{stem}{wanted.suffix}",
                    wanted.title,
                )
            except FileError as error:
                self._notice.refuse(str(error))
                return
        if path is not None:
            self._start(
                ExportJob(
                    stated_title(document),
                    Snapshot.whole(document),
                    self._workbench.engine.precision,
                    path,
                    format_,
                    choice,
                    trained(document),
                    stated_notes(document),
                )
            )

    def progress(self, job: Job) -> str:
        """Return the progress text of an export that takes long."""
        assert isinstance(job, ExportJob)
        return self.tr("writing “{name}”…").format(name=one_line(job.path.name))

    @Slot()
    def cancel(self) -> None:
        """Cancel the running exports."""
        for job in self.worker.jobs:
            self.worker.stop(job)
            assert isinstance(job, ExportJob)
            text = self.tr("“{name}” was only partly written.")
            self._notice.show_message(text.format(name=one_line(job.path.name)))

    def finish(self) -> None:
        """Wait until everything is written."""
        self.worker.finish()

    def _start(self, job: ExportJob) -> None:
        self._notice.dismiss()
        self.worker.start(job)

    def _open_step(self) -> tuple[str, int]:
        """Return the open step, and the chosen head of the queries."""
        self._workbench.engine.catch_up()
        selection = self._workbench.selection
        return selection.step, selection.head

    def _part_name(self, step: str) -> str:
        trace = self._workbench.engine.current.trace
        if trace.n_heads(step) == 1:
            return step
        return f"{step}.head{own_head(trace, step, self._workbench.selection.head)}"

    @Slot(str, object)
    def _on_chosen(self, format_: str, choice: Choice) -> None:
        self.with_headers.setChecked(choice.headers)
        whole = choice.steps is None
        stem = None if whole or choice.steps is None else choice.steps[0]
        self.ask(format_, choice, stem if stem is None else self._part_name(stem))

    @Slot(object)
    def _on_done(self, job: ExportJob) -> None:
        files, folder = job.files, job.files[0].parent
        self._folder = folder
        text = self.tr("{count} files written to {folder}")
        if job.path in files:
            text = self.tr("{file} written")
        text = text.format(file=job.path, count=len(files), folder=folder)
        show = self.tr("Show in fo&lder"), self._show_folder
        self._notice.show_message(text, [show])

    @Slot()
    def _show_folder(self) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder))):
            text = self.tr("The folder cannot be shown here: {folder}")
            self._notice.show_message(text.format(folder=self._folder))

    @Slot(object, str)
    def _on_failed(self, job: ExportJob, reason: str) -> None:
        self._refused = job
        self._notice.refuse(reason, [(self.tr("Export elsewhe&re…"), self._ask_again)])

    @Slot()
    def _ask_again(self) -> None:
        job = self._refused
        assert job is not None
        whole = FORMATS[job.format].content is None and job.choice.steps is None
        self.ask(job.format, job.choice, None if whole else job.path.stem)
