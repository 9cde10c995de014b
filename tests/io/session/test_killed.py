"""Sessions of which a process is killed while it saves: the old or the new one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from attnviewer.io.export import write_export
from attnviewer.io.file_lock import lock

_KILLER = """
import os, random, signal, sys, time
from collections import Counter
from pathlib import Path

import numpy as np

from attnviewer.compute import Spec
from attnviewer.document import Document
from attnviewer.io import read_session, save_session

path, rounds = Path(sys.argv[1]), int(sys.argv[2])
rng = np.random.default_rng(7)
documents = [
    Document(name, ["t"] * n, {"X": rng.standard_normal((n, n))}, Spec(projected=False))
    for name, n in (("small", 3), ("large", 150))
]
pause = random.Random(7)
save_session(documents[0], path)
found = Counter()
told, tell = os.pipe()
for _ in range(rounds):
    documents.reverse()
    child = os.fork()
    if child == 0:
        save_session(documents[0], path)
        os.write(tell, b".")
        while True:
            for document in reversed(documents):
                save_session(document, path)
    os.read(told, 1)  # however busy the machine is, it is at work now
    time.sleep(pause.uniform(0.0, 0.012))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found["left"] += any(path.parent.glob(".attnviewer-*"))
    saved = read_session(path)
    (same,) = (d for d in documents if d.title == saved.title)
    assert saved.tokens == same.tokens
    assert np.array_equal(saved.matrix("X"), same.matrix("X"))
    found[saved.title] += 1
print(found["small"], found["large"], found["left"])
"""
ROUNDS = 120


@pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")
def test_a_process_killed_while_saving_leaves_one_of_two_whole_sessions(
    tmp_path: Path,
) -> None:
    path = tmp_path / "session.attn"
    told = subprocess.run(
        [sys.executable, "-c", _KILLER, str(path), str(ROUNDS)],
        # NumPy's own threads would not live on in the children.
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert told.stderr == ""
    small, large, killed_inside = map(int, told.stdout.split())
    assert small + large == ROUNDS
    left = [file.name for file in tmp_path.iterdir() if file != path]
    assert all(name.startswith(".attnviewer-") for name in left)
    # Otherwise it was hardly ever killed in the midst of a save.
    assert killed_inside > ROUNDS // 20
    assert len(left) <= 1, "each save clears away what the one before left"
    assert min(small, large) > 0


def test_what_a_killed_process_left_goes_with_the_next_file_of_another(
    tmp_path: Path,
) -> None:
    leftover = ".attnviewer-0123456789abcdef.tmp"
    others = [
        f"{leftover}.txt",
        f"my{leftover}",
        ".attnviewer-0123456789abcdeg.tmp",
        "notes.tmp",
    ]
    written = ".attnviewer-fedcba9876543210.tmp"
    folder = ".attnviewer-1111111111111111.tmp"
    for name in (leftover, written, *others):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / folder).mkdir()
    # A living process writes to one of them.
    with (tmp_path / written).open("rb") as living:
        assert lock(living)
        write_export(tmp_path / "a.csv", [b"1"])
    kept = {file.name for file in tmp_path.iterdir()}
    assert kept == {"a.csv", written, folder, *others}
