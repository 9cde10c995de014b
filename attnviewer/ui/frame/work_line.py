"""Progress of long work in the status bar, with a button to cancel it."""

from typing import Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from attnviewer.ui.state.building import Build
from attnviewer.ui.state.engine import Engine
from attnviewer.ui.widgets.announcing import announce
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Job, Worker


class HasProgress(Protocol):
    """An object whose worker's progress can be shown."""

    worker: Worker

    def progress(self, job: Job) -> str:
        """Return the progress text of a job."""

    def cancel(self) -> None:
        """Cancel the work."""


class WorkLine(QWidget):
    """Appears once some work has taken a second, with a button to cancel it.

    After a cancelled computation, the notice bar offers to run it again.
    """

    def __init__(self, engine: Engine, notice: NoticeBar, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("status.work")
        self._engine, self._notice = engine, notice
        self._offering = False
        self.text = QLabel(self)
        self.text.setObjectName("status.work.text")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.setObjectName("status.work.cancel")
        self.cancel.setAccessibleName(self.tr("Cancel the work"))
        self.cancel.setAutoDefault(True)
        # When hidden, it would pass the focus to a panel and raise its dock.
        self.cancel.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cancel.clicked.connect(engine.cancel)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.text)
        layout.addWidget(self.cancel)
        engine.worker.progressed.connect(self._on_progressed)
        engine.worker.rested.connect(self.hide)
        engine.cancelled.connect(self._on_cancelled)
        engine.computed.connect(self._on_computed)
        self.hide()

    def follow(self, source: HasProgress) -> None:
        """Show the progress of another worker as well."""
        progress = _ProgressText(source, self)
        progress.changed.connect(self._show)
        source.worker.rested.connect(self.hide)
        self.cancel.clicked.connect(source.cancel)

    @Slot(object)
    def _on_progressed(self, build: Build) -> None:
        if self._engine.is_preparing(build):
            text = self.tr("opening “{title}” … {percent} %")
        else:
            text = self.tr("computing … {percent} %")
        percent = round(100 * build.share)
        self._show(text.format(title=build.document.title, percent=percent))

    @Slot(str)
    def _show(self, text: str) -> None:
        self.text.setText(text)
        if self.isHidden():
            self.show()
            announce(self, text, urgent=False)

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

    changed = Signal(str)

    def __init__(self, source: HasProgress, parent: QObject) -> None:
        super().__init__(parent)
        self._source = source
        source.worker.progressed.connect(self._on_progressed)

    @Slot(object)
    def _on_progressed(self, job: Job) -> None:
        self.changed.emit(self._source.progress(job))
