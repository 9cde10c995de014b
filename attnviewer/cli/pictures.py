"""Figures of a step, written to files."""

import argparse
import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnviewer.cli.at_work import AtWork
from attnviewer.cli.loading import load_noting
from attnviewer.cli.model_run import opened_run
from attnviewer.cli.output import RefusedError, print_line
from attnviewer.cli.parsing import Parser, cell, size, view
from attnviewer.cli.window import window_system
from attnviewer.sources import ModelSource
from attnviewer.views import PICTURE_SCALES, PICTURE_VIEW, PICTURES, VIEWS

if TYPE_CHECKING:
    from attnviewer.document import Document
    from attnviewer.models import ModelTrace

_OF_VIEWS = "step", "view", "cell", "theme", "size"
_OF_FIGURES = (
    *("width", "caption", "font", "outlines", "dpi"),
    *("threshold", "overlay", "combine"),
)
_OF_OTHERS = "baseline", "as_in_window", "picture_scale", "pace"
OF_PICTURES_ALONE = _OF_FIGURES + _OF_OTHERS
"""Attributes of the options that screenshots lack."""
OF_PICTURES = _OF_VIEWS + OF_PICTURES_ALONE
"""Attributes of all options of pictures."""
THEMES = "light", "dark", "contrast", "paper"


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a picture.

    Parameters
    ----------
    source : str or ModelSource
        The source to open.
    head : int, optional
        The head of a document.
    assign : str, optional
        The roles of a file's arrays.
    layer : int, optional
        The layer of a recording.
    """

    source: str | ModelSource
    head: int | None = None
    assign: str | None = None
    layer: int | None = None


def add_picture_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of pictures."""
    group = parser.add_argument_group(f"pictures ({', '.join(PICTURES)})")
    group.add_argument("--step", metavar="NAME", help="the step to show")
    group.add_argument(
        "--view", metavar="VIEW", type=view, default=PICTURE_VIEW, help=", ".join(VIEWS)
    )
    group.add_argument(
        "--cell",
        metavar="ROW,COLUMN",
        type=cell,
        help="to frame, from zero; a gif walks through its row",
    )
    group.add_argument("--theme", choices=THEMES, default="light", help="colours")
    group.add_argument(
        "--size",
        metavar="WxH",
        type=size,
        help="of a gif, or with --as-in-window: in pixels of the screen",
    )
    add_figure_options(group)


def add_figure_options(group: argparse._ActionsContainer) -> None:
    """Add the options of pictures that no screenshot has: `OF_PICTURES_ALONE`."""
    group.add_argument(
        "--width",
        metavar="LENGTH",
        help="such as 85mm, 3.5in or 174 (mm); 85mm by default, 174mm where some label "
        "would not fit",
    )
    group.add_argument(
        "--caption",
        metavar="TEXT",
        nargs="?",
        const=True,
        default=False,
        help="add a caption below: TEXT, or one that says what is shown",
    )
    group.add_argument(
        "--font", metavar="NAME", default="sans", help="sans, serif or one installed"
    )
    group.add_argument(
        "--outlines",
        action="store_true",
        help="in an svg: texts as outlines, which need no font",
    )
    group.add_argument(
        "--dpi", metavar="N", type=_whole, default=300, help="of a png, 300 by default"
    )
    group.add_argument(
        "--threshold",
        metavar="WEIGHT",
        type=_weight,
        help="for Lines: the smallest weight that is drawn",
    )
    group.add_argument(
        "--overlay",
        metavar="HEADS",
        type=_heads,
        default=False,
        help="for Lines: heads whose lines are drawn over each other, each in its "
        "colour: 'all', or such as 0,3,5",
    )
    group.add_argument(
        "--combine", choices=["mean", "max"], help="show all heads as one map"
    )
    group.add_argument(
        "--baseline",
        metavar="SOURCE",
        help="example:ID or a file that the difference is taken from",
    )
    group.add_argument(
        "--as-in-window",
        action="store_true",
        help="the view as the window shows it, instead of a figure",
    )
    group.add_argument(
        "--picture-scale",
        metavar="N",
        type=_scale,
        default=2.0,
        help="with --as-in-window: pixels of a png per pixel of the screen, 2 by "
        "default",
    )
    group.add_argument(
        "--pace", metavar="MS", type=int, help="of a gif: milliseconds of each cell"
    )


