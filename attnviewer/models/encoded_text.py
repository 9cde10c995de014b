"""Texts, tokens or ids as the input of a model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from attnviewer.compute.arguments import any_array
from attnviewer.io.strict_json import shortened
from attnviewer.models.tokenizing import Encoded, Tokenizer

if TYPE_CHECKING:
    from attnviewer.models.model import Model

Sentence: TypeAlias = str | Sequence[str] | ArrayLike
"""A text, its tokens, or their ids."""


def encoded_text(model: "Model", given: Sentence) -> Encoded:
    """Return what a model runs over.

    Parameters
    ----------
    model : Model
        The model.
    given : str, sequence of str, or array_like of int, shape (n,)
        A text, its tokens, or their ids.

    Raises
    ------
    TypeError
        If it is something else.
    ValueError
        If it is empty or too long, or a token or an id is unknown.
    """
    encoded = _checked(model, _encoded(model, given))
    if isinstance(given, str):
        encoded = encoded._replace(text=given)
    return encoded


def decoder_tokens(model: "Model", given: Sentence | None) -> Encoded:
    """Return what a decoder beside an encoder runs over, from its start token on.

    Parameters
    ----------
    model : Model
        The decoder.
    given : str, sequence of str, or array_like of int, shape (m,), optional
        A text, which the start token is put before; or all tokens or ids. None for the
        start token alone.

    Raises
    ------
    TypeError
        If it is something else.
    ValueError
        If there is no start token, or for the reasons of `encoded_text`.
    """
    start, end = model.architecture.start, model.architecture.end
    if given is not None and not isinstance(given, str):
        return encoded_text(model, given)
    if start is None:
        raise ValueError(
            "The 'decoder' must be given by tokens or ids, as the configuration "
            f"of {model.name} has no start token. Got "
            f"{'none' if given is None else 'text'} instead."
        )
    ids: tuple[int, ...] = ()
    if given is not None:
        ids = _encoded(model, given).ids
        if ids[-1:] == (end,):
            ids = ids[:-1]
    ids = (start, *ids)
    return _checked(model, Encoded(ids, model.names(ids)))


def shifted_tokens(model: "Model", ids: tuple[int, ...]) -> Encoded:
    """Return what a decoder runs over that classifies the sentence of the encoder.

    That is its start token, and the sentence without its last token.

    Raises
    ------
    ValueError
        If there is no start token, or it is too long.
    """
    begun = decoder_tokens(model, None)
    shifted = (*begun.ids, *ids[:-1])
    return _checked(model, Encoded(shifted, model.names(shifted)))


def _encoded(model: "Model", given: Sentence) -> Encoded:
    if isinstance(given, str):
        return _tokenizer(model).encode(given)
    if isinstance(given, np.ndarray) and given.dtype.kind == "U":
        given = given.tolist()
    if isinstance(given, Sequence) and any(isinstance(t, str) for t in given):
        for token in given:
            if not isinstance(token, str):
                raise TypeError(
                    "The sentence must be given by tokens or by ids, not both. "
                    f"Got {shortened(repr(token))} instead."
                )
        return _looked_up(model, [str(token) for token in given])
    numbers = any_array("sentence", given)
    if numbers.ndim == 2 and len(numbers) == 1:  # a batch of one
        numbers = numbers[0]
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise TypeError(
            "The sentence must be a text, a list of tokens, or ids of shape (n,). "
            f"Got {numbers.dtype} of shape {numbers.shape} instead. Several "
            "sentences are run one by one."
        )
    ids = tuple(numbers.tolist())
    return Encoded(ids, model.names(ids))


def _looked_up(model: "Model", tokens: list[str]) -> Encoded:
    try:
        return _tokenizer(model).look_up(tokens)
    except ValueError:
        if not any(" " in token.strip() for token in tokens):
            raise
        raise ValueError(
            "The sentence must be one text, or one list of its tokens. Got a list "
            f"of {len(tokens)} texts instead: run them one by one, as in "
            "[model.run(text) for text in texts]."
        ) from None


def _tokenizer(model: "Model") -> Tokenizer:
    if model.tokenizer is None:
        raise ValueError(
            f"The sentence must be given by the ids of its tokens, as {model.name} "
            "has no tokenizer. Got text instead."
        )
    return model.tokenizer


def _checked(model: "Model", encoded: Encoded) -> Encoded:
    count, rows = len(encoded.ids), model.architecture.n_tokens
    if not count:
        raise ValueError("The sentence must have at least one token. Got none instead.")
    if model.most_tokens is not None and count > model.most_tokens:
        raise ValueError(
            f"The sentence must have at most {model.most_tokens} tokens, as many as "
            f"{model.name} has positions for. Got {count} instead."
        )
    for id, token in zip(encoded.ids, encoded.tokens, strict=True):
        if not 0 <= id < rows:
            raise ValueError(
                f"The ids must be from 0 to {rows - 1}, as {model.name} has "
                f"embeddings of {rows} tokens. Got {id} for '{token}' instead."
            )
    return encoded
