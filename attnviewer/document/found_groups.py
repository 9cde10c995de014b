"""Groups that tokens show by themselves: words, sentences, segments and speakers."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from attnviewer.document.byte_tokens import BYTE, decoded, with_characters
from attnviewer.document.token_groups import LONGEST_NAME, TokenGroup

Groups = tuple[TokenGroup, ...]

_CONTINUED = "##"
_BLANKS = "␣Ġ▁ "
"""What a token that begins a word starts with, as tokenizers spell it."""
_SPECIAL = re.compile(r"\[[A-Z]+\d*\]|</?[a-z_]+\d*>|<\|[^|]*\|>|<[｜|].*[｜|]>")
_SEPARATOR = re.compile(r"\[SEP\]|</s>|<sep>|<eos>|<\|end\w*\|>|<\|eot\w*\|>")
_LINE_BREAKS = str.maketrans({"Ċ": "⏎", "ĉ": "⇥"})
"""As byte-level vocabularies spell them, with Ġ for a blank."""
_STOPS = re.compile(r"[.!?…。！？]+[\"'”’»)\]]*\Z")
_CLOSING = re.compile(r"[\"'”’»)\]]+")
_COLONS = {":", "："}


def words(tokens: Sequence[str]) -> Groups:
    """Return the words that tokenizers have split.

    The tokens must be spelt as tokenizers do: later parts with ``##``, or first parts
    with a blank (``␣``, ``Ġ``, ``▁``). Letters, digits and punctuation are words of
    their own, as in the tokenizer of GPT-2. A blank that is a token of its own belongs
    to the word after it. Words of one token are no groups.
    """
    if any(token.startswith("Ġ") for token in tokens):
        tokens = [token.translate(_LINE_BREAKS) for token in tokens]
    if any(token.startswith(_CONTINUED) for token in tokens):
        return _named_words(tokens, _continues_piece)
    if any(token[:1] in _BLANKS for token in tokens if token):
        return _named_words(tokens, _continues_letters)
    return ()


def sentences(tokens: Sequence[str]) -> Groups:
    """Return the sentences: up to a full stop, a question or an exclamation mark.

    Special tokens such as ``[CLS]`` belong to none.
    """
    return _numbered("sentence", tokens, _sentence_ends)


def segments(tokens: Sequence[str]) -> Groups:
    """Return the parts between separators such as ``[SEP]`` and ``</s>``.

    Special tokens at their ends belong to none. Without a separator there are none.
    """
    if not any(map(_SEPARATOR.fullmatch, tokens)):
        return ()
    return _numbered("segment", tokens, lambda tokens, at: False)


def speakers(tokens: Sequence[str]) -> Groups:
    """Return what each speaker says: from ``Name:`` to the next.

    A name is a word at the beginning of the text, of a line, or after the end of a
    sentence, with a colon after it.
    """
    starts: list[tuple[int, str]] = []
    pieces = {group.start: group for group in words(tokens)}
    for at, token in enumerate(tokens):
        word = pieces.get(at, TokenGroup(_bare(token), at, at + 1))
        colon = word.stop < len(tokens) and _bare(tokens[word.stop]) in _COLONS
        if colon and word.name.isalnum() and _may_speak(tokens, at):
            starts.append((at, word.name))
    return tuple(
        TokenGroup(name, at, _without_special(tokens, at, end))
        for (at, name), (end, _) in pairwise([*starts, (len(tokens), "")])
    )


FOUND: Mapping[str, Callable[[Sequence[str]], Groups]] = MappingProxyType(
    {
        "words": words,
        "sentences": sentences,
        "segments": segments,
        "speakers": speakers,
    }
)
"""How groups of each kind are found; none where the tokens do not show any."""


def _named_words(
    tokens: Sequence[str], continues: Callable[[str, str], bool]
) -> Groups:
    spelt = with_characters(tokens)
    starts = [
        at
        for at, token in enumerate(spelt)
        if not at or not continues(spelt[at - 1], token)
    ]
    return tuple(
        TokenGroup(_name(tokens[start:stop]), start, stop)
        for start, stop in zip(starts, [*starts[1:], len(tokens)], strict=True)
        if stop - start > 1
    )


def _name(parts: Sequence[str]) -> str:
    return decoded("".join(map(_bare, parts)))[:LONGEST_NAME] or "␣"


def _continues_piece(_before: str, token: str) -> bool:
    return token.startswith(_CONTINUED) and token != _CONTINUED


def _continues_letters(before: str, token: str) -> bool:
    if _is_special(before) or _is_special(token):
        return False
    if not token or not before or token[0] in _BLANKS:
        return False
    if len(before) == 1 and before in _BLANKS:
        return _class(token, 0) != ""
    return _class(before, -1) == _class(token, 0) != ""


def _class(token: str, at: int) -> str:
    """Return what a sign of a token is: L, N or P; "" for a blank or a line break."""
    sign = token[at]
    kind = unicodedata.category(sign)
    if sign in _BLANKS or sign in "⏎⇥" or kind == "Cc":
        return ""
    # A surrogate is a byte of a character that is cut off.
    return "L" if kind == "Cs" else {"L": "L", "M": "L", "N": "N"}.get(kind[0], "P")


def _numbered(
    kind: str, tokens: Sequence[str], ends: Callable[[Sequence[str], int], bool]
) -> Groups:
    spans = list(_spans(tokens, ends))
    return tuple(TokenGroup(f"{kind} {k}", *span) for k, span in enumerate(spans, 1))


def _spans(
    tokens: Sequence[str], ends: Callable[[Sequence[str], int], bool]
) -> Iterator[tuple[int, int]]:
    """Yield the spans between special tokens, each up to where `ends` says so."""
    start = None
    for at, token in enumerate(tokens):
        if _is_special(token):
            if start is not None:
                yield start, at
            start = None
            continue
        start = at if start is None else start
        if ends(tokens, at):
            yield start, at + 1
            start = None
    if start is not None:
        yield start, len(tokens)


def _sentence_ends(tokens: Sequence[str], at: int) -> bool:
    """Return whether a sentence ends with a token, its closing quotes included."""
    following = _raw(tokens[at + 1]) if at + 1 < len(tokens) else ""
    if _CLOSING.fullmatch(following) or _STOPS.match(following):
        return False
    while at > 0 and _CLOSING.fullmatch(_bare(tokens[at])):
        at -= 1
    return _STOPS.search(_bare(tokens[at])) is not None


def _may_speak(tokens: Sequence[str], at: int) -> bool:
    if at == 0 or _is_special(tokens[at - 1]):
        return True
    before = _bare(tokens[at - 1])
    return before.endswith(("⏎", "\n")) or _STOPS.search(before) is not None


def _without_special(tokens: Sequence[str], start: int, stop: int) -> int:
    """Return the end of a span without the special tokens at its end."""
    while stop - 1 > start and _is_special(tokens[stop - 1]):
        stop -= 1
    return stop


def _is_special(token: str) -> bool:
    return _SPECIAL.fullmatch(token) is not None and not BYTE.fullmatch(token)


def _raw(token: str) -> str:
    return token.removeprefix(_CONTINUED)


def _bare(token: str) -> str:
    """Return a token without what marks its place in a word."""
    return _raw(token).lstrip(_BLANKS)
