"""The attention mechanism of transformers: computed, explained and on a workbench."""

from typing import TYPE_CHECKING

# Imported when it is first asked for: the window comes up sooner than NumPy is loaded.
if TYPE_CHECKING:
    from attnviewer.compute import (
        Alibi,
        Rotary,
        Sinusoidal,
        Trace,
        alibi_bias,
        alibi_slopes,
        attention,
        causal_mask,
        multi_head_attention,
        normalize,
        rotary_embedding,
        sinusoidal_encoding,
        window_mask,
    )

__version__ = "0.1.0"

__all__ = [
    "Alibi",
    "Rotary",
    "Sinusoidal",
    "Trace",
    "alibi_bias",
    "alibi_slopes",
    "attention",
    "causal_mask",
    "multi_head_attention",
    "normalize",
    "rotary_embedding",
    "sinusoidal_encoding",
    "window_mask",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from attnviewer import compute

    value: object = getattr(compute, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
