"""A window with a document in it."""

from pathlib import Path

from attnviewer.document import Document
from attnviewer.io import load
from attnviewer.io.stamp import Stamp
from attnviewer.sources import FIRST_EXAMPLE
from attnviewer.ui.features.files import FilesFeature
from attnviewer.ui.features.model import ModelFeature
from attnviewer.ui.state.model.opening import ModelOpening
from attnviewer.ui.window.application import create_appearance
from attnviewer.ui.window.main_window import MainWindow
from attnviewer.ui.window.startup import begin_window


def create_window(source: str = FIRST_EXAMPLE, *, wait: bool = True) -> MainWindow:
    """Build the main window on a source, without showing it or entering a loop.

    Parameters
    ----------
    source : str
        ``example:ID`` or the path of a file.
    wait : bool
        Whether the document is computed and its page there when the window is
        returned. Otherwise both come later, as where a person starts the program.

    Returns
    -------
    MainWindow
        Not yet shown. The caller shows and closes it.

    Raises
    ------
    FileError
        If the source cannot be read.
    """
    stamp = Stamp.of(Path(source))
    document = load(source)
    window = MainWindow(create_appearance())
    begin_window(window, document)
    window.complete()
    continue_with(window, document, source, stamp)
    if wait:
        window.workbench.engine.worker.finish()
        window.step_view.open_page()
    return window


def continue_with(
    window: MainWindow, document: Document, source: str, stamp: Stamp | None
) -> None:
    """Finish opening a source in a window that was begun with its document.

    Parameters
    ----------
    window : MainWindow
        The window, complete.
    document : Document
        The document that was read.
    source : str
        ``example:ID`` or the path of a file.
    stamp : Stamp or None
        The file's stamp from before it was read.
    """
    window.feature(FilesFeature).origins.keep_source(document, source, stamp)
    if window.document is not document:
        window.feature(FilesFeature).opener.open_document(document)


def continue_with_model(window: MainWindow, opening: ModelOpening) -> None:
    """Connect a complete window with the model that its document comes from."""
    job = opening.job
    assert job is not None
    assert job.document is not None
    head, workbench = opening.source.head, window.workbench
    if job.request.location.alone is None and head != workbench.selection.head:
        workbench.selection.choose_head(head)
        if window.document is job.document:
            workbench.select_telling_cell()
    if window.document is not job.document:
        window.feature(FilesFeature).opener.open_document(
            job.document, keep_selection=True
        )
    window.feature(ModelFeature).commands.adopt(job.document)
    window.workbench.model.continue_from(job)
    for text in job.notices:
        window.frame.notice.add(text)
