"""Submissions and exercises with random damage."""

import contextlib
import json
from collections.abc import Callable

import numpy as np
import pytest

from attnviewer.io import FileError
from attnviewer.teaching.exercise.file import exercise_bytes, read_exercise
from attnviewer.teaching.exercise.grading import grade_file
from attnviewer.teaching.exercise.submission import PART
from tests.teaching.exercise.course import (
    SECRET,
    copy_of,
    exercise_of,
    hand_in,
    roster_of,
    submitted,
)
from tests.teaching.exercise.hostile import parts_of, zipped

EXERCISE = exercise_of()
ROSTER = roster_of("ada")
HOSTILE = [
    None,
    True,
    -1,
    2**70,
    1e308,
    "",
    "\0",
    "x" * 10_000,
    [],
    {},
    [[[]]],
    {"a": {}},
]


def _damaged(data: bytes, random: np.random.Generator) -> bytes:
    """Return bytes with some of them changed, removed or doubled."""
    changed = bytearray(data)
    for _ in range(random.integers(1, 6)):
        place = int(random.integers(len(changed)))
        match random.integers(3):
            case 0:
                changed[place] = int(random.integers(256))
            case 1:
                del changed[place : place + int(random.integers(1, 20))]
            case 2:
                changed[place:place] = changed[place : place + 10]
        if not changed:
            break
    return bytes(changed)


def _replaced(value, random: np.random.Generator):
    """Return JSON with one value anywhere in it replaced by a hostile one."""
    if isinstance(value, dict) and value and random.random() < 0.8:
        name = str(random.choice(list(value)))
        return {**value, name: _replaced(value[name], random)}
    if isinstance(value, list) and value and random.random() < 0.8:
        place = int(random.integers(len(value)))
        return [*value[:place], _replaced(value[place], random), *value[place + 1 :]]
    return HOSTILE[int(random.integers(len(HOSTILE)))]


def _is_refused(read: Callable[[], object]) -> bool:
    with contextlib.suppress(FileError):
        read()
        return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_damaged_files_are_read_or_refused_and_nothing_else(tmp_path, seed) -> None:
    random = np.random.default_rng(seed)
    sub = hand_in(tmp_path, "ada", submitted("ada", EXERCISE))
    copy = tmp_path / "ada.attnx"
    copy.write_bytes(exercise_bytes(copy_of("ada", EXERCISE)))
    before = sub.read_bytes(), copy.read_bytes()
    refused = 0
    for _ in range(60):
        sub.write_bytes(_damaged(before[0], random))
        copy.write_bytes(_damaged(before[1], random))
        refused += _is_refused(lambda: grade_file(sub, EXERCISE, ROSTER, SECRET))
        refused += _is_refused(lambda: read_exercise(copy))
    assert refused > 60


@pytest.mark.parametrize("seed", range(3))
def test_hostile_values_are_graded_or_refused_and_nothing_else(tmp_path, seed) -> None:
    random = np.random.default_rng(seed)
    path = hand_in(tmp_path, "ada", submitted("ada", EXERCISE))
    written = json.loads(parts_of(path)[PART])
    for _ in range(60):
        changed = json.dumps(_replaced(written, random)).encode()
        path.write_bytes(zipped({PART: changed}))
        with contextlib.suppress(FileError):
            assert grade_file(path, EXERCISE, ROSTER, SECRET).points <= 6
