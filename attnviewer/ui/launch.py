"""Opens the window of a command, or draws a picture of it."""

import shlex
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from attnviewer.one_line import one_line
from attnviewer.sources import (
    EXAMPLE_PREFIX,
    FIRST_EXAMPLE,
    ModelSource,
    as_model,
)
from attnviewer.ui.failures import Failures, reporting_failures
from attnviewer.ui.frame.remembered import recall, recall_step_rect, restore_geometry
from attnviewer.ui.window.application import create_appearance, create_application
from attnviewer.ui.window.display import missing_display
from attnviewer.ui.window.garbage_collection import (
    collecting_from_event_loop,
    freeze_loaded_objects,
)
from attnviewer.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.io import Origin
    from attnviewer.io.stamp import Stamp
    from attnviewer.teaching import Lesson
    from attnviewer.teaching.exercise.file import Exercise
    from attnviewer.ui.files.reading import Reader, Reading
    from attnviewer.ui.state.model.opening import ModelOpening


def launch(
    source: str | ModelSource,
    assign: str | None = None,
    lesson: "Lesson | Exercise | None" = None,
) -> int:
    """Open the window on a source and stay until it is closed.

    Where no window can be shown, a picture of it is written instead, and the
    alternatives are printed.

    Parameters
    ----------
    source : str or ModelSource
        ``example:ID``, the path of a file, or a model; see `is_of_model`.
        For a file of numbers, the import dialog opens.
    assign : str, optional
        Which of its arrays is what, see `attnviewer.io.load`; skips the dialog.
    lesson : Lesson or Exercise, optional
        A lesson, or a copy of an exercise, to open besides.

    Returns
    -------
    int
        The exit code.

    Raises
    ------
    FileError
        If the source cannot be read.
    """
    reason = missing_display()
    if reason is not None:
        return _draw_instead(source, assign, reason)
    application = create_application()
    with collecting_from_event_loop(), reporting_failures() as failures:
        start = _Start(source, assign, failures, lesson)
        code = application.exec()
        start.close()
        if start.failure is not None:
            failures.log(start.failure, start.source)
    if start.failure is not None:
        raise start.failure
    return code


