"""A scale that is part of queries or keys rather than a step of its own."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Numbers
from attnviewer.compute.mistakes import Evaluation
from attnviewer.doctor.reading.likeness import fits

_WORDS = {1.0: "the scale of the scores", 0.5: "the root of the scores' scale"}


def unfolded(
    mine: Mapping[str, Numbers], right: Evaluation, notes: list[str]
) -> dict[str, Numbers]:
    """Return steps without those that hold the scale before the plan applies it.

    To divide the queries or the keys by √d_k instead of the scores is common, and
    right, as it is to divide both by its root.

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
    held = _holding(steps, right)
    if len(held) < len(steps):
        for name, part in held.items():
            del steps[name]
            notes.append(f"{name} is the right one times {part}, and is left out.")
    order = [name for name in right.plan.steps if name in steps]
    return {name: steps[name] for name in order}


def shares(right: Evaluation) -> dict[float, float]:
    """Return the factors that queries or keys may hold, by their power of the scale."""
    if "scaled" not in right.plan:
        return {}
    scale = float(right.plan["scaled"].compute(np.ones((1, 1)))[0, 0])
    return {1.0: scale} | ({0.5: scale**0.5} if scale > 0 else {})


def _holding(steps: Mapping[str, Numbers], right: Evaluation) -> dict[str, str]:
    """Return the queries and keys that hold a part of the scale, if all of it is held.

    Of queries without keys, or the other way round, a part is enough.
    """
    held, total, sides = dict[str, str](), 0.0, 0
    for last in right.plan.stages["scores"].inputs[:2]:
        power = None
        for name in dict.fromkeys((last.removeprefix("rotated "), last)):
            if name in steps:
                power = _power(steps[name], right[name], shares(right))
                held |= {name: _WORDS[power]} if power else {}
        total += power or 0.0
        sides += power is not None
    return held if total == 1.0 or (total and sides == 1) else {}


def _power(theirs: Numbers, exact: Numbers, shares: Mapping[float, float]) -> float:
    """Return the power of the scale that queries or keys are multiplied by."""
    if fits(theirs, exact):
        return 0.0
    found = (power for power, share in shares.items() if fits(theirs, exact * share))
    return next(found, 0.0)


def _is_scaled(scores: Numbers, right: Evaluation) -> bool:
    return not fits(scores, right["scores"]) and fits(scores, right["scaled"])
