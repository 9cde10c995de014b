"""The fields of a spec as typed on the command line: ``scale=1/8,window=[3,0]``."""

import re
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from attnviewer.compute import NORMALIZERS, Alibi, Rotary, RotaryAxes, Sinusoidal
from attnviewer.compute.length_scale import NAMED as LENGTH_SCALES
from attnviewer.compute.length_scale import LengthScale
from attnviewer.compute.spec import OutputGate
from attnviewer.document.edits import EditError
from attnviewer.document.text.parsing import parse_number

_SCHEMES: dict[str, type[Rotary | Alibi | Sinusoidal]] = {
    "rope": Rotary,
    "alibi": Alibi,
    "sinusoidal": Sinusoidal,
}
_AXES = {
    "sections": "sections",
    "mrope_interleaved": "interleaved",
    "own_frequencies": "own_frequencies",
}
"""The options of rope that are fields of its axes; `interleaved` is its own."""
_SCHEME = re.compile(r"([a-z]+)(?:\[(.*)\])?", re.DOTALL)
_WHOLE = re.compile("-?[0-9]{1,9}")


def _number(text: str) -> float:
    try:
        return parse_number(text)
    except ValueError as error:
        raise EditError(f"It must be a number. {error}") from None


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise EditError(f"It must be a whole number. Got '{text}' instead.")
    return int(text)


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise EditError(f"It must be 0 or 1. Got '{text}' instead.")
    return text == "1"


def _window(text: str) -> tuple[int | None, int | None]:
    sides = [side.strip() for side in bracketed(text, "[3,0]")]
    if len(sides) != 2:
        raise EditError(
            "It must say how many keys a query sees to its left and right, as in "
            f"[3,0]; a side left empty has no limit, as in [3,]. Got '{text}' instead."
        )
    left, right = (_whole(side) if side else None for side in sides)
    return left, right


def _normalizer(text: str) -> str:
    if text not in NORMALIZERS:
        known = ", ".join(NORMALIZERS)
        raise EditError(f"It must be one of {known}. Got '{text}' instead.")
    return text


def _length_scale(text: str) -> LengthScale:
    if text not in LENGTH_SCALES:
        known = ", ".join(LENGTH_SCALES)
        raise EditError(f"It must be one of {known}. Got '{text}' instead.")
    return LENGTH_SCALES[text]


def _output_gate(text: str) -> str:
    known = get_args(OutputGate)
    if text not in known:
        raise EditError(f"It must be one of {', '.join(known)}. Got '{text}' instead.")
    return text


def _sections(text: str) -> tuple[int, ...]:
    return tuple(_whole(part.strip()) for part in text.split(":"))


def _positions(text: str) -> Rotary | Alibi | Sinusoidal:
    match = _SCHEME.fullmatch(text)
    if match is None or match[1] not in _SCHEMES:
        known = ", ".join(_SCHEMES)
        raise EditError(
            f"It must be one of {known}, with options as in rope[base=500000], or P "
            f"be an array. Got '{text}' instead."
        )
    scheme = _SCHEMES[match[1]]
    readers = _option_readers(scheme)
    options: dict[str, Any] = {}
    for part in (match[2] or "").split(",") if match[2] else ():
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in readers:
            known = ", ".join(readers) or "none"
            raise EditError(
                f"The options of {match[1]} are {known}. Got '{name}' instead."
            )
        options[name] = readers[name](value)
    axes = {field: options.pop(n) for n, field in _AXES.items() if n in options}
    if axes:
        if "sections" not in axes:
            raise EditError("The axes of rope must have sections=16:24:24.")
        options["axes"] = RotaryAxes(**axes)
    return scheme(**options)


def _option_readers(
    scheme: type[Rotary | Alibi | Sinusoidal],
) -> dict[str, Callable[[str], Any]]:
    """Return the reader of each option of a scheme that takes a single value."""
    kinds: dict[Any, Callable[[str], Any]] = {
        float: _number,
        int: _whole,
        int | None: _whole,
        bool: _flag,
    }
    hints = get_type_hints(scheme)
    own = {name: kinds[kind] for name, kind in hints.items() if kind in kinds}
    if scheme is Rotary:
        own |= {name: _sections if name == "sections" else _flag for name in _AXES}
    return own


CHOICES: MappingProxyType[str, Callable[[str], Any]] = MappingProxyType(
    {
        "causal": _flag,
        "scale": _number,
        "length_scale": _length_scale,
        "output_gate": _output_gate,
        "softcap": _number,
        "window": _window,
        "chunk": _whole,
        "positions": _positions,
        "normalizer": _normalizer,
        "temperature": _number,
    }
)
"""The reader of each choice, by its name in `Spec`."""


def bracketed(text: str, example: str) -> list[str]:
    """Return the comma-separated items in brackets, as in the example.

    Raises
    ------
    EditError
        If there are no brackets.
    """
    if not (text.startswith("[") and text.endswith("]")):
        raise EditError(
            f"It must be a list in brackets, as in {example}. Got '{text}' instead."
        )
    return text[1:-1].split(",")
