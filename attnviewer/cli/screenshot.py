"""``attnviewer screenshot``: the window as a picture."""

import argparse
from pathlib import Path

from attnviewer.cli.parsing import add_source, cell, command_parser, size, view
from attnviewer.cli.telling import RefusedError, tell
from attnviewer.cli.window import window_system
from attnviewer.views import VIEWS


def run_screenshot(arguments: list[str]) -> int:
    """Draw the window into a file."""
    parser = command_parser(
        "screenshot", "Draw the window into a PNG file, without a screen."
    )
    add_source(parser)
    parser.add_argument("--to", metavar="FILE.png", required=True, type=_png)
    parser.add_argument(
        "--size", metavar="WxH", default=(1600, 1000), type=size, help="in pixels"
    )
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--step", metavar="NAME", help="the step to show")
    parser.add_argument(
        "--view", metavar="VIEW", type=view, default="heatmap", help=", ".join(VIEWS)
    )
    parser.add_argument(
        "--baseline",
        metavar="SOURCE",
        help="what the difference view compares with, as SOURCE above",
    )
    parser.add_argument(
        "--cell", metavar="ROW,COLUMN", type=cell, help="to select, from zero"
    )
    parser.add_argument(
        "--text-size",
        metavar="PERCENT",
        default=100,
        type=int,
        help="of texts, from 80 to 200",
    )
    options = parser.parse_args(arguments)
    with window_system():
        from attnviewer.ui.offscreen.screenshot import save_screenshot
    try:
        save_screenshot(
            options.source,
            options.to,
            size=options.size,
            theme=options.theme,
            step=options.step,
            view=options.view,
            cell=options.cell,
            text_size=options.text_size,
            baseline=options.baseline,
            assign=options.assign,
        )
    except ValueError as error:
        raise RefusedError(str(error)) from None
    tell(f"{options.to} written")
    return 0


def _png(text: str) -> Path:
    if Path(text).suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"the name must end in .png. Got {text!r}")
    return Path(text)
