"""A summary of the row of the selected cell, in a few lines."""

import math
from collections.abc import Callable

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


def row_summary(trace: Trace, labels: Labels, cell: Cell) -> list[str]:
    """Describe a cell's row; no lines for steps that are not queries × keys."""
    if trace.stages[cell.step].axes != ("queries", "keys"):
        return []
    row = trace.row(cell.step, cell.index[:-1])  # (n_k,)

    def named(key: int) -> str:
        return distinct_label("keys", labels, key, token_label)

    if cell.step != "weights":
        return _lines(_top(row, named, leave_zeros=False))
    head, query = (0, *cell.index)[-3], cell.index[-2]
    rows = slice(query, query + 1)
    statistics = trace.statistics(rows, head=head)  # of (1,)
    visible = trace.visible_keys(rows, head=head)  # (1,)
    infinite = trace.infinite_rows(rows, head=head)  # (1,)
    return _lines(
        _statistics(statistics),
        row_remark(
            statistics,
            visible.item(),
            infinite=infinite.item(),
            cross=trace.spec.context,
        ),
        _top(row, named, leave_zeros=True),
    )


def folded_summary(
    computed: Computed, folds: Folds, folding: Folding, cell: Cell
) -> tuple[str, list[str]]:
    """Describe a weight's row as it is shown with folded groups, and what it is called.

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
    names = folds.weight_names(computed.labels, folding)
    top = _top(row[0], lambda key: token_label(names[1][key]), leave_zeros=True)
    lines = _lines(_statistics(row_statistics(row)), top)
    return token_label(names[0][line]), lines


def _lines(*lines: str) -> list[str]:
    return [line for line in lines if line]


def _statistics(statistics: RowStatistics) -> str:
    text = _tr("sum {0}").format(format_number(statistics.row_sum.item(), 4))
    keys = statistics.effective_keys.item()
    # A row without a visible key or with negative weights is no distribution.
    if keys == 0 or math.isnan(keys):
        return text
    bits = format_number(statistics.entropy.item(), 2)
    more = _tr("entropy {0} bit · effective keys {1}")
    return f"{text} · {more.format(bits, format_number(keys, 1))}"


def _top(row: Array, name: Callable[[int], str], *, leave_zeros: bool) -> str:
    shown = np.isfinite(row) & ((row != 0) | (not leave_zeros))  # (n_k,)
    keys = [k for k in top_keys(np.where(shown, row, -np.inf), TOP) if shown[k]]
    numbers = (rounded(float(row[k]), 3) for k in keys)
    named = ", ".join(map("{} ({})".format, map(name, keys), numbers))
    return _tr("top: {0}").format(named) if keys else ""
