"""Progress of long work in the status bar, with a button to cancel it."""

from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from attnviewer.ui.state.building import Build
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Job, Worker


class HasWork(Protocol):
    """An object whose worker's progress can be shown."""

    @property
    def worker(self) -> Worker:
        """Does the work."""

    def cancel(self) -> None:
        """Cancel the work."""


class HasProgress(HasWork, Protocol):
    """An object that can tell the progress."""

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""


class WorkLine(QWidget):
    """Appears once some work has taken a second, with a button to cancel it.

    Other work is shown when that has ended. After a cancelled computation, the notice
    bar offers to run it again.
    """

    def __init__(self, engine: Engine, notice: NoticeBar, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("status.work")
        self._engine, self._notice = engine, notice
        self._offering = False
        self._shown: HasWork = engine
        self.text = QLabel(self)
        self.text.setObjectName("status.work.text")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setObjectName("status.work.cancel")
        self.cancel.setAccessibleName(self.tr("Cancel the work"))
        self.cancel.setAutoDefault(True)
        # When hidden, it would pass the focus to a panel and raise its dock.
        self.cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cancel.clicked.connect(self._on_cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        layout.addWidget(self.cancel)
        engine.worker.progressed.connect(self._on_progressed)
        engine.worker.rested.connect(self._on_rested)
        engine.cancelled.connect(self._on_cancelled)
        engine.computed.connect(self._on_computed)
        self.hide()

    def follow(self, source: HasProgress) -> None:
        """Show the progress of another worker as well."""
        progress = _ProgressText(source, self)
        progress.changed.connect(self._show)
        source.worker.rested.connect(self._on_rested)

    @Slot(object)
    def _on_progressed(self, build: Build) -> None:
        if self._engine.is_preparing(build):
            text = self.tr("opening “{title}”… {percent} %")
        else:
            text = self.tr("computing… {percent} %")
        percent = round(100 * build.share)
        text = text.format(title=build.document.title, percent=percent)
        self._show(self._engine, text)

    @Slot(object, str)
    def _show(self, source: HasWork, text: str) -> None:
        if source is not self._shown and self._shown.worker.jobs:
            return
        self._shown = source
        self.text.setText(text)
        if self.isHidden():
            self.show()
            announce(self, text, urgent=False)

    @Slot()
    def _on_cancel(self) -> None:
        self._shown.cancel()

    @Slot()
    def _on_rested(self) -> None:
        if not self._shown.worker.jobs:
            self.hide()

    @Slot()
    def _on_cancelled(self) -> None:
        self._offering = True
        self._notice.offer(
            self.tr(
                "The computation was cancelled: what you see is older than "
                "the numbers in the tables."
            ),
            [(self.tr("&Compute now"), self._engine.recompute)],
        )

    @Slot()
    def _on_computed(self) -> None:
        if self._offering:
            self._offering = False
            self._notice.withdraw()


class _ProgressText(QObject):
    """Turns a worker's progress signal into text."""

    changed = Signal(object, str)

    def __init__(self, source: HasProgress, parent: QObject) -> None:
        super().__init__(parent)
        self._source = source
        source.worker.progressed.connect(self._on_progressed)

    @Slot(object)
    def _on_progressed(self, job: Job) -> None:
        self.changed.emit(self._source, self._source.progress(job))
