"""Surveys that were interrupted go on, and nothing that was finished is lost."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attnviewer import models
from attnviewer.io import FileError
from attnviewer.models.survey.journal import Journal
from attnviewer.models.survey.scoring import Scoring
from attnviewer.models.survey.texts import batches
from tests.models.checkpoints import write, write_gpt2
from tests.models.survey.texts import some_texts

TEXTS = some_texts(70)  # five batches
_KILLED = """
import os, signal, sys
from attnviewer import models

def told(progress):
    if progress.done == 48:
        os.kill(os.getpid(), signal.SIGKILL)

model, texts, to = sys.argv[1:]
models.survey(models.load(model), texts, to=to, progress=told)
"""


class Stopped(Exception):  # noqa: N818
    """Raised by a callback."""


@pytest.fixture
def model(tmp_path) -> models.Model:
    return models.load(write_gpt2(tmp_path / "model"))


@pytest.fixture
def computed(monkeypatch) -> list[int]:
    """Return the numbers of the batches that are computed in this process."""
    numbers: list[int] = []
    of = Scoring.of

    def counted(self, reading, batch):
        numbers.append(batch.number)
        return of(self, reading, batch)

    monkeypatch.setattr(Scoring, "of", counted)
    return numbers


def stopped_after(done: int):
    def told(progress) -> None:
        if progress.done >= done:
            raise Stopped

    return told


def stop(model: models.Model, to: Path, done: int = 32, **given) -> Path:
    """Begin a survey, stop it, and return what it leaves."""
    with pytest.raises(Stopped):
        models.survey(model, TEXTS, to=to, progress=stopped_after(done), **given)
    assert not to.exists()
    part = to.with_name(to.name + ".part")
    assert part.exists()
    return part


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_killed_survey_goes_on_to_the_same_file(model, computed, tmp_path) -> None:
    texts, to, whole = (tmp_path / n for n in ("t.txt", "heads.npz", "whole.npz"))
    texts.write_text("\n".join(TEXTS))
    command = [sys.executable, "-c", _KILLED, str(model.path), str(texts), str(to)]
    assert subprocess.run(command, timeout=120).returncode == -9
    assert not to.exists()
    models.survey(model, texts, to=to)
    assert computed == [3, 4]
    models.survey(model, texts, to=whole)
    assert to.read_bytes() == whole.read_bytes()
    assert list(tmp_path.glob("*.part")) == []


def test_each_batch_is_on_the_disk_before_it_is_told(
    model, tmp_path, monkeypatch
) -> None:
    to = tmp_path / "heads.npz"
    part = to.with_name("heads.npz.part")
    sizes, told = [], []

    def seen(descriptor: int) -> None:
        if part.exists() and os.path.samestat(os.fstat(descriptor), part.stat()):
            sizes.append(part.stat().st_size)

    def progress(progress) -> None:
        told.append((progress.done, len(sizes)))

    monkeypatch.setattr(os, "fsync", seen)
    models.survey(model, TEXTS, to=to, progress=progress)
    assert told == [(16, 1), (32, 2), (48, 3), (64, 4), (70, 5)]
    assert sizes == sorted(set(sizes)), "each batch had been flushed"


def test_a_record_that_is_torn_or_damaged_is_computed_again(
    model, computed, tmp_path
) -> None:
    to = tmp_path / "heads.npz"
    whole = models.survey(model, TEXTS)
    part = stop(model, to, 64)
    content = part.read_bytes()
    size = (len(content) - content.index(b"\n") - 1) // 4  # of a record
    for changed, again in (
        (content[:-3], [3, 4]),
        (content[: -size + 20], [3, 4]),
        (content + b"\x93ATV garbage", [4]),
        (content[: -size - 9] + b"\xff" + content[-size - 8 :], [2, 3, 4]),
    ):
        part.write_bytes(changed)
        computed.clear()
        np.testing.assert_array_equal(
            models.survey(model, TEXTS, to=to).mean, whole.mean
        )
        assert computed == again
        assert not part.exists()


@pytest.mark.usefixtures("no_locks")
def test_a_survey_goes_on_where_files_cannot_be_locked(model, computed, tmp_path):
    to = tmp_path / "heads.npz"
    stop(model, to)
    computed.clear()
    models.survey(model, TEXTS, to=to)
    assert computed == [2, 3, 4]


def test_what_another_survey_left_is_refused(model, tmp_path) -> None:
    to = tmp_path / "heads.npz"
    part = stop(model, to)
    left = part.read_bytes()
    other = models.load(write("llama", tmp_path / "other"))
    for match, asked in (
        ("another model", (other, TEXTS)),
        ("another metrics", (model, TEXTS, ["entropy"])),
        (r"other texts: those from texts\[16\] on", (model, TEXTS[:16] + TEXTS[20:])),
    ):
        with pytest.raises(FileError, match=match) as refused:
            models.survey(*asked, to=to)
        assert refused.value.path == part
        assert part.read_bytes() == left
    with pytest.raises(FileError, match="another most tokens"):
        models.survey(model, TEXTS, to=to, most_tokens=8)
    part.write_bytes(b"notes of mine")
    with pytest.raises(FileError, match="no unfinished survey"):
        models.survey(model, TEXTS, to=to)
    assert part.read_bytes() == b"notes of mine"
    assert not to.exists()


def test_two_surveys_do_not_write_the_same_file(model, tmp_path) -> None:
    path, survey = tmp_path / "heads.npz.part", {"model": "tiny"}
    with Journal(path, survey, (1, 2, 4)) as journal:
        assert journal.find(next(batches(TEXTS))) is None
        with pytest.raises(FileError, match="Another survey"):
            Journal(path, survey, (1, 2, 4))
    assert not path.exists()  # nothing was finished
