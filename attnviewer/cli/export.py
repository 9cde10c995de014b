"""``attnviewer export``: writes steps to files."""

import argparse
import re
from typing import TYPE_CHECKING

from attnviewer.cli.at_work import AtWork
from attnviewer.cli.formats import chosen_format
from attnviewer.cli.loading import load_noting, refuse_model
from attnviewer.cli.output import RefusedError, print_line
from attnviewer.cli.parsing import add_layer, add_source, command_parser, output_path
from attnviewer.cli.pictures import (
    OF_PICTURES,
    Subject,
    add_picture_options,
    export_picture,
)
from attnviewer.views import PICTURES

if TYPE_CHECKING:
    from attnviewer.document import Region
    from attnviewer.io.export import Choice, Computation

_OF_FILES = "steps", "cells", "formulas", "headers", "bom"


def run_export(arguments: list[str]) -> int:
    """Write steps to files."""
    from attnviewer.io.export import FORMATS

    parser = command_parser("export", "Write the steps of a computation to files.")
    add_source(parser)
    add_layer(parser)
    parser.add_argument(
        "--to",
        metavar="PATH",
        required=True,
        help="a file, whose ending tells the format, such as steps.xlsx; or a folder "
        "for CSV files, made if missing",
    )
    parser.add_argument(
        "--steps",
        metavar="NAMES",
        default="all",
        help="all, or names with commas between: Q,K,weights",
    )
    formats = [*FORMATS, *PICTURES]
    parser.add_argument(
        "--format",
        choices=formats,
        help=f"{', '.join(formats)}; by default what the ending of PATH tells, and csv "
        "for a folder",
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
        help="formulas that recompute the steps, in formats that know such",
    )
    parser.add_argument(
        "--bom",
        action="store_true",
        help="a byte order mark at the start of CSV and TSV files, by which Excel "
        "recognises UTF-8",
    )
    parser.add_argument(
        "--no-headers",
        dest="headers",
        action="store_false",
        help="numbers only, without tokens and column numbers",
    )
    add_picture_options(parser)
    options = parser.parse_args(arguments)
    path = output_path(options.to)
    format_ = chosen_format("--to", options.to, options.format)
    of_picture = format_ in PICTURES
    place = "--layer N --head N" if of_picture else "--layer N"
    of_models = (
        f"The command for a {'head' if of_picture else 'layer'} of a model is "
        f"'attnviewer model {options.source} {place} --export {options.to}'."
    )
    refuse_model(options.source, options.assign, of_models)
    reason = f"{format_} files have no such choice"
    if of_picture:
        steps = f"{reason}: --step chooses one to draw"
        parser.refuse_given(options, ("steps",), steps)
        parser.refuse_given(options, _OF_FILES, reason)
        subject = Subject(options.source, options.head, options.assign, options.layer)
        export_picture(parser, options, path, subject)
        return 0
    parser.refuse_given(options, ("step",), f"{reason}: --steps chooses some")
    parser.refuse_given(options, OF_PICTURES, reason)
    if not FORMATS[format_].is_table:
        parser.refuse_given(options, ("bom",), reason)
    from attnviewer.io.export import Choice, Computation

    choice = Choice(
        _step_names(options.steps),
        options.head,
        options.cells,
        options.headers,
        options.formulas,
        options.bom,
    )
    document = load_noting(options.source, options.assign, options.layer)
    computation = Computation.of(document)
    write_files(computation, options.to, format_, choice, of_steps="--steps")
    return 0


def write_files(
    computation: "Computation",
    path: str,
    format: str,
    choice: "Choice",
    *,
    of_steps: str,
) -> None:
    """Export a computation, and print the files.

    Parameters
    ----------
    computation, path, format, choice
        As of `attnviewer.io.export`.
    of_steps : str
        The option that chooses steps, for the reasons of refusals.
    """
    from attnviewer.io.export import SeveralMatricesError, export, select_steps

    try:
        select_steps(computation.trace, choice.steps)
    except ValueError as error:
        raise RefusedError(f"argument {of_steps}: {error}") from None
    try:
        with AtWork("writing"):
            written = export(computation, path, format, choice)
    except SeveralMatricesError as error:
        example = f"such as {of_steps} weights --head 0"
        raise RefusedError(f"{error} Add options {example}.") from None
    except ValueError as error:
        raise RefusedError(str(error)) from None
    if len(written) == 1:
        print_line(f"{written[0]} written")
    else:
        print_line(f"{len(written)} files written to {written[0].parent}")


def _step_names(text: str) -> tuple[str, ...] | None:
    if text == "all":
        return None
    return tuple(name.strip() for name in text.split(","))


def _cells(text: str) -> "Region":
    from attnviewer.document import Region

    match = re.fullmatch("([0-9]{1,9}):([0-9]{1,9}),([0-9]{1,9}):([0-9]{1,9})", text)
    if match is None:
        raise argparse.ArgumentTypeError(
            f"it must be rows and columns from zero, like 0:2,0:4. Got {text!r}"
        )
    row, below, column, beside = (int(number) for number in match.groups())
    return Region(row, column, below - row, beside - column)
