"""The table of a model's heads as CSV, and the options of its columns."""

import argparse
import re
from math import isnan
from typing import TYPE_CHECKING

from attnviewer.cli.output import RefusedError, note, write_bytes
from attnviewer.cli.parsing import Parser, cell

if TYPE_CHECKING:
    from attnviewer.models import ModelTrace

OF_HEADS = "detectors", "occurrence_offsets", "needle"
"""Attributes of the options that the table of heads alone has."""
_RANGE = re.compile(r"(-?\d{1,6}):(-?\d{1,6})")
_TOKENS = re.compile(r"(.+?):(.+)", re.DOTALL)


def add_head_options(parser: Parser) -> None:
    """Add the options `OF_HEADS`."""
    # Otherwise -2:4 is taken for an option.
    parser._negative_number_matcher = re.compile(r"-\d+(:-?\d+)?$")
    group = parser.add_argument_group("with --heads")
    group.add_argument(
        "--detectors",
        metavar="NAME,NAME,...",
        type=_detectors,
        help="further columns: 'all', or names such as induction,previous_share",
    )
    group.add_argument(
        "--occurrence-offsets",
        metavar="FROM:TO",
        type=_range,
        help="a column for each offset from FROM to TO − 1, such as -2:4: the mean "
        "attention to the position so far after the previous occurrence of a token",
    )
    group.add_argument(
        "--needle",
        metavar="FROM:TO",
        type=_range,
        help="the tokens from FROM to TO − 1, which the detector 'retrieval' looks for",
    )


def cell_or_tokens(text: str) -> tuple[int, int] | tuple[str, str]:
    """Return a row and a column, as in ``0,2``, or two tokens, as in ``it:animal``."""
    tokens = _TOKENS.fullmatch(text)
    return cell(text) if tokens is None else (tokens[1], tokens[2])


def print_heads(options: argparse.Namespace, run: "ModelTrace") -> None:
    """Print a line of CSV for each head."""
    from attnviewer.io.export.csv_text import csv_pieces
    from attnviewer.models import head_table

    try:
        table = head_table(
            run,
            None if options.layer is None else [options.layer],
            cell=options.cell,
            occurrence_offsets=options.occurrence_offsets,
            detectors=options.detectors,
            needle=options.needle,
        )
        for sentence in table.notes:
            note(sentence)
        write_bytes(b"".join(csv_pieces([table.columns])))
        for row in table:  # computed as it is read
            if options.head in (None, row.head):
                cells = ["" if isnan(number) else number for number in row]
                write_bytes(b"".join(csv_pieces([cells])))
    except (ValueError, IndexError) as error:
        raise RefusedError(f"{options.path}: {error}") from None


def _range(text: str) -> range:
    ends = _RANGE.fullmatch(text)
    found = range(0) if ends is None else range(int(ends[1]), int(ends[2]))
    if not found:
        raise argparse.ArgumentTypeError(
            "it must be two whole numbers, the smaller one first, like -2:4. "
            f"Got {text!r}"
        )
    return found


def _detectors(text: str) -> tuple[str, ...]:
    from attnviewer.models.detectors import DETECTORS

    names = tuple(DETECTORS) if text == "all" else tuple(text.split(","))
    for name in names:
        if name not in DETECTORS:
            raise argparse.ArgumentTypeError(
                f"it must be 'all', or some of {', '.join(DETECTORS)}, with commas "
                f"between. Got {name!r}"
            )
    return names
