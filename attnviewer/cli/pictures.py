"""Pictures of a step, written to files."""

import argparse
import contextlib

from attnviewer.cli.parsing import cell, place, size, view
from attnviewer.cli.telling import RefusedError, tell
from attnviewer.cli.window import window_system
from attnviewer.views import PICTURE_SCALES, PICTURES, VIEWS

OF_PICTURES = (
    *("step", "view", "cell", "theme", "picture_scale"),
    *("width", "size", "caption", "pace"),
)
"""What the options that pictures alone have are called when they are parsed."""


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that pictures alone have."""
    group = parser.add_argument_group(f"pictures ({', '.join(PICTURES)})")
    group.add_argument("--step", metavar="NAME", help="the step to show")
    group.add_argument(
        "--view", metavar="VIEW", type=view, default="heatmap", help=", ".join(VIEWS)
    )
    group.add_argument(
        "--cell",
        metavar="ROW,COLUMN",
        type=cell,
        help="to select, from zero; a gif walks through its row",
    )
    group.add_argument(
        "--theme", choices=["light", "dark", "paper"], default="light", help="colours"
    )
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
        "--size", metavar="WxH", type=size, help="of the view, in pixels of the screen"
    )
    group.add_argument(
        "--caption", action="store_true", help="state below how it was computed"
    )
    group.add_argument(
        "--pace", metavar="MS", type=int, help="of a gif: milliseconds between moves"
    )


def export_picture(options: argparse.Namespace) -> int:
    """Write a picture of a step, or of the walk through a row of it."""
    path = place(options.to)
    if path.suffix.lower() != f".{options.format}":
        raise RefusedError(
            f"argument --to: The name must end in .{options.format}. Got '{path}'"
        )
    with window_system():
        from attnviewer.ui.offscreen.pictures import save_moving_picture, save_picture
        from attnviewer.ui.offscreen.window import Sight
        from attnviewer.ui.pictures.gif import MissingPillowError
    sight = Sight(
        options.source,
        theme="dark" if options.theme == "dark" else "light",
        step=options.step,
        view=options.view,
        cell=options.cell,
        assign=options.assign,
        head=options.head,
    )
    paper = options.theme == "paper"
    try:
        if options.format == "gif":
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
    return 0


def _scale(text: str) -> float:
    least, most = PICTURE_SCALES
    with contextlib.suppress(ValueError):
        if least <= float(text) <= most:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"it must be from {least:g} to {most:g}. Got {text!r}"
    )
