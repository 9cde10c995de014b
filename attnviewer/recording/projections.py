"""The projections of a layer, by the names of its modules."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from attnviewer.compute.arrays import Numbers
from attnviewer.document.array_roles.names import FUSED, named
from attnviewer.recording.tensors import copied

QUERIES, KEYS, VALUES, OUTPUT = "W_Q", "W_K", "W_V", "W_O"
JOINED = f"W_{FUSED}"
_SEPARATE = QUERIES, KEYS, VALUES
_OTHERS = {
    QUERIES: r"(?:q|query|queries)(?:_?linear|_?layer|_?projection)?|fc_?q|linears\.0",
    KEYS: r"(?:k|key|keys)(?:_?linear|_?layer|_?projection)?|fc_?k|linears\.1",
    VALUES: r"(?:v|value|values)(?:_?linear|_?layer|_?projection)?|fc_?v|linears\.2",
    OUTPUT: r"fc_?(?:o|out)|out(?:put)?(?:_?linear|_?layer|_?projection)?|projection"
    r"|dense|linears\.3",
    JOINED: r"(?:qkv|in)_?(?:linear|layer|projection)|query_key_value|kqv|fc_?qkv",
}
"""Names that modules have and files of weights seldom."""
_PATTERNS = {role: re.compile(names, re.IGNORECASE) for role, names in _OTHERS.items()}


@dataclass(frozen=True)
class Projection:
    """A linear layer with its place in another.

    Parameters
    ----------
    name : str
        Its name there.
    module : torch.nn.Linear
        The layer, or one such as the Conv1D of GPT-2.
    """

    name: str
    module: Any

    @property
    def weight(self) -> Numbers:
        """A copy of its weight, (in, out)."""
        weight = copied(f"{self.name}.weight", self.module.weight)
        return weight.T if hasattr(self.module, "in_features") else weight

    @property
    def bias(self) -> Numbers | None:
        """A copy of its bias."""
        bias = getattr(self.module, "bias", None)
        return None if bias is None else copied(f"{self.name}.bias", bias)


def projections_of(module: Any) -> dict[str, Projection]:
    """Return the linear layers of a module whose names tell their roles.

    Parameters
    ----------
    module : torch.nn.Module
        The module.

    Returns
    -------
    dict of str to Projection
        By role, such as ``W_Q``; those that are there once.
    """
    roles = [(_role(projection.name), projection) for projection in _linear_in(module)]
    times = Counter(role for role, _ in roles)
    return {role: found for role, found in roles if role and times[role] == 1}


def unnamed_in(module: Any) -> list[Projection]:
    """Return the linear layers of a module whose names tell no role."""
    return [layer for layer in _linear_in(module) if _role(layer.name) is None]


def is_attention(module: object) -> bool:
    """Return whether a module has the projections of one layer of attention."""
    roles = projections_of(module)
    return JOINED in roles or all(role in roles for role in _SEPARATE)


def _linear_in(module: Any) -> Iterator[Projection]:
    for name, child in module.named_modules():
        if _is_linear(child):
            yield Projection(name, child)


def _is_linear(module: Any) -> bool:
    """Return whether a module is a Linear, or the Conv1D of GPT-2."""
    weight = getattr(module, "weight", None)
    sized = hasattr(module, "in_features") or hasattr(module, "nf")
    return sized and len(getattr(weight, "shape", ())) == 2


def _role(name: str) -> str | None:
    for text in (f"{name}.weight", name):
        known = named(text)
        if known is not None and known.role.startswith("W_"):
            return known.role
    *_, parent, last = ("", *name.split("."))
    ends = (f"{parent}.{last}", last) if last.isdecimal() else (last,)
    return next(
        (role for role, p in _PATTERNS.items() if any(map(p.fullmatch, ends))), None
    )
