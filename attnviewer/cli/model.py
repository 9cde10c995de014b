"""``attnviewer model``: a real model in the window, as a picture, or in numbers."""

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.export import write_files
from attnviewer.cli.formats import chosen_format
from attnviewer.cli.generation import (
    OF_GENERATION,
    add_generation_options,
    print_tokens,
)
from attnviewer.cli.heads import (
    OF_HEADS,
    add_head_options,
    cell_or_tokens,
    print_heads,
)
from attnviewer.cli.model_run import opened_run
from attnviewer.cli.output import RefusedError, note
from attnviewer.cli.parsing import Parser, command_parser, size, view
from attnviewer.cli.pictures import (
    OF_PICTURES,
    OF_PICTURES_ALONE,
    THEMES,
    Subject,
    add_figure_options,
    export_picture,
)
from attnviewer.cli.screenshot import SIZE, add_text_size, draw_window, png
from attnviewer.cli.window import window_system
from attnviewer.sources import EXAMPLE_PREFIX, PARTS, ModelSource
from attnviewer.views import PICTURE_VIEW, PICTURES, VIEWS

if TYPE_CHECKING:
    from attnviewer.models import ModelTrace

_IDS = re.compile(r"\d{1,9}(\s*,\s*\d{1,9})*")
_OTHERS = ".attn", ".csv", ".npy", ".npz", ".tsv", ".xlsx"
"""How the names of documents and of files of arrays end."""


def run_model(arguments: list[str]) -> int:
    """Open, draw or continue a model, export a layer or print its table of heads."""
    parser = _parser()
    options = parser.parse_args(arguments)
    format_ = None
    if options.export is not None:
        format_ = chosen_format("--export", options.export, options.format)
    of_picture = format_ in PICTURES
    if not of_picture:
        needs = f"it needs --export with the name of a picture ({', '.join(PICTURES)})"
        parser.refuse_given(options, OF_PICTURES_ALONE, needs)
        if options.screenshot is None:
            needs = "it needs --screenshot, or --export with the name of a picture"
            known = {"cell"} if options.heads else {"step"} if options.export else ()
            shown = [name for name in OF_PICTURES if name not in known]
            parser.refuse_given(options, shown, needs)
    if options.screenshot is None:
        parser.refuse_given(options, ("text_size",), "it needs --screenshot")
    elif options.theme == "paper":
        parser.error("argument --theme: a screenshot cannot be paper")
    if options.export is None:
        parser.refuse_given(options, ("format",), "it needs --export")
    if not options.heads:
        parser.refuse_given(options, OF_HEADS, "it needs --heads")
        if options.cell is not None and isinstance(options.cell[0], str):
            parser.error(
                "argument --cell: tokens need --heads; a picture has a row and a "
                "column from zero, like 0,2"
            )
    if options.generate is None:
        parser.refuse_given(options, OF_GENERATION, "it needs --generate")
    for name in ("export", "screenshot"):
        if getattr(options, name) is not None and options.layer is None:
            parser.error(f"argument --{name}: it needs --layer, counted from zero")
    if options.heads:
        print_heads(options, _run(options))
    elif options.generate is not None:
        print_tokens(options, _run(options))
    elif of_picture:
        options.view = options.view or PICTURE_VIEW
        subject = Subject(_source(options))
        export_picture(parser, options, Path(options.export), subject)
    elif format_ is not None:
        _export(options, format_)
    elif options.screenshot is not None:
        of_all = "heads" if options.head is None else PICTURE_VIEW
        options.view = options.view or of_all
        options.size = options.size or SIZE
        draw_window(_source(options), options.screenshot, options)
    else:
        with window_system():
            from attnviewer.ui.launch import launch

            return launch(_source(options))
    return 0


