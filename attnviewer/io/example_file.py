"""Documents from example files."""

from pathlib import Path

import msgspec
import numpy as np

from attnviewer.compute import Array
from attnviewer.document import Document, Draw, EditError, Recipe
from attnviewer.document.drawing.distributions import Integers
from attnviewer.document.first_cell import FirstCell
from attnviewer.document.first_training import FirstTraining
from attnviewer.io.errors import FileFormatError
from attnviewer.io.example_schema import (
    ExampleFile,
    RecipePart,
    convert_spec,
    decode_example,
    decode_row,
)
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import SchemaError

FILE_LIMIT = 64 * 2**20
"""Maximum size of an example file, in bytes."""
CELL_LIMIT = 16 * 2**20
"""Maximum number of cells of its matrices and draws together."""


def read_example(path: Path) -> ExampleFile:
    """Return the decoded content of an example file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is not an example file.
    """
    try:
        return decode_example(read_bounded(path, FILE_LIMIT))
    except SchemaError as error:
        raise FileFormatError(path, str(error), error.location) from None


def load_example(path: Path) -> Document:
    """Return a new document with the content of an example file.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) its content is invalid.
    """
    content = read_example(path)
    try:
        budget = CELL_LIMIT - _check_recipe(content)
        matrices: dict[str, Array] = {}
        for name, rows in content.matrices.items():
            matrices[name] = _matrix(name, rows, budget)
            budget -= matrices[name].size
        recipes = [_recipe(content.recipe)] if content.recipe else []
        for recipe in recipes:
            drawn = recipe.draw()
            matrices |= {d.matrix: numbers for d, numbers in drawn if d.matrix}
        document = Document(
            content.title,
            content.tokens,
            matrices,
            convert_spec(content.spec),
            recipes=recipes,
            notes=content.notes,
        )
        document.first_cell = _first_cell(content, document)
        document.first_training = _first_training(content, document)
        return document
    except SchemaError as error:
        raise FileFormatError(path, str(error), error.location) from None
    except EditError as error:
        raise FileFormatError(path, str(error)) from None


def _first_cell(content: ExampleFile, document: Document) -> FirstCell | None:
    if content.cell is None:
        return None
    cell = FirstCell(content.cell.query, content.cell.key, content.cell.head)
    n_tokens, n_heads = len(document.tokens), document.spec.n_heads
    counts = {"query": n_tokens, "key": n_tokens, "head": n_heads}
    for part, count in counts.items():
        index = getattr(cell, part)
        if index >= count:
            raise SchemaError(
                f"The '{part}' must be from 0 to {count - 1}. Got {index} instead.",
                f"$.cell.{part}",
            )
    return cell


def _first_training(content: ExampleFile, document: Document) -> FirstTraining | None:
    if content.training is None:
        return None
    training = FirstTraining(*msgspec.structs.astuple(content.training))
    for place, name in enumerate(training.free):
        if name not in document.spec.input_names:
            known = ", ".join(document.spec.input_names)
            raise SchemaError(
                f"The example has no '{name}'; it has {known}.",
                f"$.training.free[{place}]",
            )
    return training


def _matrix(name: str, rows: list[msgspec.Raw], budget: int) -> Array:
    location = f"$.matrices.{name}"
    if not rows:
        raise SchemaError("The matrix has no rows.", location)
    first = decode_row(rows[0], f"{location}[0]")
    if not first:
        raise SchemaError("The row has no numbers.", f"{location}[0]")
    _check_budget(len(rows) * len(first), budget, location)
    matrix = np.empty((len(rows), len(first)))  # (rows, columns)
    for index, raw in enumerate(rows):
        row = decode_row(raw, f"{location}[{index}]")
        if len(row) != len(first):
            raise SchemaError(
                "All rows of a matrix must be equally long. "
                f"Row {index} has {len(row)} numbers, row 0 has {len(first)}.",
                location,
            )
        matrix[index] = row
    return matrix


def _check_recipe(content: ExampleFile) -> int:
    """Return the number of cells that the recipe draws."""
    if content.recipe is None:
        return 0
    cells = 0
    drawn: set[str] = set()
    for index, draw in enumerate(content.recipe.draws):
        location = f"$.recipe.draws[{index}]"
        cells += draw.shape[0] * draw.shape[1]
        _check_budget(cells, CELL_LIMIT, location)
        if draw.high <= draw.low:
            raise SchemaError(
                f"'high' must be above 'low', which is {draw.low}. "
                f"Got {draw.high} instead.",
                location,
            )
        if draw.matrix in content.matrices:
            reason = f"'{draw.matrix}' is given in 'matrices' already."
            raise SchemaError(reason, location)
        if draw.matrix in drawn:
            raise SchemaError(f"'{draw.matrix}' is drawn twice.", location)
        if draw.matrix is not None:
            drawn.add(draw.matrix)
    return cells


def _check_budget(cells: int, budget: int, location: str) -> None:
    if cells > budget:
        raise SchemaError(
            f"The matrices may have {CELL_LIMIT:,} cells in all; these are more.",
            location,
        )


def _recipe(part: RecipePart) -> Recipe:
    draws = (Draw(d.shape, Integers(d.high, d.low), d.matrix) for d in part.draws)
    return Recipe(part.seed, tuple(draws))
