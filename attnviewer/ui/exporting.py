"""Export from the menu: where to, then write, then say how it ended."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QWidget

from attnviewer.io import FileError, export_all, export_step
from attnviewer.ui.engine import Computed
from attnviewer.ui.files.folders import documents_folder
from attnviewer.ui.heads import own_head
from attnviewer.ui.notice import NoticeBar
from attnviewer.ui.workbench import Workbench

if TYPE_CHECKING:
    from attnviewer.document import Document

_Export = Callable[[Computed], None]


class Exporter(QObject):
    """Writes what is on the workbench, as soon as its newest edit is computed.

    Parameters
    ----------
    workbench : Workbench
        Whose document is exported.
    notice : NoticeBar
        Where it is told how an export ended.
    parent : QWidget
        The window, for dialogs.

    Attributes
    ----------
    with_headers : QAction
        Checked if files bear token names and column numbers.
    """

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._window = parent
        self._workbench = workbench
        self._notice = notice
        self._folder = documents_folder()
        self._waiting: tuple[_Export, Document] | None = None
        engine = workbench.engine
        # Queued: another document is only then on the workbench.
        queued = Qt.ConnectionType.QueuedConnection
        engine.computed.connect(self._go_on, queued)
        engine.cancelled.connect(self._give_up)
        engine.failed.connect(self._give_up)
        self.with_headers = QAction(self.tr("With &token names"), parent)
        self.with_headers.setObjectName("action.export_headers")
        self.with_headers.setCheckable(True)
        self.with_headers.setChecked(True)

    def export_step(self, _data: object = None) -> None:
        """Ask for a file and write the open step to it."""
        self._begin(self._export_step)

    def export_all(self, _data: object = None) -> None:
        """Ask for a folder and write every step to it."""
        self._begin(self._export_all)

    def _begin(self, export: _Export) -> None:
        self._waiting = export, self._workbench.document
        self._go_on()
        if self._waiting is not None:
            self._notice.tell(self._promise())

    @Slot()
    def _go_on(self) -> None:
        if self._waiting is None:
            return
        export, document = self._waiting
        if document is not self._workbench.document:
            self._waiting = None
        elif self._workbench.engine.catch_up():
            self._waiting = None
            if self._notice.text == self._promise():
                self._notice.dismiss()
            export(self._workbench.engine.current)

    def _promise(self) -> str:
        return self.tr("The export follows as soon as the newest edit is computed.")

    @Slot()
    def _give_up(self) -> None:
        """Export nothing; whoever computes tells why."""
        self._waiting = None

    def _export_step(self, computed: Computed) -> None:
        # Asked for after the newest trace, which the selection then fits.
        step = self._workbench.selection.step
        head = own_head(computed.trace, step, self._workbench.selection.head)
        with_heads = computed.trace.n_heads(step) > 1
        stem = f"{step}.head{head}" if with_heads else step
        name, _filter = QFileDialog.getSaveFileName(
            self._window,
            self.tr("Export {step} as CSV").format(step=step),
            str(self._folder / f"{stem}.csv"),
            self.tr("CSV (*.csv)"),
        )
        if name:
            self._write_step(computed, Path(name), step, head)

    def _export_all(self, computed: Computed) -> None:
        # Another document may be opened while the dialog is there.
        title = self._workbench.document.title
        name = QFileDialog.getExistingDirectory(
            self._window, self.tr("Export all steps as CSV"), str(self._folder)
        )
        if name:
            self._write_all(computed, Path(name), title)

    def _write_step(self, computed: Computed, path: Path, step: str, head: int) -> None:
        headers = self.with_headers.isChecked()
        try:
            export_step(
                computed.trace, computed.labels, step, path, head=head, headers=headers
            )
        except FileError as error:
            self._notice.refuse(str(error))
            return
        self._folder = path.parent
        self._notice.tell(self.tr("{file} written").format(file=path))

    def _write_all(self, computed: Computed, folder: Path, title: str) -> None:
        try:
            files = export_all(
                computed.trace,
                computed.labels,
                folder,
                headers=self.with_headers.isChecked(),
                title=title,
            )
        except FileError as error:
            self._notice.refuse(str(error))
            return
        self._folder = folder
        told = self.tr("{count} files written to {folder}")
        self._notice.tell(told.format(count=len(files), folder=folder))
