"""The tokenizer of a checkpoint."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

from attnviewer.io.errors import FileFormatError
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import shortened
from attnviewer.models.tokenizing.growth import Growth, TooLargeError
from attnviewer.models.tokenizing.vocabulary import Encoded, Vocabulary

if TYPE_CHECKING:
    import tokenizers

LONGEST_TEXT = 2**20
"""Maximum length of a text, in bytes of UTF-8."""
LARGEST_FILE = 128 * 2**20
"""Maximum size of ``tokenizer.json``, in bytes; real ones have up to 35 million."""
_LONGEST_REASON = 200
_INSTEAD = (
    "Token ids or a list of tokens can be given instead, on the command line with "
    "--ids or --tokens."
)


class MissingTokenizersError(ValueError):
    """A text cannot be encoded: the package for it is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Texts need the package 'tokenizers', which is not installed: "
            f"pip install 'attnviewer[models]'. {_INSTEAD}"
        )


class MissingRulesError(ValueError):
    """A text cannot be encoded or decoded: the checkpoint lists its tokens alone."""

    def __init__(self) -> None:
        super().__init__(
            "Texts need the checkpoint's file tokenizer.json, which is missing. "
            + _INSTEAD
        )


class Tokenizer:
    """Splits texts into the tokens of a checkpoint, and names its tokens.

    Parameters
    ----------
    vocabulary : Vocabulary
        The tokens that the checkpoint knows.
    rules : Path or None
        Its ``tokenizer.json``, which says how texts are split. Without it, only
        tokens can be looked up and named.
    notices : sequence of str
        Settings of other files that contradict the rules, a sentence for each.
    content : callable, optional
        Returns what a ``tokenizer.json`` would hold, of `rules` that are another file.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        rules: Path | None,
        notices: Sequence[str] = (),
        content: Callable[[], bytes] | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._rules = rules
        self._content = content
        self._growth: Growth | None = None
        self.notices = tuple(notices)

    @property
    def n_tokens(self) -> int:
        """The size of the vocabulary with all added tokens: the largest id plus one."""
        return self._vocabulary.n_tokens

    def encode(self, text: str) -> Encoded:
        """Return the tokens of a whole text, special ones included.

        Nothing is cut off or padded. An unknown word becomes the vocabulary's unknown
        token, as the model sees it.

        Parameters
        ----------
        text : str
            At most `LONGEST_TEXT` bytes in UTF-8.

        Raises
        ------
        MissingTokenizersError
            If the package ``tokenizers`` is not installed.
        ValueError
            If the text is too long or not a string, or the checkpoint does not say how
            texts are split.
        FileError
            If its file cannot be read any more, or (`FileFormatError`) is unusable.
        """
        _check(text)
        if self._rules is None:
            raise MissingRulesError
        library = self._library
        with _refusals(self._rules):
            assert self._growth is not None
            self._growth.check(text)
            ids = tuple(library.encode(text).ids)
        tokens = self.name(ids)
        for number, token in zip(ids, tokens, strict=True):
            self._check_same(number, token, self._used(number))
        return Encoded(ids, tokens)

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of ids, without special tokens.

        Raises
        ------
        MissingTokenizersError
            If the package ``tokenizers`` is not installed.
        ValueError
            If the checkpoint does not say how texts are split.
        FileError
            As in `encode`.
        """
        if self._rules is None:
            raise MissingRulesError
        library = self._library
        with _refusals(self._rules):
            text: str = library.decode(list(ids))
        return text

    def look_up(self, tokens: Sequence[str]) -> Encoded:
        """Return a list of tokens with their ids. Nothing is split or added.

        Parameters
        ----------
        tokens : sequence of str
            As the vocabulary spells them.

        Raises
        ------
        ValueError
            If one is not in the vocabulary; names the nearest tokens.
        """
        return self._vocabulary.look_up(tokens)

    def id_of(self, token: str) -> int:
        """Return the id of a token, spelled as in the vocabulary or as a text.

        Parameters
        ----------
        token : str
            The token; a text must be split into one token, special ones not counted.

        Raises
        ------
        ValueError
            If it is unknown or several tokens; names the nearest, or what they are.
        """
        if token not in self._vocabulary:
            ids = self._split(token)
            pieces = self.readable(self.name(ids))
            if len(ids) > 1:
                raise ValueError(
                    f"The 'token' must be a single token. Got '{shortened(token)}' "
                    f"instead, which is split into {shortened(', '.join(pieces))}."
                )
            # A text that the vocabulary lacks becomes its unknown token.
            if ids and pieces[0].strip("␣").casefold() == token.strip().casefold():
                return ids[0]
        return self._vocabulary.id_of(token)

    def _split(self, text: str) -> list[int]:
        """Return the ids of a text without special ones; none if it cannot be split."""
        if self._rules is None:
            return []
        try:
            special = set(self.encode("").ids)
            return [id for id in self.encode(text).ids if id not in special]
        except MissingTokenizersError:
            return []

    def name(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return the tokens of ids; an id that has none is written as ``#123``."""
        return self._vocabulary.name(ids)

    def readable(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return tokens in readable form.

        Spaces and line breaks are visible, ``ĠcafÃ©`` and ``▁café`` become ``␣café``,
        bytes of an incomplete character ``<0xE6>``. Parts of words, ``##u``, stay.
        """
        return self._vocabulary.readable(tokens)

    @cached_property
    def _library(self) -> "tokenizers.Tokenizer":
        assert self._rules is not None
        try:
            import tokenizers
        except ImportError:
            raise MissingTokenizersError from None
        if self._content is not None:
            data = self._content()
        else:
            data = read_bounded(self._rules, LARGEST_FILE)
        with _refusals(self._rules):
            library = tokenizers.Tokenizer.from_buffer(data)
            self._growth = Growth(data)
        library.no_truncation()
        library.no_padding()
        return library

    @cached_property
    def _added(self) -> dict[int, str]:
        added = self._library.get_added_tokens_decoder()
        return {number: token.content for number, token in added.items()}

    def _used(self, number: int) -> str | None:
        # From 0.23 on `id_to_token` returns the normalised form of an added token.
        return self._added.get(number) or self._library.id_to_token(number)

    def _check_same(self, number: int, token: str, used: str | None) -> None:
        # The library renumbers added tokens where the file leaves gaps.
        if token != used:
            assert self._rules is not None
            reason = (
                f"It gives the id {number} to '{shortened(token)}', "
                f"the package 'tokenizers' to '{shortened(used or '')}'. {_INSTEAD}"
            )
            raise FileFormatError(self._rules, reason)


def _check(text: str) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError as error:
        half = ascii(text[error.start])[1:-1]
        raise ValueError(
            "The text must not hold an unpaired surrogate (half a character). "
            f"Got {half} instead."
        ) from None
    if size > LONGEST_TEXT:
        raise ValueError(
            f"The text must be at most {LONGEST_TEXT:,} bytes long. "
            f"Got {size:,} bytes instead."
        )


@contextmanager
def _refusals(rules: Path) -> Iterator[None]:
    """Turn the library's complaints about a file into errors."""
    try:
        yield
    except TooLargeError as error:
        raise FileFormatError(rules, f"{error} {_INSTEAD}") from error
    except BaseException as error:
        # A panic raises a BaseException without a public name.
        panics = type(error).__name__ == "PanicException"
        if not isinstance(error, Exception) and not panics:
            raise
        message = shorten(str(error).rstrip("."), _LONGEST_REASON, placeholder=" …")
        reason = f"The package 'tokenizers' cannot use it: {message}."
        raise FileFormatError(rules, reason) from error
