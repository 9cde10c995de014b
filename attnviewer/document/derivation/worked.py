"""The derivation tree of a number: its formula, and those of its terms."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from attnviewer.compute import Cell, Expression, Formula, Number, Trace
from attnviewer.document.derivation.latex import (
    expression_latex,
    name_latex,
    number_latex,
    symbols_latex,
    text_latex,
)
from attnviewer.document.labels import Labels, cell_name, distinct_label

VALUE_DECIMALS = 4
"""Decimals of a formula's value."""
FEW_TERMS = 4
"""The most terms of a sum below the root of a tree."""


@dataclass(slots=True, eq=False)
class Worked:
    """A node of the tree: a cell's number and its formula.

    Parameters
    ----------
    formula : Formula
        Its formula, with the cell.
    name : str
        The cell's name.
    given : bool
        Whether it is an input.
    below : list of Worked
        The nodes of its terms, where they are expanded.
    opened : bool
        Whether it is expanded.
    """

    formula: Formula
    name: str
    given: bool
    below: "list[Worked]" = field(default_factory=list)
    opened: bool = False
    _cells: tuple[Cell, ...] | None = field(default=None, init=False, repr=False)

    @property
    def cell(self) -> Cell:
        """The cell that holds the number."""
        return self.formula.cell

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that the formula names, cached."""
        if self._cells is None:
            self._cells = self.formula.cells
        return self._cells

    @property
    def steps(self) -> tuple[Expression, ...]:
        """The steps of the formula that say more than the value itself."""
        return tuple(s for s in self.formula.steps if not isinstance(s, Number))

    def opened_below(self, levels: int = 0) -> Iterator[tuple[int, "Worked"]]:
        """Yield the nodes below in reading order, each with its depth."""
        for part in self.below:
            yield levels, part
            yield from part.opened_below(levels + 1)

    def alike(self, other: "Worked") -> bool:
        """Return whether another node has as many terms expanded at each place."""
        return (
            bool(self.cells) == bool(other.cells)
            and len(self.below) == len(other.below)
            and all(map(Worked.alike, self.below, other.below))
        )


class Derivation:
    """Works out numbers of a trace.

    Parameters
    ----------
    trace : Trace
        The steps.
    labels : Labels
        The document's tokens.
    shorten : callable
        Shortens a label for display.
    withheld : collection of str
        Steps whose numbers are withheld; what follows from them is not worked out.
    works_out : bool
        Whether anything is; otherwise each number is shown with its rule alone.
    """

    def __init__(
        self,
        trace: Trace,
        labels: Labels,
        shorten: Callable[[str], str] = str,
        withheld: Collection[str] = (),
        works_out: bool = True,
    ) -> None:
        self._trace = trace
        self._withheld, self._works_out = withheld, works_out
        self._labels = labels
        self._shorten = shorten

    def of(self, cell: Cell, limit: int = FEW_TERMS) -> Worked:
        """Work a number out, one level deep, with a limited number of terms."""
        formula = self._trace.explain(cell.step, cell.index, limit=limit)
        stage = self._trace.stages[cell.step]
        withheld = [name for name in stage.inputs if name in self._withheld]
        if withheld or (stage.inputs and not self._works_out):
            note = "Worked out once you have answered."
            if withheld:
                note = f"Hidden until you answer: {', '.join(withheld)}."
            value = self._trace.value(cell)
            formula = Formula(cell, value, formula.symbols, note=note)
        name = cell_name(stage, self._labels, cell.index, self._shorten)
        return Worked(formula, name, given=not stage.inputs)

    def index_labels(self, cell: Cell) -> tuple[str, str]:
        """Return the labels of a cell's row and column."""
        axes = self._trace.stages[cell.step].axes
        row, column = (
            distinct_label(axis, self._labels, index, self._shorten)
            for axis, index in zip(axes, (0, *cell.index)[-2:], strict=True)
        )
        return row, column

    def below(self, worked: Worked) -> list[Worked]:
        """Return the nodes of a formula's terms."""
        return [self.of(cell) for cell in worked.cells]

    def open(self, worked: Worked) -> None:
        """Expand a node."""
        worked.opened = bool(worked.cells)
        worked.below = self.below(worked)

    def open_as(self, worked: Worked, old: Worked) -> None:
        """Expand as another tree: the same cells, else the same positions."""
        if not old.opened:
            return
        self.open(worked)
        by_cell = {part.cell: part for part in old.below}
        same = worked.cell == old.cell
        for index, part in enumerate(worked.below):
            by_index = old.below[index] if index < len(old.below) else None
            match = by_cell.get(part.cell) if same else by_index
            if match is not None:
                self.open_as(part, match)

    def open_first(self, worked: Worked) -> None:
        """Expand a node, and below it those with a single term."""
        self.open(worked)
        first = worked.below[:1]
        if first and len(first[0].cells) == 1:
            self.open_first(first[0])


def worked_latex(worked: Worked, derivation: Derivation) -> str:
    r"""Typeset a number and all that is expanded below it.

    Parameters
    ----------
    worked : Worked
        The root.
    derivation : Derivation
        Names the cells.

    Returns
    -------
    str
        An ``align*`` environment of amsmath, one line per step.
    """
    lines = _latex_lines(worked, derivation, in_symbols=True)
    for _, part in worked.opened_below():
        if not part.given:
            lines += _latex_lines(part, derivation, in_symbols=False)
    body = " \\\\\n".join(f"  {line}" for line in lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}\n"


def _latex_lines(
    worked: Worked, derivation: Derivation, *, in_symbols: bool
) -> list[str]:
    formula = worked.formula
    rights = [expression_latex(step) for step in worked.steps]
    if in_symbols and not worked.given:
        rights.insert(0, symbols_latex(formula.symbols))
    value = number_latex(formula.value, VALUE_DECIMALS)
    if rights[-1:] != [value]:
        rights.append(value)
    if formula.note:
        rights[-1] += rf" \quad {text_latex(f'({formula.note})')}"
    left = name_latex(worked.cell, *derivation.index_labels(worked.cell))
    return [
        f"{left} &= {right}" if index == 0 else f"&= {right}"
        for index, right in enumerate(rights)
    ]
