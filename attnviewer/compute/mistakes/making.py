"""Makes the mistakes that a spec names in the steps of its computation."""

from collections.abc import Iterable

from attnviewer.compute.mistakes.catalogue import BY_ID
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.slip import Slip


def make(plan: Plan, slips: Iterable[Slip]) -> Plan:
    """Return a plan with mistakes in it, each made in the plan with those before.

    Parameters
    ----------
    plan : Plan
        The plan.
    slips : iterable of Slip
        The mistakes.

    Raises
    ------
    ValueError
        If one of them cannot be made, with the reason.
    """
    for slip in slips:
        plan = _with_slip(plan, slip)
    return plan


def slips_in(plan: Plan, id: str, parameter: float | None = None) -> tuple[Slip, ...]:
    """Return the ways to make a mistake in a plan.

    Parameters
    ----------
    plan : Plan
        The plan.
    id : str
        The mistake, with the matrix that it is about.
    parameter : float, optional
        A number that was found for it; without one, of its range, only the listed ways
        are returned.
    """
    mistake = BY_ID[id.partition(":")[0]]
    count = len([v for v in mistake.variations(plan) if mistake.id_of(v) == id])
    listed = tuple(Slip(id, number) for number in range(count))
    if parameter is None or mistake.along is None:
        return listed
    near = (p for p in (parameter, -parameter) if _along(plan, id, p) is not None)
    return *listed, *(Slip(id, parameter=p) for p in near)


def _along(plan: Plan, id: str, parameter: float) -> Plan | None:
    along = BY_ID[id.partition(":")[0]].along
    return None if along is None else along(plan, parameter)


def _with_slip(plan: Plan, slip: Slip) -> Plan:
    mistake = BY_ID[slip.id.partition(":")[0]]
    if slip.parameter is not None:
        changed = _along(plan, slip.id, slip.parameter)
        if changed is None:
            raise ValueError(_impossible(slip))
        return changed
    ways = [v for v in mistake.variations(plan) if mistake.id_of(v) == slip.id]
    if not ways:
        raise ValueError(_impossible(slip))
    if slip.variation >= len(ways):
        raise ValueError(
            f"The 'variation' of the mistake '{slip.id}' must be below {len(ways)} in "
            f"this computation. Got {slip.variation} instead."
        )
    return ways[slip.variation].plan


def _impossible(slip: Slip) -> str:
    return (
        "The 'mistakes' must be such that this computation can be made with them. "
        f"Got '{slip.id}' instead, which it cannot."
    )
