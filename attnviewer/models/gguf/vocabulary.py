"""The tokens that a GGUF file lists."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np

from attnviewer.io.errors import FileFormatError
from attnviewer.models.gguf.fields import Value
from attnviewer.models.gguf.rules import DEFINED, SPECIAL, can_split, split_rules
from attnviewer.models.tokenizing import Tokenizer
from attnviewer.models.tokenizing.token_encoding import TokenEncoding
from attnviewer.models.tokenizing.vocabulary import Vocabulary

_MODEL, _TOKENS = "tokenizer.ggml.model", "tokenizer.ggml.tokens"
_TYPES = "tokenizer.ggml.token_type"
_ENDS = tuple(f"tokenizer.ggml.{end}_token_id" for end in ("eos", "eot", "eom"))
"""The tokens that end a text, a turn and a message: llama.cpp stops at each."""
_SPELLINGS = {
    "gpt2": TokenEncoding.BYTES,
    "llama": TokenEncoding.SENTENCEPIECE,
    "gemma4": TokenEncoding.SENTENCEPIECE,
}


def read_tokens(path: Path, metadata: Mapping[str, Value]) -> Tokenizer | None:
    """Return a tokenizer; it splits texts if the file says how, in a known way.

    Parameters
    ----------
    path : Path
        The file, for messages.
    metadata : mapping of str to Value
        Its settings.

    Returns
    -------
    Tokenizer or None
        None if the file lists no tokens.

    Raises
    ------
    FileFormatError
        If the list is none of texts, or there are not as many types.
    """
    tokens = metadata.get(_TOKENS)
    if tokens is None:
        return None
    if not isinstance(tokens, list):
        raise FileFormatError(path, "It must be a list of texts.", _TOKENS)
    types = metadata.get(_TYPES)
    if types is None:
        types = np.ones(len(tokens), int)
    if not isinstance(types, np.ndarray) or len(types) != len(tokens):
        raise FileFormatError(
            path, f"There must be {len(tokens):,}, one for each token.", _TYPES
        )
    added = {
        tokens[id]: id
        for id in np.flatnonzero(np.isin(types, (SPECIAL, DEFINED))).tolist()
    }
    ids = {token: id for id, token in enumerate(tokens)}
    spelling = _SPELLINGS.get(str(metadata.get(_MODEL)), TokenEncoding.AS_IS)
    vocabulary = Vocabulary(ids, added, spelling)
    if not can_split(metadata):
        return Tokenizer(vocabulary, None)
    content = partial(split_rules, metadata, tokens, types)
    return Tokenizer(vocabulary, path, content=content)


def read_end_tokens(metadata: Mapping[str, Value]) -> frozenset[int]:
    """Return the ids of the tokens that end a text; none if the file names none."""
    named = (metadata.get(key) for key in _ENDS)
    return frozenset(id for id in named if isinstance(id, int))
