"""Whether the steps of mistakes can be computed."""

from collections.abc import Iterable

from attnviewer.compute.mistakes import Evaluation, Mistake, UnfitError, Variation

RESHAPING = {
    "cross-wrong-sequence",
    "heads-averaged",
    "heads-first-only",
    "heads-summed",
    "heads-wrong-count",
    "mixes-keys",
    "mixes-queries",
    "output-projection-missing",
}
"""The mistakes after which an output may have another shape."""


def assert_most_fit(
    right: Evaluation, found: Iterable[tuple[Mistake, Variation]]
) -> None:
    """Assert that the steps of at most a quarter of mistakes do not fit.

    Parameters
    ----------
    right : Evaluation
        The right numbers.
    found : iterable of (Mistake, Variation)
        The mistakes.
    """
    tried = unfit = 0
    for mistake, variation in found:
        tried += 1
        numbers = Evaluation(variation.plan, right.inputs, like=right)
        try:
            for name in right.plan.steps:
                numbers[name]
        except UnfitError:
            unfit += 1
            continue
        if mistake.id not in RESHAPING:
            assert numbers["output"].shape == right["output"].shape, mistake.id
    assert tried > 20
    assert unfit <= tried / 4
