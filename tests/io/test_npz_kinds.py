"""Surveys and recordings are known by what is in them."""

import os
from pathlib import Path

import numpy as np
import pytest

from attnviewer.io.npz_kinds import is_of_recording, is_of_survey
from tests.io.damaged_archives import DAMAGED

_RECORDED = Path(__file__).parents[1] / "data" / "recorded"


def test_a_recording_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    assert is_of_recording(_RECORDED / "gpt2.npz")
    assert not is_of_recording(_RECORDED / "gpt2_weights.npz")
    assert not is_of_recording(tmp_path / "missing.npz")


def test_a_survey_is_known_by_what_is_in_it(tmp_path: Path) -> None:
    np.savez(tmp_path / "heads.npz", survey=np.array("{}"))
    assert is_of_survey(tmp_path / "heads.npz")
    assert not is_of_survey(_RECORDED / "gpt2.npz")


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_file_that_cannot_be_read_is_neither(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(DAMAGED[kind])
    assert not is_of_survey(path)
    assert not is_of_recording(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_neither_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    os.mkfifo(path)
    assert not is_of_survey(path)
    assert not is_of_recording(path)
