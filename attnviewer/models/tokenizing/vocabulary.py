"""Tokens and their ids."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from attnviewer.io.strict_json import shortened
from attnviewer.models.tokenizing.token_encoding import TokenEncoding
from attnviewer.models.vision import Picture

_MARKS = "#Ġ▁ "
"""Prefixes of the first or the later parts of a word, and the space they stand for."""
_MOST_NEAREST = 3


class Encoded(NamedTuple):
    """An encoded text or list of tokens.

    Parameters
    ----------
    ids : tuple of int
        The ids of the tokens.
    tokens : tuple of str
        As the vocabulary spells them: ``[CLS]``, ``##u``, ``Ġthe``.
    text : str
        The text that was split; "" if tokens or ids were given.
    picture : Picture or None
        The picture whose patches the tokens are.
    """

    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    text: str = ""
    picture: Picture | None = None


class Vocabulary:
    """The tokens that a checkpoint knows.

    Parameters
    ----------
    ids : mapping of str to int
        The ids of the tokens that texts are split into.
    added : mapping of str to int
        The ids of added tokens, which are spelt in readable form.
    spelling : TokenEncoding
        How the others are spelt.
    """

    def __init__(
        self, ids: Mapping[str, int], added: Mapping[str, int], spelling: TokenEncoding
    ) -> None:
        self._ids = {**ids, **added}
        self._tokens = {number: token for token, number in self._ids.items()}
        self._tokens |= {number: token for token, number in added.items()}
        self._added = added.keys()
        self._spelling = spelling
        self.n_tokens = max(self._tokens, default=-1) + 1

    def __contains__(self, token: str) -> bool:
        return token in self._ids

    def id_of(self, token: str) -> int:
        """Return the id of a token.

        Raises
        ------
        ValueError
            If it is unknown; names the nearest.
        """
        if token not in self._ids:
            raise ValueError(self._unknown("The 'token'", token))
        return self._ids[token]

    def look_up(self, tokens: Sequence[str]) -> Encoded:
        """Return tokens with their ids, see `Tokenizer.look_up`."""
        for index, token in enumerate(tokens):
            if token not in self._ids:
                raise ValueError(
                    self._unknown("Each token", token, f" (token {index})")
                )
        return Encoded(tuple(self._ids[token] for token in tokens), tuple(tokens))

    def name(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return the tokens of ids, see `Tokenizer.name`."""
        return tuple(self._tokens.get(number, f"#{number}") for number in ids)

    def readable(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return tokens in readable form, see `Tokenizer.readable`."""
        return tuple(
            (TokenEncoding.AS_IS if token in self._added else self._spelling).readable(
                token
            )
            for token in tokens
        )

    def _unknown(self, what: str, token: str, place: str = "") -> str:
        nearest = " or ".join(f"'{shortened(near)}'" for near in self._nearest(token))
        hint = f" Did you mean {nearest}?" if nearest else ""
        return (
            f"{what} must be in the vocabulary of the model. "
            f"Got '{shortened(token)}' instead{place}.{hint}"
        )

    def _nearest(self, token: str) -> list[str]:
        core = _core(token)
        # Comparing with the whole of a large vocabulary would take seconds.
        near: dict[str, list[str]] = {}
        for known in self._ids:
            if abs(len(known) - len(token)) <= _MOST_NEAREST:
                other = _core(known)
                if other[:1] == core[:1]:
                    near.setdefault(other, []).append(known)
        closest = get_close_matches(core, near, n=_MOST_NEAREST)
        found = [known for other in closest for known in near[other]]
        return found[:_MOST_NEAREST]


def _core(token: str) -> str:
    return token.lstrip(_MARKS).lower() or token
