"""What comes of each of many mistakes, computed once where there is room for all."""

from attnviewer.compute.mistakes import Evaluation, Plan

MOST_KEPT = 2**24
"""Numbers of all computations together that are kept at most: 128 MiB."""


class Trials:
    """Computations with a mistake each, which all begin from the same numbers.

    Parameters
    ----------
    numbers : Evaluation
        The computation without a mistake, as far as it is of interest.
    """

    def __init__(self, numbers: Evaluation) -> None:
        self.numbers = numbers
        self._room = MOST_KEPT // max(1, numbers.size)
        self._kept: dict[int, Evaluation] = {}

    def of(self, plan: Plan) -> Evaluation:
        """Return the numbers of a plan; the same ones later if there was room."""
        if id(plan) in self._kept:
            return self._kept[id(plan)]
        numbers = self.numbers
        made = Evaluation(plan, numbers.inputs, numbers.held, like=numbers)
        if len(self._kept) < self._room:
            self._kept[id(plan)] = made  # which keeps the plan, and so its id
        return made
