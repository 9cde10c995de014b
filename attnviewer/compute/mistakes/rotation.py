"""Rotations of queries and keys in another way than is right."""

from collections.abc import Callable, Iterator

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes.mistake import Variation
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.positions import Rotary, rotate, scheme_angles
from attnviewer.compute.stages.rotate import Rotate

Tables = tuple[Numbers, Numbers]
"""Cosines and sines, (n, D / 2) each."""


def rotations(plan: Plan) -> list[str]:
    """Return the steps that rotate, that of the queries first.

    None where positions have several axes, whose mistakes are not in the catalogue.
    """
    if scheme_of(plan) is None:
        return []
    names = [n for n, stage in plan.stages.items() if isinstance(stage, Rotate)]
    return sorted(names, key=lambda name: name != plan.queries)


def scheme_of(plan: Plan) -> Rotary | None:
    """Return how queries and keys are rotated along one axis; None where not."""
    scheme = plan.spec.positions
    return scheme if isinstance(scheme, Rotary) and scheme.axes is None else None


def first_position(plan: Plan, name: str) -> int:
    """Return the position of the first row that a step rotates, as it is right."""
    stage = plan.stages[name]
    assert isinstance(stage, Rotate)
    return int(np.asarray(stage.offset).reshape(-1)[0])


def rotated(
    plan: Plan,
    scheme: Rotary,
    names: list[str] | None = None,
    *,
    places: Callable[[Numbers], Numbers] | None = None,
    tables: Callable[[Tables], Tables] | None = None,
) -> Plan:
    """Return the plan with other rotations.

    Parameters
    ----------
    plan : Plan
        A plan with rotations.
    scheme : Rotary
        The scheme in place of the right one.
    names : list of str, optional
        Which of its rotations; all by default.
    places : callable, optional
        From the right positions (n,) to those that are taken.
    tables : callable, optional
        From the cosines and sines to those that are taken.
    """
    for name in rotations(plan) if names is None else names:
        first = first_position(plan, name) + scheme.offset

        def compute(source: Numbers, first: int = first) -> Numbers:
            n, width = source.shape[-2], scheme.rotary_dim or source.shape[-1]
            at = np.arange(n) + float(first)
            at = at if places is None else places(at)
            found = scheme_angles(scheme, at, width)
            cos, sin = found if tables is None else tables(found)
            return rotate(source, cos, sin, scheme.interleaved, rotary_dim=width)

        plan = plan.computing(name, compute)
    return plan


def by_scheme(
    change: Callable[[Rotary], Rotary | None],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what rotates by a scheme that is made from the right one."""

    def vary(plan: Plan) -> Iterator[Variation]:
        scheme = scheme_of(plan)
        changed = change(scheme) if scheme else None
        if changed is not None:
            yield Variation(rotated(plan, changed))

    return vary


def by_tables(
    *changes: Callable[[Tables], Tables],
) -> Callable[[Plan], Iterator[Variation]]:
    """Return what rotates by other cosines and sines."""

    def vary(plan: Plan) -> Iterator[Variation]:
        scheme = scheme_of(plan)
        if scheme is not None:
            for change in changes:
                yield Variation(rotated(plan, scheme, tables=change))

    return vary
