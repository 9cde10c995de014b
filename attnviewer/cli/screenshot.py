"""``attnviewer screenshot``: the window as a picture."""

import argparse
from pathlib import Path
from typing import Any

from attnviewer.cli.output import RefusedError, print_line
from attnviewer.cli.parsing import add_layer, add_source, cell, command_parser, size
from attnviewer.cli.parsing import view as view_name
from attnviewer.cli.window import window_system
from attnviewer.sources import ModelSource
from attnviewer.views import VIEWS

SIZE = 1600, 1000
"""Size of the window, in pixels."""
OF_WINDOWS = "size", "theme", "step", "view", "cell", "text_size"
"""Attributes of the options on how the window is drawn."""


def run_screenshot(arguments: list[str]) -> int:
    """Draw the window into a file."""
    parser = command_parser(
        "screenshot", "Draw the window into a PNG file, without a screen."
    )
    add_source(parser)
    add_layer(parser)
    parser.add_argument("--to", metavar="FILE.png", required=True, type=png)
    add_window_options(parser)
    parser.add_argument(
        "--baseline",
        metavar="SOURCE",
        help="what the difference view compares with, as SOURCE above",
    )
    options = parser.parse_args(arguments)
    draw_window(
        options.source,
        options.to,
        options,
        baseline=options.baseline,
        assign=options.assign,
        layer=options.layer,
    )
    return 0


def add_window_options(parser: argparse._ActionsContainer) -> None:
    """Add the options on how the window is drawn: `OF_WINDOWS`."""
    parser.add_argument(
        "--size", metavar="WxH", default=SIZE, type=size, help="in pixels"
    )
    parser.add_argument(
        "--theme", choices=["light", "dark", "contrast"], default="light"
    )
    parser.add_argument("--step", metavar="NAME", help="the step to show")
    parser.add_argument(
        "--view",
        metavar="VIEW",
        type=view_name,
        help=f"{', '.join(VIEWS)}; by default as the window opens",
    )
    parser.add_argument(
        "--cell", metavar="ROW,COLUMN", type=cell, help="to select, from zero"
    )
    add_text_size(parser)


def add_text_size(parser: argparse._ActionsContainer) -> None:
    """Add the option that only pictures of the window have."""
    parser.add_argument(
        "--text-size",
        metavar="PERCENT",
        default=100,
        type=int,
        help="of texts, from 80 to 200",
    )


def draw_window(
    source: str | ModelSource,
    path: Path,
    options: argparse.Namespace,
    **more: Any,
) -> None:
    """Write a picture of the window, and print its path."""
    with window_system():
        from attnviewer.ui.offscreen.screenshot import save_screenshot
    shown: dict[str, Any] = {name: getattr(options, name) for name in OF_WINDOWS}
    try:
        save_screenshot(source, path, **shown, **more)
    except ValueError as error:
        raise RefusedError(str(error)) from None
    print_line(f"{path} written")


def png(text: str) -> Path:
    """Return the path of a picture."""
    if Path(text).suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"the name must end in .png. Got {text!r}")
    return Path(text)
