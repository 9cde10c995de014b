"""Writing the current view to a file, or to the clipboard."""

from pathlib import Path

from PySide6.QtGui import QGuiApplication

from attnviewer.io import write_atomically
from attnviewer.ui.pictures.formats import WRITERS, Notes
from attnviewer.ui.pictures.rendering import check_pixels, laid_out
from attnviewer.ui.pictures.style import Style
from attnviewer.ui.views.step import StepView
from attnviewer.views import PICTURES

AS_ON_SCREEN = Style()


def save_view(
    step_view: StepView, path: str | Path, style: Style = AS_ON_SCREEN
) -> None:
    """Write the visible page as a picture.

    Parameters
    ----------
    step_view : StepView
        The view with the page. It has to be shown, if only offscreen.
    path : str or Path
        The file; its suffix is the format: ``.png``, ``.svg`` or ``.pdf``.
    style : Style
        The style of the picture.

    Raises
    ------
    ValueError
        If there is no such format, or the picture would have too many pixels.
    FileError
        If the file cannot be written.
    """
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in WRITERS:
        names = ", ".join(f".{name}" for name in PICTURES if name in WRITERS)
        raise ValueError(
            f"The name of the picture must end in one of {names}. "
            f"Got '{Path(path).name}' instead."
        )
    notes = notes_of(step_view)
    with laid_out(step_view, style, notes.line) as picture:
        content = WRITERS[kind](picture, notes)
    write_atomically(path, content)


def copy_view(step_view: StepView, style: Style = AS_ON_SCREEN) -> None:
    """Copy the visible page to the clipboard, as an image.

    Raises
    ------
    ValueError
        If it would have too many pixels.
    """
    with laid_out(step_view, style, notes_of(step_view).line) as picture:
        check_pixels(picture)
        QGuiApplication.clipboard().setImage(picture.image())


def notes_of(step_view: StepView) -> Notes:
    """Return the notes of a picture of the visible page."""
    return Notes.of(
        step_view.computation, step_view.step, step_view.head, step_view.view
    )
