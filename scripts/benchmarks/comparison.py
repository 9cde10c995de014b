"""What is compared, how much of it, and what comes out."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Settings:
    """How much is measured.

    Parameters
    ----------
    quick : bool
        Small sizes and few rounds.
    tokens : int or None
        The only length instead of a subject's own.
    rounds : int or None
        How often each variant is timed; None for as often as time allows.
    """

    quick: bool = False
    tokens: int | None = None
    rounds: int | None = None

    def lengths(self, usual: tuple[int, ...], quick: int) -> tuple[int, ...]:
        """Return the lengths to measure, given a subject's own."""
        if self.tokens is not None:
            return (self.tokens,)
        return (quick,) if self.quick else usual

    def options(self) -> list[str]:
        """Return the settings as options of the command."""
        options = ["--quick"] if self.quick else []
        for name, number in (("tokens", self.tokens), ("rounds", self.rounds)):
            if number is not None:
                options += [f"--{name}", str(number)]
        return options

    def described(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Goal:
    """A bound that numbers keep or miss."""

    bound: float
    at_least: bool = False

    def __str__(self) -> str:
        return f"{'>=' if self.at_least else '<='} {self.bound:g}"

    def verdict(self, *numbers: float) -> str:
        """Return "met" if all of the numbers keep the bound."""
        kept = (n >= self.bound if self.at_least else n <= self.bound for n in numbers)
        return "met" if all(kept) else "missed"


@dataclass(kw_only=True)
class Row:
    """One line of a table; what does not apply is None or empty.

    Parameters
    ----------
    name : str
        What was measured.
    median_ms, min_ms, late_ms : float or None
        Of its times; 95 of 100 take no longer than the last of these.
    ratio_of_medians, ratio_of_minima : float or None
        Beside the variant that all are compared with.
    touched : int or None
        How many scores were computed, on average.
    difference : float or None
        The largest, from what the numbers should be.
    mebibytes, share : float or None
        Of memory, and what share of another row's they are.
    goal, verdict : str
        What the row should keep, and whether it does.
    times_ms : list of float
        Every single time.
    """

    name: str
    median_ms: float | None = None
    min_ms: float | None = None
    late_ms: float | None = None
    ratio_of_medians: float | None = None
    ratio_of_minima: float | None = None
    touched: int | None = None
    difference: float | None = None
    mebibytes: float | None = None
    share: float | None = None
    goal: str = ""
    verdict: str = ""
    times_ms: list[float] = field(default_factory=list)


@dataclass
class Result:
    """The rows of one comparison, and what is to be said of them."""

    rows: list[Row]
    notes: list[str]

    def described(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Comparison:
    """Variants of one task on the same inputs."""

    title: str
    measure: Callable[[Settings], Result]


Comparisons: TypeAlias = Callable[[Settings], list[Comparison]]
"""What a subject is: the comparisons that the settings ask for."""
