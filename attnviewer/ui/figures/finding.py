"""The finding that a panel of weights shows: a query that attends mostly to one key."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array, TellingCell, telling_cell
from attnviewer.compute.telling import MAJORITY
from attnviewer.ui.figures.panel import Panel
from attnviewer.ui.state.workbench import STEP_OF_ALL
from attnviewer.ui.text.tokens import lines_along

MOST = 1024
"""With more queries or keys nothing is looked for."""
_VIEWS = ("heatmap", "lines", "heads", "table", "how")


@dataclass(frozen=True, slots=True)
class Finding:
    """A weight that stands out.

    Parameters
    ----------
    head : int
        The head of the weights.
    cell : TellingCell
        The query, the key and the weight.
    """

    head: int
    cell: TellingCell


def finding_of(panel: Panel) -> Finding | None:
    """Return the weight of a panel that stands out.

    It is the selected one, or the one that an operation is drawn for, if that has the
    majority of its query's weight, and by default the most telling one; see
    `attnviewer.compute.telling_cell`. In a panel of several heads it is that of the
    head that tells most.

    Returns
    -------
    Finding or None
        None if no weight stands out, the tokens have no names, or the weights of a
        query do not add up to one.
    """
    if panel.view not in _VIEWS or panel.shown_step != STEP_OF_ALL:
        return None
    if panel.folding is not None or panel.combination is not None:
        return None  # a sentence about a token would be about none that is shown
    trace = panel.trace
    rows, columns = trace.matrix_shape(STEP_OF_ALL)
    names = panel.computation.labels
    if max(rows, columns) > MOST or len(names.queries) < rows:
        return None
    if len(names.keys) < columns:
        return None
    if panel.several_heads:
        heads = list(panel.heads)
        if panel.view == "heads":
            every = range(panel.n_heads)
            heads = [trace.served_by(STEP_OF_ALL, own)[0] for own in every]
        cells = [(head, _telling(panel, head)) for head in heads]
        found = [Finding(head, cell) for head, cell in cells if cell is not None]
        return max(found, key=lambda one: one.cell.score, default=None)
    if panel.step == STEP_OF_ALL and (panel.cell is not None or panel.view == "how"):
        cell = _selected(panel, *panel.cell_in_focus)
    else:
        cell = _telling(panel, panel.head)
    return None if cell is None else Finding(panel.head, cell)


def finding_words(panel: Panel, finding: Finding) -> str:
    """Return a finding as a sentence.

    A token that occurs more than once is distinguished from the others by its position.
    """
    query, key, weight = finding.cell
    rows, columns = panel.trace.matrix_shape(STEP_OF_ALL)
    names = panel.computation.labels
    queries = lines_along("queries", names, rows)
    keys = lines_along("keys", names, columns)
    share = "all" if weight >= 0.995 else f"{weight:.2f}"
    sentence = (
        f"he query {_named(queries, query)} gives {share} of its attention to "
        f"{_named(keys, key)}."
    )
    if panel.several_heads and panel.n_heads > 1:
        return f"In head {panel.trace.head_of(STEP_OF_ALL, finding.head)}, t{sentence}"
    return f"T{sentence}"


def _named(tokens: tuple[str, ...], place: int) -> str:
    name = f"“{tokens[place]}”"
    return f"{name} (position {place})" if tokens.count(tokens[place]) > 1 else name


def _telling(panel: Panel, head: int) -> TellingCell | None:
    names = panel.computation.labels
    rows, columns = panel.trace.matrix_shape(STEP_OF_ALL)
    if rows != columns or names.queries != names.keys:
        return None
    weights = panel.trace.window(STEP_OF_ALL, head=head)  # (n, n)
    cell = telling_cell(weights, names.keys[:columns])
    return cell if cell is not None and _is_whole(weights[cell.query]) else None


def _selected(panel: Panel, query: int, key: int) -> TellingCell | None:
    row = panel.trace.window(STEP_OF_ALL, head=panel.head)[query]  # (n_k,)
    weight = float(row[key])
    if not weight >= MAJORITY or not _is_whole(row):
        return None
    return TellingCell(query, key, weight)


def _is_whole(row: Array) -> bool:
    """Return whether the weights of a query are shares of one."""
    return bool(np.isclose(row.sum(), 1.0, atol=1e-3) and (row >= 0).all())
