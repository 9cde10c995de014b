"""``attnviewer survey``: statistics of every head of a model over many texts."""

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from attnviewer.cli.output import RefusedError, note, print_line
from attnviewer.cli.parsing import Parser, command_parser, output_path

if TYPE_CHECKING:
    from attnviewer.models.survey import Progress, Survey

_SECONDS, _SECONDS_IN_PLACE = 10.0, 0.5
"""How often progress is reported: by a new line, and by one that replaces the last."""


def run_survey(arguments: list[str]) -> int:
    """Compute statistics of every head over many texts, and write them to a file."""
    options = _parser().parse_args(arguments)
    path = output_path(options.to)
    from attnviewer.models import load, survey
    from attnviewer.models.survey import WorkersError

    model = load(options.model)
    for notice in model.notices:
        note(notice)
    progress = _ProgressLine()
    try:
        found = survey(
            model,
            options.texts,
            options.metrics,
            to=path,
            workers=options.workers,
            scheduler=options.scheduler,
            most_tokens=options.most_tokens,
            progress=progress,
        )
    except (ValueError, ImportError, WorkersError) as error:
        raise RefusedError(str(error)) from None
    except KeyboardInterrupt:
        note("Interrupted. The same command goes on from what is finished.")
        raise
    finally:
        progress.end()
    _report(found, path)
    return 0


def _report(found: "Survey", path: Path) -> None:
    if found.truncated:
        note(f"{found.truncated:,} of {found.n_texts:,} texts had too many tokens.")
    if found.skipped:
        note(f"{found.skipped:,} more texts have no token.")
    count = f"{found.n_texts:,} text{'s' if found.n_texts != 1 else ''}"
    print_line(f"{path} written: {count}")


class _ProgressLine:
    """Tells progress on stderr: in one line of a terminal, else now and then."""

    def __init__(self) -> None:
        self._in_place = sys.stderr is not None and sys.stderr.isatty()
        self._last = time.monotonic()
        self._shown = False

    def __call__(self, progress: "Progress") -> None:
        now = time.monotonic()
        wait = _SECONDS_IN_PLACE if self._in_place else _SECONDS
        if now - self._last < wait:
            return
        self._last = now
        if self._in_place:
            self._shown = True
            sys.stderr.write(f"\r{_line(progress)}\x1b[K")
            sys.stderr.flush()
        else:
            note(_line(progress))

    def end(self) -> None:
        """End the line that was written in place."""
        if self._shown:
            sys.stderr.write("\n")


def _line(progress: "Progress") -> str:
    of = "" if progress.total is None else f" of {progress.total:,}"
    left = progress.seconds_left
    if left is None:
        return f"{progress.done:,}{of} texts"
    minutes, seconds = divmod(round(left), 60)
    hours, minutes = divmod(minutes, 60)
    parts = (hours, "h"), (minutes, "min"), (seconds, "s")
    shown = [f"{number} {unit}" for number, unit in parts if number][:2] or ["0 s"]
    return f"{progress.done:,}{of} texts, {' '.join(shown)} left"


def _parser() -> Parser:
    parser = command_parser(
        "survey",
        "Compute statistics of every head of a model over many texts: of each metric "
        "mean, spread and extremes, and the texts with the highest scores. What is "
        "finished is kept beside FILE: after an interruption, the same command goes "
        "on. Ctrl+C stops it.",
    )
    parser.add_argument(
        "model",
        metavar="MODEL",
        type=Path,
        help="its folder, or a .gguf file",
    )
    parser.add_argument(
        "texts", metavar="TEXTS", type=Path, help="a file in UTF-8, one text a line"
    )
    parser.add_argument(
        "--to",
        metavar="FILE",
        required=True,
        help="the file to write, .npz, .csv or .parquet; the window opens .npz",
    )
    parser.add_argument(
        "--metrics",
        metavar="NAMES",
        type=_names,
        help="names with commas between: entropy, effective_keys, distance, "
        "first_share, previous_share and diagonal_share, which are the default; "
        "duplicate_token, induction, prefix_matching, first_token_sink, local, "
        "separator, copy_suppression",
    )
    parser.add_argument(
        "--most-tokens",
        metavar="N",
        type=_count,
        help="cut longer texts; by default as many as the model has positions for",
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        metavar="N",
        type=_count,
        default=1,
        help="how many processes compute, 1 by default; the result is the same",
    )
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="of dask.distributed, such as tcp://10.0.0.1:8786, whose workers compute",
    )
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 7 and int(text)):
        raise argparse.ArgumentTypeError(
            f"it must be a whole number of at least 1. Got {text!r}"
        )
    return int(text)
