"""The steps as spreadsheet formulas, one function per kind of stage.

Kinds without a function are written from their explanations, cell by cell.
"""

import math
from collections.abc import Callable
from typing import Any

from attnviewer.compute import Index, Stage
from attnviewer.compute.expression import Cell, Expression, Maximum
from attnviewer.compute.notation import Spreadsheet
from attnviewer.compute.rules import KEY, QUERY, Entry, nodes
from attnviewer.compute.stages import (
    AddBias,
    ApplyMask,
    ColumnSum,
    Encode,
    Given,
    Mix,
    Project,
    RelativeScore,
    RowNorm,
    Score,
    Unit,
    squares_fit,
)
from attnviewer.compute.stages.over_keys import broadcast_index
from attnviewer.compute.stages.shared_heads import shared_by, shared_index
from attnviewer.io.export.xlsx.cells import LOWEST
from attnviewer.io.export.xlsx.layout import Layout, OutsideWorkbookError

LONGEST = 8191  # without its equals sign
"""Maximum length of a formula."""
_ALL = 2**31
"""Limit on explained terms: all of them."""

FormulaText = str | None
"""A formula without its equals sign; None to write the number."""


def is_constant(stage: Stage) -> bool:
    """Return whether a step depends on no other step's numbers."""
    return isinstance(stage, Given | Encode)


def formula_of(layout: Layout, stage: Stage, index: Index) -> FormulaText:
    """Return the formula of a cell.

    Raises
    ------
    OutsideWorkbookError
        If the workbook does not hold its inputs.
    """
    write = _WAYS.get(type(stage.unpinned), _explained)
    formula = write(layout, stage.unpinned, index)
    if formula is not None and not isinstance(stage.unpinned, ApplyMask):
        formula = _beside_hidden(layout, stage, index, formula)
    formula = with_pins(stage, index, formula)
    if formula is not None and len(formula) > LONGEST:
        raise OutsideWorkbookError(f"they would have more than {LONGEST:,} characters")
    return formula


def _beside_hidden(layout: Layout, stage: Stage, index: Index, formula: str) -> str:
    """Return the formula of a score that a pin may have hidden in the step before."""
    trace, source = layout.trace, stage.inputs[0]
    of_scores = stage.is_of_scores and trace.stages[source].is_of_scores
    if not of_scores or not trace.spec.pins:
        return formula
    if trace[source][index] != -math.inf:
        return formula
    value = float(trace.computed(stage.name)[index])  # a cap makes it finite
    if value != -math.inf and not math.isfinite(value):
        return formula
    text = repr(value) if math.isfinite(value) else f'"{LOWEST}"'
    return f"IF(ISNUMBER({layout.cell(Cell(source, index))}),{formula},{text})"


def with_pins(stage: Stage, index: Index, formula: FormulaText) -> FormulaText:
    """Return the formula of a cell after its pins; None for one that is set."""
    for how, number in stage.pins.at(index) if stage.pins is not None else ():
        if how == "set":
            formula = None
        elif formula is not None:
            sign = "+" if how == "add" else "*"
            pinned = f"({formula}){sign}{number!r}"
            if stage.is_of_scores:
                # The score of a hidden key is a text, and stays one.
                pinned = f'IF(ISNUMBER({formula}),{pinned},"{LOWEST}")'
            formula = pinned
    return formula


def _project(layout: Layout, stage: Project, index: Index) -> FormulaText:
    source, weight, *bias = stage.inputs
    row, column = index[:-1], index[-1]
    if stage.n_heads is not None:
        width = layout.trace.shape(weight)[1] // stage.n_heads
        row, column = (*index[:-3], index[-2]), index[-3] * width + column
    product = _product(layout.row(source, row), layout.column(weight, (column,)))
    for name in bias:
        shape = layout.trace.shape(name)
        source_index = (0, column) if len(shape) == 2 else (column,)
        product += f"+{layout.cell(Cell(name, source_index))}"
    return product


def _score(layout: Layout, stage: Score, index: Index) -> FormulaText:
    queries, keys = stage.inputs
    group = _group(layout, queries, keys)
    key = (*shared_index(index[:-2], group), index[-1])
    left, right = layout.row(queries, index[:-1]), layout.row(keys, key)
    return f"SUMPRODUCT({left},{right})"


def _relative(layout: Layout, stage: RelativeScore, index: Index) -> FormulaText:
    contents, relative = stage.inputs
    own, position = stage.compared(index, layout.trace)
    return f"SUMPRODUCT({layout.row(contents, own)},{layout.row(relative, position)})"


