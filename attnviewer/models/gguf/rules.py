"""The rules by which byte-level vocabularies of GGUF files split texts."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from attnviewer.io.strict_json import encode
from attnviewer.models.gguf.fields import Value

SPECIAL, DEFINED = 3, 4
"""The types of control tokens, and of tokens defined by the user."""
_PRE, _MERGES = "tokenizer.ggml.pre", "tokenizer.ggml.merges"
_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{digits}"
    r"| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


class _Splitting(NamedTuple):
    """The meaning of the name of a splitting rule.

    Parameters
    ----------
    pattern : str
        What the parts of a text match; "" for GPT-2's pattern.
    normal_form : str
        The normal form of Unicode that comes first; "" for none.
    whole_words : bool
        Whether a word in the vocabulary is not split further.
    adds_start : bool
        Whether the token of the start comes first unless the file says otherwise.
    """

    pattern: str = ""
    normal_form: str = ""
    whole_words: bool = False
    adds_start: bool = False


_LLAMA3 = _Splitting(
    _WORDS.format(digits=r"\p{N}{1,3}"), whole_words=True, adds_start=True
)
_SPLITTINGS = {
    "gpt-2": _Splitting(),
    "llama-bpe": _LLAMA3,
    "llama3": _LLAMA3,
    "qwen2": _Splitting(_WORDS.format(digits=r"\p{N}"), "NFC"),
}
"""The ways that are known, by their names in llama.cpp."""


def can_split(metadata: Mapping[str, Value]) -> bool:
    """Return whether a file says how texts are split, in a way that is known."""
    named = metadata.get(_PRE)
    return (
        metadata.get("tokenizer.ggml.model") == "gpt2"
        and isinstance(named, str)
        and named in _SPLITTINGS
        and isinstance(metadata.get(_MERGES), list)
    )


def split_rules(
    metadata: Mapping[str, Value], tokens: list[str], types: np.ndarray
) -> bytes:
    """Return the rules as a ``tokenizer.json`` has them.

    Parameters
    ----------
    metadata : mapping of str to Value
        The settings, of which `can_split` holds.
    tokens : list of str
        The vocabulary.
    types : ndarray of int, shape (tokens,)
        The type of each token.
    """
    way = _SPLITTINGS[str(metadata[_PRE])]
    in_bytes = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    steps: list[object] = [{**in_bytes, "use_regex": not way.pattern}]
    if way.pattern:
        pattern = {"Regex": way.pattern}
        split = {"type": "Split", "pattern": pattern, "behavior": "Isolated"}
        steps.insert(0, {**split, "invert": False})
    plain = {"single_word": False, "lstrip": False, "rstrip": False}
    added = [
        {
            "id": id,
            "content": tokens[id],
            **plain,
            "normalized": False,
            "special": bool(types[id] == SPECIAL),
        }
        for id in np.flatnonzero(np.isin(types, (SPECIAL, DEFINED))).tolist()
    ]
    normalizer = {"type": way.normal_form} if way.normal_form else None
    return encode(
        {
            "version": "1.0",
            "added_tokens": added,
            "normalizer": normalizer,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
            "post_processor": _with_ends(metadata, tokens, adds_start=way.adds_start),
            "decoder": {**in_bytes, "use_regex": True},
            "model": {
                "type": "BPE",
                "vocab": {token: id for id, token in enumerate(tokens)},
                "merges": metadata[_MERGES],
                "ignore_merges": way.whole_words,
            },
        }
    )


def _with_ends(
    metadata: Mapping[str, Value], tokens: list[str], *, adds_start: bool
) -> dict[str, object] | None:
    """Return the rule that puts tokens before and after a text; None without any."""
    before = _added(metadata, tokens, "bos", adds=adds_start)
    after = _added(metadata, tokens, "eos", adds=False)
    if not before and not after:
        return None
    first, last = (
        [{"SpecialToken": {"id": token, "type_id": 0}} for token in end]
        for end in (before, after)
    )
    text, second = (
        [*first, {"Sequence": {"id": name, "type_id": 0}}, *last] for name in "AB"
    )
    return {
        "type": "TemplateProcessing",
        "single": text,
        "pair": [*text, *second],
        "special_tokens": {
            token: {"id": token, "ids": [id], "tokens": [token]}
            for token, id in {**before, **after}.items()
        },
    }


def _added(
    metadata: Mapping[str, Value], tokens: list[str], end: str, *, adds: bool
) -> dict[str, int]:
    """Return the token of an end of texts with its id; none if it is not added."""
    id = metadata.get(f"tokenizer.ggml.{end}_token_id")
    wanted = metadata.get(f"tokenizer.ggml.add_{end}_token", adds)
    if not wanted or not isinstance(id, int) or not 0 <= id < len(tokens):
        return {}
    return {tokens[id]: id}
