"""Parts that a checkpoint stores side by side in one tensor."""

import numpy as np

from attnviewer.compute import Array
from attnviewer.models.architecture import Architecture


def split_parts(
    parts: dict[str, Array], architecture: Architecture
) -> dict[str, Array]:
    """Return a layer's parts, with those that are stored side by side apart.

    Parameters
    ----------
    parts : dict of str to ndarray
        The parts as (in, out); changed.
    architecture : Architecture
        How queries, keys and values lie in theirs.
    """
    queries = architecture.n_heads * architecture.d_head
    keys = architecture.n_kv_heads * architecture.d_head
    columns = {
        "Q": slice(0, queries),
        "K": slice(queries, queries + keys),
        "V": slice(queries + keys, queries + 2 * keys),
    }
    for kind in "Wb":
        joined = parts.pop(f"{kind}_QKV", None)
        if joined is not None and architecture.fused_by_head:
            by_head = (architecture.n_heads, 3, architecture.d_head)
            split = joined.reshape(*joined.shape[:-1], *by_head)  # (..., h, 3, d_head)
            for number, name in enumerate(columns):
                own_heads = split[..., number, :]  # (..., h, d_head)
                parts[f"{kind}_{name}"] = own_heads.reshape(*joined.shape[:-1], -1)
        elif joined is not None:
            for name, own in columns.items():
                parts[f"{kind}_{name}"] = joined[..., own]
        joined = parts.pop(f"{kind}_gate_up", None)
        if joined is not None:
            gate, up = np.split(joined, 2, axis=-1)
            parts |= {f"{kind}_gate": gate, f"{kind}_up": up}
    return parts
