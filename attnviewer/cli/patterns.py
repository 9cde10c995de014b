"""``attnviewer patterns``: where the attention of each head goes."""

import argparse
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING

from attnviewer.cli.loading import load_noting
from attnviewer.cli.output import RefusedError, note, print_line
from attnviewer.cli.parsing import Parser, add_layer, add_source, command_parser

if TYPE_CHECKING:
    from attnviewer.compute import Trace
    from attnviewer.compute.patterns import HeadPatterns, PatternSurvey, Run
    from attnviewer.document import Labels

_MOST = 10_000


def run_patterns(arguments: list[str]) -> int:
    """Print the pattern of each head, or of one."""
    options = _parser().parse_args(arguments)
    from attnviewer.models.survey import WorkersError

    document = load_noting(options.source, options.assign, layer=options.layer)
    labels = document.labels
    try:
        found = _survey(options, document.compute(), labels)
    except (ValueError, IndexError, ImportError, WorkersError) as error:
        raise RefusedError(str(error)) from None
    if options.json:
        print_line(json.dumps(found.as_json()))
    else:
        _print(found, labels)
    return 0


def _survey(
    options: argparse.Namespace, trace: "Trace", labels: "Labels"
) -> "PatternSurvey":
    from attnviewer.compute.patterns import run_in_threads, survey_patterns
    from attnviewer.models.survey.row_blocks import on_cluster

    with ExitStack() as stack:
        run: Run = run_in_threads
        if options.scheduler is not None:
            run = stack.enter_context(on_cluster(options.scheduler))
        return survey_patterns(
            trace,
            None if options.head is None else [options.head],
            tokens=None if trace.spec.context else labels.keys,
            keep=options.keep,
            n_needles=options.needles,
            run=run,
        )


def _print(found: "PatternSurvey", labels: "Labels") -> None:
    for head in found.heads:
        patterns = found.patterns[head]
        for line in _lines(head, patterns, labels):
            print_line(line)
        if patterns.n_marked:
            note(
                f"{patterns.n_marked:,} rows of head {head} hold NaN or an infinite "
                "number, and are left out."
            )


def _lines(head: int, patterns: "HeadPatterns", labels: "Labels") -> list[str]:
    lines = [f"head {head}: {patterns.name}"]
    cheapest = patterns.cheapest.name
    for name, budget in patterns.budgets.items():
        mark = " (the fewest)" if name == cheapest else ""
        lines.append(f"  {budget}{mark}: {budget.kept}")
    shares = (f"{name} {_percent(share)}" for name, share in patterns.shares.items())
    lines.append(f"  attention to: {', '.join(shares)}")
    if patterns.evenness == patterns.evenness:
        lines.append(f"  evenness: {patterns.evenness:.3f}")
    for query, key, weight in patterns.needles:
        names = f"{labels.queries[query]} → {labels.keys[key]}"
        lines.append(f"  needle: {query} → {key} ({names}) {weight:.4f}")
    return lines


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _parser() -> Parser:
    parser = command_parser(
        "patterns",
        "Tell where the attention of each head goes: to sinks, a local band, some "
        "keys, some offsets, repeated tokens, blocks or the rest; the pattern's name; "
        "the fewest cells with which a sparse kernel of each pattern keeps most of "
        "the attention; and the largest weights of distant keys. Exact, and without "
        "holding the weights of long sequences.",
    )
    add_source(parser)
    add_layer(parser)
    parser.add_argument(
        "--head", metavar="N", type=_count, help="one head, counted from zero"
    )
    parser.add_argument(
        "--keep",
        metavar="SHARE",
        type=float,
        default=0.95,
        help="the share of attention that a kernel keeps, 0.95 by default",
    )
    parser.add_argument(
        "--needles",
        metavar="N",
        type=_count,
        default=3,
        help="how many of the largest distant weights are listed, 3 by default",
    )
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of dask.distributed, such as tcp://10.0.0.1:8786, whose workers compute",
    )
    parser.add_argument(
        "--json", action="store_true", help="print all numbers as JSON in one line"
    )
    return parser


def _count(text: str) -> int:
    digits = text.isascii() and text.isdigit() and len(text) < 6
    if not digits or int(text) > _MOST:
        raise argparse.ArgumentTypeError(
            f"it must be a whole number from 0 to {_MOST:,}. Got {text!r}"
        )
    return int(text)
