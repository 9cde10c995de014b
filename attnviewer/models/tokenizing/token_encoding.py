"""The encoding of spaces and letters in vocabularies, and the readable form."""

from enum import Enum

from attnviewer.one_line import one_line

BLANK = "␣"
_SHOWN = str.maketrans({" ": BLANK, "\n": "⏎", "\t": "⇥"})
_SENTENCEPIECE_BLANK = "▁"


def _byte_signs() -> dict[str, int]:
    # The table of GPT-2: bytes that are visible in Latin-1 stand for themselves, the
    # others become the characters from U+0100 on.
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in visible]
    signs = {chr(byte): byte for byte in visible}
    return signs | {chr(0x100 + k): byte for k, byte in enumerate(others)}


BYTE_SIGNS = _byte_signs()
"""The characters for bytes in byte-level vocabularies, such as ``Ġ`` for a space."""


class TokenEncoding(Enum):
    """The encoding in which a vocabulary spells its tokens."""

    AS_IS = "as is"
    """Plain text; WordPiece marks the later parts of a word: ``##u``."""
    BYTES = "bytes"
    """UTF-8, one character per byte: ``ĠcafÃ©``."""
    SENTENCEPIECE = "SentencePiece"
    """With a special character for spaces: ``▁café``."""

    def readable(self, token: str) -> str:
        """Return a token in readable form, with visible spaces and line breaks.

        Bytes of an incomplete character are written as ``<0xE6>``.
        """
        if self is TokenEncoding.BYTES and BYTE_SIGNS.keys() >= set(token):
            spelt = bytes(BYTE_SIGNS[sign] for sign in token)
            token = "".join(map(_whole, spelt.decode("utf-8", "surrogateescape")))
        elif self is TokenEncoding.SENTENCEPIECE:
            token = token.replace(_SENTENCEPIECE_BLANK, " ")
        return one_line(token.translate(_SHOWN))


def _whole(sign: str) -> str:
    # Undecodable bytes have become surrogates from U+DC80 on.
    escaped = "\udc80" <= sign <= "\udcff"
    return f"<0x{ord(sign) - 0xDC00:02X}>" if escaped else sign
