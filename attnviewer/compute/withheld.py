"""A computation that does not tell everything: some steps, or that it is mistaken."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from attnviewer.compute.arguments import check_name
from attnviewer.compute.given_steps import GivenSteps
from attnviewer.compute.sections import sections
from attnviewer.compute.stages.altered import without_mistake
from attnviewer.compute.stored_weights import stored_weights
from attnviewer.compute.trace import Trace


def withheld(trace: Trace, steps: Collection[str], *, mistakes: bool = False) -> Trace:
    """Return a computation with NaN in every cell of some of its steps.

    All others have their numbers, also where they follow from a step that is withheld.

    Parameters
    ----------
    trace : Trace
        The computation. It is read whole, so that it should be small.
    steps : collection of str
        Computed steps of it.
    mistakes : bool
        Whether a step that is computed with a mistake is described as it should be
        computed, beside the numbers that it has.

    Raises
    ------
    ValueError
        If one is not a step of the computation, or is an input.
    """
    for step in steps:
        check_name("steps", step, trace)
        if not trace.stages[step].inputs:
            raise ValueError(
                f"The 'steps' parameter must name computed steps. Got '{step}' instead."
            )
    values = {
        name: np.full(trace.shape(name), np.nan, trace[name].dtype)
        if name in steps
        else trace[name]
        for name in trace
    }
    spec, stages = trace.spec, tuple(trace.stages.values())
    if mistakes:
        spec = replace(spec, mistakes=())
        stages = tuple(map(without_mistake, stages))
    shown = Trace(spec, stages, values, stored_weights(sections(stages), values))
    if not mistakes:
        return shown
    # A mistaken step may have numbers where the right one hides them.
    return GivenSteps(shown, {n: values[n] for n in values if shown.stages[n].inputs})
