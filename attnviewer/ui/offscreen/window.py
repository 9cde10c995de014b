"""The real window, filled and laid out without a screen."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QEventLoop, Qt
from PySide6.QtWidgets import QApplication

from attnviewer.io import load
from attnviewer.io.npz_kinds import is_of_recording
from attnviewer.sources import ModelSource, as_model
from attnviewer.ui.features.score_split import ScoreSplitFeature
from attnviewer.ui.state.model.opening import ModelOpening
from attnviewer.ui.state.recording import LayerOrigin, RecordingFile
from attnviewer.ui.window.app import continue_with_model
from attnviewer.ui.window.application import create_appearance
from attnviewer.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from attnviewer.document import Document

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ScreenshotOptions:
    """The view of a window; see `save_screenshot` for each field."""

    source: str | ModelSource
    size: Size = (1600, 1000)
    theme: Literal["light", "dark", "contrast"] = "light"
    step: str | None = None
    view: str | None = None
    cell: tuple[int, int] | None = None
    text_size: int = 100
    baseline: str | None = None
    assign: str | None = None
    head: int | None = None
    layer: int | None = None


@contextlib.contextmanager
def offscreen_window(options: ScreenshotOptions) -> Iterator[MainWindow]:
    """Open a window without a screen, complete and laid out, and close it again.

    Raises
    ------
    ValueError
        If there is no such step, head, view or cell, or texts cannot have that size.
    FileError
        If a source cannot be read.
    """
    if QApplication.instance() is None:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        # The size is in picture pixels, whatever the screen's pixel ratio.
        for name in ("QT_SCALE_FACTOR", "QT_SCREEN_SCALE_FACTORS", "QT_FONT_DPI"):
            os.environ.pop(name, None)
    document, opening = _read(options)
    appearance = create_appearance()
    appearance.choose(options.theme)
    # Before there are widgets: those styled but never shown would keep their size.
    appearance.set_text_size(options.text_size)
    window = MainWindow(appearance)  # adds no recent file
    window.fill(document)
    window.step_view.open_page()
    try:
        window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        window.setMinimumSize(1, 1)
        # Before the model opens panels, as many as have room.
        window.resize(*options.size)
        if opening is not None:
            continue_with_model(window, opening)
            window.workbench.model.worker.finish()
        window.workbench.open_step(options.step, options.cell)
        if options.head is not None:
            window.workbench.open_head(options.head)
        if options.view is not None:
            window.step_view.set_view(options.view)
        if options.baseline is not None:
            window.workbench.baseline.pin(load(options.baseline))
        window.show()
        step_view = window.step_view
        if step_view.view == "difference":
            step_view.difference.finish()
        if step_view.view == "heads":
            step_view.heads.finish()
        if step_view.view == "heatmap":
            window.workbench.filler.finish()
            step_view.heatmap.image.finish()
        _settle()
        # Requested by the views.
        window.workbench.sensitivity.finish()
        window.feature(ScoreSplitFeature).split.finish()
        _settle()
        yield window
    finally:
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _settle() -> None:
    """Let layouts settle, and everything be painted that is painted in turns."""
    events = QAbstractEventDispatcher.instance()
    QApplication.sendPostedEvents()
    while events.processEvents(QEventLoop.ProcessEventsFlag.AllEvents):
        QApplication.sendPostedEvents()


def _read(options: ScreenshotOptions) -> "tuple[Document, ModelOpening | None]":
    """Return the document to open, and the model it comes from."""
    model = as_model(options.source, options.assign)
    if model is None:
        assert isinstance(options.source, str)
        path = Path(options.source)
        if options.assign is None and is_of_recording(path):
            return LayerOrigin(RecordingFile(path), options.layer or 0).read(), None
        if options.layer is not None:
            raise ValueError(
                "The 'layer' must be left out where the source is no recording. "
                f"Got {options.layer} instead."
            )
        return load(options.source, options.assign), None
    opening = ModelOpening(model)
    return opening.read(), opening
