"""Distributions of random numbers, and NumPy's two generators."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from attnviewer.compute import Array

GeneratorName = Literal["legacy", "default"]
"""NumPy's generators: that of ``np.random.seed``, and ``np.random.default_rng``."""
if TYPE_CHECKING:  # NumPy loads numpy.random lazily
    Generator: TypeAlias = np.random.RandomState | np.random.Generator

LARGEST_SEED = 2**32 - 1
LARGEST_EXACT = 2**53
"""Up to here every drawn integer is exact as a float."""
MOST_ORTHOGONAL = 2**32
"""Longer side times shorter side squared: about a second of work."""


def generator_of(name: GeneratorName, seed: int) -> "Generator":
    """Return a generator of NumPy's at the start of its stream.

    Raises
    ------
    ValueError
        If there is no such generator, or the seed is not a whole number from 0 to
        2³² − 1.
    """
    if name not in get_args(GeneratorName):
        names = ", ".join(get_args(GeneratorName))
        raise ValueError(f"The 'generator' must be one of {names}. Got {name} instead.")
    if type(seed) is not int or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(
            f"The 'seed' must be a whole number from 0 to {LARGEST_SEED}. "
            f"Got {seed} instead."
        )
    if name == "legacy":
        return np.random.RandomState(seed)
    return np.random.default_rng(seed)


@dataclass(frozen=True, slots=True)
class Integers:
    """Whole numbers from `low` to below `high`, as ``randint`` draws them.

    Parameters
    ----------
    high : int
        One above the largest number.
    low : int
        The smallest number.
    """

    high: int
    low: int = 0

    def __post_init__(self) -> None:
        for name, number in (("low", self.low), ("high", self.high)):
            if type(number) is not int or abs(number) > LARGEST_EXACT:
                raise ValueError(
                    f"The '{name}' must be a whole number within ±2⁵³. "
                    f"Got {number} instead."
                )
        _check_order(self.low, self.high)

    @property
    def title(self) -> str:
        """Name and range, inclusive."""
        return f"randint {_range(str(self.low), str(self.high - 1))}"

    def draw(self, generator: "Generator", shape: tuple[int, int]) -> Array:
        """Return numbers of a shape, as float64."""
        # As with C's long, whose width depends on the system.
        if isinstance(generator, np.random.RandomState):
            drawn = generator.randint(self.low, self.high, shape, dtype=np.int64)
        else:
            drawn = generator.integers(self.low, self.high, shape, dtype=np.int64)
        return drawn.astype(np.float64)

    def code(self, target: str, source: str, shape: tuple[int, int]) -> list[str]:
        """Return lines of Python that give a target the same numbers."""
        call = "integers" if source == "rng" else "randint"
        low = f"{self.low}, " if self.low else ""
        return [f"{target} = {source}.{call}({low}{self.high}, size={shape})"]


@dataclass(frozen=True, slots=True)
class Normal:
    """Numbers of the normal distribution.

    Parameters
    ----------
    mean, deviation : float
        Its mean and standard deviation.
    """

    mean: float = 0.0
    deviation: float = 1.0

    def __post_init__(self) -> None:
        _check_finite(mean=self.mean, deviation=self.deviation)
        if self.deviation < 0:
            raise ValueError(
                f"The 'deviation' must be at least 0. Got {self.deviation:g} instead."
            )

    @property
    def title(self) -> str:
        """Name and parameters."""
        return f"normal {self.mean:g} ± {self.deviation:g}".replace("-", "−")

    def draw(self, generator: "Generator", shape: tuple[int, int]) -> Array:
        """Return numbers of a shape, as float64."""
        return generator.normal(self.mean, self.deviation, shape)

    def code(self, target: str, source: str, shape: tuple[int, int]) -> list[str]:
        """Return lines of Python that give a target the same numbers."""
        numbers = f"{self.mean!r}, {self.deviation!r}"
        return [f"{target} = {source}.normal({numbers}, size={shape})"]


