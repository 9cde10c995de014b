"""The tokenizer files of checkpoints."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeAlias

import msgspec

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import SchemaError, bare, decode
from attnviewer.models.tokenizing.settings import contradictions
from attnviewer.models.tokenizing.token_encoding import BYTE_SIGNS, TokenEncoding
from attnviewer.models.tokenizing.tokenizer import LARGEST_FILE, Tokenizer
from attnviewer.models.tokenizing.vocabulary import Vocabulary

_LARGEST_LIST = 16 * 2**20
"""Maximum size of a file of tokens alone, in bytes."""
_Id: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]


class _Added(msgspec.Struct):
    id: _Id
    content: str


class _Model(msgspec.Struct):
    vocab: dict[str, _Id] | list[tuple[str, float]]


class _Part(msgspec.Struct):
    """A component of the tokenizer's pipeline, or a sequence of them."""

    type: str = ""
    pattern: dict[str, str] = {}
    decoders: "list[_Part]" = []
    pretokenizers: "list[_Part]" = []


class _Rules(msgspec.Struct):
    model: _Model
    added_tokens: list[_Added] = []
    pre_tokenizer: _Part | None = None
    decoder: _Part | None = None


def open_tokenizer(folder: Path) -> Tokenizer | None:
    """Return the tokenizer of a checkpoint, or None if it has none.

    Parameters
    ----------
    folder : Path
        With ``tokenizer.json``; else with ``vocab.txt`` or ``vocab.json``, which only
        list the tokens.

    Raises
    ------
    FileError
        If the file cannot be read, or (`FileFormatError`) holds no vocabulary.
    """
    for name, (largest, read) in _READERS.items():
        path = folder / name
        if _exists(path):
            data = read_bounded(path, largest)
            try:
                vocabulary = read(data)
            except SchemaError as error:
                raise FileFormatError(path, str(error), error.location) from error
            if not vocabulary.n_tokens:
                raise FileFormatError(path, "It holds no tokens.")
            if name != _RULES:
                return Tokenizer(vocabulary, None)
            return Tokenizer(vocabulary, path, contradictions(folder, data))
    return None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise FileError(path, system_reason(error)) from error


def _rules(data: bytes) -> Vocabulary:
    rules = decode(bare(data), _Rules)
    vocab = rules.model.vocab
    if isinstance(vocab, list):
        vocab = {token: number for number, (token, _) in enumerate(vocab)}
    added = {token.content: token.id for token in rules.added_tokens}
    return Vocabulary(vocab, added, _spelling(rules))


def _spelling(rules: _Rules) -> TokenEncoding:
    parts = [part for part in (rules.pre_tokenizer, rules.decoder) if part is not None]
    for part in parts:  # grows while it is iterated, by the parts of sequences
        parts += part.decoders + part.pretokenizers
    if any(part.type == "ByteLevel" for part in parts):
        return TokenEncoding.BYTES
    if any(part.type == "Metaspace" or "▁" in part.pattern.values() for part in parts):
        return TokenEncoding.SENTENCEPIECE
    return TokenEncoding.AS_IS


def _lines(data: bytes) -> Vocabulary:
    try:
        lines = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError:
        raise SchemaError("It is not text in UTF-8.") from None
    ids = {token: number for number, token in enumerate(lines) if token}
    return Vocabulary(ids, {}, TokenEncoding.AS_IS)


def _numbered(data: bytes) -> Vocabulary:
    ids = decode(bare(data), dict[str, _Id])
    # The file does not say so; byte-level vocabularies hold all 256 bytes.
    in_bytes = BYTE_SIGNS.keys() <= ids.keys()
    return Vocabulary(ids, {}, TokenEncoding.BYTES if in_bytes else TokenEncoding.AS_IS)


_RULES = "tokenizer.json"
_READERS: dict[str, tuple[int, Callable[[bytes], Vocabulary]]] = {
    _RULES: (LARGEST_FILE, _rules),
    "vocab.txt": (_LARGEST_LIST, _lines),
    "vocab.json": (_LARGEST_LIST, _numbered),
}
