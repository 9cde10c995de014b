"""How random matrices were drawn, so that they can be drawn again."""

from dataclasses import dataclass

import numpy as np

from attnviewer.compute import Array


@dataclass(frozen=True, slots=True)
class Draw:
    """One call of ``randint(low, high, size=shape)``.

    Parameters
    ----------
    shape : tuple of two int
        Rows and columns.
    high : int
        One above the largest number.
    low : int
        The smallest number.
    matrix : str or None
        The matrix that gets the numbers; None for a draw that was thrown away but
        moved the generator on.
    """

    shape: tuple[int, int]
    high: int
    low: int = 0
    matrix: str | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """Draws from NumPy's legacy generator, in their order.

    ``np.random.seed(seed)`` followed by ``np.random.randint`` gives the same
    numbers; ``np.random.default_rng(seed)`` gives others.

    Parameters
    ----------
    seed : int
        Seed of ``numpy.random.RandomState``, 0 to 2³² − 1.
    draws : tuple of Draw
        The calls.
    """

    seed: int
    draws: tuple[Draw, ...]

    def draw(self) -> dict[str, Array]:
        """Return the matrices that the recipe makes, as float64.

        Raises
        ------
        ValueError
            If the seed, a range or a shape is not possible.
        """
        generator = np.random.RandomState(self.seed)
        matrices: dict[str, Array] = {}
        for draw in self.draws:
            # The same numbers as with C's long, whose width depends on the system.
            numbers = generator.randint(
                draw.low, draw.high, size=draw.shape, dtype=np.int64
            )
            if draw.matrix is not None:
                matrices[draw.matrix] = numbers.astype(np.float64)
        return matrices
