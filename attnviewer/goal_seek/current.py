"""The current numbers of targets, and the inputs that they are computed from."""

from dataclasses import replace

from attnviewer.compute import Trace
from attnviewer.document import MASK
from attnviewer.goal_seek.free_numbers import TEMPERATURE
from attnviewer.goal_seek.requirements import requirements
from attnviewer.goal_seek.targets import AnyTarget


def number_of(trace: Trace, target: AnyTarget) -> float:
    """Return the current number that a target is about.

    Parameters
    ----------
    trace : Trace
        The computation.
    target : Target or RowTarget
        The target, of one head where its step has several.

    Raises
    ------
    ValueError
        If its step, row, column or head is not there, or it is about several heads.
    """
    found = requirements(trace, [replace(target, value=0.0)])
    if len(found) > 1:
        raise ValueError(
            f"The 'head' of {target.place} must be given. Got {len(found)} heads "
            "instead."
        )
    return found[0].quantity.value(trace)


def sources_of(trace: Trace, step: str) -> frozenset[str]:
    """Return what a step is computed from: its inputs, and the temperature.

    Parameters
    ----------
    trace : Trace
        The computation.
    step : str
        One of its steps; an input is computed from itself.

    Returns
    -------
    frozenset of str
        Names as in `seek`'s ``free``. A single number of the step may not depend on all
        of them, because of a mask or a pin.
    """
    seen: set[str] = set()
    left = [step]
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += trace.stages[name].inputs
    inputs = {name for name in seen if not trace.stages[name].inputs}
    for normalize in trace.pipeline.normalizing:
        if normalize.name in seen and not normalize.normalizer.cancels_temperature:
            inputs.add(TEMPERATURE)
    return frozenset(inputs - {MASK})
