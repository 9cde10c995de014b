"""Whatever the rules of a tokenizer say, a text becomes only so long."""

import base64
import json
import time
from pathlib import Path

import pytest

from attnviewer.io import FileFormatError
from attnviewer.models.tokenizing import Tokenizer, open_tokenizer
from attnviewer.models.tokenizing.tokenizer import LONGEST_TEXT

tokenizers = pytest.importorskip("tokenizers")

WORDS = {"type": "WordLevel", "vocab": {"?": 0, "▁": 1}, "unk_token": "?"}
GROWING = {"type": "Replace", "pattern": {"String": "a"}, "content": "a" * 10}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}


def in_sequence(kind: str, parts: list[dict]) -> dict:
    return {"type": "Sequence", kind: parts}


def table(letter: bytes, becomes: bytes) -> str:
    """Return a SentencePiece table in which one letter becomes a text.

    A trie of two units: for the letter, and for its end with the place of the text.
    After Yata's Darts-clone: https://github.com/s-yata/darts-clone.
    """
    code = letter[0]
    units = [0] * 1024
    units[0] = 1 << 10  # offset 1
    here = 1 ^ code
    units[here] = code | 1 << 8 | (256 << 10)  # has a leaf; offset 256
    units[here ^ 256] = 0 | 1 << 31
    trie = b"".join(unit.to_bytes(4, "little") for unit in units)
    blob = len(trie).to_bytes(4, "little") + trie + becomes + b"\0"
    return base64.b64encode(blob).decode()


def opened(folder: Path, **rules: object) -> Tokenizer:
    plain = {"version": "1.0", "added_tokens": [], "model": WORDS, **rules}
    (folder / "tokenizer.json").write_text(json.dumps(plain), encoding="utf-8")
    tokenizer = open_tokenizer(folder)
    assert tokenizer is not None
    return tokenizer


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        ({"normalizer": in_sequence("normalizers", [GROWING] * 9)}, "Replace"),
        ({"normalizer": in_sequence("normalizers", [GROWING] * 60)}, "Replace"),
        (
            {
                "normalizer": in_sequence(
                    "normalizers", [in_sequence("normalizers", [GROWING] * 3)] * 3
                )
            },
            "Replace",
        ),
        ({"normalizer": {**GROWING, "content": "a" * 2**20}}, "Replace"),
        # The library takes it without its type.
        (
            {"normalizer": {"pattern": {"String": "a"}, "content": "b" * 2**20}},
            "Replace",
        ),
        (
            {"normalizer": {**GROWING, "pattern": {"Regex": ""}, "content": "b" * 999}},
            "Replace",
        ),
        ({"normalizer": {"type": "Prepend", "prepend": "b" * 2**16}}, "Prepend"),
        (
            {
                "normalizer": in_sequence(
                    "normalizers", [{"type": "Prepend", "prepend": "b" * 999}] * 30
                )
            },
            "Prepend",
        ),
        (
            {
                "normalizer": {
                    "type": "Precompiled",
                    "precompiled_charsmap": table(b"a", b"b" * 2**16),
                }
            },
            "Precompiled",
        ),
        (
            {"pre_tokenizer": in_sequence("pretokenizers", [BYTES] * 30)},
            "ByteLevel",
        ),
        (
            {
                "post_processor": {
                    "type": "TemplateProcessing",
                    "single": [{"Sequence": {"id": "A", "type_id": 0}}] * 20_000,
                    "pair": [
                        {"Sequence": {"id": "A", "type_id": 0}},
                        {"Sequence": {"id": "B", "type_id": 0}},
                    ],
                    "special_tokens": {},
                }
            },
            "TemplateProcessing",
        ),
    ],
)
def test_rules_that_make_too_much_of_a_text_are_refused_by_their_name(
    tmp_path: Path, rules: dict, name: str
) -> None:
    tokenizer = opened(tmp_path, **rules)
    begun = time.process_time()
    with pytest.raises(FileFormatError, match=f"'{name}' would turn this") as told:
        tokenizer.encode("a banana é " * 20)
    assert time.process_time() - begun < 2
    assert "--ids or --tokens" in str(told.value)
    assert len(str(told.value)) < 500 + len(str(tmp_path))


@pytest.mark.parametrize("kind", ["normalizers", "pretokenizers"])
def test_a_sequence_of_very_many_rules_is_refused(tmp_path: Path, kind: str) -> None:
    part = {"type": "NFC"} if kind == "normalizers" else {"type": "Whitespace"}
    place = {"normalizers": "normalizer", "pretokenizers": "pre_tokenizer"}[kind]
    tokenizer = opened(tmp_path, **{place: in_sequence(kind, [part] * 65)})
    with pytest.raises(FileFormatError, match=f"65 {kind}; at most 64"):
        tokenizer.encode("a")


@pytest.mark.parametrize(
    "normalizer",
    [
        # As Llama, Gemma, BERT and XLM-RoBERTa have them.
        in_sequence(
            "normalizers",
            [
                {"type": "Prepend", "prepend": "▁"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
            ],
        ),
        {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": "▁"},
        {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        {"type": "Precompiled", "precompiled_charsmap": table(b"a", b"b")},
    ],
)
@pytest.mark.parametrize("text", ["", "a", " ", "日", "a " * 9, "ﷺ"])
def test_rules_of_models_are_used_for_texts_of_any_length(
    tmp_path: Path, normalizer: dict, text: str
) -> None:
    tokenizer = opened(
        tmp_path, normalizer=normalizer, pre_tokenizer={"type": "WhitespaceSplit"}
    )
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert list(tokenizer.encode(text).ids) == library.encode(text).ids


@pytest.mark.parametrize("letter", [" ", "日"])
def test_the_longest_text_is_used_as_well(tmp_path: Path, letter: str) -> None:
    # Three bytes become of the first, three more of the second.
    rules = [
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ]
    tokenizer = opened(tmp_path, normalizer=in_sequence("normalizers", rules))
    text = letter * (LONGEST_TEXT // len(letter.encode()))
    assert len(tokenizer.encode(text).ids) == 1


def test_a_table_is_what_the_library_takes_it_for(tmp_path: Path) -> None:
    rules = {"type": "Precompiled", "precompiled_charsmap": table(b"a", b"bbb")}
    opened(tmp_path, normalizer=rules)
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert library.normalizer.normalize_str("banana") == "bbbbnbbbnbbb"
