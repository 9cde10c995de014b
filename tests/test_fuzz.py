"""The script that forges files for the readers."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture
def fuzz(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    spec = importlib.util.spec_from_file_location("fuzz", SCRIPTS / "fuzz.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_gives_a_reader_as_many_files_as_there_is_time_for(tmp_path) -> None:
    command = [sys.executable, str(SCRIPTS / "fuzz.py"), "npy", "--seconds", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "were read or refused" in done.stdout or "Done" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_every_kind_has_whole_files_that_are_read(fuzz, tmp_path) -> None:
    for kind in fuzz.kinds().values():
        for content in kind.whole:
            path = tmp_path / f"whole{kind.suffix}"
            path.write_bytes(kind.wrap(content))
            kind.read(str(path))


def test_a_file_that_fails_is_kept(fuzz, tmp_path) -> None:
    def read(path):
        raise KeyError("something else than a refusal")

    kind = fuzz.Kind(".x", read, [b"whole"])
    with pytest.raises(KeyError):
        fuzz.at_random(kind, fuzz.Trial(kind, tmp_path), 9, tmp_path, seed=3)
    assert [p.name for p in tmp_path.glob("fault*")] == ["fault-3-0.x"]


def test_a_slow_reader_fails(fuzz, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(fuzz, "SLOW_SECONDS", -1.0)
    kind = fuzz.Kind(".x", lambda path: None, [b"whole"])
    with pytest.raises(fuzz.SlowError):
        fuzz.Trial(kind, tmp_path)(b"whole")


def test_the_same_seed_forges_the_same_files(fuzz) -> None:
    one, other = fuzz.forged([b"whole file"], 5), fuzz.forged([b"whole file"], 5)
    assert [next(one) for _ in range(50)] == [next(other) for _ in range(50)]
