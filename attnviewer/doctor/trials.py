"""Trial computations of many mistakes, made once where there is room for all."""

from attnviewer.compute.mistakes import Evaluation, Plan

MOST_KEPT = 2**24
"""Numbers of all computations together that are kept at most: 128 MiB."""


class Trials:
    """Computations with one mistake each, all from the same inputs and held steps.

    Parameters
    ----------
    numbers : Evaluation
        The computation without a mistake, evaluated up to the step in question: its
        size tells how much room each of the others takes.
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