def export_picture(
    parser: Parser, options: argparse.Namespace, path: Path, subject: Subject
) -> None:
    """Write a figure of a step, or a recording of the walk through one of its rows.

    Parameters
    ----------
    parser : Parser
        Refuses options that have no effect on such a picture.
    options : Namespace
        Those of `add_picture_options`.
    path : Path
        The file; its suffix decides the format.
    subject : Subject
        What it is of.
    """
    with window_system():
        from attnviewer.ui.figures.kinds import KINDS
        from attnviewer.ui.pictures.gif import MissingPillowError
    if options.view == "difference" and options.baseline is None:
        parser.error("argument --view: a difference needs --baseline")
    is_gif = path.suffix.lower() == ".gif"
    is_figure = not is_gif and not options.as_in_window and options.view in KINDS
    if is_figure:
        reason = "a figure has no such choice"
        parser.refuse_given(options, ("size", "picture_scale", "pace"), reason)
        if options.theme == "contrast":
            parser.error("argument --theme: a figure is light, dark or paper")
        _refuse_what_others_have(parser, options, path)
    elif is_gif:
        reason = "a gif has no such choice"
        parser.refuse_given(options, (*_OF_FIGURES, "picture_scale"), reason)
    else:
        reason = "a view as in the window has no such choice"
        parser.refuse_given(options, (*_OF_FIGURES, "pace"), reason)
    write = _write_figure if is_figure else _write_view
    try:
        with AtWork("drawing") as at_work:
            write(options, path, subject, at_work)
    except (ValueError, IndexError, MissingPillowError) as error:
        raise RefusedError(str(error)) from None
    print_line(f"{path} written")


def _refuse_what_others_have(
    parser: Parser, options: argparse.Namespace, path: Path
) -> None:
    """Refuse options that only another format or view has."""
    suffix, shown = path.suffix.lower(), options.view
    if suffix != ".svg":
        parser.refuse_given(options, ["outlines"], "only an svg has texts as outlines")
    if suffix != ".png":
        parser.refuse_given(options, ["dpi"], "only a png has a resolution")
    if shown != "lines":
        reason = "only lines have such a choice"
        parser.refuse_given(options, ["threshold", "overlay"], reason)
    if shown != "difference":
        parser.refuse_given(options, ["baseline"], "only a difference has a baseline")


def _write_figure(
    options: argparse.Namespace, path: Path, subject: Subject, progress: AtWork
) -> None:
    from attnviewer.figures import figure

    drawn, place = _drawn(subject)
    figure(
        drawn,
        options.step or "weights",
        options.view,
        **place,
        compare=None if options.baseline is None else load_noting(options.baseline),
        cell=options.cell,
        threshold=options.threshold,
        overlay=options.overlay,
        combine=options.combine,
        width=options.width,
        caption=options.caption,
        font=options.font,
        outlines=options.outlines,
        dark=options.theme == "dark",
        dpi=options.dpi,
        path=path,
        progress=progress,
    )


def _drawn(
    subject: Subject,
) -> "tuple[Document | ModelTrace, dict[str, Any]]":
    """Return what is drawn, and the options that choose its layer and head."""
    model = subject.source
    if isinstance(model, str):
        document = load_noting(model, subject.assign, subject.layer)
        return document, {"head": subject.head}
    run, _ = opened_run(model.path, model.given, model.layer, model.head, model.part)
    return run, {"layer": model.layer, "head": model.head}


def _write_view(
    options: argparse.Namespace, path: Path, subject: Subject, _progress: AtWork
) -> None:
    with window_system():
        from attnviewer.ui.offscreen.pictures import save_moving_picture, save_picture
        from attnviewer.ui.offscreen.window import ScreenshotOptions
    paper = options.theme == "paper"
    shot = ScreenshotOptions(
        subject.source,
        theme="light" if paper else options.theme,
        step=options.step,
        view=options.view,
        cell=options.cell,
        baseline=options.baseline,
        assign=subject.assign,
        head=subject.head,
        layer=subject.layer,
    )
    if path.suffix.lower() == ".gif":
        save_moving_picture(
            shot, path, paper=paper, size=options.size, pace=options.pace
        )
    else:
        scale = options.picture_scale
        save_picture(shot, path, paper=paper, scale=scale, size=options.size)


def _scale(text: str) -> float:
    least, most = PICTURE_SCALES
    with contextlib.suppress(ValueError):
        if least <= float(text) <= most:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"it must be from {least:g} to {most:g}. Got {text!r}"
    )


def _heads(text: str) -> bool | list[int]:
    if text == "all":
        return True
    try:
        return [_whole(part) for part in text.split(",")]
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f"it must be 'all', or heads such as 0,3,5. Got {text!r}"
        ) from None


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"it must be a whole number. Got {text!r}")
    return int(text)


def _weight(text: str) -> float:
    with contextlib.suppress(ValueError):
        if float(text) >= 0:
            return float(text)
    raise argparse.ArgumentTypeError(f"it must be a number from 0 on. Got {text!r}")
