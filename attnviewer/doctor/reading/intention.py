"""The computation that an implementation is meant to make, from its options."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import check_name, flag, whole_number
from attnviewer.compute.multi_head import scheme_and_table
from attnviewer.compute.options import Options, Window
from attnviewer.compute.positions import Positions, RelativeBias, Rotary
from attnviewer.compute.spec import OutputGate

_ALIASES = {
    **dict.fromkeys(("heads", "num_heads", "num_attention_heads"), "n_heads"),
    **dict.fromkeys(("kv_heads", "num_kv_heads", "num_key_value_heads"), "n_kv_heads"),
    "is_causal": "causal",
    "sliding_window": "window",
    "attn_logit_softcapping": "softcap",
    "rope_theta": "rope_base",
    "rotary_dim": "rope_dim",
    "W_O": "output_projection",
}
"""Other names of options, as configurations of models have them."""
_ROPE = {
    "rope_base": "base",
    "rope_dim": "rotary_dim",
    "rope_interleaved": "interleaved",
    "rope_offset": "offset",
    "rope_frequencies": "frequencies",
}
"""The fields of `Rotary` by the names of options."""
_OF_ATTENTION = (
    *("scale", "length_scale", "mask", "bias", "causal", "window", "chunk", "softcap"),
    *(
        "normalizer",
        "temperature",
        "query_offset",
        "key_lengths",
        "score",
        "score_weights",
    ),
    *("normalizer_options", "qk_norm", "qk_norm_weights", "sinks"),
)
_OWN = (
    *("n_heads", "n_kv_heads", "positions", "output_projection", "output_gate"),
    "batch_first",
)
NAMES = (*_OWN, *_OF_ATTENTION, *_ROPE)
"""The options; others go by `_ALIASES`."""


@dataclass(frozen=True, slots=True)
class Intention:
    """The variant that an implementation is meant to compute, before its arrays.

    Parameters
    ----------
    n_heads, n_kv_heads : int or None
        Numbers of heads; None where the options do not tell.
    positions : Positions or None
        The position scheme.
    table : array_like or None
        Learned positions.
    output_projection : bool or None
        Whether W_O follows; None where it does if there is one.
    output_gate : {"elementwise", "headwise"} or None
        What has a gate; None where the columns of W_G tell, if there is one.
    batch_first : bool
        Whether the first axis of X is that of the batch, rather than the second.
    options : Options
        Those of `attention`, with the mask and the bias if they were given here.
    """

    n_heads: int | None = None
    n_kv_heads: int | None = None
    positions: Positions | None = None
    table: ArrayLike | None = None
    output_projection: bool | None = None
    output_gate: OutputGate | None = None
    batch_first: bool = True
    options: Options = field(default_factory=Options)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Intention":
        """Return what options say.

        Parameters
        ----------
        given : mapping of str to Any
            `NAMES`, or other names for them. None counts as not given.

        Raises
        ------
        ValueError
            If an option is unknown, given twice, or of a wrong kind.
        """
        try:
            return cls._of(_named(given))
        except TypeError as error:
            raise ValueError(str(error)) from None

    @classmethod
    def _of(cls, options: dict[str, Any]) -> "Intention":
        scheme, table = scheme_and_table(options.get("positions"))
        if isinstance(scheme, RelativeBias):
            raise ValueError(
                "The 'positions' must not be a relative bias here: give what it adds "
                "to the scores as the bias. Got RelativeBias instead."
            )
        if isinstance(scheme, Rotary) and scheme.axes is not None:
            raise ValueError(
                "The 'positions' must be along one axis here. Got Rotary along "
                f"{scheme.axes.n_axes} axes instead."
            )
        projection, gate = options.get("output_projection"), options.get("output_gate")
        if gate is not None:
            check_name("output_gate", gate, get_args(OutputGate))
        own = {name: options[name] for name in _OF_ATTENTION if name in options}
        if "window" in own:
            own["window"] = _window(own["window"])
        checked = Options(**own, dtype=np.float64)
        intention = cls(
            n_heads=_count(options, "n_heads"),
            n_kv_heads=_count(options, "n_kv_heads"),
            positions=_rotated(scheme, options),
            table=table,
            output_projection=None if projection is None else flag("W_O", projection),
            output_gate=gate,
            batch_first=flag("batch_first", options.get("batch_first", True)),
            options=checked,
        )
        # What every batch item has of its own is checked with the arrays.
        alone = replace(checked, query_offset=0, key_lengths=None)
        heads = intention.n_heads or intention.n_kv_heads or 1
        alone.spec((), n_heads=heads, n_kv_heads=intention.n_kv_heads)
        return intention


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for name, value in given.items():
        called = _ALIASES.get(name, name)
        check_name("option", called, (*NAMES, *_ALIASES))
        if value is None:
            continue
        if called in options:
            raise ValueError(
                f"The '{called}' must be given once. Got it twice instead."
            )
        options[called] = value
    return options


def _count(options: Mapping[str, Any], name: str) -> int | None:
    value = options.get(name)
    return None if value is None else whole_number(name, value, 1)


def _window(value: Any) -> Window:
    """Return how many keys a query sees on each side.

    A number counts the own key and those before it, as in Mistral's configuration.
    """
    if isinstance(value, int | np.integer):
        return whole_number("window", value, 1) - 1, 0
    sides: Window = tuple(value) if isinstance(value, list) else value
    return sides


def _rotated(scheme: Positions | None, options: Mapping[str, Any]) -> Positions | None:
    """Return the scheme with the options that are about RoPE."""
    fields = {field: options[name] for name, field in _ROPE.items() if name in options}
    if not fields:
        return scheme
    if not isinstance(scheme, Rotary):
        name = next(name for name in _ROPE if name in options)
        raise ValueError(
            f"The '{name}' must be given with positions = rope. Got it without instead."
        )
    if "interleaved" in fields:
        fields["interleaved"] = flag("rope_interleaved", fields["interleaved"])
    return replace(scheme, **fields)
