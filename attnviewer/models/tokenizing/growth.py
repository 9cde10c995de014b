"""Bounds on how much a tokenizer's rules lengthen a text.

Rules are untrusted: a file of a kilobyte can blow a sentence up to gigabytes, and the
library sets no limit.
"""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from attnviewer.io.strict_json import bare, decode, shortened

if TYPE_CHECKING:
    from tokenizers.normalizers import Normalizer

LARGEST = 2**23
"""Maximum length of a rewritten text, in bytes of UTF-8."""
FACTOR, ROOM = 16, 4096
"""Maximum growth of a text: a factor, and additional bytes."""
MOST_STEPS = 64
"""Maximum number of steps in a sequence of rules; real ones have up to 10."""

Component = dict[str, Any]


class TooLargeError(ValueError):
    """A text that the rules would lengthen too much."""


class _Added(msgspec.Struct):
    content: str


class _Rules(msgspec.Struct):
    normalizer: Component | None = None
    pre_tokenizer: Component | None = None
    post_processor: Component | None = None
    added_tokens: list[_Added] = []


class Growth:
    """The growth of a text by a tokenizer's rules.

    Parameters
    ----------
    data : bytes
        The content of ``tokenizer.json``, which the library has accepted.
    """

    def __init__(self, data: bytes) -> None:
        rules = decode(bare(data), _Rules)
        self._added = [token.content for token in rules.added_tokens if token.content]
        self._normalizers = _steps(rules.normalizer, "normalizers")
        self._pre_tokenizers = _steps(rules.pre_tokenizer, "pretokenizers")
        self._post_processors = _steps(rules.post_processor, "processors")
        self._apply: dict[int, Normalizer] = {}

    def check(self, text: str) -> None:
        """Check that the rules do not make a text too long.

        Each normaliser is bounded before it is applied, so that this takes about as
        long as normalising the text does.

        Raises
        ------
        TooLargeError
            With the name of the rule that would make it too long.
        """
        limit = min(FACTOR * len(text.encode()) + ROOM, LARGEST)
        # Normalisers act on the texts between added tokens separately.
        parts = 1 + sum(text.count(token) for token in self._added)
        for number, component in enumerate(self._normalizers):
            for key, bound in _BOUNDS.items():
                if key in component:
                    _check(component, bound(component, text, parts), limit)
            text = self._normalized(number, text, limit)
            _check(component, len(text.encode()), limit)
        size = len(text.encode())
        for component in self._pre_tokenizers:
            # Byte-level: each byte beyond ASCII becomes a letter of two bytes.
            if _name(component) == "ByteLevel":
                size *= 2
                _check(component, size, 2 * limit)
        for component in self._post_processors:
            size = _repeated(component, size)
            _check(component, size, 4 * limit)

    def _normalized(self, number: int, text: str, limit: int) -> str:
        """Return a text after a normalising step."""
        component = self._normalizers[number]
        if number not in self._apply:
            self._apply[number] = _normalizer(component)
        normalize: Callable[[str], str] = self._apply[number].normalize_str
        table = component.get("precompiled_charsmap")
        if not table:
            return normalize(text)
        # The replacements of letters are in a table that is not read here, so growth is
        # measured on pieces short enough to be safe.
        _check(component, len(table), LARGEST)
        at_once, size = max(1, limit // len(table)), 0
        for first in range(0, len(text), at_once):
            size += len(normalize(text[first : first + at_once]).encode())
            _check(component, size, limit)
        return normalize(text)


def _steps(component: Component | None, parts: str) -> list[Component]:
    """Return the components of a sequence, flattened."""
    steps = list(_flat(component, parts)) if component is not None else []
    if len(steps) > MOST_STEPS:
        raise TooLargeError(
            f"It has {len(steps):,} {parts}; at most {MOST_STEPS} are used."
        )
    return steps


def _flat(component: Component, parts: str) -> Iterator[Component]:
    if parts not in component:
        yield component
        return
    for part in component[parts]:
        yield from _flat(part, parts)


def _normalizer(component: Component) -> "Normalizer":
    import tokenizers

    rules = {
        "version": "1.0",
        "added_tokens": [],
        "normalizer": component,
        "model": {"type": "WordLevel", "vocab": {}, "unk_token": ""},
    }
    normalizer: Normalizer = tokenizers.Tokenizer.from_str(json.dumps(rules)).normalizer
    return normalizer


def _check(component: Component, size: int, limit: int) -> None:
    if size > limit:
        raise TooLargeError(
            f"Its '{_name(component)}' would turn this text into more than {limit:,} "
            "bytes."
        )


def _name(component: Component) -> str:
    """Return the name of a component; the library accepts some without a type."""
    named = (name for key, name in _KEYS.items() if key in component)
    return shortened(str(component.get("type") or next(named, "rule")))


def _replaced(component: Component, text: str, _parts: int) -> int:
    pattern = component.get("pattern", {})
    found = pattern.get("String")
    # A regular expression may match between any two letters, like "".
    matches = text.count(found) if found else len(text) + 1
    return len(text.encode()) + matches * len(component.get("content", "").encode())


def _prepended(component: Component, text: str, parts: int) -> int:
    return len(text.encode()) + parts * len(component.get("prepend", "").encode())


_KEYS = {
    "content": "Replace",
    "prepend": "Prepend",
    "precompiled_charsmap": "Precompiled",
    "trim_offsets": "ByteLevel",
    "single": "TemplateProcessing",
}
"""Types of components by a field unique to them."""
_BOUNDS: dict[str, Callable[[Component, str, int], int]] = {
    "content": _replaced,
    "prepend": _prepended,
}
"""The bound on each component's growth; others lengthen each letter by a constant."""


def _repeated(component: Component, size: int) -> int:
    """Return the most tokens that a post-processor makes of some tokens."""
    if "single" not in component or isinstance(component["single"], str):
        return size
    special, total = component.get("special_tokens", {}), 0
    for piece in component["single"]:
        if "SpecialToken" in piece:
            known = special.get(piece["SpecialToken"].get("id"), {})
            total += len(known.get("ids", ()))
        else:
            total += size
    return total
