"""Settings of other files that contradict ``tokenizer.json``."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import msgspec

from attnviewer.io.errors import FileError
from attnviewer.io.reading import read_bounded
from attnviewer.io.strict_json import SchemaError, bare, decode, shortened

_CONFIG = "tokenizer_config.json"
_SENTENCE_CONFIG = "sentence_bert_config.json"
_LARGEST = 16 * 2**20
"""Maximum size of the settings, in bytes."""


class _Component(msgspec.Struct):
    """A normaliser, a pre-tokenizer or a post-processor, or a sequence of them."""

    type: str = ""
    lowercase: object = None
    strip_accents: object = None
    handle_chinese_chars: object = None
    add_prefix_space: object = None
    normalizers: "list[_Component]" = []
    pretokenizers: "list[_Component]" = []
    processors: "list[_Component]" = []
    single: list[dict[str, object]] = []


class _Rules(msgspec.Struct):
    normalizer: _Component | None = None
    pre_tokenizer: _Component | None = None
    post_processor: _Component | None = None


_Contradicting: TypeAlias = Callable[
    [dict[str, object], list[_Component]], Iterator[str]
]


def contradictions(folder: Path, rules: bytes) -> tuple[str, ...]:
    """Return a sentence for each setting that contradicts the rules.

    Texts are split by ``tokenizer.json`` alone; some tokenizers of transformers
    follow ``tokenizer_config.json`` instead, and sentence-transformers follows its
    ``sentence_bert_config.json`` as well.

    Parameters
    ----------
    folder : Path
        The checkpoint, which may have neither file.
    rules : bytes
        The content of its ``tokenizer.json``.
    """
    return tuple(
        sentence
        for name, contradicting in _FILES.items()
        if (folder / name).exists()
        for sentence in _of_file(folder / name, rules, contradicting)
    )


def _of_file(path: Path, rules: bytes, contradicting: _Contradicting) -> list[str]:
    try:
        settings = decode(bare(read_bounded(path, _LARGEST)), dict[str, object])
        components = list(_components(decode(bare(rules), _Rules)))
    except (FileError, SchemaError) as error:
        return [f"The settings in {path.name} cannot be compared: {error}"]
    return sorted(contradicting(settings, components))


def _in_config(
    settings: dict[str, object], components: list[_Component]
) -> Iterator[str]:
    for setting in settings.keys() & {*_IN_RULES, *_ADDED}:
        values = list(_values(setting, components, settings))
        if values and settings[setting] not in values:
            yield (
                f"{_CONFIG} sets '{setting}' to {_json(settings[setting])}, "
                f"tokenizer.json to {_json(values[0])}. Texts are split as "
                "tokenizer.json says; transformers may split them as the other does."
            )


def _in_sentence_config(
    settings: dict[str, object], components: list[_Component]
) -> Iterator[str]:
    wanted = settings.get("do_lower_case") is True
    if wanted and True not in map(_lowercase, components):
        yield (
            f"{_SENTENCE_CONFIG} sets 'do_lower_case' to true, tokenizer.json does "
            "not. Texts are split as tokenizer.json says; sentence-transformers makes "
            "them lower case first."
        )


_FILES: dict[str, _Contradicting] = {
    _CONFIG: _in_config,
    _SENTENCE_CONFIG: _in_sentence_config,
}
"""The readers of the settings of each file."""


def _components(rules: _Rules) -> Iterator[_Component]:
    given = rules.normalizer, rules.pre_tokenizer, rules.post_processor
    left = [part for part in given if part]
    for part in left:  # grows while it is iterated, by the parts of sequences
        left += part.normalizers + part.pretokenizers + part.processors
        yield part


def _values(
    setting: str, components: list[_Component], settings: dict[str, object]
) -> Iterator[object]:
    """Yield the values of a setting in the rules; nothing if they have none."""
    if setting in _IN_RULES:
        in_rules = _IN_RULES[setting]
        yield from (in_rules(c) for c in components if in_rules(c) is not _ABSENT)
        return
    token_name, end = _ADDED[setting]
    token = settings.get(token_name)
    if isinstance(token, dict):
        token = token.get("content")
    kinds = {component.type for component in components}
    if isinstance(token, str) and not kinds & _OWN_TOKENS:
        yield any(_id(c.single[end]) == token for c in components if c.single)


def _id(part: dict[str, object]) -> object:
    special = part.get("SpecialToken")
    return special.get("id") if isinstance(special, dict) else None


_ABSENT = object()


def _lowercase(component: _Component) -> object:
    if component.type == "Lowercase":
        return True
    return component.lowercase if component.type == "BertNormalizer" else _ABSENT


def _of(kind: str, field: str) -> Callable[[_Component], object]:
    def value(component: _Component) -> object:
        return getattr(component, field) if component.type == kind else _ABSENT

    return value


_IN_RULES: dict[str, Callable[[_Component], object]] = {
    "do_lower_case": _lowercase,
    "strip_accents": _of("BertNormalizer", "strip_accents"),
    "tokenize_chinese_chars": _of("BertNormalizer", "handle_chinese_chars"),
    "add_prefix_space": _of("ByteLevel", "add_prefix_space"),
}
"""How the rules state each setting."""
_ADDED = {"add_bos_token": ("bos_token", 0), "add_eos_token": ("eos_token", -1)}
"""Settings that add a token at one end of the template for a text, and its name."""
_OWN_TOKENS = {"BertProcessing", "RobertaProcessing"}
"""Post-processors that add tokens without a template."""


def _json(value: object) -> str:
    return shortened(msgspec.json.encode(value).decode())
