"""The tokenizer of a real model; its tokens and ids are those of transformers."""

import subprocess
import sys
from pathlib import Path

import pytest

from attnviewer.models.tokenizing import MissingTokenizersError, open_tokenizer

MIXED = "Café naïve Œuvre — 東京 🙂 co-operate, isn't it?"
MIXED_TOKENS = (
    "[CLS] cafe naive œ ##u ##vre — 東 京 [UNK] co - operate , isn ' t it ? [SEP]"
)
MIXED_IDS = [
    *(101, 7668, 15743, 1107, 2226, 12229, 1517, 1879, 1755, 100),
    *(2522, 1011, 5452, 1010, 3475, 1005, 1056, 2009, 1029, 102),
]
LONG = (
    "Attention lets a model weigh every word of a sentence against every other word. A "
    "query vector is compared with all key vectors, the scores are divided by the "
    "square root of the key dimension, a softmax turns them into weights, an"
)
LONG_TOKENS = (
    "[CLS] attention lets a model weigh every word of a sentence against every other "
    "word . a query vector is compared with all key vectors , the scores are divided "
    "by the square root of the key dimension , a soft ##max turns them into weights , "
    "an [SEP]"
)
LONG_IDS = [
    *(101, 3086, 11082, 1037, 2944, 17042, 2296, 2773, 1997, 1037, 6251, 2114, 2296),
    *(2060, 2773, 1012, 1037, 23032, 9207, 2003, 4102, 2007, 2035, 3145, 19019, 1010),
    *(1996, 7644, 2024, 4055, 2011, 1996, 2675, 7117, 1997, 1996, 3145, 9812, 1010),
    *(1037, 3730, 17848, 4332, 2068, 2046, 15871, 1010, 2019, 102),
]
SENTENCES = [(MIXED, MIXED_TOKENS, MIXED_IDS), (LONG, LONG_TOKENS, LONG_IDS)]


@pytest.mark.parametrize(("text", "tokens", "ids"), SENTENCES)
def test_sentences_have_the_tokens_that_transformers_gives_them(
    minilm: Path, text: str, tokens: str, ids: list[int]
) -> None:
    pytest.importorskip("tokenizers")
    tokenizer = open_tokenizer(minilm)
    assert tokenizer is not None
    encoded = tokenizer.encode(text)
    assert " ".join(encoded.tokens) == tokens
    assert list(encoded.ids) == ids


@pytest.mark.parametrize(("text", "tokens", "ids"), SENTENCES)
def test_without_the_library_tokens_are_looked_up_and_ids_named(
    minilm: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    tokens: str,
    ids: list[int],
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    tokenizer = open_tokenizer(minilm)
    assert tokenizer is not None
    assert tokenizer.n_tokens == 30522
    assert list(tokenizer.look_up(tokens.split()).ids) == ids
    assert " ".join(tokenizer.name(ids)) == tokens
    with pytest.raises(MissingTokenizersError):
        tokenizer.encode(text)


def test_its_list_of_tokens_alone_says_the_same(minilm: Path, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes((minilm / "vocab.txt").read_bytes())
    tokenizer = open_tokenizer(tmp_path)
    assert tokenizer is not None
    assert tokenizer.n_tokens == 30522
    assert list(tokenizer.look_up(LONG_TOKENS.split()).ids) == LONG_IDS


def test_long_texts_are_not_cut_and_short_ones_not_padded_although_the_file_says_so(
    minilm: Path,
) -> None:
    pytest.importorskip("tokenizers")
    assert b'"max_length":128' in (minilm / "tokenizer.json").read_bytes()
    tokenizer = open_tokenizer(minilm)
    assert tokenizer is not None
    assert tokenizer.encode("the " * 300).ids == (101, *(1996,) * 300, 102)
    assert tokenizer.encode("the").ids == (101, 1996, 102)
    assert tokenizer.encode("").tokens == ("[CLS]", "[SEP]")


def test_the_library_is_loaded_for_texts_only_and_prints_nothing(minilm: Path) -> None:
    pytest.importorskip("tokenizers")
    program = """if True:
        import os, sys
        from pathlib import Path
        from attnviewer.models.tokenizing import open_tokenizer
        tokenizer = open_tokenizer(Path(sys.argv[1]))
        tokenizer.look_up(["the"])
        assert "tokenizers" not in sys.modules
        tokenizer.encode("the")
        if hasattr(os, "fork") and os.fork() == 0:
            tokenizer.encode("it would warn here if threads of it had been running")
            os._exit(0)
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(minilm)],
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == (b"", b"")
