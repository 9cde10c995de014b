"""Writing the current view to a file, or to the clipboard."""

from pathlib import Path

from PySide6.QtGui import QGuiApplication, QImage

from attnviewer.io import write_atomically
from attnviewer.ui.figures.composing import compose
from attnviewer.ui.figures.files import encoded
from attnviewer.ui.figures.notes import Notes
from attnviewer.ui.figures.painting import image_of
from attnviewer.ui.pictures.choice import PictureChoice
from attnviewer.ui.pictures.formats import WRITERS
from attnviewer.ui.pictures.rendering import check_pixels, laid_out
from attnviewer.ui.pictures.shown_panel import has_figure, shown_panel
from attnviewer.ui.pictures.style import Style
from attnviewer.ui.pictures.view_settings import settings_of
from attnviewer.ui.state.workbench import Workbench
from attnviewer.ui.views.step import StepView
from attnviewer.views import PICTURES

AS_ON_SCREEN = Style()


def save_picture(
    step_view: StepView, workbench: Workbench, path: Path, choice: PictureChoice
) -> None:
    """Write a figure of the current view, or the view; see `save_view`.

    Raises
    ------
    ValueError
        If there is no such format, or it cannot be drawn.
    FileError
        If the file cannot be written.
    """
    if choice.kind == "view":
        save_view(step_view, path, choice.view)
        return
    style = choice.figure
    panel = shown_panel(step_view, workbench, style.theme, with_cell=choice.with_cell)
    write_atomically(path, encoded([panel], style, _kind(path)))


def copy_picture(
    step_view: StepView, workbench: Workbench, choice: PictureChoice
) -> None:
    """Copy a figure of the current view, or the view, to the clipboard as an image.

    Raises
    ------
    ValueError
        If it cannot be drawn, or would have too many pixels.
    """
    image: QImage
    if choice.kind == "view" or not has_figure(step_view):
        with laid_out(step_view, choice.view) as picture:
            check_pixels(picture)
            image = picture.image()
    else:
        style, with_cell = choice.figure, choice.with_cell
        panel = shown_panel(step_view, workbench, style.theme, with_cell=with_cell)
        image = image_of(compose([panel], style), style.dpi)
    QGuiApplication.clipboard().setImage(image)


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
    kind, notes = _kind(path), notes_of(step_view)
    with laid_out(step_view, style) as picture:
        content = WRITERS[kind](picture, notes)
    write_atomically(path, content)


def notes_of(step_view: StepView) -> Notes:
    """Return the notes of a picture of the visible page."""
    head = settings_of(step_view).head
    return Notes.of(step_view.computation, step_view.step, head, step_view.view)


def _kind(path: str | Path) -> str:
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in WRITERS:
        names = ", ".join(f".{name}" for name in PICTURES if name in WRITERS)
        raise ValueError(
            f"The name of the picture must end in one of {names}. "
            f"Got '{Path(path).name}' instead."
        )
    return kind