class _Start(QObject):
    """Shows an empty window at once, then the step alone, then everything.

    Each stage starts once the previous one has been painted.

    Attributes
    ----------
    source : str
        The source, by name.
    failure : BaseException or None
        Why that failed; the window is closed then.
    """

    def __init__(
        self,
        source: str | ModelSource,
        assign: str | None,
        failures: Failures,
        lesson: "Lesson | Exercise | None" = None,
    ) -> None:
        super().__init__()
        self._failures, self._lesson = failures, lesson
        self.failure: BaseException | None = None
        self._model = as_model(source, assign)
        name = source if isinstance(source, str) else str(source.path)
        self.source, self._assign = name, assign
        self._opening: ModelOpening | None = None
        self._imported: Path | None = None
        self._recorded: Origin | None = None
        self._reader: Reader | None = None
        self._document: Document | None = None
        self._notices: list[str] = []
        self._stamp: Stamp | None = None
        appearance = create_appearance()
        recall(appearance)
        self._window = window = MainWindow(appearance)
        path = Path(name.removeprefix(EXAMPLE_PREFIX))
        if self._model is not None:
            path = path.absolute()  # "." is a model's folder, too
        window.announce(one_line(path.name))
        queued = Qt.ConnectionType.QueuedConnection
        window.seen_empty.connect(self._on_empty_seen, queued)
        if restore_geometry(window):
            window.show()
        else:
            show_first(window)

    def close(self) -> None:
        """Wait for the reading thread, if the window was closed in the meantime."""
        if self._opening is not None:
            self._opening.stop()
        if self._reader is not None:
            self._reader.close()

    # Two paints in one event-loop iteration queue two signals, hence the checks.

    @Slot()
    def _on_empty_seen(self) -> None:
        if self._reader is None:
            self._try(self._begin)

    @Slot(object)
    def _on_read(self, reading: "Reading") -> None:
        self._document, self._stamp = reading.document, reading.stamp
        if isinstance(reading.origin, _Source):
            self._notices = reading.origin.notices
        self._try(self._open)

    @Slot(object)
    def _on_unread(self, reading: "Reading") -> None:
        if reading.error is not None and self._window.isVisible():
            self._fail(reading.error)

    @Slot()
    def _on_step_seen(self) -> None:
        if not self._window.is_filled:
            self._try(self._surround)

    def _try(self, step: Callable[[], None]) -> None:
        """Run the next stage, unless the window has been closed in the meantime."""
        if not self._window.isVisible():
            return
        try:
            step()
        except (Exception, KeyboardInterrupt) as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        self.failure = error  # an event loop would swallow it
        self._window.close()
        self._window.deleteLater()

    def _begin(self) -> None:
        from attnviewer.ui.files.reading import Reader, Reading

        self._reader = Reader(self)
        origin = self._origin()
        if self.source.startswith(EXAMPLE_PREFIX):
            # Bundled examples are small: read sooner than a thread starts.
            reading = Reading(origin)
            reading.run()
            self._on_read(reading)
            return
        self._reader.done.connect(self._on_read)
        self._reader.failed.connect(self._on_unread)
        self._reader.read(origin)

    def _origin(self) -> "Origin":
        """Return the origin to read first."""
        if self._model is not None:
            from attnviewer.ui.state.model.opening import ModelOpening

            self._opening = ModelOpening(self._model)
            return self._opening
        if self.source.startswith(EXAMPLE_PREFIX):
            return _Source(self.source, self._assign)
        from attnviewer.io.importing import holds_matrices
        from attnviewer.io.matrices.read import readable_kind
        from attnviewer.io.npz_kinds import is_of_recording

        path = Path(self.source)
        if self._assign is None and is_of_recording(path):
            from attnviewer.ui.state.recording import LayerOrigin, RecordingFile

            self._recorded = LayerOrigin(RecordingFile(path))
            return self._recorded
        if self._assign is None and holds_matrices(path):
            readable_kind(path)  # otherwise there is nothing to ask about
            self._imported, self.source = path, FIRST_EXAMPLE
        return _Source(self.source, self._assign)

    def _open(self) -> None:
        from attnviewer.ui.window.startup import begin_window

        window, step_rect = self._window, recall_step_rect(self._window)
        assert self._document is not None
        begin_window(window, self._document, step_rect)
        if step_rect is None:
            self._complete()
            return
        window.step_view.painted.connect(
            self._on_step_seen, Qt.ConnectionType.QueuedConnection
        )

    def _surround(self) -> None:
        self._window.step_view.painted.disconnect(self._on_step_seen)
        self._complete()

    def _complete(self) -> None:
        from attnviewer.io import DocumentFile
        from attnviewer.ui.features.files import FilesFeature
        from attnviewer.ui.features.importing import ImportFeature
        from attnviewer.ui.features.lessons import LessonsFeature
        from attnviewer.ui.features.recovery import RecoveryFeature
        from attnviewer.ui.features.settings import SettingsFeature
        from attnviewer.ui.features.tour import TourFeature
        from attnviewer.ui.log import log_file
        from attnviewer.ui.window.app import continue_with, continue_with_model
        from attnviewer.ui.window.closing import confirm_close

        window = self._window
        assert self._document is not None
        window.complete()
        # First, as opening a model shows panels that may have been closed.
        settings = window.add(SettingsFeature)
        if self._opening is not None:
            continue_with_model(window, self._opening)
        else:
            continue_with(window, self._document, self.source, self._stamp)
        origins = window.feature(FilesFeature).origins
        if self._recorded is not None:
            origins.keep(self._document, self._recorded, self._stamp)
        if self._assign is not None:
            origin = DocumentFile(Path(self.source), self._assign)
            origins.keep(self._document, origin, self._stamp)
        for text in self._notices:
            window.frame.notice.add(text)
        window.confirm_close = confirm_close
        window.settle()
        self._failures.follow(window, window.workbench, window.frame.notice)
        recovery = window.add(RecoveryFeature)
        if self._imported is not None:
            window.feature(ImportFeature).importer.open_arrays(self._imported)
        elif self._lesson is not None:
            window.feature(LessonsFeature).open_found(self._lesson)
        elif self._opening is None and not settings.toured and not recovery.asks:
            # Around a model, its stops are hidden.
            window.feature(TourFeature).tour.start()
        log_file("opened", self.source)
        freeze_loaded_objects()


@dataclass(frozen=True, slots=True)
class _Source:
    """A source, as the user named it."""

    name: str
    assign: str | None
    notices: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        return Path(self.name)

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self.path,)

    def read(self) -> "Document":
        from attnviewer.io import load

        return load(self.name, self.assign, tell=self.notices.append)


def show_first(window: MainWindow) -> None:
    """Show a window that has no remembered geometry."""
    room = window.screen().availableGeometry().size()
    # The title bar needs room as well.
    if room.width() > window.width() and room.height() > window.height() + 40:
        window.show()
    else:
        # Without a window manager, nobody maximises it.
        window.resize(window.size().boundedTo(room))
        window.showMaximized()


def _draw_instead(source: str | ModelSource, assign: str | None, reason: str) -> int:
    from attnviewer.ui.offscreen.screenshot import save_screenshot

    path = Path(tempfile.mkdtemp(prefix="attnviewer-")) / "window.png"
    save_screenshot(source, path, assign=assign)
    command = _command()
    print(  # noqa: T201
        f"{reason} The window was drawn into a picture instead: {path}\n"
        "To go on: start a virtual display (Debian's package xvfb) with "
        f"`xvfb-run -s '-screen 0 1600x1000x24' {command}`, or use the command line: "
        f"`{command} screenshot`, `{command} export`, `{command} --help`."
    )
    return 0


def _command() -> str:
    """Return the command that started this program, or an equivalent."""
    if Path(sys.argv[0]).name != "__main__.py":
        return "attnviewer"
    starter = Path(__file__).resolve().parents[2] / "scripts" / "run.py"
    return f"python3 {shlex.quote(str(starter))}" if starter.exists() else "attnviewer"
