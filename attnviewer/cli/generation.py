"""The tokens that a model generates as CSV, and the options of their choice."""

import argparse
from typing import TYPE_CHECKING

from attnviewer.cli.output import RefusedError, note, write_bytes
from attnviewer.cli.parsing import Parser

if TYPE_CHECKING:
    from attnviewer.models import ModelTrace

OF_GENERATION = "temperature", "top_k", "top_p", "seed"
"""Attributes of the options that generation alone has."""


def add_generation_options(parser: Parser) -> None:
    """Add the options `OF_GENERATION`."""
    group = parser.add_argument_group(
        "with --generate; without --temperature, --top-k and --top-p the most probable "
        "token is taken"
    )
    group.add_argument(
        "--temperature", metavar="T", type=float, help="divides the logits"
    )
    group.add_argument(
        "--top-k", metavar="K", type=int, help="sample from the K most probable tokens"
    )
    group.add_argument(
        "--top-p",
        metavar="P",
        type=float,
        help="sample from the smallest set of tokens whose probabilities add up to at "
        "least P",
    )
    group.add_argument(
        "--seed", metavar="S", type=int, default=0, help="what tokens are sampled with"
    )


def print_tokens(options: argparse.Namespace, run: "ModelTrace") -> None:
    """Print a line of CSV for each generated token."""
    from attnviewer.io.export.csv_text import csv_pieces
    from attnviewer.models import generate

    chosen = {name: getattr(options, name) for name in OF_GENERATION}
    try:
        generation = generate(run, options.generate, **chosen)
    except ValueError as error:
        raise RefusedError(f"{options.path}: {error}") from None
    rows: list[list[str | int | float]] = [["position", "id", "token", "probability"]]
    for position, step in enumerate(generation.steps, len(run.ids)):
        token = step.token
        rows.append([position, token.id, token.token, token.probability])
    write_bytes(b"".join(csv_pieces(rows)))
    note(" ".join(filter(None, (generation.stopped, generation.notice))))
