"""Pictures of a step, written to files."""

import argparse
import contextlib
from pathlib import Path

from attnviewer.cli.output import RefusedError, tell
from attnviewer.cli.parsing import cell, size, view
from attnviewer.cli.window import window_system
from attnviewer.sources import ModelSource
from attnviewer.views import FIRST_VIEW, PICTURE_SCALES, PICTURES, VIEWS

_OF_VIEWS = "step", "view", "cell", "theme", "size"
OF_PICTURES_ALONE = "picture_scale", "width", "caption", "pace"
"""Attributes of the options that screenshots lack."""
OF_PICTURES = _OF_VIEWS + OF_PICTURES_ALONE
"""Attributes of all options of pictures."""
THEMES = "light", "dark", "paper"


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of pictures."""
    group = parser.add_argument_group(f"pictures ({', '.join(PICTURES)})")
    group.add_argument("--step", metavar="NAME", help="the step to show")
    group.add_argument(
        "--view", metavar="VIEW", type=view, default=FIRST_VIEW, help=", ".join(VIEWS)
    )
    group.add_argument(
        "--cell",
        metavar="ROW,COLUMN",
        type=cell,
        help="to select, from zero; a gif walks through its row",
    )
    group.add_argument("--theme", choices=THEMES, default="light", help="colours")
    group.add_argument(
        "--size", metavar="WxH", type=size, help="of the view, in pixels of the screen"
    )
    add_paper_options(group)


def add_paper_options(group: argparse._ActionsContainer) -> None:
    """Add the options of pictures that no screenshot has: `OF_PICTURES_ALONE`."""
    group.add_argument(
        "--picture-scale",
        metavar="N",
        type=_scale,
        default=2.0,
        help="pixels of a png per pixel of the screen, 2 by default",
    )
    group.add_argument(
        "--width", metavar="MM", type=float, help="lay out for a column so wide"
    )
    group.add_argument(
        "--caption", action="store_true", help="state below how it was computed"
    )
    group.add_argument(
        "--pace", metavar="MS", type=int, help="of a gif: milliseconds between moves"
    )


def export_picture(
    options: argparse.Namespace,
    path: Path,
    source: str | ModelSource,
    head: int | None = None,
    assign: str | None = None,
) -> None:
    """Write a picture of a step, or a recording of the walk through one of its rows.

    Parameters
    ----------
    options : Namespace
        Those of `add_picture_options`.
    path : Path
        The file; its suffix decides the format.
    source : str or ModelSource
        The source to open.
    head : int, optional
        Which head of a document.
    assign : str, optional
        The roles of a file's arrays.
    """
    with window_system():
        from attnviewer.ui.offscreen.pictures import save_moving_picture, save_picture
        from attnviewer.ui.offscreen.window import Sight
        from attnviewer.ui.pictures.gif import MissingPillowError
    sight = Sight(
        source,
        theme="dark" if options.theme == "dark" else "light",
        step=options.step,
        view=options.view,
        cell=options.cell,
        assign=assign,
        head=head,
    )
    paper = options.theme == "paper"
    try:
        if path.suffix.lower() == ".gif":
            save_moving_picture(
                sight, path, paper=paper, size=options.size, pace=options.pace
            )
        else:
            save_picture(
                sight,
                path,
                paper=paper,
                scale=options.picture_scale,
                width=options.width,
                size=options.size,
                caption=options.caption,
            )
    except (ValueError, MissingPillowError) as error:
        raise RefusedError(str(error)) from None
    tell(f"{path} written")


def _scale(text: str) -> float:
    least, most = PICTURE_SCALES
    with contextlib.suppress(ValueError):
        if least <= float(text) <= most:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"it must be from {least:g} to {most:g}. Got {text!r}"
    )
