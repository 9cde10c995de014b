"""A computation as a standalone script that checks its own numbers."""

from collections.abc import Iterator

from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.program.dialect import NUMPY, TORCH, Dialect
from attnviewer.io.export.program.literals import text_code
from attnviewer.io.export.program.program import Program, build_program
from attnviewer.io.export.statement import statement_lines

CHECKED = (
    "Every step is compared with the numbers that attnviewer computed. How far it may\n"
    "be off, in parts of each number and of the step's largest, is the last argument\n"
    "of each check: {tolerance} unless rounding alone moves the step further."
)
"""The explanation of a program's checks, in three lines."""


def numpy_script(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a Python script that needs only NumPy."""
    return _script(computation, choice, NUMPY)


def torch_script(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a Python script that needs only PyTorch."""
    return _script(computation, choice, TORCH)


def _script(
    computation: Computation, choice: Choice, dialect: Dialect
) -> Iterator[bytes]:
    program = build_program(computation, choice, dialect)
    for section in _sections(computation, program):
        # A lone surrogate has no UTF-8; in code it is written as \udc80 already.
        yield f"{section}\n".encode("utf-8", "backslashreplace")


def _sections(computation: Computation, program: Program) -> Iterator[str]:
    yield _docstring(computation, program)
    yield f"{program.imports}\n"
    for function in program.functions:
        yield f"\n{function.strip()}\n"
    yield "\n# What is given.\n"
    for part in program.inputs:
        yield f"{part.code}\n"
    yield "\n# The computation, step by step.\n"
    for part in program.steps:
        shape = ", ".join(map(str, computation.trace.shape(part.step)))
        yield f"# {part.step} ({shape}): {part.formula}\n{part.code}\n"
    yield "\n# The same numbers as in attnviewer.\n"
    yield from (part.check for part in program.steps)
    if program.fused:
        yield f"\n# The same by one function of {program.dialect.library}.\n"
        yield program.fused
    yield "\n# What came out.\n"
    yield from program.shows


def _docstring(computation: Computation, program: Program) -> str:
    title, *choices = map(text_code, statement_lines(computation))
    library = program.dialect.library
    lines = [
        f"{title}\n",
        f"Attention step by step, with {library} alone.\n",
        *choices,
        f"\n{CHECKED.format(tolerance=program.tolerance)}",
    ]
    return '"""' + "\n".join(lines) + '\n"""\n'
