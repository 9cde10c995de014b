"""Builds the list of stages of a spec, with its mistakes and pins."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from attnviewer.compute.arrays import Numbers, Part, Shape
from attnviewer.compute.mistakes.evaluation import Evaluation, UnfitError
from attnviewer.compute.mistakes.making import make
from attnviewer.compute.mistakes.plan import Plan
from attnviewer.compute.pipeline import right_stages, with_pins
from attnviewer.compute.slip import Slip
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import Stage, altered

MOST_SCORES = 2**24
"""The most scores of a computation with a mistake, all steps of which are stored: of
8 heads, 1,448 tokens."""


def build_stages(spec: Spec, shapes: Mapping[str, Shape]) -> tuple[Stage, ...]:
    """List the stages of a variant, in the order of the computation.

    The inputs first; then queries, keys and values; then score → scale → soft cap
    → bias → mask → normalise; then the heads and the output.

    Parameters
    ----------
    spec : Spec
        The variant.
    shapes : mapping of str to tuple of int
        Shapes of its inputs.

    Raises
    ------
    ValueError
        If the computation cannot be made with a mistake of the spec.
    """
    if not spec.mistakes:
        return right_stages(spec, shapes)
    return _with_mistakes(spec, tuple((n, tuple(shapes[n])) for n in spec.input_names))


def check_mistakes(spec: Spec, shapes: Mapping[str, Shape]) -> None:
    """Check that a computation can be made with the mistakes of its spec.

    Parameters
    ----------
    spec : Spec
        The variant.
    shapes : mapping of str to tuple of int
        Shapes of its inputs, which fit the variant.

    Raises
    ------
    ValueError
        If it has not the step that a mistake changes, if the steps do not fit each
        other with it, or if there are too many scores.
    """
    build_stages(spec, shapes)


Shapes = tuple[tuple[str, Shape], ...]


@lru_cache(maxsize=8)
def _with_mistakes(spec: Spec, shapes: Shapes) -> tuple[Stage, ...]:
    """List the stages; cached, as they hold no numbers."""
    given = dict(shapes)
    _check_size(spec, given)
    intended = replace(spec, mistakes=(), pins=())
    plan = Plan.of(intended, given)
    titles: dict[str, str] = {}
    for slip in spec.mistakes:
        changed = make(plan, [slip])
        for name in plan.steps:
            if changed.changes(name, plan):
                titles[name] = slip.title
        plan = changed
    zeros = _on_zeros(spec, plan, given)
    stages = [
        _altered(stage, plan, zeros, titles[stage.name], (spec, shapes))
        if stage.name in titles
        else stage
        for stage in right_stages(intended, given)
    ]
    return tuple(with_pins(stage, spec.pins) for stage in stages)


def _altered(
    stage: Stage,
    plan: Plan,
    zeros: Mapping[str, Numbers],
    title: str,
    made_from: tuple[Spec, Shapes],
) -> Stage:
    step = plan[stage.name]
    shape = zeros[stage.name].shape
    return altered(
        stage,
        step.inputs,
        step.compute,
        shape=shape,
        title=title,
        comparable=_right_shape(stage, zeros) == shape,
        origin=(_rebuilt, (*made_from, stage.name)),
    )


def _rebuilt(spec: Spec, shapes: Shapes, name: str) -> Stage:
    """Return one stage again, from a pickle."""
    return next(s for s in _with_mistakes(spec, shapes) if s.name == name).unpinned


def _right_shape(stage: Stage, zeros: Mapping[str, Numbers]) -> Shape | None:
    """Return the shape that a right stage gives a step; None where it cannot."""
    try:
        with np.errstate(all="ignore"):
            return stage.forward(Part(), *(zeros[name] for name in stage.inputs)).shape
    except (IndexError, ValueError):
        return None


def _on_zeros(
    spec: Spec, plan: Plan, shapes: Mapping[str, Shape]
) -> dict[str, Numbers]:
    """Return every step of inputs that are 0, which shows whether shapes fit."""
    kinds = {"mask": np.bool_}
    inputs = {n: np.zeros(s, kinds.get(n, np.float64)) for n, s in shapes.items()}
    numbers = Evaluation(plan, inputs)
    try:
        found = {name: numbers[name] for name in plan.steps}
    except UnfitError as error:
        raise ValueError(_unfit(spec.mistakes)) from error
    right = {name: array.shape for name, array in inputs.items()}
    for stage in plan.stages.values():
        right[stage.name] = stage.shape(*(right[name] for name in stage.inputs))
    if any(found[name].shape != right[name] for name in ("scores", "weights")):
        raise ValueError(_unfit(spec.mistakes))
    return inputs | found


def _unfit(slips: tuple[Slip, ...]) -> str:
    ids = ", ".join(f"'{slip.id}'" for slip in slips)
    return (
        "The 'mistakes' must be such that the steps fit each other with them. "
        f"Got {ids} instead, with which a step cannot be computed."
    )


def _check_size(spec: Spec, shapes: Mapping[str, Shape]) -> None:
    queries, keys, _ = spec.sources
    n_scores = spec.n_heads * shapes[queries][-2] * shapes[keys][-2]
    if n_scores > MOST_SCORES:
        raise ValueError(
            f"A computation with a mistake must have at most {MOST_SCORES} scores over "
            f"all heads, as all its steps are stored. Got {n_scores} instead."
        )
