"""A computation as the parts of a program: inputs, steps, checks and output."""

from collections.abc import Iterable
from dataclasses import dataclass

from attnviewer.compute import NUMBERED, Trace
from attnviewer.compute.stages import ColumnSum, Stage
from attnviewer.document.labels import axis_labels
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.parts import check_choice
from attnviewer.io.export.program.dialect import Dialect
from attnviewer.io.export.program.expected import Expected
from attnviewer.io.export.program.fused import fused_code
from attnviewer.io.export.program.literals import array_code
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.own_functions import called, imports
from attnviewer.io.export.program.pins_code import pins_code
from attnviewer.io.export.program.scores_code import scores_code
from attnviewer.io.export.program.stage_code import shared, stage_code
from attnviewer.io.export.program.weights_code import weights_code

_MOST_SHOWN = 16
"""Maximum rows and columns of a table that is printed with labels."""


@dataclass(frozen=True, slots=True)
class StepCode:
    """One step of a program.

    Parameters
    ----------
    step : str
        Its name.
    formula : str
        Its formula.
    code : str
        The lines that define or compute it.
    check : str
        The line that checks it; "" for an input.
    """

    step: str
    formula: str
    code: str
    check: str = ""


@dataclass(frozen=True, slots=True)
class Program:
    """A computation as code.

    Parameters
    ----------
    dialect : Dialect
        The library.
    inputs, steps : tuple of StepCode
        The inputs, and the computed steps in order.
    shows : tuple of str
        The lines that print the chosen steps.
    fused : str
        The lines that repeat the attention with the library's fused function, if it has
        one.
    tolerance : float
        The tolerance of a well-conditioned step.
    """

    dialect: Dialect
    inputs: tuple[StepCode, ...]
    steps: tuple[StepCode, ...]
    shows: tuple[str, ...]
    fused: str
    tolerance: float

    @property
    def functions(self) -> list[str]:
        """The code of the helper functions that it calls."""
        names = called("\n".join((*self._texts, *self.shows)))
        return [self.dialect.function(name) for name in names]

    @property
    def imports(self) -> str:
        """Its imports."""
        standard = imports("\n".join((*self._texts, *self.functions)))
        blank = [""] if standard else []
        return "\n".join([*standard, *blank, self.dialect.setup])

    @property
    def _texts(self) -> list[str]:
        parts = (*self.inputs, *self.steps)
        return [*(f"{part.code}\n{part.check}" for part in parts), self.fused]


def build_program(
    computation: Computation, choice: Choice, dialect: Dialect
) -> Program:
    """Write a computation as a program.

    All steps that the chosen ones depend on are computed, with all heads; the chosen
    ones are printed, by default the weights and the output.

    Raises
    ------
    ValueError
        If there is no such step, head or cell, or an input is too large.
    """
    trace = computation.trace
    chosen = check_choice(trace, choice)
    needed = _needed(trace, chosen)
    expected = Expected(trace)
    inputs, steps = [], []
    for name, stage in trace.stages.items():
        if name not in needed:
            continue
        if stage.inputs:
            lines = [
                *_lines(stage, expected, dialect),
                *pins_code(stage, len(trace.shape(name)), dialect.arrays),
            ]
            code = "\n".join(lines)
            check = expected.check(name)
            steps.append(StepCode(name, stage.formula, code, check))
        else:
            code = _input_code(computation, name, dialect)
            inputs.append(StepCode(name, stage.formula, code))
    if choice.steps is None:
        chosen = [trace.pipeline.weights, list(trace)[-1]]
    shows = tuple(_show(computation, choice, step) for step in chosen)
    fused = ""
    if dialect.fused and trace.pipeline.mix.name in needed:
        fused = fused_code(trace, expected)
    return Program(
        dialect, tuple(inputs), tuple(steps), shows, fused, expected.tolerance
    )


def _lines(stage: Stage, expected: Expected, dialect: Dialect) -> list[str]:
    """Return the lines that compute a step, from its rule or its stage."""
    for normalize in expected.pipeline.normalizing:
        if stage is normalize:
            rows, name = expected.rows(normalize), variable(stage.name)
            return weights_code(normalize.normalizer, rows, dialect.arrays, name)
    if isinstance(stage, ColumnSum):
        queries, keys = stage.inputs[:2]
        sides = variable(queries), shared(queries, keys, expected, dialect.arrays)
        widths = {weight: len(expected.shape(weight)) for weight in stage.weights}
        widths[queries] = expected.shape(queries)[-1]
        return scores_code(stage, sides, widths, dialect.arrays)
    return stage_code(stage, expected, dialect.arrays)


def _needed(trace: Trace, steps: Iterable[str]) -> set[str]:
    """Return steps with all their dependencies."""
    needed, left = set[str](), list(steps)
    while left:
        step = left.pop()
        if step not in needed:
            needed.add(step)
            left += trace.stages[step].inputs
    return needed


def _input_code(computation: Computation, name: str, dialect: Dialect) -> str:
    values, rows = computation.trace[name], computation.trace.stages[name].axes[0]
    tokens: list[str] = []
    if rows not in NUMBERED:
        tokens = axis_labels(rows, computation.labels, values.shape[-2])
    return f"{variable(name)} = {array_code(values, dialect.arrays, tokens)}"


def _show(computation: Computation, choice: Choice, step: str) -> str:
    """Return the line that prints a step, or the chosen part of it."""
    trace = computation.trace
    height, width = trace.matrix_shape(step)
    rows, columns = slice(0, height), slice(0, width)
    code, name = variable(step), step
    if choice.head is not None and trace.n_heads(step) > 1:
        head = trace.head_of(step, choice.head)
        code, name = f"{code}[..., {head}, :, :]", f"{name}, head {head}"
    if choice.cells is not None:
        rows, columns = choice.cells.rows, choice.cells.columns
        within = f"{rows.start}:{rows.stop}, {columns.start}:{columns.stop}"
        code, name = f"{code}[..., {within}]", f"{name}[{within}]"
    shown = max(rows.stop - rows.start, columns.stop - columns.start)
    if not choice.headers or shown > _MOST_SHOWN or len(trace.shape(step)) < 2:
        rounded = code if step == "mask" else f"{code}.round(decimals=4)"
        return f'print("\\n{name}", {rounded}, sep="\\n")'
    labels = (
        [_printable(label) for label in axis_labels(axis, computation.labels, count)]
        for axis, count in zip(trace.stages[step].axes, (height, width), strict=True)
    )
    written = ",\n    ".join(
        repr(names[part]) for names, part in zip(labels, (rows, columns), strict=True)
    )
    return f'show(\n    "{name}",\n    {code},\n    {written},\n)'


def _printable(label: str) -> str:
    """Return a label that every terminal can print, without lone surrogates."""
    return label.encode("utf-8", "backslashreplace").decode()
