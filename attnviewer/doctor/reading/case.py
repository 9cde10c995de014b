"""A case from arrays of any names, and options."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute import Trace
from attnviewer.doctor.case import Case
from attnviewer.doctor.reading.arrays import as_numbers
from attnviewer.doctor.reading.folded_scale import unfolded
from attnviewer.doctor.reading.inputs import read_inputs
from attnviewer.doctor.reading.intention import Intention
from attnviewer.doctor.reading.steps import StepReader


def read_case(
    inputs: Mapping[str, ArrayLike], mine: Mapping[str, ArrayLike], **options: Any
) -> Case:
    """Return an implementation's arrays beside the inputs that they came from.

    Parameters
    ----------
    inputs : mapping of str to array_like
        X and the weights and biases of the projections, or Q, K and V; named as in a
        document (``W_Q``, ``b_Q``, ``mask``) or as in a checkpoint
        (``q_proj.weight``, ``in_proj_weight``, ``hidden_states``). In a mask 1 is for
        what a query may look at. Or the right computation.
    mine : mapping of str to array_like
        What the implementation computed: any of ``Q``, ``K``, ``V``, ``Q_rotated``,
        ``K_rotated``, ``scores``, ``scaled``, ``capped``, ``biased``, ``masked``,
        ``weights``, ``heads``, ``concatenated`` and ``output``, or what libraries
        call them. Axes may come in the orders that libraries use.
    **options
        What was meant: those of `multi_head_attention`, a `window` of one number (the
        own key and those before it), ``rope_base``, ``rope_dim``,
        ``rope_interleaved``, ``rope_offset`` and ``rope_frequencies``, ``batch_first``
        and ``output_projection``.

    Returns
    -------
    Case
        Its notes say what was recognised.

    Raises
    ------
    ValueError
        If something is missing, unknown, or fits no reading.
    """
    notes: list[str] = []
    missing: tuple[str, ...] = ()
    if isinstance(inputs, Trace):
        case = _case_of(inputs, options)
    else:
        intended = read_inputs(_numbers("inputs", inputs), Intention.of(options), notes)
        case = Case(intended.spec, intended.inputs, {})
        missing = ("output",) if intended.projects_later else ()
    arrays = _numbers("mine", mine)
    reader = StepReader(case.right, missing, notes)
    steps = unfolded(reader.read(arrays), case.right, notes)
    if not steps:
        raise ValueError(
            "The 'mine' must hold a step that can be compared. "
            f"Got {', '.join(map(repr, mine)) or 'none'} instead. {' '.join(notes)}"
        )
    return case.holding(
        steps,
        names=reader.names,
        notes=tuple(notes),
        origins=reader.origins,
    )


def _case_of(trace: Trace, options: Mapping[str, object]) -> Case:
    if options:
        raise ValueError(
            "The options must not be given with a computation, which has its own. "
            f"Got {', '.join(options)} instead."
        )
    spec = trace.spec
    arrays = {name: trace[name].astype(np.float64) for name in spec.input_names}
    if not (spec.projected or spec.given):
        raise ValueError(
            "The computation must have weights or be of given Q, K and V. "
            "Got simplified self-attention instead: give X as Q, K and V."
        )
    # Steps are compared with an axis of heads, also where there is one head.
    if spec.projected:
        spec = replace(spec, head_axis=True)
    elif arrays["V"].ndim == 2:  # (n_k, d_v)
        spec = replace(spec, heads_joined=True)
    return Case(spec, arrays, {})


def _numbers(name: str, arrays: Mapping[str, ArrayLike]) -> dict[str, Any]:
    if not isinstance(arrays, Mapping) or not all(isinstance(n, str) for n in arrays):
        raise ValueError(
            f"The '{name}' must be a mapping from names to arrays. "
            f"Got {type(arrays).__name__} instead."
        )
    return {own: as_numbers(own, array) for own, array in arrays.items()}