def _column_sum(layout: Layout, stage: ColumnSum, index: Index) -> FormulaText:
    if any(isinstance(node, Maximum) for node in nodes(stage.term)):
        return _explained(layout, stage, index)  # MAX takes whole rows
    queries, keys, *weights = stage.inputs
    group = _group(layout, queries, keys)
    key = (*shared_index(index[:-2], group), index[-1])
    rows: dict[Expression, str] = {
        QUERY: layout.row(queries, index[:-1]),
        KEY: layout.row(keys, key),
    }
    for weight in weights:
        source_index = (0,) * (len(layout.trace.shape(weight)) - 1)
        rows[Entry(weight)] = layout.row(weight, source_index)
    return f"SUMPRODUCT({Spreadsheet(layout.cell, rows).text(stage.term)})"


def _mix(layout: Layout, stage: Mix, index: Index) -> FormulaText:
    weights, values = stage.inputs
    group = _group(layout, weights, values)
    column = (*shared_index(index[:-2], group), index[-1])
    return _product(layout.row(weights, index[:-1]), layout.column(values, column))


def _biased(layout: Layout, stage: AddBias, index: Index) -> FormulaText:
    plain = _explained(layout, stage, index)
    if not stage.given or plain is None:
        return plain
    source_index = broadcast_index(index, layout.trace.shape("bias"), stage.n_keys)
    if source_index is None:
        return plain
    return f'IF(ISNUMBER({layout.cell(Cell("bias", source_index))}),{plain},"{LOWEST}")'


def _masked(layout: Layout, stage: ApplyMask, index: Index) -> FormulaText:
    *lead, row, key = index
    if key < stage.n_keys and stage.reasons_at(row, key, tuple(lead)):
        return None
    source = layout.cell(Cell(stage.inputs[0], index))
    if len(stage.inputs) == 1:
        return source
    source_index = broadcast_index(index, layout.trace.shape("mask"), stage.n_keys)
    if source_index is None:
        return source
    return f'IF({layout.cell(Cell("mask", source_index))}<>0,{source},"{LOWEST}")'


def _unit(layout: Layout, stage: Unit, index: Index) -> FormulaText:
    (source,) = stage.inputs
    row, own = layout.row(source, index[:-1]), layout.cell(Cell(source, index))
    if squares_fit(layout.trace.row(source, index[:-1])):
        squares = f"SUMPRODUCT({row},{row})"
        return f"IF({squares}=0,0,{own}/SQRT({squares}))"
    # Divided by the largest first, or the squares could overflow.
    largest = f"MAX(MAX({row}),-MIN({row}))"
    squares = f"SUMPRODUCT({row}/{largest},{row}/{largest})"
    return f"IF({largest}=0,0,{own}/{largest}/SQRT({squares}))"


def _row_norm(layout: Layout, stage: RowNorm, index: Index) -> FormulaText:
    source, norm = stage.inputs[0], stage.norm
    shape, (*lead, row, _) = layout.trace.shape(source), index
    heads = range(shape[-3]) if norm.full_width and lead else (None,)
    rows = [
        layout.row(source, (*(lead if head is None else (*lead[:-1], head)), row))
        for head in heads
    ]
    count = shape[-1] * len(rows)
    own = layout.cell(Cell(source, index))
    less = ""
    if norm.centred:
        total = "+".join(f"SUM({cells})" for cells in rows)
        less = f"-({total})/{count}"
    squares = "+".join(f"SUMPRODUCT(({cells}{less})^2)" for cells in rows)
    written = f"({own}{less})/SQRT(({squares})/{count}+{norm.epsilon!r})"
    if norm.gain:
        gain = layout.cell(stage.place(layout.trace, stage.inputs[1], index))
        written += f"*({norm.gain_offset!r}+{gain})" if norm.gain_offset else f"*{gain}"
    if norm.shift:
        shift = layout.cell(stage.place(layout.trace, stage.inputs[-1], index))
        written += f"+{shift}"
    return written


def _explained(layout: Layout, stage: Stage, index: Index) -> FormulaText:
    explanation = layout.trace.explain(stage.name, index, limit=_ALL)
    explanation = explanation.computed or explanation
    if not explanation.steps:
        return None
    return Spreadsheet(layout.cell).text(explanation.steps[0])


_WAYS: dict[type[Stage], Callable[[Layout, Any, Index], FormulaText]] = {
    AddBias: _biased,
    ApplyMask: _masked,
    ColumnSum: _column_sum,
    Mix: _mix,
    Project: _project,
    RelativeScore: _relative,
    RowNorm: _row_norm,
    Score: _score,
    Unit: _unit,
}


def _group(layout: Layout, queries: str, keys: str) -> int:
    return shared_by(layout.trace.shape(queries), layout.trace.shape(keys))


def _product(row: str, column: str) -> str:
    # Inside SUM, as some versions mark a possible array with @.
    return f"SUMPRODUCT(MMULT({row},{column}))"
