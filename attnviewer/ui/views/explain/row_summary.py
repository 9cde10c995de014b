"""A summary of the row of the selected cell."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from attnviewer.compute import (
    Array,
    Cell,
    Folding,
    RowStatistics,
    Trace,
    row_remark,
    row_statistics,
    top_keys,
)
from attnviewer.compute.number_text import rounded
from attnviewer.document import Labels, distinct_label
from attnviewer.ui.paint.math import (
    Line,
    Part,
    Value,
    filled,
    in_columns,
    prose,
)
from attnviewer.ui.paint.math.tex import SPACE
from attnviewer.ui.paint.theme import Theme
from attnviewer.ui.state.engine import Computed
from attnviewer.ui.state.folds import Folds, line_of
from attnviewer.ui.text.numbers import format_number
from attnviewer.ui.text.tokens import token_label
from attnviewer.ui.text.translation import translate_in

_tr = translate_in("row_summary")

STATISTICS_OF_ROW = ("row_sum", "entropy", "effective_keys", "top_keys")
"""The statistics shown for a row."""
TOP = 3
"""The number of keys that are named."""
_LONGEST_UNBROKEN = 12
"""The most characters of a name that stays on one line."""
_COMMA = prose(",")


@dataclass(frozen=True, slots=True)
class RowSummary:
    """The numbers that stand out in a row.

    Parameters
    ----------
    title : str
        What the row is called.
    statistics : tuple of (str, str, str)
        Names, numbers and units, such as ``entropy``, ``0.91`` and ``bit``.
    remark : str
        What stands out, in words; "" for nothing.
    top : tuple of (str, Cell or None, str)
        The largest numbers of the row: the names of the keys, the cells that they link
        to, and the numbers.
    """

    title: str
    statistics: tuple[tuple[str, str, str], ...]
    remark: str
    top: tuple[tuple[str, Cell | None, str], ...]

    def lines(self, theme: Theme) -> Iterator[Line]:
        """Yield the summary, typeset."""
        if self.statistics:
            cells: list[Part] = []
            for name, number, unit in self.statistics:
                cells += [prose(name, theme.muted), Value(number), prose(unit)]
            yield filled(theme, *cells, arrange=in_columns("lrl"))
        if self.remark:
            yield prose(self.remark)
        if self.top:
            parts: list[Part] = [prose(_tr("largest:"), theme.muted)]
            for place, (name, cell, number) in enumerate(self.top):
                parts += [_COMMA] if place else []
                short = len(name) <= _LONGEST_UNBROKEN
                link = prose(name, cell=cell, unbroken=short)
                parts += [SPACE, link, SPACE, Value(number)]
            yield filled(theme, *parts)


def row_summary(trace: Trace, labels: Labels, cell: Cell) -> RowSummary | None:
    """Describe a cell's row; None for steps that are not queries × keys."""
    if trace.stages[cell.step].axes != ("queries", "keys"):
        return None
    row = trace.row(cell.step, cell.index[:-1])  # (n_k,)
    query = cell.index[-2]
    title = distinct_label("queries", labels, query, token_label)

    def named(key: int) -> tuple[str, Cell]:
        name = distinct_label("keys", labels, key, token_label)
        return name, Cell(cell.step, (*cell.index[:-1], key))

    if cell.step != "weights":
        return RowSummary(title, (), "", _top(row, named, leave_zeros=False))
    head = (0, *cell.index)[-3]
    rows = slice(query, query + 1)
    statistics = trace.statistics(rows, head=head)  # of (1,)
    visible = trace.visible_keys(rows, head=head).item()  # of (1,)
    infinite = trace.infinite_rows(rows, head=head)  # (1,)
    remark = row_remark(
        statistics, visible, infinite=infinite.item(), cross=trace.spec.context
    )
    top = _top(row, named, leave_zeros=True)
    return RowSummary(title, _statistics(statistics, visible), remark, top)


def folded_summary(
    computed: Computed, folds: Folds, folding: Folding, cell: Cell
) -> RowSummary:
    """Describe a weight's row as it is shown with folded groups.

    Parameters
    ----------
    computed : Computed
        The weights.
    folds : Folds
        The groups.
    folding : Folding
        How the weights are folded.
    cell : Cell
        The cell, of single tokens.
    """
    head, query = (0, *cell.index)[-3], cell.index[-2]
    line = line_of(folding.rows, query)
    row = computed.folded(cell.step, head, folding).matrix.window(slice(line, line + 1))
    queries, keys = folds.weight_names(computed.labels, folding)
    top = _top(row[0], lambda key: (token_label(keys[key]), None), leave_zeros=True)
    statistics = _statistics(row_statistics(row))
    return RowSummary(token_label(queries[line]), statistics, "", top)


def _statistics(
    statistics: RowStatistics, visible: int | None = None
) -> tuple[tuple[str, str, str], ...]:
    row_sum = _tr("sum"), format_number(statistics.row_sum.item(), 4), ""
    keys = statistics.effective_keys.item()
    # A row without a visible key or with negative weights is no distribution.
    if keys == 0 or math.isnan(keys):
        return (row_sum,)
    bits = format_number(statistics.entropy.item(), 2)
    of = "" if visible is None else _tr("of {0}").format(visible)
    return (
        row_sum,
        (_tr("entropy"), bits, _tr("bit")),
        (_tr("effective keys"), format_number(keys, 1), of),
    )


def _top(
    row: Array, named: Callable[[int], tuple[str, Cell | None]], *, leave_zeros: bool
) -> tuple[tuple[str, Cell | None, str], ...]:
    # Neither NaN nor −∞, which a mask gives; +∞ is the largest of all.
    shown = (row > -np.inf) & ((row != 0) | (not leave_zeros))  # (n_k,)
    keys = [k for k in top_keys(np.where(shown, row, -np.inf), TOP) if shown[k]]
    return tuple((*named(k), rounded(float(row[k]), 3)) for k in keys)
