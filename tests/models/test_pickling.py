"""Runs, models, traces and documents go to other processes and are copied."""

import copy
import multiprocessing
import pickle
from pathlib import Path
from typing import Literal, get_origin, get_type_hints

import numpy as np
import pytest

from attnviewer import models
from attnviewer.compute import Trace
from attnviewer.document import Document, Replace, SetCells
from attnviewer.files import save
from attnviewer.io import FileFormatError, load
from attnviewer.io.origin import tracked_file
from attnviewer.models.layer_documents import attention_document, link_of
from tests.models.checkpoints import write_bert, write_gpt2

IDS = [3, 1, 4, 1, 5]
WAYS = [lambda one: pickle.loads(pickle.dumps(one)), copy.deepcopy]


@pytest.fixture
def gpt2(tmp_path: Path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "gpt2"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("id_", ["four-words", "two-heads", "journey-sum"])
def test_a_trace_gives_the_same_numbers_afterwards(way, id_) -> None:
    trace = load(f"example:{id_}").compute()
    weights = trace["weights"].copy()
    again = way(trace)
    assert list(again) == list(trace)
    for step in trace:
        np.testing.assert_array_equal(again[step], trace[step])
        assert not again[step].flags.writeable
    assert again.explain("weights", (0,) * weights.ndim) == trace.explain(
        "weights", (0,) * weights.ndim
    )
    assert again.limits("scores") == trace.limits("scores")


@pytest.mark.parametrize("way", [*WAYS, copy.copy])
def test_a_document_is_copied_without_those_who_follow_it(way) -> None:
    document = load("example:four-words")
    followed = []
    document.changed.connect(followed.append)
    again = way(document)
    again.apply(SetCells("Set", "X", 0, 0, np.array([[9.0]])))
    again.apply(Replace("Rename", tokens=tuple("abcd")))
    assert followed == []
    assert document.matrix("X")[0, 0] == 1
    assert document.tokens[0] == "word 1"
    assert again.compute()["X"][0, 0] == 9
    assert (again.title, again.notes) == (document.title, document.notes)
    followed_again = []
    again.changed.connect(followed_again.append)
    again.apply(SetCells("Set", "X", 0, 0, np.array([[1.0]])))
    assert len(followed_again) == 1


@pytest.mark.parametrize("way", [*WAYS, copy.copy])
def test_a_copy_of_a_document_has_neither_its_file_nor_its_model(
    way, gpt2, tmp_path
) -> None:
    document = attention_document(gpt2.run(IDS), 0)
    save(document, tmp_path / "layer.attn")
    assert tracked_file(document) is not None
    assert link_of(document) is not None
    again = way(document)
    assert tracked_file(again) is None
    assert link_of(again) is None
    assert again.checkpoint == document.checkpoint


def test_a_pickled_model_is_its_files_and_not_their_weights(gpt2) -> None:
    pickled = pickle.dumps(gpt2)
    assert len(pickled) < 2000
    again = pickle.loads(pickled)
    np.testing.assert_array_equal(again.run(IDS).logits, gpt2.run(IDS).logits)
    assert copy.copy(gpt2) is copy.deepcopy(gpt2) is gpt2


def test_a_pickled_model_is_found_from_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gpt2(tmp_path / "gpt2")
    monkeypatch.chdir(tmp_path)
    pickled = pickle.dumps(models.load("gpt2"))
    monkeypatch.chdir(tmp_path.parent)
    assert pickle.loads(pickled).name == "gpt2"


def test_a_pickled_model_whose_files_have_changed_is_refused(gpt2) -> None:
    pickled = pickle.dumps(gpt2)
    weights = gpt2.path / "model.safetensors"
    stored = weights.read_bytes()
    half = len(stored) // 2
    weights.write_bytes(stored[:half] + bytes(len(stored) - half))
    with pytest.raises(FileFormatError, match="its files have changed since"):
        pickle.loads(pickled)


@pytest.mark.parametrize("way", WAYS)
def test_a_run_keeps_its_edited_weights_and_what_is_known(gpt2, way) -> None:
    run = gpt2.run(IDS)
    edited = run.with_weights(1, {"W_O": 2 * run.weights(1)["W_O"]})
    known = edited.logits
    again = way(edited)
    assert (again.ids, again.tokens) == (edited.ids, edited.tokens)
    assert not again.changes[1]["W_O"].flags.writeable
    assert not again.stream(0).flags.writeable
    np.testing.assert_array_equal(again.logits, known)
    np.testing.assert_array_equal(again.unchanged().logits, run.logits)
    np.testing.assert_array_equal(
        again.attention(1)["output"], edited.attention(1)["output"]
    )


def _output(run: models.ModelTrace) -> Trace:
    return run.attention(0)


def test_another_process_computes_the_same(gpt2) -> None:
    run = gpt2.run(IDS)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        trace = pool.apply(_output, (run,))
    np.testing.assert_array_equal(trace["output"], run.attention(0)["output"])


# ------------------------------------------------------------------- in a session


@pytest.mark.parametrize("kind", [models.Model, models.ModelTrace, Trace, Document])
def test_no_property_returns_a_literal_which_completion_fails_on(kind) -> None:
    for name, member in vars(kind).items():
        if isinstance(member, property):
            told = member.fget.__annotations__.get("return")
            assert get_origin(told) is not Literal, name
    assert get_type_hints(models.Model.run)


def test_a_run_shows_its_tokens_and_what_was_changed(gpt2) -> None:
    run = gpt2.run(IDS)
    assert repr(run) == "<ModelTrace of gpt2 over 5 tokens: #3 #1 #4 #1 #5>"
    edited = run.with_weights(1, {"W_O": run.weights(1)["W_O"] + 1})
    assert repr(edited).endswith("#5, with other weights in L1 W_O>")
    assert run._streams == []  # nothing was computed
    html = edited._repr_html_()
    assert html.count("<span") == 5
    assert "other weights in L1: W_O" in html


def test_a_list_of_sentences_is_refused_with_what_to_do(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "bert", vocab_size=4)
    (folder / "vocab.txt").write_text("[UNK]\nthe\ncat\na\n")
    model = models.load(folder)
    with pytest.raises(ValueError, match=r"a list of 2 texts instead: run them one by"):
        model.run(["the cat", "a dog"])
    with pytest.raises(ValueError, match="Got 'dog' instead"):
        model.run(["a", "dog"])
    with pytest.raises(TypeError, match="Several sentences are run one by one"):
        model.run([[1, 2], [2, 3]])


def test_the_id_of_a_token_is_told(tmp_path: Path) -> None:
    folder = write_bert(tmp_path / "bert", vocab_size=4)
    (folder / "vocab.txt").write_text("[UNK]\nthe\ncat\na\n")
    model = models.load(folder)
    assert model.id_of("cat") == 2
    told = r"The 'token' must be in .* Got 'cta' instead. Did you mean 'cat'\?"
    with pytest.raises(ValueError, match=told):
        model.id_of("cta")
