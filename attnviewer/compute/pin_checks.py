"""Checks that pins fit the steps of a computation."""

from collections.abc import Iterator, Mapping

import numpy as np

from attnviewer.compute.arguments import check_name
from attnviewer.compute.arrays import Array, BoolArray, Shape
from attnviewer.compute.building import build_stages
from attnviewer.compute.pins import Pin
from attnviewer.compute.pins.pin import ENDLESS, Positions
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import Stage
from attnviewer.compute.trace import Trace

_EXCESS = 1e-12
"""By how much pinned weights may pass a sum of 1 through rounding."""


def step_shapes(spec: Spec, shapes: Mapping[str, Shape]) -> dict[str, Shape]:
    """Return the shape of every step, without computing any.

    Parameters
    ----------
    spec : Spec
        The variant.
    shapes : mapping of str to tuple of int
        Shapes of its inputs.
    """
    found = {name: shapes[name] for name in spec.input_names}
    for stage in build_stages(spec, shapes):
        if stage.inputs:
            found[stage.name] = stage.shape(*(found[name] for name in stage.inputs))
    return found


def check_pins(spec: Spec, shapes: Mapping[str, Shape]) -> None:
    """Check that every pin, whether enabled or not, fits the step it is for.

    Parameters
    ----------
    spec : Spec
        The variant.
    shapes : mapping of str to tuple of int
        Shapes of its inputs, which fit the variant.

    Raises
    ------
    ValueError
        If there is no such step or head, a row or column lies outside of it, a block
        has another shape, or the weights that are set in a row sum to more than 1
        although the others shall share the rest.
    """
    for _, reason in misfits(spec, shapes):
        raise ValueError(reason)


def misfits(spec: Spec, shapes: Mapping[str, Shape]) -> Iterator[tuple[Pin, str]]:
    """Yield the pins that do not fit the step they are for, each with the reason.

    Parameters
    ----------
    spec : Spec
        The variant.
    shapes : mapping of str to tuple of int
        Shapes of its inputs, which fit the variant.
    """
    if not spec.pins:
        return
    stages = {s.name: s for s in build_stages(spec, shapes) if s.inputs}
    sizes = step_shapes(spec, shapes)
    for pin in spec.pins:
        reason = _misfit(pin, stages, sizes)
        if reason:
            yield pin, reason


def _misfit(
    pin: Pin, stages: Mapping[str, Stage], shapes: Mapping[str, Shape]
) -> str | None:
    """Return why a pin does not fit; None where it does."""
    try:
        check_name("step of a pin", pin.step, stages)
    except ValueError as error:
        return str(error)
    stage, shape = stages[pin.step], shapes[pin.step]
    n_heads = shape[-3] if stage.per_head and len(shape) > 2 else 1
    if pin.head is not None and pin.head >= n_heads:
        return (
            f"The 'head' of a pin of {pin.step} must be below {n_heads}. "
            f"Got {pin.head} instead."
        )
    counts = []
    for name, positions, size in zip(
        ("rows", "columns"), (pin.rows, pin.columns), shape[-2:], strict=True
    ):
        last = _last(positions)
        if last >= size:
            return (
                f"The '{name}' of a pin of {pin.step} must be below {size}. "
                f"Got {last} instead."
            )
        counts.append(_count(positions, size))
    block = pin.array().shape
    if block not in ((1, 1), tuple(counts)):
        return (
            f"The 'value' of a pin of {pin.step} must be a number or a block of shape "
            f"{tuple(counts)}. Got {block} instead."
        )
    return _misfit_of_numbers(pin, stage, counts[1])


def _misfit_of_numbers(pin: Pin, stage: Stage, n_columns: int) -> str | None:
    numbers = pin.array()  # (rows, columns) or (1, 1)
    if not stage.is_of_scores and not np.isfinite(numbers).all():
        return f"The 'value' of a pin of {pin.step} must be finite. Got -inf instead."
    if pin.rest == "leave":
        return None
    if stage.name != "weights":
        return (
            "The 'rest' of a pin must be 'leave' for steps other than the weights. "
            f"Got 'share' for {pin.step} instead."
        )
    if pin.how == "set":
        wide = np.broadcast_to(numbers, (numbers.shape[0], n_columns))
        most = float(wide.sum(axis=1).max())
        if most > 1 + _EXCESS:
            return (
                "The pinned weights of a row must sum to at most 1 where the others "
                f"share the rest. Got {most:.6g} instead."
            )
    return None


def check_sharing(trace: Trace) -> None:
    """Check that the weights of each row can share what its pins leave.

    Parameters
    ----------
    trace : Trace
        The steps.

    Raises
    ------
    ValueError
        With the first row whose pinned weights sum to more than 1, or whose other
        weights are all zero although pins leave something.
    """
    pins = trace.stages["weights"].pins
    if pins is None or not pins.shares:
        return
    computed = np.array(trace.computed("weights"))  # (..., n_q, n_k)
    rest, total = pins.rest_and_total(computed)  # (..., n_q), NaN where none share
    _refuse_row(
        rest < -_EXCESS,
        "The pinned weights of a row must sum to at most 1 where the others share the "
        "rest. In row {row} they sum to {total:.6g} instead.",
        1 - rest,
    )
    _refuse_row(
        (rest > _EXCESS) & (total <= 0),
        "The weights that are not pinned must not all be zero where they share the "
        "rest. In row {row} they are, and the pinned ones sum to {total:.6g}.",
        1 - rest,
    )


def _refuse_row(wrong: BoolArray, message: str, sums: Array) -> None:
    """Raise an error for the first row that is wrong; shapes (..., n_q)."""
    if wrong.any():
        index = tuple(int(k) for k in np.argwhere(wrong)[0])
        raise ValueError(message.format(row=index[-1], total=float(sums[index])))


def _last(positions: Positions) -> int:
    if isinstance(positions, range) and positions.stop >= ENDLESS:
        return positions.start
    return max(positions)


def _count(positions: Positions, size: int) -> int:
    if isinstance(positions, range):
        return len(range(positions.start, min(positions.stop, size), positions.step))
    return len(positions)
