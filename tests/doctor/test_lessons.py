"""The lesson "Find the bug": reproducible, and each mistake is found."""

import importlib.util

import numpy as np
import pytest

from attnviewer import cli
from attnviewer.doctor import hypotheses
from attnviewer.doctor.diagnosing import diagnose_case
from attnviewer.doctor.lessons import lesson, list_lessons
from attnviewer.doctor.reading import read_case_file
from attnviewer.io import FileError
from attnviewer.paths import resource
from tests.architecture.blocks import ROOT

MISTAKES = {
    "too-sure": "scale-missing",
    "columns-of-one": "softmax-over-queries",
    "glimpse-ahead": "causal-one-too-far",
    "mixed-up-heads": "concat-not-transposed",
    "other-pairs": "rope-pairing",
}


@pytest.fixture(scope="module")
def script():
    path = ROOT / "scripts" / "find_the_bug.py"
    spec = importlib.util.spec_from_file_location("find_the_bug", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_five_in_the_order_to_meet_them() -> None:
    assert [lesson.id for lesson in list_lessons()] == list(MISTAKES)


@pytest.mark.parametrize("id_", MISTAKES)
def test_the_mistake_is_found_and_the_story_does_not_tell_it(id_) -> None:
    chosen = lesson(id_)
    diagnosis = diagnose_case(read_case_file(chosen.path, chosen.spec))
    assert diagnosis.findings[0].id == MISTAKES[id_]
    assert len(diagnosis.findings) == 1
    assert chosen.story.endswith(".")
    assert diagnosis.findings[0].title not in chosen.story


@pytest.mark.parametrize("number", range(1, 6))
def test_the_files_are_what_the_script_writes(script, number) -> None:
    chosen = list_lessons()[number - 1]
    written = script.LESSONS[chosen.id]
    assert (written.title, written.story, written.spec) == (
        *(chosen.title, chosen.story, chosen.spec),
    )
    expected = script.arrays_of(number, written)
    with np.load(chosen.path) as stored:
        assert set(stored.files) == set(expected)
        for name, array in expected.items():
            assert stored[name].dtype == np.float32
            np.testing.assert_allclose(stored[name], array, rtol=1e-5, atol=1e-6)


def test_the_files_are_small() -> None:
    files = list(resource("find-the-bug").iterdir())
    assert len(files) == 6
    assert sum(path.stat().st_size for path in files) < 20_000


def test_the_command_knows_what_a_lesson_means(capsys, monkeypatch) -> None:
    assert cli.main(["doctor", "bug:other-pairs"]) == 1
    assert "[rope-pairing]" in capsys.readouterr().out
    # To try all others takes long, and only this one is asked about.
    asked = [m for m in hypotheses.CATALOGUE if m.id == "causal-one-too-far"]
    monkeypatch.setattr(hypotheses, "CATALOGUE", asked)
    assert cli.main(["doctor", "bug:glimpse-ahead"]) == 1
    assert "[causal-one-too-far]" in capsys.readouterr().out
    assert cli.main(["doctor", "bug:glimpse-ahead", "--spec", "causal=false"]) == 1
    assert "[causal-one-too-far]" not in capsys.readouterr().out


def test_a_lesson_that_is_not_there_is_refused(capsys) -> None:
    with pytest.raises(FileError, match="Did you mean 'too-sure'"):
        lesson("to-sure")
    assert cli.main(["doctor", "bug:none"]) == 2
    assert "They are too-sure, columns-of-one" in capsys.readouterr().err
