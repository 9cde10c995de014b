"""The ``attnviewer`` command.

What reads and computes is imported by the commands that do so: it takes longer than
all else, and the window does not wait for it.
"""

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

from attnviewer.one_line import one_line
from attnviewer.sources import FIRST_EXAMPLE
from attnviewer.version import __version__
from attnviewer.views import PICTURE_SCALES, PICTURES, VIEWS

if TYPE_CHECKING:
    from attnviewer.document import Region

_SOURCE_HELP = "example:ID (see 'attnviewer examples') or a file"
_EPILOG = """\
commands:
  attnviewer examples             list the bundled examples
  attnviewer export SOURCE ...    write the steps to files
  attnviewer screenshot SOURCE ...
                                  draw the window into a PNG file
'attnviewer COMMAND --help' tells more. For a file that is named like a command
write ./export.
"""
_REFUSED, _INTERRUPTED, _PIPE_CLOSED = 2, 130, 141
_SIZE_RANGE = range(320, 16385), range(240, 16385)


class _RefusedError(Exception):
    """Wrong arguments or sources, with the reason in one sentence."""


class _Finished(Exception):  # noqa: N818
    """The parser has answered by itself: --help or --version."""


class _Parser(argparse.ArgumentParser):
    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise _Finished

    def _print_message(self, message: str, file: object = None) -> None:
        for line in message.splitlines():
            _tell(line)

    def error(self, message: str) -> NoReturn:
        raise _RefusedError(f"{message} (see '{self.prog} --help')")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments after the command's name; those of the process by default.
    """
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        return _run(arguments)
    except _Finished:
        return 0
    except _RefusedError as error:
        _complain(str(error))
        return _REFUSED
    except MemoryError:
        _complain("There is not enough memory for this.")
        return _REFUSED
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        return _PIPE_CLOSED
    except Exception as error:
        from attnviewer.io import FileError

        if not isinstance(error, FileError):
            raise
        _complain(str(error))
        return _REFUSED


def _run(arguments: list[str]) -> int:
    command = arguments[0] if arguments else None
    if command in _COMMANDS:
        return _COMMANDS[command](arguments[1:])
    return _open_window(arguments)


def _parser(name: str, description: str) -> _Parser:
    return _Parser(f"attnviewer {name}", description=description, allow_abbrev=False)


def _open_window(arguments: list[str]) -> int:
    parser = _Parser(
        "attnviewer",
        description="Open the workbench for the attention mechanism.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument(
        "source", metavar="SOURCE", nargs="?", default=FIRST_EXAMPLE, help=_SOURCE_HELP
    )
    _add_assign(parser)
    options = parser.parse_args(arguments)
    with _window_system():
        from attnviewer.ui.launch import launch

        return launch(options.source, options.assign)


def _add_assign(parser: _Parser) -> None:
    parser.add_argument(
        "--assign",
        metavar="ROLE=ARRAY,...",
        help="which arrays of a file of numbers are what, such as "
        "'X=emb,W_Q=q.weight.T,W_K=k[0],heads=2': behind the name of an array stand "
        "what is taken of its axes, .T for transposed, :1/3 for a third of the columns",
    )


def _examples(arguments: list[str]) -> int:
    _parser("examples", "List the bundled examples.").parse_args(arguments)
    from attnviewer.io import list_examples

    examples = list_examples()
    width = max((len(example.id) for example in examples), default=0)
    for example in examples:
        _tell(f"{example.id:{width}}  {example.title}")
    return 0


def _export(arguments: list[str]) -> int:
    from attnviewer.io import FORMATS

    parser = _parser("export", "Write the steps of a computation to files.")
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE_HELP)
    _add_assign(parser)
    parser.add_argument(
        "--to",
        metavar="PATH",
        required=True,
        help="a file that is named as the format's files are; otherwise a folder, "
        "made if missing",
    )
    parser.add_argument(
        "--steps",
        metavar="NAMES",
        default="all",
        help="all, or names with commas between: Q,K,weights",
    )
    formats = [*FORMATS, *PICTURES]
    parser.add_argument(
        "--format", choices=formats, default="csv", help=", ".join(formats)
    )
    parser.add_argument(
        "--head", metavar="N", type=int, help="one head, from zero; all by default"
    )
    parser.add_argument(
        "--cells",
        metavar="R:R,C:C",
        type=_cells,
        help="of the one step: its rows and columns, from zero, ends excluded",
    )
    parser.add_argument(
        "--formulas",
        action="store_true",
        help="formulas that compute the steps anew, in formats that know such",
    )
    parser.add_argument(
        "--no-headers",
        dest="headers",
        action="store_false",
        help="numbers only, without tokens and column numbers",
    )
    _add_picture_options(parser)
    options = parser.parse_args(arguments)
    if options.format in PICTURES:
        return _export_picture(options)
    from attnviewer.io import Choice, Computation, export, load, select_steps

    choice = Choice(
        _step_names(options.steps),
        options.head,
        options.cells,
        options.headers,
        options.formulas,
    )
    computation = Computation.of(load(options.source, options.assign))
    try:
        select_steps(computation.trace, choice.steps)
    except ValueError as error:
        raise _RefusedError(f"argument --steps: {error}") from None
    try:
        written = export(computation, _place(options.to), options.format, choice)
    except ValueError as error:
        raise _RefusedError(str(error)) from None
    if len(written) == 1:
        _tell(f"{written[0]} written")
    else:
        _tell(f"{len(written)} files written to {written[0].parent}")
    return 0


def _add_picture_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(f"pictures ({', '.join(PICTURES)})")
    group.add_argument("--step", metavar="NAME", help="the step to show")
    group.add_argument(
        "--view", metavar="VIEW", type=_view, default="heatmap", help=", ".join(VIEWS)
    )
    group.add_argument(
        "--cell",
        metavar="ROW,COLUMN",
        type=_cell,
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
        "--size", metavar="WxH", type=_size, help="of the view, in pixels of the screen"
    )
    group.add_argument(
        "--caption", action="store_true", help="state below how it was computed"
    )
    group.add_argument(
        "--pace", metavar="MS", type=int, help="of a gif: milliseconds between moves"
    )


def _export_picture(options: argparse.Namespace) -> int:
    path = _place(options.to)
    if path.suffix.lower() != f".{options.format}":
        raise _RefusedError(
            f"argument --to: The name must end in .{options.format}. Got '{path}'"
        )
    with _window_system():
        from attnviewer.ui.pictures.command import save_moving_picture, save_picture
        from attnviewer.ui.pictures.gif import MissingPillowError
        from attnviewer.ui.screenshot import Sight
    sight = Sight(
        options.source,
        theme="dark" if options.theme == "dark" else "light",
        step=options.step,
        view=options.view,
        cell=options.cell,
        assign=options.assign,
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
        raise _RefusedError(str(error)) from None
    _tell(f"{path} written")
    return 0


def _screenshot(arguments: list[str]) -> int:
    parser = _parser("screenshot", "Draw the window into a PNG file, without a screen.")
    parser.add_argument("source", metavar="SOURCE", help=_SOURCE_HELP)
    _add_assign(parser)
    parser.add_argument("--to", metavar="FILE.png", required=True, type=_png)
    parser.add_argument(
        "--size", metavar="WxH", default=(1600, 1000), type=_size, help="in pixels"
    )
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--step", metavar="NAME", help="the step to show")
    parser.add_argument(
        "--view", metavar="VIEW", type=_view, default="heatmap", help=", ".join(VIEWS)
    )
    parser.add_argument(
        "--baseline",
        metavar="SOURCE",
        help="what the difference view compares with, as SOURCE above",
    )
    parser.add_argument(
        "--cell", metavar="ROW,COLUMN", type=_cell, help="to select, from zero"
    )
    parser.add_argument(
        "--text-size",
        metavar="PERCENT",
        default=100,
        type=int,
        help="of texts, from 80 to 200",
    )
    options = parser.parse_args(arguments)
    with _window_system():
        from attnviewer.ui.screenshot import save_screenshot
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
        raise _RefusedError(str(error)) from None
    _tell(f"{options.to} written")
    return 0


_COMMANDS: dict[str | None, Callable[[list[str]], int]] = {
    "examples": _examples,
    "export": _export,
    "screenshot": _screenshot,
}


def _step_names(text: str) -> tuple[str, ...] | None:
    if text == "all":
        return None
    return tuple(name.strip() for name in text.split(","))


def _place(text: str) -> Path:
    if not text:
        raise _RefusedError("argument --to: Name a file or a folder.")
    return Path(text)


def _cells(text: str) -> "Region":
    from attnviewer.document import Region

    match = re.fullmatch("([0-9]{1,9}):([0-9]{1,9}),([0-9]{1,9}):([0-9]{1,9})", text)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"it must be rows and columns from zero, like 0:2,0:4. Got {text!r}"
        )
    row, below, column, beside = (int(number) for number in match.groups())
    return Region(row, column, below - row, beside - column)


def _png(text: str) -> Path:
    if Path(text).suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(f"the name must end in .png. Got {text!r}")
    return Path(text)


def _size(text: str) -> tuple[int, int]:
    numbers = _two_numbers("([0-9]{1,6})x([0-9]{1,6})", text)
    widths, heights = _SIZE_RANGE
    if numbers is None or numbers[0] not in widths or numbers[1] not in heights:
        raise argparse.ArgumentTypeError(
            f"it must be like 1600x1000, from {widths[0]}x{heights[0]} to "
            f"{widths[-1]}x{heights[-1]}. Got {text!r}"
        )
    return numbers


def _scale(text: str) -> float:
    least, most = PICTURE_SCALES
    with contextlib.suppress(ValueError):
        if least <= float(text) <= most:
            return float(text)
    raise argparse.ArgumentTypeError(
        f"it must be from {least:g} to {most:g}. Got {text!r}"
    )


def _view(text: str) -> str:
    if text not in VIEWS:
        raise argparse.ArgumentTypeError(
            f"the 'view' must be one of {', '.join(VIEWS)}. Got {text!r}"
        )
    return text


def _cell(text: str) -> tuple[int, int]:
    numbers = _two_numbers("([0-9]{1,9}),([0-9]{1,9})", text)
    if numbers is None:
        raise argparse.ArgumentTypeError(
            f"it must be a row and a column from zero, like 0,2. Got {text!r}"
        )
    return numbers


def _two_numbers(pattern: str, text: str) -> tuple[int, int] | None:
    match = re.fullmatch(pattern, text)
    return (int(match[1]), int(match[2])) if match else None


@contextlib.contextmanager
def _window_system() -> Iterator[None]:
    """Tell a broken installation of Qt from a mistake in this program."""
    try:
        yield
    except ImportError as error:
        if not (error.name or "").startswith(("PySide6", "shiboken6", "pyqtgraph")):
            raise
        raise _RefusedError(f"The window cannot be loaded: {error}") from None


def _tell(line: str) -> None:
    """Print a line of the answer at once, so that a failure shows here."""
    if sys.stdout is None:  # a Windows program without a console
        return
    try:
        sys.stdout.write(_encodable(line, sys.stdout) + "\n")
        sys.stdout.flush()
    except OSError as error:
        _discard_output()
        if isinstance(error, BrokenPipeError):
            raise
        from attnviewer.io.errors import system_reason

        raise _RefusedError(f"Cannot print. {system_reason(error)}") from None


def _complain(reason: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(_encodable(f"attnviewer: {reason}", sys.stderr) + "\n")


def _encodable(text: str, stream: TextIO) -> str:
    """Return a text as one line of what the stream can encode."""
    encoding = stream.encoding or "utf-8"
    return one_line(text).encode(encoding, "backslashreplace").decode(encoding)


def _discard_output() -> None:
    # Otherwise the interpreter meets the same failure when it flushes at its end.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
