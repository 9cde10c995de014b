"""A sentence becomes tokens, as a reader would take it apart."""

import re
import unicodedata

MOST_SIGNS = 200_000
"""Signs of a text that can be taken apart."""

# What is looked at is the shape of a text: each sign replaced by a letter for its
# kind, as no expression knows marks and symbols by themselves.
_LETTER, _DIGIT, _MARK, _JOINER, _BLANK = "L", "D", "M", "J", "S"
_SYMBOL, _FLAG, _OTHER = "E", "R", "O"
_OWN_KINDS = {"'": "A", "’": "A", "-": "A", "‐": "A", ".": "P", ",": "C", "_": _LETTER}
_JOINERS = {"\u200c", "\u200d"}
_TOKEN = re.compile(
    # A word or a number: apostrophe and hyphen inside, a point or the commas of
    # thousands between digits.
    r"[LD][LDMJ]*(?:(?:A|(?<=D)P(?=D)|(?<=D)C(?=DDD(?!D)))[LD][LDMJ]*)*"
    r"|RR"  # two letters of a country make one flag
    r"|EM*(?:JEM*)*"  # a symbol, or several joined to one
    r"|[^S]M*"
)


def split_sentence(text: str) -> tuple[str, ...]:
    """Return the words and the punctuation marks of a text.

    Words keep the apostrophes and hyphens inside them, numbers their point and the
    commas of their thousands; every other mark is a token of its own. Letters of all
    scripts make words, with their combining marks; scripts that do not part words are
    not parted. Symbols that are drawn as one, such as flags and families, are one.

    Parameters
    ----------
    text : str
        Any text of at most `MOST_SIGNS` signs.

    Returns
    -------
    tuple of str
        The tokens: all signs of the text but its blanks, in their order.

    Raises
    ------
    ValueError
        If the text is too long.
    """
    if len(text) > MOST_SIGNS:
        raise ValueError(
            f"The text must have at most {MOST_SIGNS:,} signs. "
            f"Got {len(text):,} instead."
        )
    shape = text.translate(_KINDS)
    return tuple(text[slice(*match.span())] for match in _TOKEN.finditer(shape))


class _Kinds(dict[int, str]):
    """The letters for signs, each found out when it is met first."""

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
        return _MARK  # tones of skin, and the letters in flags of regions
    category = unicodedata.category(sign)
    if category == "So":
        return _SYMBOL
    return {"L": _LETTER, "N": _DIGIT, "M": _MARK}.get(category[0], _OTHER)
