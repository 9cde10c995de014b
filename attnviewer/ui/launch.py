"""From the command to the open window, or to a picture of it."""

import shlex
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QMessageBox

from attnviewer.one_line import one_line
from attnviewer.sources import EXAMPLE_PREFIX, FIRST_EXAMPLE
from attnviewer.ui.application import create_appearance, create_application
from attnviewer.ui.collecting import collecting_between_turns, keep_what_is_loaded
from attnviewer.ui.display import missing_display
from attnviewer.ui.failures import Failures, telling_failures
from attnviewer.ui.files.stamp import Stamp
from attnviewer.ui.importing import importing_unread
from attnviewer.ui.main_window import MainWindow
from attnviewer.ui.remembered import Remembered, recall, recall_place, recall_step

if TYPE_CHECKING:
    from attnviewer.document import Document


def launch(source: str, assign: str | None = None) -> int:
    """Open the window on a source and stay until it is closed.

    Where no window can be seen, a picture of it is written instead and the ways
    to go on are named.

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
        return _draw_instead(source, reason)
    application = create_application()
    with importing_unread(), collecting_between_turns(), telling_failures() as failures:
        start = _Start(source, assign, failures)
        code = application.exec()
        if start.failure is not None:
            failures.log(start.failure, source)
    if start.failure is not None:
        raise start.failure
    return code


class _Start(QObject):
    """Shows an empty window at once, then the step alone, then all.

    Each comes when the one before it has been seen.

    Parameters
    ----------
    source : str
        What is opened. A file of arrays is asked about over the first example.
    assign : str or None
        Which of its arrays is what; then nothing is asked.
    failures : Failures
        Is told of the window.

    Attributes
    ----------
    failure : BaseException or None
        Why that was impossible; the window is closed then.
    """

    def __init__(self, source: str, assign: str | None, failures: Failures) -> None:
        super().__init__()
        self._failures = failures
        self.failure: BaseException | None = None
        self._source, self._assign = source, assign
        self._imported: Path | None = None
        self._document: Document | None = None
        self._stamp: Stamp | None = None
        appearance = create_appearance()
        recall(appearance)
        self._window = window = MainWindow(appearance)
        window.announce(one_line(Path(source.removeprefix(EXAMPLE_PREFIX)).name))
        queued = Qt.ConnectionType.QueuedConnection
        window.seen_empty.connect(self._on_empty_seen, queued)
        if recall_place(window):
            window.show()
        else:
            _show_first(window)

    # What is painted twice in a turn of the event loop is told of twice.

    @Slot()
    def _on_empty_seen(self) -> None:
        if self._document is None:
            self._try(self._begin)

    @Slot()
    def _on_step_seen(self) -> None:
        if not self._window.is_filled:
            self._try(self._surround)

    def _try(self, step: Callable[[], None]) -> None:
        """Go on by a step, unless the window has been closed in the meantime."""
        if not self._window.isVisible():
            return
        try:
            step()
        except (Exception, KeyboardInterrupt) as error:
            self.failure = error  # an event loop would swallow it
            self._window.close()
            self._window.deleteLater()

    def _begin(self) -> None:
        from attnviewer.io import holds_matrices, load
        from attnviewer.ui.app import begin_window

        window, place = self._window, recall_step(self._window)
        path = Path(self._source)
        if self._assign is None and holds_matrices(path):
            self._imported, self._source = path, FIRST_EXAMPLE
        self._stamp = Stamp.of(path)
        self._document = load(self._source, self._assign)
        begin_window(window, self._document, place)
        if place is None:
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
        from attnviewer.ui.app import complete_window
        from attnviewer.ui.log import log_file
        from attnviewer.ui.recovery import Recovery

        window = self._window
        assert self._document is not None
        complete_window(window, self._document, self._source, self._stamp)
        if self._assign is not None:
            origin = DocumentFile(Path(self._source), self._assign)
            window.origins.keep(self._document, origin, self._stamp)
        window.confirm_close = confirm_close
        remembered = Remembered(window)
        window.settle()
        if self._imported is not None:
            window.importer.import_files([self._imported])
        elif not remembered.toured:
            window.tour.start()
        self._failures.follow(window)
        log_file("opened", self._source)
        Recovery(window)
        keep_what_is_loaded()


def _show_first(window: MainWindow) -> None:
    room = window.screen().availableGeometry().size()
    # The frame needs room as well.
    if room.width() > window.width() and room.height() > window.height() + 40:
        window.show()
    else:
        window.showMaximized()


def confirm_close(window: MainWindow, titles: list[str]) -> bool:
    """Ask whether changes are saved; return whether the window may close."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(window.tr("Close attnviewer"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    named = ", ".join(f"“{title}”" for title in titles)
    box.setText(window.tr("Save the changes in {titles}?").format(titles=named))
    box.setInformativeText(window.tr("They will be lost otherwise."))
    buttons = QMessageBox.StandardButton
    box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
    box.setDefaultButton(buttons.Save)
    chosen = box.exec()
    if chosen == buttons.Save:
        return window.saver.save_all()
    return chosen == buttons.Discard


def _draw_instead(source: str, reason: str) -> int:
    from attnviewer.ui.screenshot import save_screenshot

    path = Path(tempfile.mkdtemp(prefix="attnviewer-")) / "window.png"
    save_screenshot(source, path)
    command = _command()
    print(  # noqa: T201
        f"{reason} The window was drawn into a picture instead: {path}\n"
        "To go on: start a virtual display (Debian's package xvfb) with "
        f"`xvfb-run -s '-screen 0 1600x1000x24' {command}`, or use the command line: "
        f"`{command} screenshot`, `{command} export`, `{command} --help`."
    )
    return 0


def _command() -> str:
    """Return what the person has typed to come here, or the like of it."""
    if Path(sys.argv[0]).name != "__main__.py":
        return "attnviewer"
    starter = Path(__file__).resolve().parents[2] / "scripts" / "run.py"
    return f"python3 {shlex.quote(str(starter))}" if starter.exists() else "attnviewer"
