"""The budget of work of a search."""

from attnviewer.compute.mistakes import Evaluation, Plan, UnfitError

ELEMENTWISE = 16
"""What takes as long as one number of a function, in multiply-adds of a product."""

WORK_OF_ONE = 1_000_000
"""What takes as long as computing some steps apart from their numbers."""


class Effort:
    """Work that may still be done, in multiply-adds.

    Parameters
    ----------
    most : float
        How much that is at first.
    """

    def __init__(self, most: float) -> None:
        self.most = most
        self.left = most
        self.given_up = False
        """Whether something was left out for lack of it."""

    def part(self, share: float) -> "Effort":
        """Return a share of what is left, which is then no longer here."""
        taken = Effort(self.left * share)
        self.left -= taken.left
        return taken

    def spend(self, work: float) -> bool:
        """Return whether something may be done, and count it."""
        if work > self.left:
            self.given_up = True
            return False
        self.left -= work
        return True


def work_from(plan: Plan, step: str, numbers: Evaluation) -> float:
    """Estimate the work of the numbers that a plan changes, up to a step.

    Parameters
    ----------
    plan : Plan
        The plan.
    step : str
        The step.
    numbers : Evaluation
        The right numbers.
    """
    names = list(numbers.plan.steps)
    names = names[: names.index(step) + 1]
    first = next((k for k, n in enumerate(names) if plan.changes(n, numbers.plan)), 0)
    return sum(_work_of(n, numbers) for n in names[first:] if n not in numbers.held)


def _work_of(name: str, numbers: Evaluation) -> float:
    read = numbers.plan[name].inputs
    try:
        size, width = numbers[name].size, numbers[read[0]].shape[-1]
    except UnfitError:
        return 0.0
    return size * (ELEMENTWISE + (width if len(read) > 1 else 0))
