"""The argument parser, and argument types that commands share."""

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from attnviewer.cli.output import RefusedError, print_line
from attnviewer.views import VIEWS

_FLAGS = {"headers": "no-headers"}
"""Options whose name differs from their attribute in the namespace."""
_SIZE_RANGE = range(320, 16385), range(240, 16385)


class Finished(Exception):  # noqa: N818
    """The parser has handled --help or --version."""


class Parser(argparse.ArgumentParser):
    """Raises `RefusedError` instead of exiting, and prints as the commands do."""

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        raise Finished

    def _print_message(self, message: str, file: object = None) -> None:
        for line in message.splitlines():
            print_line(line)

    def error(self, message: str) -> NoReturn:
        raise RefusedError(f"{message} (see '{self.prog} --help')")

    def refuse_given(
        self, options: argparse.Namespace, names: Iterable[str], reason: str
    ) -> None:
        """Refuse options that have no effect here.

        Parameters
        ----------
        options : Namespace
            The parsed options.
        names : iterable of str
            The options' attributes in the namespace.
        reason : str
            Why they have no effect.
        """
        for name in names:
            if getattr(options, name) != self.get_default(name):
                flag = _FLAGS.get(name, name.replace("_", "-"))
                self.error(f"argument --{flag}: {reason}")


def command_parser(name: str, description: str) -> Parser:
    """Return a command's parser, without options yet."""
    return Parser(f"attnviewer {name}", description=description, allow_abbrev=False)


SOURCE_HELP = "example:ID (see 'attnviewer examples') or a file"


def add_source(
    parser: Parser, *, default: str | None = None, what: str = SOURCE_HELP
) -> None:
    """Add the source and ``--assign``; the source is optional with a default."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        nargs=None if default is None else "?",
        default=default,
        help=what,
    )
    parser.add_argument(
        "--assign",
        metavar="ROLE=ARRAY,...",
        help="which arrays of a file of numbers are what, such as "
        "'X=emb,W_Q=q.weight.T,W_K=k[0],heads=2': after the name of an array, [0] "
        "picks from an axis, .T transposes, :1/3 takes a third of the columns; also "
        "scale=1/8, softcap=30, window=[3,0], positions=rope[base=500000], "
        "normalizer=sparsemax, causal=1, mask=~padding (1 hides), tokens=[the,cat]",
    )


def add_layer(parser: Parser) -> None:
    """Add the option that chooses a layer of a recording."""
    parser.add_argument(
        "--layer",
        metavar="N",
        type=int,
        help="of a recording: which layer, from zero; the first by default",
    )


def output_path(text: str) -> Path:
    """Return the path of an output file."""
    if not text:
        raise RefusedError("argument --to: Name a file or a folder.")
    return Path(text)


def size(text: str) -> tuple[int, int]:
    """Return a width and a height in pixels, as in ``1600x1000``."""
    numbers = _two_numbers("([0-9]{1,6})x([0-9]{1,6})", text)
    widths, heights = _SIZE_RANGE
    if numbers is None or numbers[0] not in widths or numbers[1] not in heights:
        raise argparse.ArgumentTypeError(
            f"it must be like 1600x1000, from {widths[0]}x{heights[0]} to "
            f"{widths[-1]}x{heights[-1]}. Got {text!r}"
        )
    return numbers


def view(text: str) -> str:
    """Return the name of a view."""
    if text not in VIEWS:
        raise argparse.ArgumentTypeError(
            f"the 'view' must be one of {', '.join(VIEWS)}. Got {text!r}"
        )
    return text


def cell(text: str) -> tuple[int, int]:
    """Return a row and a column, as in ``0,2``."""
    numbers = _two_numbers("([0-9]{1,9}),([0-9]{1,9})", text)
    if numbers is None:
        raise argparse.ArgumentTypeError(
            f"it must be a row and a column from zero, like 0,2. Got {text!r}"
        )
    return numbers


def _two_numbers(pattern: str, text: str) -> tuple[int, int] | None:
    match = re.fullmatch(pattern, text)
    return (int(match[1]), int(match[2])) if match else None
