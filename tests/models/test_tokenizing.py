"""Texts, tokens and ids, with vocabularies that are made here by the library."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnviewer.models.tokenizing import (
    MissingTokenizersError,
    Tokenizer,
    open_tokenizer,
)
from attnviewer.models.tokenizing.token_encoding import TokenEncoding
from attnviewer.models.tokenizing.tokenizer import LONGEST_TEXT

tokenizers = pytest.importorskip("tokenizers")
from tokenizers import decoders, models, normalizers, pre_tokenizers  # noqa: E402

ALPHABET = sorted(pre_tokenizers.ByteLevel.alphabet())


def word_pieces() -> "tokenizers.Tokenizer":
    tokens = ["[UNK]", "un", "##able", "##want", "##ed", "cat", "#", "cats", "Cat"]
    vocab = {token: number for number, token in enumerate(tokens)}
    made = tokenizers.Tokenizer(models.WordPiece(vocab, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.decoder = decoders.WordPiece()
    made.add_special_tokens(["[MASK]"])
    return made


def byte_level() -> "tokenizers.Tokenizer":
    tokens = [*ALPHABET, "Ġc", "af", "Ã©", "Ġcaf", "ĠcafÃ©"]
    vocab = {token: number for number, token in enumerate(tokens)}
    merges = [("Ġ", "c"), ("a", "f"), ("Ã", "©"), ("Ġc", "af"), ("Ġcaf", "Ã©")]
    made = tokenizers.Tokenizer(models.BPE(vocab, merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_tokens(["naïve"])
    made.add_special_tokens(["<|endoftext|>"])
    return made


def unigram() -> "tokenizers.Tokenizer":
    scores = [("<unk>", 0.0), ("▁caf", -1.0), ("é", -1.0), ("▁", -2.0), ("s", -2.0)]
    made = tokenizers.Tokenizer(models.Unigram(scores, 0, False))
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.add_special_tokens([tokenizers.AddedToken("<mask>", lstrip=True)])
    return made


def like_llama() -> "tokenizers.Tokenizer":
    vocab = {"<unk>": 0, "▁": 1, "c": 2, "▁c": 3, "<0xC3>": 4, "<0xA9>": 5}
    bpe = models.BPE(vocab, [("▁", "c")], unk_token="<unk>", byte_fallback=True)
    made = tokenizers.Tokenizer(bpe)
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    made.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
    )
    return made


MADE = {
    "WordPiece": word_pieces,
    "bytes": byte_level,
    "Unigram": unigram,
    "BPE with bytes": like_llama,
}


def opened(folder: Path, made: "tokenizers.Tokenizer") -> Tokenizer:
    made.save(str(folder / "tokenizer.json"))
    tokenizer = open_tokenizer(folder)
    assert tokenizer is not None
    return tokenizer


@pytest.mark.parametrize("kind", MADE)
def test_every_token_has_the_id_that_the_library_gives_it(
    tmp_path: Path, kind: str
) -> None:
    made = MADE[kind]()
    tokenizer = opened(tmp_path, made)
    known = made.get_vocab()
    assert tokenizer.n_tokens == len(known) == max(known.values()) + 1
    assert tokenizer.look_up(list(known)).ids == tuple(known.values())
    assert tokenizer.name(list(known.values())) == tuple(known)


@pytest.mark.parametrize(
    ("kind", "text", "tokens"),
    [
        ("WordPiece", "unwanted dog [MASK]", "un ##want ##ed [UNK] [MASK]"),
        ("bytes", "a café naïve<|endoftext|>", "a ĠcafÃ© Ġ naïve <|endoftext|>"),
        # not "▁dog" and " <mask>", as the library calls them: they have no ids
        ("Unigram", "café <mask>", "▁caf é <mask>"),
        ("Unigram", "x", "▁ <unk>"),
        ("BPE with bytes", "cé", "▁c <0xC3> <0xA9>"),
    ],
)
def test_texts_become_tokens_that_can_be_looked_up(
    tmp_path: Path, kind: str, text: str, tokens: str
) -> None:
    made = MADE[kind]()
    tokenizer = opened(tmp_path, made)
    encoded = tokenizer.encode(text)
    assert list(encoded.tokens) == tokens.split(" ")
    assert list(encoded.ids) == made.encode(text).ids
    assert tokenizer.look_up(encoded.tokens) == encoded


@pytest.mark.parametrize(
    ("kind", "token", "found"),
    [
        ("WordPiece", "##able", "##able"),
        ("WordPiece", "cat", "cat"),
        ("bytes", " café", "ĠcafÃ©"),
        ("bytes", "ĠcafÃ©", "ĠcafÃ©"),
        ("bytes", " ", "Ġ"),
        ("Unigram", "caf", "▁caf"),
        ("BPE with bytes", "c", "c"),  # as the vocabulary spells it, not "▁c"
        ("BPE with bytes", "▁c", "▁c"),
    ],
)
def test_a_text_that_is_one_token_has_its_id(
    tmp_path: Path, kind: str, token: str, found: str
) -> None:
    made = MADE[kind]()
    assert opened(tmp_path, made).id_of(token) == made.token_to_id(found)


def test_a_text_that_is_no_single_token_is_refused(tmp_path: Path) -> None:
    tokenizer = opened(tmp_path, word_pieces())
    with pytest.raises(ValueError, match=r"'unwanted' instead, which is split into un"):
        tokenizer.id_of("unwanted")
    # The library makes the unknown token of it.
    with pytest.raises(ValueError, match=r"in the vocabulary.* Did you mean 'cat' or"):
        tokenizer.id_of("catz")


@pytest.mark.parametrize(
    ("kind", "token", "read"),
    [
        ("WordPiece", "##able", "##able"),
        ("WordPiece", "Ġa", "Ġa"),
        ("bytes", "ĠcafÃ©", "␣café"),
        ("bytes", "Ċ", "⏎"),
        ("bytes", "ĠĠĉ", "␣␣⇥"),
        ("bytes", "æĿ±", "東"),
        ("bytes", "æĿ", "<0xE6><0x9D>"),
        ("bytes", "Ġæ", "␣<0xE6>"),
        ("bytes", "naïve", "naïve"),  # added tokens are not spelt in bytes
        ("bytes", "<|endoftext|>", "<|endoftext|>"),
        ("bytes", "Ā", r"\x00"),
        ("bytes", "東", "東"),
        ("bytes", "#300", "#300"),
        ("Unigram", "▁caf", "␣caf"),
        ("Unigram", "▁", "␣"),
        ("Unigram", "Ġ", "Ġ"),
        ("BPE with bytes", "▁c", "␣c"),
        ("BPE with bytes", "<0xC3>", "<0xC3>"),
    ],
)
def test_people_read_what_the_vocabulary_spells(
    tmp_path: Path, kind: str, token: str, read: str
) -> None:
    assert opened(tmp_path, MADE[kind]()).readable([token]) == (read,)


def test_sequences_of_rules_are_looked_into_for_how_tokens_are_spelt(
    tmp_path: Path,
) -> None:
    made = byte_level()
    # as Llama 3 and Qwen split
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(tokenizers.Regex(r"\w+| "), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    made.decoder = decoders.Sequence([])
    assert opened(tmp_path, made).readable(["Ġcaf"]) == ("␣caf",)


@given(st.text(st.characters(categories=["L", "N", "P", "S"]) | st.just(" ")))
def test_whatever_is_spelt_in_bytes_reads_as_it_was(text: str) -> None:
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    spelt = "".join(token for token, _ in level.pre_tokenize_str(text))
    assert TokenEncoding.BYTES.readable(spelt) == text.replace(" ", "␣")


@pytest.mark.parametrize(
    ("token", "hint"),
    [
        ("cart", " Did you mean 'cat' or 'Cat' or 'cats'?"),
        ("able", " Did you mean '##able'?"),
        ("Ġun", " Did you mean 'un'?"),
        ("zebra", ""),
        ("", ""),
        ("##", " Did you mean '#'?"),
    ],
)
def test_an_unknown_token_is_named_with_those_nearest_to_it(
    tmp_path: Path, token: str, hint: str
) -> None:
    tokenizer = opened(tmp_path, word_pieces())
    with pytest.raises(ValueError, match="vocabulary") as caught:
        tokenizer.look_up(["un", token])
    assert str(caught.value) == (
        f"Each token must be in the vocabulary of the model. Got '{token}' instead "
        f"(token 1).{hint}"
    )


def test_a_token_of_any_length_is_refused_in_a_short_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="xxx…xxx") as caught:
        opened(tmp_path, word_pieces()).look_up(["x\n" + "x" * 10**6])
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


def test_an_id_without_a_token_is_written_as_its_number(tmp_path: Path) -> None:
    tokenizer = opened(tmp_path, word_pieces())
    assert tokenizer.name([5, 123, -1]) == ("cat", "#123", "#-1")


def test_without_the_library_texts_are_refused_with_what_can_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = opened(tmp_path, word_pieces())
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "tokenizers", None)
        with pytest.raises(MissingTokenizersError) as caught:
            tokenizer.encode("cat")
    assert str(caught.value) == (
        "Texts need the package 'tokenizers', which is not installed: "
        "pip install 'attnviewer[models]'. "
        "Token ids or a list of tokens can be given instead, on the command line "
        "with --ids or --tokens."
    )
    # once it has been installed
    assert tokenizer.encode("cat").ids == (5,)


@pytest.mark.parametrize("text", ["", " ", "\0", "a\0b\r\n", "\u202e\ufeff\U0010ffff"])
@pytest.mark.parametrize("kind", MADE)
def test_strange_texts_are_encoded_too(tmp_path: Path, kind: str, text: str) -> None:
    made = MADE[kind]()
    assert list(opened(tmp_path, made).encode(text).ids) == made.encode(text).ids


def test_half_of_a_sign_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"unpaired surrogate .* Got \\ud83d instead\.$"
    ):
        opened(tmp_path, byte_level()).encode("a \ud83d")


def test_texts_may_have_a_mebibyte(tmp_path: Path) -> None:
    tokenizer = opened(tmp_path, byte_level())
    assert len(tokenizer.encode("é" * (LONGEST_TEXT // 2)).ids) == LONGEST_TEXT // 2
    with pytest.raises(ValueError, match="1,048,576 bytes") as caught:
        tokenizer.encode("é" * (LONGEST_TEXT // 2) + "a")
    assert str(caught.value) == (
        "The text must be at most 1,048,576 bytes long. Got 1,048,577 bytes instead."
    )


def lowercased() -> "tokenizers.Tokenizer":
    made = word_pieces()
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.add_tokens(["DNA"])  # which is normalised, as transformers adds tokens
    return made


def prefixed() -> "tokenizers.Tokenizer":
    made = like_llama()
    made.add_tokens([tokenizers.AddedToken("tired", normalized=True)])
    return made


@pytest.mark.parametrize(
    ("make", "text", "last"),
    [(lowercased, "cat DNA", "DNA"), (prefixed, "c tired", "tired")],
)
def test_an_added_token_that_the_normalizer_changes_keeps_the_name_in_the_file(
    tmp_path: Path, make: Callable[[], "tokenizers.Tokenizer"], text: str, last: str
) -> None:
    made = make()
    encoded = opened(tmp_path, made).encode(text)
    assert list(encoded.ids) == made.encode(text).ids
    assert encoded.tokens[-1] == last
