"""One number of an implementation, computed with the mistake and without."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute.arrays import Array, Index, Numbers, Shape
from attnviewer.compute.expression import Cell, Expression
from attnviewer.compute.formula import Formula
from attnviewer.compute.mistakes import Evaluation, UnfitError
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.notation import plain_text, write
from attnviewer.compute.number_text import rounded
from attnviewer.doctor.diagnosis import Diagnosis

DECIMALS = 4
TERMS = 4
"""How many terms of a sum are written."""
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Side:
    """A number and its computation.

    Parameters
    ----------
    name : str
        Whose it is.
    value : float
        The number.
    formula : str
        The formula with its own numbers; "" if it is unknown.
    note : str
        What the formula does not show, such as why a key is masked.
    """

    name: str
    value: float
    formula: str
    note: str = ""

    def __str__(self) -> str:
        value = rounded(self.value, DECIMALS)
        formula = f" = {self.formula}" if self.formula not in ("", value) else ""
        return f"{value}{formula}" + (f" ({self.note})" if self.note else "")


@dataclass(frozen=True, slots=True)
class WorkedCell:
    """A cell of a step, worked out twice.

    Parameters
    ----------
    title : str
        The cell: ``weights[0, 2, 1]``.
    rule : str
        The right rule in symbols.
    theirs, right : Side
        The implementation's number with the mistake, and the right one.
    """

    title: str
    rule: str
    theirs: Side
    right: Side

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both, theirs first."""
        return self.theirs, self.right


def worked_cells(diagnosis: Diagnosis) -> tuple[WorkedCell, ...]:
    """Return the number that differs most, worked out with the mistake and without.

    Before it comes a number of the step in which the mistake is made, where that is
    another one.

    Parameters
    ----------
    diagnosis : Diagnosis
        The diagnosis.

    Returns
    -------
    tuple of WorkedCell
        None where all agrees, or where a mistake changes the shape of the step.
    """
    given = [name for name in diagnosis.plan.steps if name in diagnosis.mine]
    called = dict(zip(diagnosis.compared, given, strict=True))
    step = called.get(diagnosis.first_different or "")
    if step is None:
        return ()
    right = Evaluation(diagnosis.plan, diagnosis.inputs)
    theirs = diagnosis.mine[step]
    if theirs.shape != right[step].shape:
        return ()
    worst = _worst(theirs, right[step])
    wrong = _with_mistake(diagnosis, right)
    cells = []
    if wrong is not None:
        made = _first_changed(wrong.plan, diagnosis.plan)
        if made != step and _same_shapes(made, wrong, right):
            index = _nearest(worst, wrong[made], right[made])
            value = float(wrong[made][index])
            cells.append(_cell(made, made, index, value, wrong, right))
    name = diagnosis.first_different or ""
    cells.append(_cell(name, step, worst, float(theirs[worst]), wrong, right))
    return tuple(cells)


def _with_mistake(diagnosis: Diagnosis, right: Evaluation) -> Evaluation | None:
    first = (f for f in diagnosis.findings if f.step == diagnosis.first_different)
    plans: list[Plan] = [finding.plan for finding in first]
    return Evaluation(plans[0], diagnosis.inputs, like=right) if plans else None


def _first_changed(wrong: Plan, right: Plan) -> str:
    return next(name for name in wrong.steps if wrong.changes(name, right))


def _same_shapes(step: str, wrong: Evaluation, right: Evaluation) -> bool:
    try:
        return wrong[step].shape == right[step].shape
    except UnfitError:
        return False


def _worst(theirs: Numbers, right: Numbers) -> Index:
    """Return where two arrays differ most; infinite differences are the most."""
    with np.errstate(invalid="ignore"):
        off = np.where(theirs == right, 0.0, np.abs(theirs - right))
    place = int(np.nan_to_num(off, nan=np.inf, posinf=np.inf).argmax())
    return tuple(int(i) for i in np.unravel_index(place, off.shape))


def _nearest(worst: Index, wrong: Numbers, right: Numbers) -> Index:
    """Return where another step differs: there, in the same row, or the most."""
    fits = len(worst) == wrong.ndim
    if fits and all(k < n for k, n in zip(worst, wrong.shape, strict=True)):
        if wrong[worst] != right[worst]:
            return worst
        row = worst[:-1]
        if (wrong[row] != right[row]).any():
            return *row, *_worst(wrong[row], right[row])
    return _worst(wrong, right)


def _cell(
    name: str,
    step: str,
    index: Index,
    value: float,
    wrong: Evaluation | None,
    right: Evaluation,
) -> WorkedCell:
    formula = _explained(step, index, right)
    theirs = "" if wrong is None else _their_formula(step, index, wrong, right)
    return WorkedCell(
        title=_cell_name(name, index),
        rule=formula.symbols,
        theirs=Side("theirs", value, theirs),
        right=Side("right", formula.value, _first_line(formula), formula.note),
    )


def _explained(step: str, index: Index, numbers: Evaluation) -> Formula:
    """Return the right rule of a step, with the numbers of an evaluation."""
    with np.errstate(all="ignore"):
        stage = numbers.plan.stages[step]
        formula = stage.explain(_Steps(numbers), index, TERMS)
    if stage.kind == "concatenation" and formula.cells:  # which copies numbers
        (cell,) = formula.cells
        return _explained(cell.step, cell.index, numbers)
    return formula


def _first_line(formula: Formula) -> str:
    return _text(formula.steps[0]) if formula.steps and formula.in_range else ""


def _text(expression: Expression) -> str:
    return plain_text(write(expression))


def _their_formula(
    step: str, index: Index, wrong: Evaluation, right: Evaluation
) -> str:
    """Return the formula of their number; "" if it cannot be written.

    It is the right rule if the mistake is made before the step. Otherwise the mistake
    may be that a number is passed on unchanged.
    """
    value = float(wrong[step][index])
    sources = wrong.plan.stages[step].inputs
    if all(_same_shapes(name, wrong, right) for name in sources):
        formula = _explained(step, index, wrong)
        if formula.steps and _is_near(formula.steps[0].evaluate(), value):
            return _text(formula.steps[0])
    first = wrong[sources[0]]
    if first.shape == wrong[step].shape and _is_near(float(first[index]), value):
        return _cell_name(sources[0], index)
    return ""


def _is_near(number: float, other: float) -> bool:
    return bool(np.isclose(number, other, rtol=TOLERANCE, atol=0))


def _cell_name(step: str, index: Index) -> str:
    return f"{step}[{', '.join(map(str, index))}]"


class _Steps:
    """The numbers of an evaluation, as explanations read them."""

    def __init__(self, numbers: Evaluation) -> None:
        self._numbers = numbers

    def shape(self, step: str) -> Shape:
        return self._numbers[step].shape

    def value(self, cell: Cell) -> float:
        return float(self._numbers[cell.step][cell.index])

    def row(self, step: str, index: Index) -> Array:
        row: Array = self._numbers[step][index]
        return row

    def column(self, step: str, index: Index) -> Array:
        matrix: Array = self._numbers[step][index[:-1]]
        return matrix[:, index[-1]]

    def computed_value(self, cell: Cell) -> float:
        return self.value(cell)

    def intended_value(self, cell: Cell) -> float:
        return self.value(cell)  # the stages that explain are the right ones
