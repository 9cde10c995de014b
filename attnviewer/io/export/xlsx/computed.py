"""The matrices of a workbook as formulas, where it holds what they depend on."""

from collections.abc import Sequence

from attnviewer.compute import Index, Trace
from attnviewer.compute.expression import Cell
from attnviewer.compute.stages import Normalize, Stage
from attnviewer.io.export.parts import Part
from attnviewer.io.export.xlsx.cells import Computed, Content, number_or_word, quoted
from attnviewer.io.export.xlsx.formulas import formula_of, is_constant
from attnviewer.io.export.xlsx.layout import Layout, OutsideWorkbookError
from attnviewer.io.export.xlsx.normalizing import Columns, ScoreRow
from attnviewer.io.export.xlsx.pinned import pinned_weights
from attnviewer.io.spreadsheet import MOST_COLUMNS

MOST_FORMULAS = 300_000
"""Room for 200 tokens with any normaliser; spreadsheets take long to open more."""

Row = Sequence[Content]


class ComputedSheets:
    """Rows of formulas by sheet name, and notes on what could not be written.

    Parameters
    ----------
    layout : Layout
        The sheets; helper sheets are added to it.
    parts : list of Part
        The matrices of the sheets.

    Raises
    ------
    ValueError
        If there would be too many formulas.
    """

    def __init__(self, layout: Layout, parts: list[Part]) -> None:
        self._layout = layout
        self._trace = layout.trace
        self.rows: dict[str, list[Row]] = {}
        self.helping: dict[str, tuple[Part, list[str], list[Row]]] = {}
        self.helper_names = [_helper(s) for s in self._trace.pipeline.normalizing]
        self.notes: list[str] = []
        follows = [p for p in parts if not is_constant(self._trace.stages[p.step])]
        _check_count(self._trace, follows)
        for step in dict.fromkeys(part.step for part in follows):
            stage = self._trace.stages[step]
            try:
                for part in follows:
                    if part.step == step:
                        self._write(stage, part)
            except OutsideWorkbookError as elsewhere:
                self._leave(step, follows, str(elsewhere))

    def _leave(self, step: str, parts: list[Part], reason: str) -> None:
        self.notes.append(f"'{step}' holds numbers, not formulas: {reason}.")
        for part in parts:
            if part.step == step:
                self.rows.pop(self._layout.name(step, part.head), None)

    def _write(self, stage: Stage, part: Part) -> None:
        name = self._layout.name(part.step, part.head)
        for normalize in self._trace.pipeline.normalizing:
            if stage is normalize:
                self.rows[name] = self._normalized(normalize, part)
                return
        lead = _lead(self._trace, part)
        self.rows[name] = [
            [
                self._content(stage, (*lead, row, column), value)
                for column, value in enumerate(values.tolist())
            ]
            for row, values in enumerate(part.rows())
        ]

    def _content(self, stage: Stage, index: Index, value: float) -> Content:
        formula = formula_of(self._layout, stage, index)
        return number_or_word(value) if formula is None else Computed(formula, value)

    def _normalized(self, stage: Normalize, part: Part) -> list[Row]:
        columns = Columns(stage.normalizer, self._layout.cell)
        if columns.count(part.shape[1]) + self._layout.labels > MOST_COLUMNS:
            raise OutsideWorkbookError(
                "a row's sums would need more columns than a sheet has"
            )
        source = stage.inputs[0]
        n_q, n_k = part.shape
        lead = _lead(self._trace, part)
        rows: list[Row] = []
        helping: list[Row] = []
        self._layout.row(source, (*lead, 0))  # raises `OutsideWorkbookError` if missing
        helped = columns.count(n_k) > 0
        sheet = self._layout.name(_helper(stage), part.head) if helped else ""
        for query, values in zip(range(n_q), part.rows(), strict=True):
            index = (*lead, query)
            own = stage.normalizer_at(self._trace, index)
            columns = Columns(own, self._layout.cell)
            row = ScoreRow(
                [self._layout.cell(Cell(source, (*index, key))) for key in range(n_k)],
                self._layout.row(source, index),
                self._trace.row(source, index),
                query + self._layout.labels,
                self._layout.labels,
                quoted(sheet),
            )
            if helped:
                helping.append(columns.helping(row))
            numbers = values.tolist()
            formulas = pinned_weights(stage, index, columns.weights(row), numbers)
            rows.append(
                [
                    number_or_word(value) if text is None else Computed(text, value)
                    for text, value in zip(formulas, numbers, strict=True)
                ]
            )
        if helped:
            headings = columns.headings(part.column_labels)
            self.helping[sheet] = part, headings, helping
        return rows


def _helper(stage: Normalize) -> str:
    return f"towards {stage.name}"


def _lead(trace: Trace, part: Part) -> Index:
    """Return the leading index of a matrix of a step."""
    return (part.head or 0,) if len(trace.shape(part.step)) > 2 else ()


def _check_count(trace: Trace, parts: list[Part]) -> None:
    count = 0
    normalizers = {s.name: s.normalizer for s in trace.pipeline.normalizing}
    for part in parts:
        n_rows, n_columns = part.shape
        count += n_rows * n_columns
        if part.step in normalizers:
            columns = Columns(normalizers[part.step], str)
            count += n_rows * columns.count(n_columns)
    if count > MOST_FORMULAS:
        raise ValueError(
            f"A workbook may have {MOST_FORMULAS:,} formulas. Got {count:,} instead: "
            "choose fewer steps or one head, or have numbers only."
        )
