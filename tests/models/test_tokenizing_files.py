"""Files of tokens that are missing, damaged or refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from attnviewer.io import FileError, FileFormatError
from attnviewer.models.tokenizing import open_tokenizer

WORDS = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "[UNK]"}
BARE = {"version": "1.0", "added_tokens": [], "model": WORDS}
GPT_2_BYTES = [
    chr(sign) for sign in (*range(33, 127), *range(161, 173), *range(174, 324))
]
SPECIAL = {
    **dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False),
    "special": True,
}


def written(folder: Path, **entries: Any) -> Path:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(BARE | entries))
    return path


def test_a_folder_without_files_of_tokens_has_no_tokenizer(tmp_path: Path) -> None:
    assert open_tokenizer(tmp_path) is None
    assert open_tokenizer(tmp_path / "nowhere") is None


def test_the_file_with_rules_is_preferred_to_lists(tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_text("b\n")
    written(tmp_path)
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert tokenizer.name([0]) == ("a",)


def test_an_added_token_that_the_model_has_too_keeps_its_id(tmp_path: Path) -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0, "[PAD]": 3}}
    written(tmp_path, model=model, added_tokens=[{"id": 3, "content": "[PAD]"}])
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert tokenizer.n_tokens == 4
    assert tokenizer.name([3, 1]) == ("[PAD]", "#1")


@pytest.mark.parametrize("kind", ["vocab.txt", "vocab.json"])
def test_a_list_of_tokens_alone_names_them_but_splits_no_texts(
    tmp_path: Path, kind: str
) -> None:
    written = {
        "vocab.txt": "[UNK]\r\ncat\u2028s\r\n##s\r\n",
        "vocab.json": json.dumps({"[UNK]": 0, "##s": 2, "cat\u2028s": 1}),
    }
    (tmp_path / kind).write_bytes(written[kind].encode())
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert tokenizer.n_tokens == 3
    assert tokenizer.look_up(["##s", "cat\u2028s"]).ids == (2, 1)
    assert tokenizer.readable(["##s"]) == ("##s",)
    with pytest.raises(ValueError, match="tokenizer") as caught:
        tokenizer.encode("cats")
    assert str(caught.value) == (
        "Texts need the checkpoint's file tokenizer.json, which is missing. "
        "Token ids or a list of tokens can be given instead, on the command line "
        "with --ids or --tokens."
    )


def test_a_list_that_holds_all_bytes_is_read_as_spelt_in_bytes(tmp_path: Path) -> None:
    vocab = {token: number for number, token in enumerate([*GPT_2_BYTES, "Ġcaf"])}
    (tmp_path / "vocab.json").write_text(json.dumps(vocab))
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert tokenizer.readable(["Ġcaf"]) == ("␣caf",)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("tokenizer.json", b"", ": The file is empty."),
        ("tokenizer.json", b"[]", ", $: Expected an object, got a list."),
        (
            "tokenizer.json",
            b'{"model": {"vocab": {"a": 0,\n',
            ", line 2: It is not JSON: the text breaks off.",
        ),
        (
            "tokenizer.json",
            b'{"model": {"type": "BPE"}}',
            ", $.model: Object missing required field 'vocab'.",
        ),
        (
            "tokenizer.json",
            b'{"model": {"vocab": {"a": -1}}}',
            ", $.model.vocab[...]: Expected a whole number >= 0.",
        ),
        (
            "tokenizer.json",
            b'{"model": {"vocab": {"a": 4294967296}}}',
            ", $.model.vocab[...]: Expected a whole number <= 4294967295.",
        ),
        ("tokenizer.json", b'{"model": {"vocab": []}}', ": It holds no tokens."),
        (
            "tokenizer.json",
            b'{"model": {"vocab": {"\xff": 0}}}',
            ": It is not text in UTF-8.",
        ),
        ("vocab.txt", b"a\nb\xff\n", ": It is not text in UTF-8."),
        ("vocab.txt", b"\n\n", ": It holds no tokens."),
        ("vocab.json", b'{"a": "0"}', ", $[...]: Expected a whole number, got a text."),
    ],
)
def test_files_that_hold_no_vocabulary_are_refused_with_the_place(
    tmp_path: Path, name: str, content: bytes, told: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FileFormatError) as caught:
        open_tokenizer(tmp_path)
    assert str(caught.value) == f"{path}{told}"


@pytest.mark.parametrize("depth", [300, 100_000])
def test_rules_may_be_nested_but_not_without_end(tmp_path: Path, depth: int) -> None:
    nested = '{"decoders": [' * depth + '{"type": "ByteLevel"}' + "]}" * depth
    text = '{"model": {"vocab": {"a": 0}}, "decoder": ' + nested + "}"
    (tmp_path / "tokenizer.json").write_text(text)
    if depth < 1000:
        tokenizer = open_tokenizer(tmp_path)
        assert tokenizer is not None
        assert tokenizer.readable(["Ġ"]) == ("␣",)
    else:
        with pytest.raises(FileFormatError, match="nested too deeply"):
            open_tokenizer(tmp_path)


@pytest.mark.parametrize(
    ("name", "most"), [("tokenizer.json", 128), ("vocab.txt", 16), ("vocab.json", 16)]
)
def test_files_that_are_too_large_are_not_read(
    tmp_path: Path, name: str, most: int
) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(most * 2**20 + 1)
    with pytest.raises(FileError, match=f"larger than {most} MiB"):
        open_tokenizer(tmp_path)


def test_what_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").mkdir()
    with pytest.raises(FileError, match="It is a folder, not a file"):
        open_tokenizer(tmp_path)
    with pytest.raises(FileError, match="The name is too long"):
        open_tokenizer(tmp_path / ("x" * 5000))


def refusal(folder: Path, text: str = "b") -> str:
    pytest.importorskip("tokenizers")
    tokenizer = open_tokenizer(folder)
    assert tokenizer is not None
    with pytest.raises(FileError) as caught:
        tokenizer.encode(text)
    assert caught.value.path == folder / "tokenizer.json"
    return caught.value.reason


def test_rules_that_the_library_does_not_know_are_refused(tmp_path: Path) -> None:
    written(tmp_path, normalizer={"type": "Unheard"})
    assert refusal(tmp_path).startswith("The package 'tokenizers' cannot use it: ")


def test_rules_at_which_the_library_panics_are_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    charsmap = {"type": "Precompiled", "precompiled_charsmap": "AAAA"}
    written(tmp_path, normalizer=charsmap)
    assert refusal(tmp_path).startswith(
        "The package 'tokenizers' cannot use it: Precompiled: "
    )
    capfd.readouterr()  # where it panics, it prints


def test_a_vocabulary_without_a_token_for_the_unknown_is_refused(
    tmp_path: Path,
) -> None:
    written(tmp_path)
    assert refusal(tmp_path) == (
        "The package 'tokenizers' cannot use it: "
        "WordLevel error: Missing [UNK] token from the vocabulary."
    )


def test_ids_that_the_library_gives_anew_are_not_taken_for_those_of_the_file(
    tmp_path: Path,
) -> None:
    written(tmp_path, added_tokens=[{"id": 7, "content": "<s>", **SPECIAL}])
    assert refusal(tmp_path, "<s>") == (
        "It gives the id 1 to '#1', the package 'tokenizers' to '<s>'. "
        "Token ids or a list of tokens can be given instead, on the command line "
        "with --ids or --tokens."
    )


def test_a_file_that_has_gone_meanwhile_is_missed(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    path = written(tmp_path)
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    path.unlink()
    with pytest.raises(FileError, match="There is no such file or folder"):
        tokenizer.encode("a")


BERT = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": None,
    "lowercase": True,
}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}


TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
    ],
}


@pytest.mark.parametrize(
    ("rules", "settings", "setting", "told"),
    [
        ({"normalizer": BERT}, {"do_lower_case": False}, "do_lower_case", "false"),
        (
            {"normalizer": {"type": "Sequence", "normalizers": [BERT]}},
            {"do_lower_case": True, "strip_accents": False},
            "strip_accents",
            "false, tokenizer.json to null",
        ),
        (
            {"normalizer": {"type": "Lowercase"}},
            {"do_lower_case": False},
            "do_lower_case",
            "false, tokenizer.json to true",
        ),
        (
            {"normalizer": BERT},
            {"tokenize_chinese_chars": False},
            "tokenize_chinese_chars",
            "false, tokenizer.json to true",
        ),
        (
            # GPT-2's decoder has the option as well, where it means nothing
            {"pre_tokenizer": BYTES, "decoder": BYTES | {"add_prefix_space": True}},
            {"add_prefix_space": True},
            "add_prefix_space",
            "true, tokenizer.json to false",
        ),
        (
            {"post_processor": TEMPLATE},
            {"add_bos_token": True, "bos_token": "<s>", "add_eos_token": True}
            | {"eos_token": {"content": "</s>", "lstrip": False}},
            "add_eos_token",
            "true, tokenizer.json to false",
        ),
        (
            {"post_processor": {"type": "Sequence", "processors": [BYTES, TEMPLATE]}},
            {"add_bos_token": False, "bos_token": "<s>"},
            "add_bos_token",
            "false, tokenizer.json to true",
        ),
    ],
)
def test_a_setting_that_contradicts_the_rules_is_told(
    tmp_path: Path,
    rules: dict[str, Any],
    settings: dict[str, Any],
    setting: str,
    told: str,
) -> None:
    written(tmp_path, **rules)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    (notice,) = tokenizer.notices
    assert notice.startswith(f"tokenizer_config.json sets '{setting}' to {told}")
    assert notice.endswith(
        "Texts are split as tokenizer.json says; transformers may split them as the "
        "other does."
    )


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        (
            {"normalizer": BERT},
            {"do_lower_case": True, "strip_accents": None, "model_max_length": 512},
        ),
        ({"pre_tokenizer": BYTES}, {"add_prefix_space": False, "do_lower_case": True}),
        ({}, {"add_prefix_space": True}),
        ({"post_processor": BYTES}, {"add_bos_token": False, "bos_token": "<s>"}),
        ({"post_processor": TEMPLATE}, {"add_bos_token": True, "bos_token": "<s>"}),
        ({"post_processor": TEMPLATE}, {"add_eos_token": True, "eos_token": None}),
        (
            {"post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2]}},
            {"add_eos_token": False, "eos_token": "</s>"},
        ),
        ({"normalizer": BERT}, {}),
    ],
)
def test_settings_that_agree_or_have_no_counterpart_are_not_told(
    tmp_path: Path, rules: dict[str, Any], settings: dict[str, Any]
) -> None:
    written(tmp_path, **rules)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert tokenizer.notices == ()


@pytest.mark.parametrize(
    ("rules", "lowers", "told"),
    [
        ({"normalizer": BERT | {"lowercase": False}}, True, True),
        ({}, True, True),
        ({"normalizer": BERT | {"lowercase": True}}, True, False),
        ({"normalizer": {"type": "Lowercase"}}, True, False),
        # Nothing is added then, and nothing is taken away.
        ({"normalizer": BERT | {"lowercase": True}}, False, False),
    ],
)
def test_lower_case_that_only_sentence_transformers_adds_is_told(
    tmp_path: Path, rules: dict[str, Any], lowers: bool, told: bool
) -> None:
    written(tmp_path, **rules)
    settings = json.dumps({"max_seq_length": 256, "do_lower_case": lowers})
    (tmp_path / "sentence_bert_config.json").write_text(settings)
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert [n.split(" to ")[0] for n in tokenizer.notices] == told * [
        "sentence_bert_config.json sets 'do_lower_case'"
    ]


def test_a_setting_of_any_length_is_told_in_a_short_line(tmp_path: Path) -> None:
    written(tmp_path, normalizer=BERT)
    settings = json.dumps({"do_lower_case": "x\n" * 10**5})
    (tmp_path / "tokenizer_config.json").write_text(settings)
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    (notice,) = tokenizer.notices
    assert len(notice) < 300


def test_settings_that_cannot_be_read_are_told_and_the_tokenizer_is_opened(
    tmp_path: Path,
) -> None:
    written(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text("{")
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert tokenizer.name([0]) == ("a",)
    (notice,) = tokenizer.notices
    assert "tokenizer_config.json" in notice
