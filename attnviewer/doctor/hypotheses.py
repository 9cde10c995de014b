"""The search for mistakes that explain an implementation's numbers."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from attnviewer.compute.mistakes import (
    CATALOGUE,
    Evaluation,
    Mistake,
    Plan,
    Variation,
)
from attnviewer.doctor.case import Case


@dataclass(frozen=True, eq=False)
class Hypothesis:
    """A mistake, made in the intended computation.

    Parameters
    ----------
    mistake : Mistake
        The mistake.
    variation : Variation
        How it is made.
    order : tuple of two int
        Where the mistake is in the catalogue, and the variation in the mistake.
    inferred : bool
        Whether its parameter was taken from the numbers that it explains.
    """

    mistake: Mistake
    variation: Variation
    order: tuple[int, int]
    inferred: bool = False

    @property
    def id(self) -> str:
        """The stable id, with the matrix that it is about."""
        return self.mistake.id_of(self.variation)

    @property
    def key(self) -> tuple[str, tuple[int, int]]:
        """Identifies the hypothesis, also when it is made in another plan."""
        return self.id, self.order

    @property
    def plan(self) -> Plan:
        """The computation with the mistake."""
        return self.variation.plan


def singles(
    case: Case,
    numbers: Evaluation,
    *,
    suggested: bool = True,
    without: Collection[int] = (),
) -> Iterator[Hypothesis]:
    """Yield each mistake of the catalogue that can be made in a plan.

    Parameters
    ----------
    case : Case
        What is compared.
    numbers : Evaluation
        The numbers of the plan.
    suggested : bool
        Whether to yield the variations, too, that the implementation's steps suggest.
    without : collection of int
        Places in the catalogue of mistakes of which no others are yielded.
    """
    for number, mistake in enumerate(CATALOGUE):
        # Some suggestions follow from all queries only, too.
        shown_before = case.across_rows and not mistake.across_rows
        left_out = shown_before or number in without
        ways = () if left_out else mistake.variations(numbers.plan)
        for place, variation in enumerate(ways):
            yield Hypothesis(mistake, variation, (number, place))
        if suggested and mistake.recognize is not None:
            for variation in mistake.recognize(numbers, case.wide):
                yield Hypothesis(mistake, variation, (number, 0), inferred=True)
