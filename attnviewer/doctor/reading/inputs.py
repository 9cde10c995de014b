"""The intended variant with its inputs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, Numbers, Shape
from attnviewer.compute.spec import Spec
from attnviewer.compute.validate import check_inputs
from attnviewer.doctor.reading.arrays import as_numbers
from attnviewer.doctor.reading.given import LETTERS, read_given
from attnviewer.doctor.reading.head_by_head import taken_apart
from attnviewer.doctor.reading.intention import Intention
from attnviewer.doctor.reading.learned_rows import learned_rows, with_learned_rows
from attnviewer.doctor.reading.masks import PADDING, Sizes, aligned, read_mask
from attnviewer.doctor.reading.projected import EXTRA, read_projected
from attnviewer.document.array_roles.names import named
from attnviewer.document.array_roles.suggesting import BLOCK, suggest
from attnviewer.document.matrices import BIAS, MASK


@dataclass(frozen=True, slots=True)
class Intended:
    """The intended variant with its inputs.

    Parameters
    ----------
    spec : Spec
        The variant.
    inputs : mapping of str to ndarray
        Its inputs, in float64; the mask is boolean.
    projects_later : bool
        Whether W_O was given with queries, keys and values, after which the variant
        ends before.
    """

    spec: Spec
    inputs: Mapping[str, Array]
    projects_later: bool = False


def read_inputs(
    arrays: Mapping[str, Numbers], intention: Intention, notes: list[str]
) -> Intended:
    """Return the variant that is meant, with its inputs.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        The arrays by the names that people give them.
    intention : Intention
        What the options say.
    notes : list of str
        Sentences on what was recognised are appended.

    Raises
    ------
    ValueError
        If an array is missing, not finite, or does not fit.
    """
    # Narrower floats, whole numbers and booleans are exact in float64.
    exact = {name: array.astype(np.float64) for name, array in arrays.items()}
    exact = taken_apart(exact, intention.n_heads, intention.n_kv_heads, notes)
    padding = [name for name in exact if name.lower() == PADDING]
    options = with_learned_rows(intention.options, exact, notes)
    intention = replace(intention, options=options)
    apart = {*padding, *learned_rows(exact).values()}
    shapes = {n: a.shape for n, a in exact.items() if a.ndim and n not in apart}
    suggestion = suggest(shapes)
    picks = suggestion.assignment.picks
    if BLOCK in suggestion.doubts:
        notes.append(suggestion.doubts[BLOCK])
    choices: dict[str, Any]
    if suggestion.assignment.given:
        given = read_given(
            {role: exact[picks[role].array] for role in LETTERS}, intention, notes
        )
        found = dict(given.arrays)
        choices = {
            "projected": False,
            "given": True,
            "n_heads": given.n_heads,
            "n_kv_heads": given.n_kv_heads,
            "heads_joined": given.joined,
            "positions": intention.positions,
        }
    elif suggestion.assignment.projected:
        found, choices = read_projected(exact, suggestion.assignment, intention, notes)
    else:
        raise ValueError(
            "The 'inputs' must hold X with W_Q, W_K and W_V, or Q, K and V. "
            f"Got {', '.join(map(repr, arrays)) or 'none'} instead."
        )
    masks = padding + [picks[role].array for role in (MASK, BIAS) if role in picks]
    intended = _completed(
        found, choices, {n: exact[n] for n in masks}, intention, notes
    )
    roles = {name: role.role for name in shapes if (role := named(name)) is not None}
    used = {*masks, *apart, *EXTRA, *(pick.array for pick in picks.values())}
    if not intended.spec.given and "X" not in picks:
        used |= {name for name, role in roles.items() if role in LETTERS}
    spare = [repr(name) for name in exact if name not in used]
    if spare:
        notes.append(f"Inputs not used: {', '.join(spare)}.")
    later = intended.spec.given and "W_O" in roles.values()
    return replace(intended, projects_later=later)


def _completed(
    found: dict[str, Array],
    choices: dict[str, Any],
    masks: dict[str, Numbers],
    intention: Intention,
    notes: list[str],
) -> Intended:
    """Return the variant with the masks, checked."""
    for name, values in (
        (MASK, intention.options.mask),
        (BIAS, intention.options.bias),
    ):
        if values is not None:
            masks[name] = as_numbers(name, values).astype(np.float64)
    queries = found["X" if "X" in found else "Q"].shape
    keys = found.get("context", found.get("K", found.get("X")))
    assert keys is not None
    has_heads = choices.get("given") and not choices["heads_joined"]
    batch: Shape = queries[: -3 if has_heads else -2]
    sizes = Sizes(
        batch[0] if batch else None, choices["n_heads"], queries[-2], keys.shape[-2]
    )
    kinds = _combined(masks, sizes, notes)
    options = replace(
        intention.options, mask=kinds.pop(MASK, None), bias=kinds.pop(BIAS, None)
    )
    try:
        arrays = options.arrays(found)
        spec = options.spec(batch, **choices)
        check_inputs(spec, arrays)
    except TypeError as error:
        raise ValueError(str(error)) from None
    return Intended(spec, arrays)


def _combined(
    masks: Mapping[str, Numbers], sizes: Sizes, notes: list[str]
) -> dict[str, Numbers]:
    """Return what all masks together let a query see, and what is added."""
    parts: dict[str, list[Numbers]] = {MASK: [], BIAS: []}
    for name, array in masks.items():
        kind, read = (BIAS, array) if name == BIAS else read_mask(name, array, notes)
        parts[kind].append(aligned(read, sizes))
    found = {}
    if parts[MASK]:
        found[MASK] = _reduced(np.logical_and, parts[MASK])
    if parts[BIAS]:
        found[BIAS] = _reduced(np.add, parts[BIAS])
    return found


def _reduced(combine: np.ufunc, arrays: Iterable[Numbers]) -> Numbers:
    first, *others = arrays
    for other in others:
        try:
            first = combine(first, other)
        except ValueError:
            raise ValueError(
                "The 'mask' must fit the other masks. "
                f"Got shapes {first.shape} and {other.shape} instead."
            ) from None
    return first