@dataclass(frozen=True, slots=True)
class Uniform:
    """Uniform numbers from `low` to below `high`, as ``rand`` draws them.

    Parameters
    ----------
    low, high : float
        The bounds.
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        _check_finite(low=self.low, high=self.high)
        _check_order(self.low, self.high)
        if math.isinf(self.high - self.low):
            raise ValueError(
                "The 'high' must be at most 1.8e308 above the 'low'. "
                f"Got {self.low:g} to {self.high:g} instead."
            )

    @property
    def title(self) -> str:
        """Name and range."""
        return f"uniform {_range(f'{self.low:g}', f'{self.high:g}')}"

    def draw(self, generator: "Generator", shape: tuple[int, int]) -> Array:
        """Return numbers of a shape, as float64."""
        return generator.uniform(self.low, self.high, shape)

    def code(self, target: str, source: str, shape: tuple[int, int]) -> list[str]:
        """Return lines of Python that give a target the same numbers."""
        numbers = f"{self.low!r}, {self.high!r}"
        return [f"{target} = {source}.uniform({numbers}, size={shape})"]


@dataclass(frozen=True, slots=True)
class Xavier:
    """Uniform within ±√(6 / (fan_in + fan_out)), after Glorot & Bengio (2010).

    Parameters
    ----------
    fan_in, fan_out : int
        Rows and columns of the whole matrix, even if only a part is drawn.
    """

    fan_in: int
    fan_out: int

    def __post_init__(self) -> None:
        for name, count in (("fan_in", self.fan_in), ("fan_out", self.fan_out)):
            if type(count) is not int or count < 1:
                raise ValueError(
                    f"The '{name}' must be a whole number of at least 1. "
                    f"Got {count} instead."
                )

    @property
    def title(self) -> str:
        """Name and bound."""
        return f"Xavier ±{self._uniform.high:.3g}"

    def draw(self, generator: "Generator", shape: tuple[int, int]) -> Array:
        """Return numbers of a shape, as float64."""
        return self._uniform.draw(generator, shape)

    def code(self, target: str, source: str, shape: tuple[int, int]) -> list[str]:
        """Return lines of Python that give a target the same numbers."""
        return self._uniform.code(target, source, shape)

    @property
    def _uniform(self) -> Uniform:
        bound = math.sqrt(6 / (self.fan_in + self.fan_out))
        return Uniform(-bound, bound)


@dataclass(frozen=True, slots=True)
class Orthogonal:
    """Orthonormal columns or, if there are fewer, rows (Saxe et al. 2014).

    Q of the QR decomposition of normal numbers, with signs that make every orthogonal
    matrix equally likely (Mezzadri 2007). The last digits depend on the system's
    LAPACK.
    """

    @property
    def title(self) -> str:
        """The name."""
        return "orthogonal"

    def draw(self, generator: "Generator", shape: tuple[int, int]) -> Array:
        """Return numbers of a shape, as float64.

        Raises
        ------
        ValueError
            If the shape is too large for the decomposition.
        """
        long, short = max(shape), min(shape)
        if long * short**2 > MOST_ORTHOGONAL:
            raise ValueError(
                "The 'shape' of an orthogonal draw must be smaller: the longer side "
                f"times the shorter one's square at most {MOST_ORTHOGONAL:,}. "
                f"Got {shape} instead."
            )
        q, r = np.linalg.qr(generator.normal(size=(long, short)))
        q = q * np.sign(np.diag(r))  # (long, short)
        return q.T if shape == (short, long) != (long, short) else q

    def code(self, target: str, source: str, shape: tuple[int, int]) -> list[str]:
        """Return lines of Python that give a target the same numbers."""
        long, short = max(shape), min(shape)
        q = "q * np.sign(np.diag(r))"
        return [
            f"q, r = np.linalg.qr({source}.normal(size={long, short}))",
            f"{target} = {q if shape == (long, short) else f'({q}).T'}",
        ]


Distribution: TypeAlias = Integers | Normal | Uniform | Xavier | Orthogonal


def _range(low: str, high: str) -> str:
    between = " to " if low.startswith("-") else "–"
    return f"{low}{between}{high}".replace("-", "−")


def _check_finite(**numbers: float) -> None:
    for name, number in numbers.items():
        if not math.isfinite(number):
            raise ValueError(
                f"The '{name}' must be a finite number. Got {number} instead."
            )


def _check_order(low: float, high: float) -> None:
    if not low < high:
        raise ValueError(
            f"The 'high' must be above the 'low', {low:g}. Got {high:g} instead."
        )
