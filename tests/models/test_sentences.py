"""What people type becomes a run, or is refused with its reason."""

import json
import sys
from pathlib import Path

import pytest

from attnviewer import models
from attnviewer.io import FileFormatError
from attnviewer.models.sentences import (
    FIRST,
    first_sentence,
    run_over,
    trouble_with_words,
)
from tests.models.checkpoints import write_gpt2


@pytest.fixture
def gpt2(tmp_path: Path) -> Path:
    return write_gpt2(tmp_path / "little")


def with_words(folder: Path, count: int = 48) -> Path:
    rules = {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "model": {
            "type": "WordLevel",
            "vocab": {f"w{number}": number for number in range(count)},
            "unk_token": "w0",
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(rules), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "typed", ["3 1 4", "3, 1, 4", "[3, 1, 4]", "(3,1,4)", " 3\t1  4 ", "3,1,4,"]
)
def test_without_a_tokenizer_ids_are_typed(gpt2: Path, typed: str) -> None:
    assert run_over(models.load(gpt2), typed).ids == (3, 1, 4)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "at least one token"),
        ("  ", "at least one token"),
        ("the cat", "no tokenizer"),
        ("3 -1", "no tokenizer"),
        ("3 48", "from 0 to 47.*Got 48"),
        ("9" * 18, "from 0 to 47.*Got 9"),
        ("1 " + "9" * 30, "from 0 to 47.*Got a number of 30 digits"),
        ("9" * 5000, "from 0 to 47.*Got a number of 5000 digits"),
        (" ".join(["1"] * 17), "at most 16 tokens.*Got 17"),
    ],
)
def test_what_cannot_be_run_over_is_refused(gpt2: Path, typed: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        run_over(models.load(gpt2), typed)


def test_with_a_tokenizer_numbers_are_words_like_others(gpt2: Path) -> None:
    model = models.load(with_words(gpt2))
    assert run_over(model, "w3 w1").ids == (3, 1)
    assert run_over(model, "3 1").ids == (0, 0)


@pytest.mark.parametrize("typed", ["w1 \ud800", "", " ", "w1 " * 17])
def test_a_text_that_the_tokenizer_refuses_says_why(gpt2: Path, typed: str) -> None:
    with pytest.raises(ValueError, match="must"):
        run_over(models.load(with_words(gpt2)), typed)


@pytest.mark.parametrize(("typed", "ids"), [("w3 w1", (3, 1)), ("3 1", (3, 1))])
def test_without_the_library_tokens_and_ids_can_be_typed(
    gpt2: Path, monkeypatch: pytest.MonkeyPatch, typed: str, ids: tuple[int, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert run_over(models.load(with_words(gpt2)), typed).ids == ids


def test_a_model_is_opened_with_a_sentence(gpt2: Path) -> None:
    assert first_sentence(models.load(with_words(gpt2))) == FIRST


def test_without_a_tokenizer_it_is_opened_with_the_first_ids(gpt2: Path) -> None:
    model = models.load(gpt2)
    sentence = first_sentence(model)
    assert sentence == "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
    assert run_over(model, sentence).ids == tuple(range(16))


def test_the_first_ids_fit_a_small_model(tmp_path: Path) -> None:
    few = models.load(write_gpt2(tmp_path / "few", vocab_size=3))
    assert first_sentence(few) == "0 1 2"
    short = models.load(write_gpt2(tmp_path / "short", n_positions=4))
    assert first_sentence(short) == "0 1 2 3"


def test_why_words_are_not_to_be_had_is_told(
    gpt2: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert trouble_with_words(models.load(gpt2)) == ""  # nobody expects any
    model = models.load(with_words(gpt2))
    assert trouble_with_words(model) == ""
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert "'tokenizers', which is not installed" in trouble_with_words(
        models.load(gpt2)
    )


def test_a_tokenizer_that_cannot_be_used_leaves_a_model_its_ids(gpt2: Path) -> None:
    pytest.importorskip("tokenizers")
    rules = with_words(gpt2) / "tokenizer.json"
    rules.write_text(rules.read_text().replace('"1.0"', '"9.9"'), encoding="utf-8")
    model = models.load(gpt2)
    assert run_over(model, first_sentence(model)).ids == tuple(range(16))
    assert run_over(model, "3, 1").ids == (3, 1)
    with pytest.raises(FileFormatError, match=r"tokenizer\.json: The package"):
        run_over(model, "w3 w1")
