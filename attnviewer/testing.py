"""Tests of implementations of attention, for pytest and unittest."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import ArrayLike

from attnviewer.compute.signatures import short_signature
from attnviewer.doctor.diagnosis import Diagnosis
from attnviewer.doctor.from_arrays import diagnose


@short_signature
def assert_attention(
    mine: Mapping[str, ArrayLike], inputs: Mapping[str, ArrayLike], **options: Any
) -> Diagnosis:
    """Fail unless an implementation of attention is right, and say what is wrong.

    Parameters
    ----------
    mine : mapping of str to array_like
        What the implementation computed, such as ``{"output": out}``.
    inputs : mapping of str to array_like, or Trace
        What it was given.
    **options
        What was meant. These three are those of `diagnose`.

    Returns
    -------
    Diagnosis
        That it agrees, in which precision, and what these inputs could not show.

    Raises
    ------
    AssertionError
        If a step differs by more than rounding. The message is the diagnosis.
    ValueError
        If something is missing or unknown, or a shape fits no reading.

    Examples
    --------
    >>> import numpy as np
    >>> import attnviewer
    >>> from attnviewer.testing import assert_attention
    >>> q, k, v = np.random.default_rng(0).standard_normal((3, 5, 4))
    >>> output = attnviewer.attention(q, k, v, causal=True)["output"]
    >>> assert_attention({"output": output}, {"Q": q, "K": k, "V": v}, causal=True)
    <Diagnosis agrees=True findings=None>
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    diagnosis = diagnose(inputs, mine, **options)
    if not diagnosis.agrees:
        raise AssertionError(str(diagnosis))
    return diagnosis
