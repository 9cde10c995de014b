"""Mistakes in implementations of attention."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.evaluation import Evaluation
from attnviewer.compute.mistakes.plan import Plan

Kind = Literal["mistake", "convention", "rounding"]


@dataclass(frozen=True, slots=True)
class Variation:
    """A plan with a mistake in it.

    Parameters
    ----------
    plan : Plan
        The plan.
    parameter : float or None
        The number that tells it from others of the same mistake, such as the base
        of a rotation.
    detail : str
        Which matrix it is about, such as ``W_Q``: a part of the id.
    """

    plan: Plan
    parameter: float | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Remedy:
    """The line of code that usually makes a mistake, and its correction.

    Parameters
    ----------
    wrong, right : str
        Lines of Python.
    """

    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Range:
    """A number that is fitted.

    Parameters
    ----------
    low, high : float
        The smallest and the largest that is tried.
    logarithmic : bool
        Whether ratios count rather than differences.
    """

    low: float
    high: float
    logarithmic: bool = False


@dataclass(frozen=True, slots=True)
class Mistake:
    """A small change of the computation that people make without intending it.

    Parameters
    ----------
    id : str
        Its stable name in kebab-case.
    title : str
        A few words, such as "The scores are not scaled".
    vary : callable
        From a plan to the plans with this mistake; none where it cannot be made.
    explanation : str
        What happens, in one or two sentences; ``{parameter}`` and ``{detail}`` stand
        for those of the variation.
    torch, numpy : Remedy or None
        The usual code in PyTorch and NumPy.
    source : str
        The paper or the library whose convention it is.
    kind : str
        ``convention`` where both ways are right in different libraries; ``rounding``
        where only precision is lost.
    across_rows : bool
        Whether what it does to a row depends on other rows of queries, so that it
        cannot be seen in some of them alone.
    hidden_keys : bool
        Whether it depends on keys that a mask hides, so that it cannot be seen in the
        first tokens alone.
    fitted : Range or None
        Where the parameter may be any number of a range.
    along : callable or None
        From a plan and such a number to the plan; with `fitted`.
    recognize : callable or None
        From right numbers and somebody's steps to variations that these steps suggest,
        where there are too many to try.
    """

    id: str
    title: str
    vary: Callable[[Plan], Iterable[Variation]]
    explanation: str
    torch: Remedy | None = None
    numpy: Remedy | None = None
    source: str = ""
    kind: Kind = "mistake"
    across_rows: bool = False
    hidden_keys: bool = False
    fitted: Range | None = None
    along: Callable[[Plan, float], Plan | None] | None = None
    recognize: (
        Callable[[Evaluation, Mapping[str, Numbers]], Iterable[Variation]] | None
    ) = None

    def variations(self, plan: Plan) -> Iterator[Variation]:
        """Yield the plans with this mistake."""
        yield from self.vary(plan)

    def id_of(self, variation: Variation) -> str:
        """Return the id with the matrix that it is about, as ``bias-missing:b_V``."""
        return f"{self.id}:{variation.detail}" if variation.detail else self.id
