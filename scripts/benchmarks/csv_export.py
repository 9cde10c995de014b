"""Matrices as CSV files, beside `np.savetxt` with its usual format."""

import tempfile
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from comparison import Comparison, Goal, Result, Settings
from random_inputs import random_inputs
from timing import Variant, timed

from attnviewer.compute import Array, Spec, run
from attnviewer.document import Labels
from attnviewer.io.export import Choice, Computation, export, write_export
from attnviewer.io.export.csv_text import bare_rows, csv_pieces

OURS, THEIRS = "attnviewer", "np.savetxt"
FASTER = Goal(5, at_least=True)
SPEC = Spec(projected=False)
D_MODEL = 16
MIB = 2**20


def comparisons(settings: Settings) -> list[Comparison]:
    (n,) = settings.lengths((4096,), 24)
    size = f"{n:,}×{n:,} float64"
    return [
        Comparison(f"normal numbers, {size}, to a file", partial(plain, n)),
        Comparison(f"scores with tokens, {size}", partial(exported, n, "scores")),
        Comparison(f"weights with tokens, {size}", partial(exported, n, "weights")),
    ]


def plain(n: int, settings: Settings) -> Result:
    """Measure the numbers alone."""
    values = np.random.default_rng(0).normal(size=(n, n))

    def write(file: Path) -> None:
        write_export(file, csv_pieces(bare_rows(values)))

    return _measured(values, write, 0, settings)


def exported(n: int, step: str, settings: Settings) -> Result:
    """Measure what the command `attnviewer export` does, once all is computed."""
    trace = run(SPEC, random_inputs(SPEC, n, D_MODEL, D_MODEL, np.dtype(np.float64)))
    tokens = tuple(f"token {k}" for k in range(n))
    computation = Computation("Long", Labels(tokens, tokens), trace)
    choice = Choice((step,))

    def write(file: Path) -> None:
        export(computation, file, "csv", choice)

    return _measured(trace[step], write, 1, settings)


def _measured(
    values: Array,
    write: Callable[[Path], None],
    labels: int,
    settings: Settings,
) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = Path(folder) / "theirs.csv", Path(folder) / "ours.csv"
        write(ours)
        check(ours, values, labels)
        tracemalloc.start()
        write(ours)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        rows = timed(
            [
                Variant(
                    name=f"{THEIRS}, numbers only",
                    call=partial(np.savetxt, theirs, values, delimiter=","),
                ),
                Variant(
                    name=f"{OURS}, {'with tokens' if labels else 'numbers only'}",
                    call=partial(write, ours),
                    goal=None if settings.quick else FASTER,
                ),
            ],
            settings,
            beside=f"{THEIRS}, numbers only",
            faster=True,
        )
        sizes = [file.stat().st_size / MIB for file in (theirs, ours)]
    return Result(
        rows,
        [
            "Ratios are how many times faster.",
            "Every number of ours was read back bit for bit.",
            f"Files of {sizes[0]:.0f} and {sizes[1]:.0f} MiB; ours took at most "
            f"{peak / MIB:.0f} MiB beside the {values.nbytes / MIB:.0f} MiB of the "
            "matrix.",
        ],
    )


def check(file: Path, values: Array, labels: int) -> None:
    """Read a file back, number by number.

    Raises
    ------
    ValueError
        If one of them is another one.
    """
    with file.open(encoding="ascii") as lines:
        for _ in range(labels):
            next(lines)
        for line, row in zip(lines, values, strict=True):
            read = np.array(list(map(float, line.split(",")[labels:])))
            if read.tobytes() != row.tobytes():
                raise ValueError("A number did not come back.")
