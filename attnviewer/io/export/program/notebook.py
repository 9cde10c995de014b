"""A computation as a standalone notebook that checks its own numbers."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from attnviewer.document.derivation import formula_latex, symbols_latex
from attnviewer.io.export.computation import Choice, Computation
from attnviewer.io.export.markdown_text import markdown_text
from attnviewer.io.export.program.dialect import NUMPY
from attnviewer.io.export.program.names import variable
from attnviewer.io.export.program.program import Program, build_program
from attnviewer.io.export.program.script import CHECKED
from attnviewer.io.export.statement import statement_lines

Cell: TypeAlias = dict[str, Any]

_PIECE = 2**16  # characters


def notebook(computation: Computation, choice: Choice) -> Iterator[bytes]:
    """Yield a Jupyter notebook that needs only NumPy, in nbformat 4.5.

    References
    ----------
    Jupyter, "The Notebook file format", nbformat 4.5.
    """
    program = build_program(computation, choice, NUMPY)
    content = {
        # Numbered ids, so that the same document gives the same bytes.
        "cells": [
            {"id": f"cell-{number}", **cell}
            for number, cell in enumerate(_cells(computation, program))
        ],
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    text = ""
    for part in json.JSONEncoder(indent=1).iterencode(content):
        text += part
        if len(text) > _PIECE:
            yield text.encode("ascii")
            text = ""
    yield f"{text}\n".encode("ascii")


def _cells(computation: Computation, program: Program) -> Iterator[Cell]:
    title, *choices = statement_lines(computation)
    yield _words(
        f"# {markdown_text(title)}\n", *(f"- {markdown_text(t)}" for t in choices)
    )
    checked = CHECKED.format(tolerance=program.tolerance)
    yield _words(f"Attention step by step, with NumPy alone.\n\n{checked}")
    yield _code(
        program.imports, *(f"\n\n{function.strip()}" for function in program.functions)
    )
    yield _words("## What is given")
    for part in program.inputs:
        yield _code(part.code)
    yield _words("## The computation, step by step")
    for part in program.steps:
        shape = ", ".join(map(str, computation.trace.shape(part.step)))
        formula = f"{symbols_latex(part.step)} = {formula_latex(part.formula)}"
        yield _words(
            f"### {markdown_text(part.step)} ({shape})", f"\n$$\n{formula}\n$$"
        )
        yield _code(part.code, variable(part.step))
        yield _code(part.check)
    yield _words("## What came out")
    yield _code(*program.shows)


def _words(*lines: str) -> Cell:
    return {"cell_type": "markdown", "metadata": {}, "source": _source(lines)}


def _code(*lines: str) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _source(lines),
    }


def _source(lines: Iterable[str]) -> list[str]:
    *before, last = "\n".join(lines).split("\n")
    return [*(f"{line}\n" for line in before), last]
