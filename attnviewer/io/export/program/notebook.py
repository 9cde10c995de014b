"""A computation as a standalone notebook that checks its own numbers."""

from collections.abc import Iterator

from attnviewer.document.derivation import formula_latex, symbols_latex
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.markdown_text import markdown_text
from attnviewer.io.export.program.dialect import NUMPY
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.notebook_file import Cell, code, notebook_file, words
from attnviewer.io.export.program.program import Program, build_program
from attnviewer.io.export.program.script import CHECKED
from attnviewer.io.export.statement import statement_lines


def notebook(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a Jupyter notebook that needs only NumPy; see `notebook_file`."""
    program = build_program(computation, choice, NUMPY)
    yield from notebook_file(_cells(computation, program))


def _cells(computation: Computation, program: Program) -> Iterator[Cell]:
    title, *choices = statement_lines(computation)
    yield words(
        f"# {markdown_text(title)}\n", *(f"- {markdown_text(t)}" for t in choices)
    )
    checked = CHECKED.format(tolerance=program.tolerance)
    yield words(f"Attention step by step, with NumPy alone.\n\n{checked}")
    yield code(
        program.imports, *(f"\n\n{function.strip()}" for function in program.functions)
    )
    yield words("## What is given")
    for part in program.inputs:
        yield code(part.code)
    yield words("## The computation, step by step")
    for part in program.steps:
        shape = ", ".join(map(str, computation.trace.shape(part.step)))
        formula = f"{symbols_latex(part.step)} = {formula_latex(part.formula)}"
        yield words(f"### {markdown_text(part.step)} ({shape})", f"\n$$\n{formula}\n$$")
        yield code(part.code, variable(part.step))
        yield code(part.check)
    yield words("## What came out")
    yield code(*program.shows)
