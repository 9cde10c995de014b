"""Records a walk, one frame per event-loop iteration, and writes it to a file."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QProgressDialog, QWidget

from attnviewer.io import write_atomically
from attnviewer.ui.pictures.gif import Gif
from attnviewer.ui.pictures.walk_dialog import WalkChoice
from attnviewer.ui.pictures.walk_frames import WalkFrames
from attnviewer.ui.pictures.walk_saving import (
    add_frame,
    colors_of,
    comment_of,
    walk_snapshot,
)
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.widgets.notice import NoticeBar
from attnviewer.ui.work.worker import Worker


@dataclass(slots=True, eq=False)
class GifJob:
    """Encodes frames and writes the file; see `Gif.content`."""

    gif: Gif
    choice: WalkChoice
    comment: str
    stopped: bool = False

    def run(self) -> None:
        """Encode and write.

        Raises
        ------
        MemoryError, FileError
            If that fails.
        """
        content = self.gif.content(self.choice.pace, self.comment)
        if not self.stopped:
            write_atomically(self.choice.path, content)


class Recorder(QObject):
    """Draws one frame per event-loop iteration, with a progress dialog.

    Attributes
    ----------
    saved_to : Signal
        The folder of the written file.
    """

    saved_to = Signal(object)

    def __init__(
        self, workbench: Workbench, notice: NoticeBar, window: QWidget
    ) -> None:
        super().__init__(window)
        self._workbench, self._notice, self._window = workbench, notice, window
        self._worker = Worker(self)
        self._worker.done.connect(self._on_written)
        self._worker.failed.connect(self._on_failed)
        self._frame_timer = QTimer(self, singleShot=True, interval=0)
        self._frame_timer.timeout.connect(self._draw_next)
        self._choice: WalkChoice | None = None
        self._frames: WalkFrames | None = None
        self._gif: Gif | None = None
        self._progress: QProgressDialog | None = None
        workbench.engine.computed.connect(self._on_computed)

    @Slot(object)
    def record(self, choice: WalkChoice) -> None:
        """Record the computation, cell by cell."""
        self.stop()
        self._choice = choice
        snapshot = walk_snapshot(self._workbench, choice.scope)
        self._frames = WalkFrames(snapshot, choice.theme, QSize(*choice.size))
        self._gif = Gif(colors_of(choice.theme))
        self._progress = self._make_progress(len(self._frames.moves))
        self._frame_timer.start()

    @Slot()
    def stop(self) -> None:
        """Cancel the recording."""
        self._frame_timer.stop()
        self._frames = self._gif = None
        if self._progress is not None:
            self._progress.canceled.disconnect(self._on_cancelled)
            self._progress.rejected.disconnect(self._on_cancelled)
            self._progress.close()
            self._progress = None

    def finish(self) -> None:
        """Cancel the recording, and wait for the file being written."""
        self.stop()
        self._worker.finish()

    @Slot()
    def _draw_next(self) -> None:
        frames, gif, progress = self._frames, self._gif, self._progress
        assert frames is not None
        assert gif is not None
        assert progress is not None
        move = frames.moves[len(gif)]
        add_frame(gif, frames, move)
        progress.setValue(len(gif))  # processes events, a cancellation among them
        if self._gif is not gif:
            return
        if len(gif) < len(frames.moves):
            self._frame_timer.start()
            return
        assert self._choice is not None
        self.stop()
        job = GifJob(gif, self._choice, comment_of(self._workbench))
        self._worker.start(job)

    @Slot()
    def _on_cancelled(self) -> None:
        self.stop()
        self._notice.show_message(self.tr("The recording was cancelled."))

    @Slot()
    def _on_computed(self) -> None:
        if self._frames is not None:
            self.stop()
            self._notice.refuse(
                self.tr("The numbers have changed. Record the animation again.")
            )

    @Slot(object)
    def _on_written(self, job: GifJob) -> None:
        path = job.choice.path
        self.saved_to.emit(path.parent)
        text = self.tr("{file} written, {count} frames")
        self._notice.show_message(text.format(file=path, count=len(job.gif)))

    @Slot(object, str)
    def _on_failed(self, _job: GifJob, reason: str) -> None:
        self._notice.refuse(reason)

    def _make_progress(self, count: int) -> QProgressDialog:
        progress = QProgressDialog(
            self.tr("Drawing the frames…"), self.tr("Cancel"), 0, count, self._window
        )
        progress.setObjectName("walk_progress")
        progress.setWindowTitle(self.tr("Step by step as GIF"))
        progress.setWindowModality(Qt.WindowModality.WindowModal)
        progress.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        progress.setAutoReset(False)
        progress.setAutoClose(False)
        progress.setMinimumDuration(0)
        progress.canceled.connect(self._on_cancelled)
        # By Escape, where its shortcut does not come first.
        progress.rejected.connect(self._on_cancelled)
        progress.show()
        return progress
