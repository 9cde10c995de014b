"""A scale that is part of the queries rather than a step of its own."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor.reading.likeness import fits


def unfolded(
    mine: Mapping[str, Numbers], right: Evaluation, notes: list[str]
) -> dict[str, Numbers]:
    """Return steps without those that hold the scale before the plan applies it.

    To divide the queries by √d_k instead of the scores is common, and right.

    Parameters
    ----------
    mine : mapping of str to ndarray
        The implementation's arrays by the names of the plan.
    right : Evaluation
        The right numbers.
    notes : list of str
        A sentence is appended where a step is taken for another.
    """
    steps = dict(mine)
    if "scaled" not in right.plan:
        return steps
    scores = steps.get("scores")
    if scores is not None and _is_scaled(scores, right):
        scaled = steps.get("scaled")
        if scaled is None or fits(scaled, right["scaled"]):
            steps.setdefault("scaled", steps.pop("scores"))
            steps.pop("scores", None)
            notes.append(
                "The scores are scaled already: the scale is part of the queries. They "
                "are compared with the scaled scores."
            )
    scaled = steps.get("scaled")
    if "scores" in steps or (scaled is not None and not fits(scaled, right["scaled"])):
        return steps
    queries = right.plan.stages["scores"].inputs[0]
    for name in dict.fromkeys((queries.removeprefix("rotated "), queries)):
        if name in steps and len(steps) > 1 and _holds_scale(name, steps, right):
            del steps[name]
            notes.append(
                f"{name} is the right one times the scale of the scores, and is left "
                "out."
            )
    order = [name for name in right.plan.steps if name in steps]
    return {name: steps[name] for name in order}


def _is_scaled(scores: Numbers, right: Evaluation) -> bool:
    return not fits(scores, right["scores"]) and fits(scores, right["scaled"])


def _holds_scale(name: str, steps: Mapping[str, Numbers], right: Evaluation) -> bool:
    factor = float(right.plan["scaled"].compute(np.ones((1, 1)))[0, 0])
    exact = right[name]
    return not fits(steps[name], exact) and fits(steps[name], exact * factor)
