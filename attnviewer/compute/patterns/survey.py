"""The patterns of several heads."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from attnviewer.compute.arguments import whole_number
from attnviewer.compute.arrays import Index
from attnviewer.compute.html import table_html
from attnviewer.compute.patterns.find import HeadPatterns, find_patterns
from attnviewer.compute.patterns.lines import SETS
from attnviewer.compute.patterns.reader import HeadWeights
from attnviewer.compute.patterns.running import Run, run_in_threads
from attnviewer.compute.patterns.sizes import SetSizes
from attnviewer.compute.progress import Progress
from attnviewer.compute.signatures import short_signature
from attnviewer.compute.trace import Trace

COLUMNS = (
    "head",
    "pattern",
    "cheapest",
    "cell_share",
    "kept_share",
    "evenness",
    *SETS,
    "marked_rows",
)
"""The columns of a survey's rows."""
_WORDS = "head", "pattern", "cheapest"
_MOST_NAMES = 4


@dataclass(frozen=True, eq=False, repr=False)
class PatternSurvey:
    """The patterns of several heads.

    Attributes
    ----------
    heads : tuple of int
        The heads, as they were asked for.
    patterns : dict of int to HeadPatterns
        The patterns of each head.
    """

    heads: tuple[int, ...]
    patterns: dict[int, HeadPatterns]

    def __repr__(self) -> str:
        names = [self.patterns[head].name for head in self.heads]
        more = ", ..." * (len(names) > _MOST_NAMES)
        heads = f"{len(names)} head{'' if len(names) == 1 else 's'}"
        return f"<PatternSurvey of {heads}: {', '.join(names[:_MOST_NAMES])}{more}>"

    def _repr_html_(self) -> str:
        """Return the rows as a table, for Jupyter."""
        rows = self.rows()
        names = [f"head {row['head']}: {row['pattern']}" for row in rows]
        numbers = [column for column in COLUMNS if column not in _WORDS]
        values = np.array([[row[column] for column in numbers] for row in rows], float)
        return table_html(
            values.reshape(-1, len(numbers)), names, numbers, by_column=True
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each head, with the `COLUMNS`.

        ``cell_share`` and ``kept_share`` are those of the cheapest budget.
        """
        found = []
        for head in self.heads:
            patterns = self.patterns[head]
            cheapest = patterns.cheapest
            numbers = (
                *(head, patterns.name, cheapest.name),
                *(cheapest.cell_share, cheapest.share, patterns.evenness),
                *(patterns.shares[name] for name in SETS),
                patterns.n_marked,
            )
            found.append(dict(zip(COLUMNS, numbers, strict=True)))
        return found

    def as_json(self) -> dict[str, Any]:
        """Return all numbers, without the marginals, as what JSON can hold."""
        return {
            "heads": [
                {"head": head, **self.patterns[head].as_json()} for head in self.heads
            ]
        }


@short_signature
def survey_patterns(
    trace: Trace,
    heads: Iterable[int] | None = None,
    *,
    batch: int | Index = 0,
    tokens: Sequence[Hashable] | None = None,
    keep: float = 0.95,
    sizes: SetSizes | None = None,
    n_needles: int = 100,
    progress: Progress | None = None,
    run: Run = run_in_threads,
) -> PatternSurvey:
    """Find the patterns of several heads of a computation.

    Parameters
    ----------
    trace : Trace
        The computation.
    heads : iterable of int, optional
        The heads of the queries, counted from zero; by default all.
    batch : int or tuple of int
        The batch item.
    tokens, keep, sizes, n_needles, progress, run
        As in `find_patterns`.

    Returns
    -------
    PatternSurvey

    Raises
    ------
    IndexError
        If there is no such head or batch item.
    TypeError, ValueError
        If another parameter is out of range.
    """
    wanted = range(trace.n_query_heads) if heads is None else heads
    chosen = tuple(dict.fromkeys(whole_number("heads", head) for head in wanted))
    readers = {head: HeadWeights(trace, head, batch) for head in chosen}
    patterns: dict[int, HeadPatterns] = {}
    for place, (head, reader) in enumerate(readers.items()):
        patterns[head] = find_patterns(
            reader,
            tokens=tokens,
            keep=keep,
            sizes=sizes,
            n_needles=n_needles,
            progress=_part(progress, place, len(chosen)),
            run=run,
        )
    return PatternSurvey(chosen, patterns)


def _part(progress: Progress | None, place: int, count: int) -> Progress | None:
    """Return the survey of one of several computations."""
    if progress is None:
        return None
    return lambda done: progress((place + done) / count)
