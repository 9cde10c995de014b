"""Recipes of random matrices, so that they can be drawn again."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from attnviewer.compute import Array, BoolArray
from attnviewer.document.drawing.distributions import (
    Distribution,
    GeneratorName,
    generator_of,
)
from attnviewer.document.region import Region


@dataclass(frozen=True, slots=True)
class Draw:
    """One call of a generator.

    Parameters
    ----------
    shape : tuple of two int
        Rows and columns.
    distribution : Distribution
        What is drawn.
    matrix : str or None
        The matrix that gets the numbers; None for a discarded draw, which still
        advances the generator.
    row, column : int
        Row and column of its first number in the matrix.
    """

    shape: tuple[int, int]
    distribution: Distribution
    matrix: str | None = None
    row: int = 0
    column: int = 0

    def __post_init__(self) -> None:
        if min(self.shape) < 1 or min(self.row, self.column) < 0:
            raise ValueError(
                "The 'shape' must be at least (1, 1), in a row and a column of at "
                f"least 0. Got {self.shape} at [{self.row}, {self.column}] instead."
            )

    @property
    def region(self) -> Region:
        """The cells that it fills."""
        return Region(self.row, self.column, *self.shape)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Draws from one random stream of NumPy, in order.

    With the generator ``legacy``, ``np.random.seed(seed)`` followed by the same
    calls gives the same numbers; with ``default``, ``np.random.default_rng(seed)``.

    Parameters
    ----------
    seed : int
        The generator's seed, 0 to 2³² − 1.
    draws : tuple of Draw
        The calls.
    generator : {'legacy', 'default'}
        NumPy's generator.
    """

    seed: int
    draws: tuple[Draw, ...]
    generator: GeneratorName = "legacy"

    def __post_init__(self) -> None:
        generator_of(self.generator, self.seed)

    def draw(self) -> Iterator[tuple[Draw, Array]]:
        """Yield every draw with its numbers, as float64; discarded ones too."""
        generator = generator_of(self.generator, self.seed)
        for draw in self.draws:
            yield draw, draw.distribution.draw(generator, draw.shape)

    def followed_by(self, draws: Iterable[Draw]) -> "Recipe":
        """Return the recipe with more draws from the same stream."""
        return replace(self, draws=(*self.draws, *draws))

    def without(self, matrix: str, region: Region) -> "Recipe":
        """Return the recipe without its draws into some cells."""

        def stays(draw: Draw) -> bool:
            return draw.matrix != matrix or not region.contains(draw.region)

        return self.with_those(stays)

    def with_those(self, stays: Callable[[Draw], bool]) -> "Recipe":
        """Return the recipe with all other draws discarded.

        They still advance the generator, so that later draws stay the same.
        """
        draws = tuple(d if stays(d) else replace(d, matrix=None) for d in self.draws)
        return replace(self, draws=draws)

    @property
    def cells(self) -> int:
        """The count of drawn numbers, discarded ones included."""
        return sum(draw.shape[0] * draw.shape[1] for draw in self.draws)


def overwritten(
    recipes: Iterable[Recipe], matrix: str, region: Region
) -> tuple[Recipe, ...]:
    """Return the recipes that remain when cells of a matrix are overwritten.

    A recipe without remaining draws is dropped.
    """
    return _remaining((recipe, recipe.without(matrix, region)) for recipe in recipes)


def still_drawn(
    recipes: Iterable[Recipe],
    before: Mapping[str, Array],
    after: Mapping[str, Array | BoolArray | None],
) -> tuple[Recipe, ...]:
    """Return the recipes that remain when whole matrices are replaced.

    A draw is discarded when a cell that it filled is gone, or holds another number than
    before, as where rows have moved.

    Parameters
    ----------
    recipes : iterable of Recipe
        The recipes so far.
    before : mapping of str to ndarray
        The matrices before.
    after : mapping of str to ndarray or None
        The new matrices; None for one that is removed.
    """

    def stays(draw: Draw) -> bool:
        if draw.matrix is None or draw.matrix not in after:
            return True
        old, new = before[draw.matrix], after[draw.matrix]
        cells = draw.region.rows, draw.region.columns
        return new is not None and np.array_equal(old[cells], new[cells])

    return _remaining((recipe, recipe.with_those(stays)) for recipe in recipes)


def _remaining(pairs: Iterable[tuple[Recipe, Recipe]]) -> tuple[Recipe, ...]:
    """Return the changed recipes without empty ones."""
    return tuple(
        after
        for before, after in pairs
        if after == before or any(draw.matrix is not None for draw in after.draws)
    )


def python_lines(
    recipes: Iterable[Recipe], shapes: Mapping[str, tuple[int, int]]
) -> Iterator[str]:
    """Yield lines of Python, after ``import numpy as np``, that draw the same numbers.

    Parameters
    ----------
    recipes : iterable of Recipe
        The recipes, in order.
    shapes : mapping of str to tuple of two int
        The shapes of the matrices: one that is drawn in parts starts as zeros, as
        floats, so that any numbers can be drawn into it.
    """
    recipes = tuple(recipes)
    drawn = [draw for recipe in recipes for draw in recipe.draws]
    wholes = {name: Region(0, 0, *shape) for name, shape in shapes.items()}
    in_parts = [d.matrix for d in drawn if wholes.get(d.matrix or "") != d.region]
    parts = {name: None for name in in_parts if name in wholes}
    for name in parts:
        yield f"{name} = np.zeros({shapes[name]})"
    for recipe in recipes:
        legacy = recipe.generator == "legacy"
        source = "np.random" if legacy else "rng"
        seed = f"np.random.seed({recipe.seed})"
        yield seed if legacy else f"rng = np.random.default_rng({recipe.seed})"
        for draw in recipe.draws:
            target = _target(draw, wholes, in_parts=draw.matrix in parts)
            yield from draw.distribution.code(target, source, draw.shape)


def _target(draw: Draw, wholes: Mapping[str, Region], *, in_parts: bool) -> str:
    whole = wholes.get(draw.matrix or "")
    if draw.matrix is None or whole is None or not whole.contains(draw.region):
        return "_"
    if not in_parts:
        return draw.matrix
    rows, columns = draw.region.rows, draw.region.columns
    return f"{draw.matrix}[{rows.start}:{rows.stop}, {columns.start}:{columns.stop}]"
