"""From a spec to its list of stages, and from inputs to a trace."""

from collections.abc import Mapping

import numpy as np

from attnviewer.compute.arrays import Array
from attnviewer.compute.masks import MASKS
from attnviewer.compute.normalizers import NORMALIZERS
from attnviewer.compute.spec import Spec
from attnviewer.compute.stages import (
    ApplyMask,
    Concatenate,
    Given,
    Mix,
    Normalize,
    Project,
    Scale,
    Score,
    Stage,
)
from attnviewer.compute.trace import Trace
from attnviewer.compute.validate import check_inputs


def build_stages(spec: Spec, d_k: int) -> tuple[Stage, ...]:
    """List the stages of a variant, in the order of the computation.

    Parameters
    ----------
    spec : Spec
        The variant.
    d_k : int
        Width of one head's keys, which the scale depends on.
    """
    stages: list[Stage] = [Given(name) for name in spec.input_names]
    queries = keys = values = "X"
    if spec.projected:
        queries, keys, values = "Q", "K", "V"
        heads = spec.n_heads
        stages += [
            Project("Q", "X", "W_Q", heads, rows="queries"),
            Project("K", "X", "W_K", heads, rows="keys"),
            Project("V", "X", "W_V", heads, rows="keys"),
        ]
    stages.append(Score(queries, keys))
    if spec.scale != 1.0:
        stages.append(Scale(d_k, spec.scale))
    mask = MASKS[spec.mask]
    if mask.allows is not None:
        stages.append(ApplyMask(stages[-1].name, mask))
    stages.append(Normalize(stages[-1].name, NORMALIZERS[spec.normalizer]))
    # What comes after the weights; the last of these steps is called "output".
    with_heads = spec.n_heads > 1
    stages.append(
        Mix("heads" if with_heads or spec.output_projection else "output", values)
    )
    if with_heads:
        stages.append(
            Concatenate("concatenated" if spec.output_projection else "output")
        )
    if spec.output_projection:
        stages.append(Project("output", stages[-1].name, "W_O", rows="queries"))
    return tuple(stages)


def run(spec: Spec, inputs: Mapping[str, Array]) -> Trace:
    """Compute every step of an attention variant.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        The matrices of `spec.input_names`: ``X`` (n, d_model), ``W_Q`` and ``W_K``
        (d_model, h·d_k), ``W_V`` (d_model, h·d_v), ``W_O`` (h·d_v, any). The trace
        keeps these arrays; do not change them afterwards.

    Returns
    -------
    Trace
        Every step by name. Numbers that leave the range of the dtype come out as
        ±inf or NaN in the trace, without a warning.

    Raises
    ------
    ValueError
        If a matrix is missing, not finite or of a shape that does not fit.
    """
    check_inputs(spec, inputs)
    keys = inputs["W_K"] if spec.projected else inputs["X"]
    stages = build_stages(spec, keys.shape[1] // spec.n_heads)
    values: dict[str, Array] = {}
    with np.errstate(all="ignore"):
        for stage in stages:
            parents = (
                [values[name] for name in stage.inputs]
                if stage.inputs
                else [inputs[stage.name]]
            )
            values[stage.name] = stage.forward(*parents)
    return Trace(spec, stages, values)