def _parser() -> Parser:
    parser = command_parser(
        "model",
        "Open a real model: a checkpoint in the Hugging Face layout or GGUF. Without "
        "--heads, --generate, --export and --screenshot the window opens. Layers and "
        "heads count from zero.",
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        type=_path,
        help="its folder, or a .gguf file",
    )
    given = parser.add_mutually_exclusive_group()
    given.add_argument("--text", dest="given", metavar="TEXT", help="what it runs over")
    given.add_argument(
        "--ids",
        dest="given",
        metavar="N,N,...",
        type=_ids,
        help="the same as ids of tokens; no special tokens are added",
    )
    given.add_argument(
        "--tokens",
        dest="given",
        metavar="'TOKEN TOKEN ...'",
        type=_tokens,
        help="the same as tokens of its vocabulary; no special tokens are added",
    )
    parser.add_argument(
        "--part",
        choices=PARTS,
        help="of an encoder–decoder, whose texts are written ENCODER => DECODER: which "
        "attention; by default that of the decoder",
    )
    parser.add_argument("--layer", metavar="N", type=int, help="which layer")
    parser.add_argument("--head", metavar="N", type=int, help="which head of it")
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--heads",
        action="store_true",
        help="print a line of CSV for each head: entropy in bits, among how many keys "
        "its queries spread and how far away these are, shares of the first token, of "
        "the one before and of the query itself",
    )
    ways.add_argument(
        "--generate",
        metavar="N",
        type=int,
        help="print a line of CSV for each of up to N tokens that the decoder "
        "generates: position, id, token and probability",
    )
    ways.add_argument(
        "--export",
        metavar="PATH",
        type=_named,
        help="write every step of the layer's attention to a file, whose ending tells "
        "the format, or to a folder of CSV files; or draw a picture of one head "
        f"({', '.join(f'.{name}' for name in PICTURES)})",
    )
    ways.add_argument(
        "--screenshot", metavar="FILE.png", type=png, help="draw the window"
    )
    parser.add_argument(
        "--format",
        metavar="FORMAT",
        type=_format,
        help="of --export, if the ending of PATH does not tell; 'attnviewer export "
        "--help' lists them",
    )
    add_head_options(parser)
    add_generation_options(parser)
    _add_looks(parser)
    return parser


def _add_looks(parser: Parser) -> None:
    group = parser.add_argument_group("with --screenshot, or a picture by --export")
    group.add_argument(
        "--step",
        metavar="NAME",
        help="the step to show; with --export of a file, the only one that is written",
    )
    group.add_argument(
        "--view",
        metavar="VIEW",
        type=view,
        help=f"{', '.join(VIEWS)}; by default heads in a screenshot without --head, "
        f"else {PICTURE_VIEW}",
    )
    group.add_argument(
        "--cell",
        metavar="ROW,COLUMN",
        type=cell_or_tokens,
        help="to select or frame, from zero; a gif walks through its row. With --heads "
        "a column of this weight, of which QUERY:KEY may be tokens, like it:animal",
    )
    group.add_argument(
        "--theme",
        choices=THEMES,
        default="light",
        help="colours; a screenshot cannot be paper",
    )
    group.add_argument(
        "--size",
        metavar="WxH",
        type=size,
        help=f"of a screenshot or a gif, or with --as-in-window: in pixels; "
        f"{SIZE[0]}x{SIZE[1]} by default in a screenshot",
    )
    add_text_size(parser.add_argument_group("with --screenshot"))
    add_figure_options(parser.add_argument_group("with a picture by --export"))


def _export(options: argparse.Namespace, format_: str) -> None:
    from attnviewer.io.export import Choice
    from attnviewer.models.layer_computation import layer_computation

    run = _run(options)
    try:
        computation = layer_computation(run, options.layer)
    except ValueError as error:
        raise RefusedError(f"{options.path}: {error}") from None
    steps = None if options.step is None else (options.step,)
    choice = Choice(steps, options.head)
    write_files(computation, options.export, format_, choice, of_steps="--step")


def _run(options: argparse.Namespace) -> "ModelTrace":
    given = options.given
    run, text = opened_run(
        options.path, given, options.layer, options.head, options.part
    )
    if given is None:
        note(f'It runs over "{text}" (see --text, --ids and --tokens).')
    return run


def _source(options: argparse.Namespace) -> ModelSource:
    return ModelSource(
        options.path,
        options.given,
        options.layer or 0,
        options.head or 0,
        options.part,
    )


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("name a folder")
    if text.startswith(EXAMPLE_PREFIX):
        raise argparse.ArgumentTypeError(
            f"it is an example, which 'attnviewer {text}' opens"
        )
    path = Path(text)
    if path.suffix.lower() in _OTHERS and path.is_file():
        raise argparse.ArgumentTypeError(
            f"it is a document or a file of arrays, which 'attnviewer {text}' opens"
        )
    return path


def _named(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("name a file or a folder")
    return text


def _ids(text: str) -> tuple[int, ...]:
    if not _IDS.fullmatch(text.strip()):
        raise argparse.ArgumentTypeError(
            f"it must be whole numbers with commas between, like 1,2,3. Got {text!r}"
        )
    return tuple(int(number) for number in text.split(","))


def _tokens(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _format(text: str) -> str:
    from attnviewer.io.export import FORMATS

    known = *FORMATS, *PICTURES
    if text not in known:
        raise argparse.ArgumentTypeError(
            f"it must be one of {', '.join(known)}. Got {text!r}"
        )
    return text
