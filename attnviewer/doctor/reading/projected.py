"""Embeddings with the weights of a layer."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from attnviewer.compute.arrays import Array, Numbers
from attnviewer.compute.positions import Learned
from attnviewer.compute.spec import OutputGate
from attnviewer.doctor.reading.intention import Intention
from attnviewer.doctor.reading.weights import Weights
from attnviewer.document.array_roles.assignment import Assignment, joined_heads
from attnviewer.document.array_roles.names import named

EXTRA = "extra_keys", "extra_values"
BIASES = "b_Q", "b_K", "b_V", "b_O"


def read_projected(
    arrays: Mapping[str, Numbers],
    assignment: Assignment,
    intention: Intention,
    notes: list[str],
) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the inputs of attention over embeddings, and fields of its spec.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        The arrays by the names that people give them.
    assignment : Assignment
        Their probable roles.
    intention : Intention
        What the options say.
    notes : list of str
        Sentences on what was recognised are appended.

    Raises
    ------
    ValueError
        If an array is missing, or its shape does not fit.
    """
    picks = assignment.picks
    found: dict[str, Array] = {
        role: _sequence(role, arrays[picks[role].array], intention.batch_first)
        for role in ("X", "context")
        if role in picks
    }
    if "X" not in found:
        found |= _of_a_module(arrays, intention.batch_first)
    if "X" not in found:
        raise ValueError("The 'X' must be given with the weights. Got none instead.")
    shapes = {name: array.shape for name, array in arrays.items()}
    n_heads = intention.n_heads or joined_heads(picks, shapes, ("W_Q",))
    keys = found.get("context", found["X"])
    values = found.get("values", keys)
    widths = {
        f"W_{letter}": source.shape[-1]
        for letter, source in zip("QKV", (found["X"], keys, values), strict=True)
    }
    weights = Weights(arrays, picks, widths, n_heads, intention.n_kv_heads, notes)
    found |= _with_projection(weights.read(), intention.output_projection)
    found |= {name: arrays[name] for name in EXTRA if name in arrays}
    positions, table = intention.positions, intention.table
    if positions is None and "P" in picks:
        positions, table = Learned(), arrays[picks["P"].array]
        notes.append(f"'{picks['P'].array}' is read as a table of learned positions.")
    if table is not None:
        found["P"] = np.asarray(table, np.float64)
    return found, {
        "context": "context" in found,
        "values": "values" in found,
        "n_heads": n_heads,
        "n_kv_heads": weights.n_kv_heads,
        "head_axis": True,
        "biases": tuple(name for name in BIASES if name in found),
        "output_projection": "W_O" in found,
        "output_gate": _gate(found, intention.output_gate, weights.mixed(found)),
        "extra_rows": "extra_keys" in found,
        "positions": positions,
    }


def _gate(
    found: Mapping[str, Numbers], wanted: OutputGate | None, mixed: int
) -> OutputGate | None:
    """Return what has a gate: what is meant, or else what the columns of W_G tell."""
    if wanted is not None and "W_G" not in found:
        raise ValueError(
            f"The 'W_G' must be given with output_gate={wanted}. Got none instead."
        )
    if wanted is not None or "W_G" not in found:
        return wanted
    return "elementwise" if found["W_G"].shape[1] == mixed else "headwise"


def _of_a_module(arrays: Mapping[str, Numbers], batch_first: bool) -> dict[str, Array]:
    """Return the sequences of a module that is called with query, key and value.

    nn.MultiheadAttention calls its three sequences of embeddings so.
    """
    roles = {name: named(name) for name in arrays}
    sides = {
        role.role: _sequence(name, arrays[name], batch_first)
        for name, role in roles.items()
        if role is not None and role.role in ("Q", "K", "V")
    }
    if "Q" not in sides:
        return {}
    found = {"X": sides["Q"]}
    keys = sides.get("K", sides["Q"])
    if not np.array_equal(keys, sides["Q"]):
        found["context"] = keys
    values = sides.get("V", keys)
    if not np.array_equal(values, keys):
        found["values"] = values
    return found


def _sequence(name: str, array: Numbers, batch_first: bool) -> Array:
    """Return rows of a sequence, (n, d) or (batch, n, d)."""
    if array.ndim not in (2, 3):
        raise ValueError(
            f"The '{name}' must have the shape (n, d) or (batch, n, d). "
            f"Got {array.shape} instead."
        )
    if array.ndim == 2:
        return array
    items = array if batch_first else array.swapaxes(0, 1)
    return items[0] if len(items) == 1 else items


def _with_projection(
    weights: dict[str, Numbers], wanted: bool | None
) -> dict[str, Numbers]:
    """Return weights with W_O if it is meant, or else without."""
    if wanted and "W_O" not in weights:
        raise ValueError("The 'W_O' must be given where it is meant. Got none instead.")
    if "b_O" in weights and "W_O" not in weights:
        raise ValueError("The 'W_O' must be given with 'b_O'. Got none instead.")
    if wanted is False:
        return {n: array for n, array in weights.items() if not n.endswith("O")}
    return weights
