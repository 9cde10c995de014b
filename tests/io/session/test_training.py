"""How a document was trained, in sessions and in what exports say."""

import json
import zipfile
from copy import copy
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from attnviewer import load_example, tasks, train
from attnviewer.document import Document
from attnviewer.io import FileFormatError, load
from attnviewer.io.export import Choice, Computation, export, statement
from attnviewer.io.session import read_session, save_session
from attnviewer.io.session.training_part import training_part, training_record


@pytest.fixture
def document() -> Document:
    document = load_example("look-back")
    training = train(document, tasks.copy_previous(), steps=8, lr=1 / 3)
    document.apply(training.edit(5))
    return document


def rewritten(path: Path, change) -> Path:
    """Write a session whose description is changed as a plain object."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    plain = json.loads(parts["session.json"])
    change(plain)
    parts["session.json"] = json.dumps(plain).encode()
    other = path.with_name("other.attn")
    with zipfile.ZipFile(other, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return other


def test_a_session_keeps_how_it_was_trained(document: Document, tmp_path) -> None:
    save_session(document, tmp_path / "a.attn")
    opened = read_session(tmp_path / "a.attn")
    assert opened.training == document.training
    assert opened.training is not None
    assert opened.training.edited(opened.matrices) == ()
    save_session(opened, tmp_path / "b.attn")
    assert (tmp_path / "b.attn").read_bytes() == (tmp_path / "a.attn").read_bytes()


def test_a_session_from_before_there_was_training_opens(document, tmp_path) -> None:
    save_session(document, tmp_path / "a.attn")
    older = rewritten(tmp_path / "a.attn", lambda plain: plain.pop("training"))
    opened = read_session(older)
    assert opened.training is None
    assert opened.matrix("W_Q").tolist() == document.matrix("W_Q").tolist()


@pytest.fixture
def predicting() -> Document:
    document = load_example("look-back")
    free = "W_V", "readout"
    document.apply(train(document, tasks.next_token(), free=free, steps=3).edit(3))
    return document


def test_a_session_keeps_the_readout_bit_for_bit(predicting, tmp_path) -> None:
    save_session(predicting, tmp_path / "a.attn")
    opened = read_session(tmp_path / "a.attn")
    for document in (opened, copy(opened), opened.with_matrices(opened.matrices)):
        assert document.training == predicting.training
        readout = document.training.readout
        assert readout.tobytes() == predicting.training.readout.tobytes()
        assert not readout.flags.writeable
    save_session(opened, tmp_path / "b.attn")
    assert (tmp_path / "b.attn").read_bytes() == (tmp_path / "a.attn").read_bytes()


def test_a_session_from_before_readouts_were_kept_opens(predicting, tmp_path) -> None:
    save_session(predicting, tmp_path / "a.attn")
    older = rewritten(
        tmp_path / "a.attn", lambda plain: plain["training"].pop("readout")
    )
    opened = read_session(older)
    assert opened.training == predicting.training
    assert opened.training is not None
    assert opened.training.readout is None


def test_a_session_without_a_readout_can_be_read_by_versions_before_it(
    document, tmp_path
) -> None:
    save_session(document, tmp_path / "a.attn")
    with zipfile.ZipFile(tmp_path / "a.attn") as archive:
        assert "readout" not in json.loads(archive.read("session.json"))["training"]
        assert not any("readout" in name for name in archive.namelist())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("training/none.npy", "The part is missing"),
        ("matrices/X.npz", "The part is missing"),
        ("session.json", "session.json"),
        (3, "training.readout"),
    ],
)
def test_a_readout_that_is_not_there_is_refused(
    predicting, tmp_path, name, reason
) -> None:
    save_session(predicting, tmp_path / "a.attn")
    path = rewritten(
        tmp_path / "a.attn", lambda plain: plain["training"].update(readout=name)
    )
    with pytest.raises(FileFormatError, match=reason):
        read_session(path)


def test_exports_of_numbers_hold_the_readout(predicting, tmp_path) -> None:
    computation = Computation.of(predicting)
    readout = predicting.training.readout.tolist()
    for name in ("json", "npz"):
        export(computation, tmp_path / f"a.{name}", name, Choice())
        opened = load(str(tmp_path / f"a.{name}"))
        assert opened.tokens == predicting.tokens
        assert np.array_equal(opened.matrix("W_V"), predicting.matrix("W_V"))
    described = json.loads((tmp_path / "a.json").read_text("utf-8"))["attnviewer"]
    assert described["readout"] == readout
    with np.load(tmp_path / "a.npz", allow_pickle=False) as arrays:
        assert json.loads(str(arrays["attnviewer"]))["readout"] == readout
    export(computation, tmp_path / "a.md", "md", Choice())
    size = "readout of 16 × 8 numbers"
    assert size in " ".join((tmp_path / "a.md").read_text("utf-8").split())


def test_a_session_says_nothing_of_training_where_there_was_none(tmp_path) -> None:
    save_session(load_example("look-back"), tmp_path / "a.attn")
    with zipfile.ZipFile(tmp_path / "a.attn") as archive:
        assert "training" not in json.loads(archive.read("session.json"))


@pytest.mark.parametrize(
    ("name", "value", "place", "reason"),
    [
        ("kept", 9, "$.training", "must be at most all, 8"),
        ("lr", "fast", "$.training.lr", "[Nn]umber"),
        ("seed", -1, "$.training.seed", "0"),
        ("steps", 1.5, "$.training.steps", "whole|int"),
        ("batch", 0, "$.training.batch", "1"),
        ("start", "../../etc", "$.training", "64 hexadecimal digits"),
        ("task", "x" * 10**6, "$.training.task", "200"),
        ("free", ["W_Q"] * 10**4, "$.training.free", "64"),
        ("options", {str(k): 0.0 for k in range(10**4)}, "$.training.options", "64"),
        ("trained", {"W_O": "0" * 64}, "$.training", "'W_O'"),
        ("more", 1, "$.training", "more"),
    ],
)
def test_a_malformed_record_is_refused_with_its_place(
    document, tmp_path, name, value, place, reason
) -> None:
    save_session(document, tmp_path / "a.attn")
    path = rewritten(
        tmp_path / "a.attn", lambda plain: plain["training"].update({name: value})
    )
    with pytest.raises(FileFormatError, match=reason) as caught:
        read_session(path)
    message = str(caught.value)
    assert f"session.json {place}" in message
    assert "other.attn" in message
    assert len(message) < 1000


@pytest.mark.parametrize("value", [None, [], "yes", 3, {}])
def test_what_is_no_record_at_all_is_refused(document, tmp_path, value) -> None:
    save_session(document, tmp_path / "a.attn")

    def change(plain) -> None:
        plain["training"] = value

    path = rewritten(tmp_path / "a.attn", change)
    with pytest.raises(FileFormatError, match=r"session\.json \$\.training"):
        read_session(path)


def test_a_part_is_of_the_same_record(document: Document) -> None:
    assert document.training is not None
    arrays: dict[str, np.ndarray] = {}

    def kept(name: str, array: np.ndarray) -> str:
        arrays[name] = array
        return name

    part = training_part(document.training, kept)
    assert training_record(part, arrays.__getitem__) == document.training
    assert arrays == {}
    assert part.__struct_fields__ == tuple(asdict(document.training))


def test_an_export_says_how_the_numbers_were_trained(document, tmp_path) -> None:
    assert document.training is not None
    words = document.training.words(document.matrices)
    assert statement(Computation.of(document))["training"] == words
    export(Computation.of(document), tmp_path / "a.json", "json", Choice())
    described = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert words in described["attnviewer"].values()
    for name in ("py", "md", "tex", "ipynb"):
        export(Computation.of(document), tmp_path / f"a.{name}", name, Choice())
        text = (tmp_path / f"a.{name}").read_text("utf-8")
        assert "of 8 steps on its own tokens, seed 0" in " ".join(text.split())
    assert load(str(tmp_path / "a.json")).tokens == document.tokens


def test_an_export_of_edited_numbers_says_that_they_were_edited(document) -> None:
    document.apply(train(document, tasks.reverse(), free=["W_Q"], steps=2).edit(2))
    said = statement(Computation.of(document))["training"]
    assert "attend in reverse" in said
    assert "after 1 earlier run" in said
    assert "edited" not in said
    matrix = np.array(document.matrix("W_Q"))
    matrix[0, 0] += 1
    edited = document.with_matrices({**document.matrices, "W_Q": matrix})
    assert statement(Computation.of(edited))["training"].endswith("then edited: W_Q")


def test_nothing_is_said_of_training_where_there_was_none() -> None:
    assert "training" not in statement(Computation.of(load_example("look-back")))
