"""From inputs to a trace."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Array, Part
from attnviewer.compute.building import build_stages
from attnviewer.compute.cost import cost
from attnviewer.compute.passes import attend
from attnviewer.compute.pin_checks import check_sharing
from attnviewer.compute.sections import sections
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages.project import project_together
from attnviewer.compute.stored_weights import attend_by_step
from attnviewer.compute.threads import one_blas_thread
from attnviewer.compute.trace import Trace
from attnviewer.compute.validate import check_inputs


def run(spec: Spec, inputs: Mapping[str, Array]) -> Trace:
    """Compute every step of an attention variant.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        The arrays of `spec.input_names`, all of one floating-point type (the mask
        is bool), in which every step is computed. ``X`` (n, d_model), ``W_Q``
        (d_model, h·d_k), ``W_K`` (d_model, h_kv·d_k), ``W_V`` (d_model, h_kv·d_v)
        and ``W_O`` (h·d_v, any); the others as in `multi_head_attention`. The
        trace keeps these arrays; do not change them afterwards.

    Returns
    -------
    Trace
        Every step by name. Numbers that leave the range of the dtype come out as
        ±inf or NaN in the trace, without a warning.

    Raises
    ------
    ValueError
        If an array is missing, not finite or of a shape that does not fit.
    """
    check_inputs(spec, inputs)
    return compute(spec, inputs)


def compute_copies(spec: Spec, inputs: Mapping[str, Array]) -> Trace:
    """Compute every step as `compute` does, from copies of arrays that may change."""
    return compute(spec, {name: array.copy() for name, array in inputs.items()})


def compute(spec: Spec, inputs: Mapping[str, Array]) -> Trace:
    """Compute every step from inputs that are known to fit; see `run`.

    Raises
    ------
    ValueError
        If the weights of a row cannot share what its pins leave, a mistake cannot be
        made, or there are too many scores to be computed.
    """
    values = {name: inputs[name] for name in spec.input_names}
    shapes = {name: array.shape for name, array in values.items()}
    stages = build_stages(spec, shapes)
    pipeline = sections(stages)
    with one_blas_thread(cost(spec, shapes)), np.errstate(all="ignore"):
        values |= project_together(pipeline.projections, values)
        for stage in pipeline.sides:
            if stage not in pipeline.projections:
                values[stage.name] = stage.forward(
                    Part(), *(values[n] for n in stage.inputs)
                )
        if pipeline.mistakes:
            weights, heads = attend_by_step(pipeline, values)
        else:
            weights, heads = attend(pipeline, values)
        if pipeline.mix.pins is not None:
            pipeline.mix.pins.hold(heads, Part())
        values[pipeline.mix.name] = heads
        for stage in pipeline.after:
            values[stage.name] = stage.forward(
                Part(), *(values[n] for n in stage.inputs)
            )
    trace = Trace(spec, stages, values, weights)
    check_sharing(trace)
    return trace
