"""The one layer of attention in a module."""

import sys
from typing import Any, NamedTuple

from attnviewer.recording.multi_head import is_multi_head
from attnviewer.recording.projections import is_attention

MOST_NAMES = 4


class AttentionIn(NamedTuple):
    """The layers of attention in a module.

    Parameters
    ----------
    only : torch.nn.Module or None
        The layer; None if there are several, or none.
    reason : str
        Why there is not one, as a sentence.
    several : bool
        Whether there are several.
    """

    only: Any
    reason: str
    several: bool


def attention_in(module: Any) -> AttentionIn:
    """Return the only layer of attention in a module, by its projections.

    Parameters
    ----------
    module : torch.nn.Module
        The layer itself, or a module that holds it.

    Raises
    ------
    TypeError
        If it is no module of PyTorch.
    """
    if not all(hasattr(module, n) for n in ("named_modules", "register_forward_hook")):
        raise TypeError(
            "The 'module' must be a module of PyTorch. "
            f"Got {type(module).__name__} instead."
        )
    every = dict(module.named_modules())
    found = {n: m for n, m in every.items() if is_multi_head(m) or is_attention(m)}
    # Whatever holds a layer has its projections, too.
    inner = {n: m for n, m in found.items() if not _holds_another(n, found)}
    if len(inner) == 1:
        return AttentionIn(next(iter(inner.values())), "", False)
    kind = type(module).__name__
    if inner:
        names = ", ".join(map(repr, list(inner)[:MOST_NAMES]))
        more = ", ..." if len(inner) > MOST_NAMES else ""
        reason = (
            "The 'module' must have one layer of attention. "
            f"Got {kind} with {len(inner)} instead: {names}{more}; get_submodule "
            "returns one of them, and diagnose(layer=0) compares the first without its "
            "projections."
        )
        return AttentionIn(None, reason, True)
    linear = [n for n, child in every.items() if n and hasattr(child, "in_features")]
    names = ", ".join(map(repr, linear[:MOST_NAMES])) or "none"
    reason = (
        "The 'module' must be an nn.MultiheadAttention, or have linear layers with "
        "names such as q_proj, k_proj and v_proj, query, key and value, or qkv. "
        f"Got {kind} with {names} instead."
    )
    return AttentionIn(None, reason, False)


def scripted_in(module: Any) -> str:
    """Return why parts of a module that are TorchScript are not seen; "" without any.

    Parameters
    ----------
    module : torch.nn.Module
        The module.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return ""
    every = module.named_modules()
    name = next((n for n, m in every if isinstance(m, torch.jit.ScriptModule)), None)
    if name is None:
        return ""
    what = f"'{name}'" if name else "The module"
    return (
        f"{what} is TorchScript, which runs outside of Python, where nothing of it is "
        "seen. Record the module that it was made of."
    )


def _holds_another(name: str, found: dict[str, Any]) -> bool:
    start = f"{name}." if name else ""
    return any(other != name and other.startswith(start) for other in found)
