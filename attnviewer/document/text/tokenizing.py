"""Splitting a sentence into words and punctuation."""

import re
import unicodedata

MOST_SIGNS = 200_000
"""Maximum number of characters of a text that is split."""

# The patterns match the shape of a text: each character is replaced by a letter for its
# kind, as regular expressions have no classes for marks and symbols.
_LETTER, _DIGIT, _MARK, _JOINER, _BLANK = "L", "D", "M", "J", "S"
_SYMBOL, _FLAG, _OTHER = "E", "R", "O"
_OWN_KINDS = {"'": "A", "’": "A", "-": "A", "‐": "A", ".": "P", ",": "C", "_": _LETTER}
_JOINERS = {"\u200c", "\u200d"}
_TOKEN = re.compile(
    # A word or a number: with apostrophes and hyphens, or with a decimal point or
    # thousands separators between digits.
    r"[LD][LDMJ]*(?:(?:A|(?<=D)P(?=D)|(?<=D)C(?=DDD(?!D)))[LD][LDMJ]*)*"
    r"|RR"  # two regional indicators are one flag
    r"|EM*(?:JEM*)*"  # a symbol, or several joined into one
    r"|[^S]M*"
)


def split_sentence(text: str) -> tuple[str, ...]:
    """Return the words and the punctuation marks of a text.

    Words keep inner apostrophes and hyphens, numbers their decimal point and thousands
    separators; every other mark is a token of its own. Letters of all scripts make
    words, with their combining marks; scripts without spaces are not split. Symbols
    that are drawn as one, such as flags and families, are one token.

    Parameters
    ----------
    text : str
        Any text of at most `MOST_SIGNS` characters.

    Returns
    -------
    tuple of str
        The tokens: all characters of the text but white space, in order.

    Raises
    ------
    ValueError
        If the text is too long.
    """
    if len(text) > MOST_SIGNS:
        raise ValueError(
            f"The text must have at most {MOST_SIGNS:,} characters. "
            f"Got {len(text):,} instead."
        )
    shape = text.translate(_KINDS)
    return tuple(text[slice(*match.span())] for match in _TOKEN.finditer(shape))


class _Kinds(dict[int, str]):
    """The kind of each character, looked up on first use."""

    def __missing__(self, code: int) -> str:
        kind = self[code] = _kind(chr(code))
        return kind


_KINDS = _Kinds()


def _kind(sign: str) -> str:
    if sign.isspace():
        return _BLANK
    if sign in _OWN_KINDS:
        return _OWN_KINDS[sign]
    if sign in _JOINERS:
        return _JOINER
    if "\U0001f1e6" <= sign <= "\U0001f1ff":
        return _FLAG
    if "\U0001f3fb" <= sign <= "\U0001f3ff" or "\U000e0020" <= sign <= "\U000e007f":
        return _MARK  # skin tones, and the letters in flags of regions
    category = unicodedata.category(sign)
    if category == "So":
        return _SYMBOL
    return {"L": _LETTER, "N": _DIGIT, "M": _MARK}.get(category[0], _OTHER)
