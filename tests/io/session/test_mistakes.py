"""Mistakes in sessions and in files that open as the documents that they came from."""

import json
import zipfile

import numpy as np
import pytest

from attnviewer.compute import Slip
from attnviewer.document.mistakes import set_mistakes
from attnviewer.io import FileError, load
from attnviewer.io.export import Choice, Computation, export
from attnviewer.io.session import read_session, save_session
from attnviewer.io.session.slip_part import slip_from_plain, slip_to_plain
from tests.mistaken import MISTAKES, by_hand, document, with_mistake

SLIPS = (
    Slip("scale-missing"),
    Slip("weight-transposed:W_Q"),
    Slip("mask-finite", 2),
    Slip("temperature", parameter=2.5),
)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_session_computes_with_the_mistake_again(tmp_path, mistake) -> None:
    made = with_mistake(mistake)
    save_session(made, tmp_path / "a.attn")
    opened = read_session(tmp_path / "a.attn")
    assert (opened.title, opened.spec) == (made.title, made.spec)
    want = by_hand(mistake, opened.inputs())
    np.testing.assert_allclose(opened.compute()["output"], want["output"], atol=1e-12)


def test_a_session_keeps_all_mistakes_in_their_order(tmp_path) -> None:
    made = document()
    made.apply(set_mistakes(made, SLIPS, "Make them"))
    save_session(made, tmp_path / "a.attn")
    assert read_session(tmp_path / "a.attn").spec.mistakes == SLIPS


def test_a_session_without_mistakes_does_not_mention_them(tmp_path) -> None:
    save_session(document(), tmp_path / "a.attn")
    with zipfile.ZipFile(tmp_path / "a.attn") as archive:
        texts = [archive.read(n) for n in archive.namelist() if n.endswith(".json")]
    assert texts
    assert not any(b"mistakes" in text for text in texts)


@pytest.mark.parametrize("name", ["npz", "json", "xlsx"])
def test_an_export_opens_with_the_mistake(tmp_path, name) -> None:
    path, made = tmp_path / f"a.{name}", with_mistake("mask-after-softmax")
    export(Computation.of(made), path, name, Choice())
    opened = load(str(path))
    assert opened.spec.mistakes == made.spec.mistakes
    want = by_hand("mask-after-softmax", made.inputs())
    np.testing.assert_allclose(opened.compute()["output"], want["output"], atol=1e-12)


@pytest.mark.parametrize("slip", SLIPS, ids=str)
def test_plain_values_are_of_the_same_mistake(slip) -> None:
    assert slip_from_plain(json.loads(json.dumps(slip_to_plain(slip)))) == slip


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "no-such-thing"},
        {"id": 3},
        {"variation": -1},
        {"variation": 0.5},
        {"parameter": 1.0},
        {"parameter": "nan"},
        {"more": 1},
    ],
    ids=str,
)
def test_what_is_no_mistake_is_refused(wrong) -> None:
    with pytest.raises(ValueError, match=r"must|Expected|Object|Invalid"):
        slip_from_plain({"id": "scale-missing", **wrong})


@pytest.mark.parametrize(
    "mistakes",
    [
        [{"id": "no-such-thing"}],
        [{"id": "window-ignored"}],
        [{"id": "scale-missing", "variation": 9}],
        {"id": "scale-missing"},
        "scale-missing",
        None,
    ],
    ids=str,
)
def test_a_forged_session_is_refused_with_its_path(tmp_path, mistakes) -> None:
    good, bad = tmp_path / "a.attn", tmp_path / "b.attn"
    save_session(with_mistake("scale-missing"), good)
    with zipfile.ZipFile(good) as archive, zipfile.ZipFile(bad, "w") as forged:
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith(".json"):
                description = json.loads(content)
                if "spec" in description:
                    description["spec"]["mistakes"] = mistakes
                content = json.dumps(description).encode()
            forged.writestr(name, content)
    with pytest.raises(FileError, match=r"b\.attn"):
        read_session(bad)
