"""Tokens that spell bytes, such as ``<0xC3>``, and the characters they are part of."""

import re
from collections.abc import Iterator, Sequence

BYTE = re.compile(r"<0x([0-9A-F]{2})>")
_BYTES = re.compile(rf"(?:{BYTE.pattern})+")
_FAILED = "surrogateescape"


def decoded(text: str) -> str:
    """Return a text with its bytes as characters; incomplete ones stay bytes."""
    return _BYTES.sub(lambda found: "".join(_characters(found[0])), text)


def with_characters(tokens: Sequence[str]) -> list[str]:
    """Return tokens in which each byte is the character that it is part of.

    ``f``, ``<0xC3>``, ``<0xA9>`` become ``f``, ``é``, ``é``. A byte of an incomplete
    character becomes a surrogate.
    """
    if not any(BYTE.search(token) for token in tokens):
        return list(tokens)
    whole = "".join(tokens)
    signs = list(whole)
    for found in _BYTES.finditer(whole):
        at = found.start()
        for sign in _bytes(found[0]).decode(errors=_FAILED):
            length = len("<0x00>") * len(sign.encode(errors=_FAILED))
            signs[at : at + length] = [sign] * length
            at += length
    parts, start = [], 0
    for token in tokens:
        parts.append("".join(signs[start : start + len(token)]))
        start += len(token)
    return parts


def _characters(spelt: str) -> Iterator[str]:
    for sign in _bytes(spelt).decode(errors=_FAILED):
        is_failed = "\udc80" <= sign <= "\udcff"
        yield f"<0x{ord(sign) - 0xDC00:02X}>" if is_failed else sign


def _bytes(spelt: str) -> bytes:
    return bytes.fromhex("".join(BYTE.findall(spelt)))
