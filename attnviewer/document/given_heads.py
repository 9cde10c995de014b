"""What of a computation by given heads goes to a document of one head, or of all."""

from collections.abc import Mapping
from dataclasses import replace

from attnviewer.compute import Alibi, Array, Pin, Spec
from attnviewer.compute.arrays import Shape
from attnviewer.compute.qk_norm import INPUTS as QK_NORM_INPUTS
from attnviewer.document.matrices import RELATIVE_BIAS, SINKS


def check_alone(spec: Spec, head: int) -> None:
    """Refuse a head whose numbers depend on how many others there are.

    Raises
    ------
    ValueError
        If there are others, and it does.
    """
    if spec.n_heads == 1:
        return
    norm = spec.qk_norm
    if isinstance(spec.positions, Alibi):
        reason = "its slope in ALiBi follows from their number"
    elif norm is not None and norm.full_width:
        reason = f"it has a share in the {norm.title}"
    elif spec.heads_joined and any(pin.step == "output" for pin in spec.pins):
        reason = "pins are on the output of all heads together"
    else:
        return
    raise ValueError(
        "The 'head' parameter must be None, which takes all heads, as "
        f"{reason}. Got {head} instead."
    )


def columns_of_head(
    spec: Spec, head: int, matrices: Mapping[str, Array]
) -> dict[str, Array]:
    """Return the columns of one head of the inputs that have some for each.

    Parameters
    ----------
    spec : Spec
        The variant with all heads.
    head : int
        The head of the queries.
    matrices : mapping of str to ndarray
        The inputs; of queries, keys and values, those of the head.
    """
    found = {}
    for name in {SINKS, RELATIVE_BIAS, *QK_NORM_INPUTS} & set(matrices):
        width, own = 1, head
        if name in QK_NORM_INPUTS:
            side = name[-1]
            width = matrices[side].shape[1]
            own = head if side == "Q" else spec.kv_head_of(head)
        if matrices[name].shape[1] > width:
            found[name] = matrices[name][:, own * width : (own + 1) * width]
    return found


def pins_of_head(spec: Spec, head: int, shapes: Mapping[str, Shape]) -> tuple[Pin, ...]:
    """Return the pins that act on one head, as those of a document of it alone.

    Parameters
    ----------
    spec : Spec
        The variant with all heads.
    head : int
        The head of the queries.
    shapes : mapping of str to tuple of int
        Shapes of the steps.
    """
    found = []
    for pin in spec.pins:
        count = shapes[pin.step][-3:-2]  # of heads, if the step has several
        own = head if count == (spec.n_heads,) else spec.kv_head_of(head)
        if pin.head in (None, own):
            step = "output" if pin.step == "heads" else pin.step
            found.append(replace(pin, step=step, head=None))
    return tuple(found)


def pins_of_heads(spec: Spec) -> tuple[Pin, ...]:
    """Return the pins of all heads, as those of a document with its heads joined.

    Its output is all heads side by side; what each of them gives is a step before.
    """
    if spec.heads_joined:
        return spec.pins
    return tuple(
        replace(pin, step="heads") if pin.step == "output" else pin for pin in spec.pins
    )
