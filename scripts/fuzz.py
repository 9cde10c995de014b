"""Give the readers of files forged ones, until one is neither read nor refused.

``python3 scripts/fuzz.py csv --seconds 60``; ``--help`` lists the kinds of files. With
atheris, which finds its way by what the readers run, where it is installed
(``.venv/bin/pip install atheris``); otherwise with random changes of whole files. What
takes more than 5 s or 1 GiB fails as well. A file that fails is kept.
"""

import argparse
import importlib.util
import io
import random
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import environment

if importlib.util.find_spec("attnviewer") is None:
    environment.prepare()
    sys.exit(subprocess.call([str(environment.PYTHON), *sys.argv]))

import numpy as np

try:
    import atheris
except ImportError:
    from attnviewer.io import FileError, load, save_session
    from attnviewer.io.matrices import read_matrices
    from attnviewer.models.shards import read_index
else:
    with atheris.instrument_imports(include=["attnviewer.io", "attnviewer.models"]):
        from attnviewer.io import FileError, load, save_session
        from attnviewer.io.matrices import read_matrices
        from attnviewer.models.shards import read_index

SLOW_SECONDS = 5.0
MEMORY_LIMIT = 2**30
"""Bytes that reading a file may take."""
PIECES = (
    *(b"", b",", b";", b"\t", b" ", b"\n", b"\r", b'"', b"'", b"#", b"[", b"]", b"{"),
    *(b"-", b"+", b"e", b"1e400", b"nan", b"-inf", b"9" * 400, b"null", b"0x1", b"1_0"),
    *(b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xff" * 8, b"\x7f" * 4),
    *((2**k).to_bytes(8, "little") for k in (16, 31, 32, 53, 63)),
)
"""What tends to lead readers astray."""


class Kind(NamedTuple):
    """A kind of files.

    Parameters
    ----------
    suffix : str
        What names of its files end in.
    read : callable
        Reads a file; may raise `FileError`.
    whole : list of bytes
        Files that can be read.
    wrap : callable
        Makes a file of what is forged, where that is only a part of it.
    """

    suffix: str
    read: Callable[[str], object]
    whole: list[bytes]
    wrap: Callable[[bytes], bytes] = bytes


def kinds() -> dict[str, Kind]:
    """Return the kinds of files by name."""
    table = b"name,a,b\nx,1.5,-2\ny,3e-3,0\n"
    commas = '"1,5";2\n-0,25;1000,5\n'
    nested = (
        b'{"tokens": ["a", "\\ud83d\\ude00"], "X": [[1.5, -2], [0, 3e2]], "b_Q": [1]}'
    )
    numbers = np.array([[1.5, -2.0, 3.25], [0.0, 0.001, 7.0]])
    session = _session("example:two-heads")
    return {
        "csv": Kind(
            ".csv", read_matrices, [table, commas.encode(), commas.encode("utf-16")]
        ),
        "tsv": Kind(".tsv", read_matrices, [table.replace(b",", b"\t")]),
        "txt": Kind(".txt", read_matrices, [table.replace(b",", b"  "), _PRINTED]),
        "ipynb": Kind(".ipynb", read_matrices, [_NOTEBOOK]),
        "json": Kind(".json", read_matrices, [nested, b"[[1, 2], [3, 4]]"]),
        "npy": Kind(
            ".npy",
            read_matrices,
            [_saved(np.save, numbers), _saved(np.save, numbers.T.astype(">f4"))],
        ),
        "npz": Kind(
            ".npz",
            read_matrices,
            [_saved(save, W=numbers, b=numbers > 0) for save in _SAVE_NPZ],
        ),
        "safetensors": Kind(".safetensors", read_matrices, [_SAFETENSORS]),
        "index": Kind(".json", _indexed, [_INDEX]),
        "session": Kind(".attn", _opened, [session]),
        "session.json": Kind(
            ".attn",
            _opened,
            [zipfile.ZipFile(io.BytesIO(session)).read("session.json")],
            _Described(session),
        ),
        "example": Kind(
            ".json",
            _opened,
            [p.read_bytes() for p in sorted(_EXAMPLES.glob("*.json"))],
        ),
    }


_EXAMPLES = environment.ROOT / "resources" / "examples"
_SAVE_NPZ: list[Callable[..., None]] = [np.savez, np.savez_compressed]
_HEADER = (
    b'{"__metadata__":{"a":"b"},'
    b'"W":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]},'
    b'"b":{"dtype":"BF16","shape":[3],"data_offsets":[16,22]}}'
)
_SAFETENSORS = len(_HEADER).to_bytes(8, "little") + _HEADER + bytes(22)
_PRINTED = (
    b'>>> print("Q:\\n", Q)\nQ:\n [[1.5 -2.] # a\n [0. 3e-3]] # b\n'
    b"W_K = tensor([[1, 2], [3, 4]], grad_fn=<A>)\nX = array([a, b])\n"
)
_NOTEBOOK = (
    b'{"cells":[{"cell_type":"code","source":["a = [1, 2]\\n","b = array([3, 4])\\n",'
    b'"[a, b]"],"outputs":[{"output_type":"stream","text":"[[1 2]\\n [3 4]]"},'
    b'{"output_type":"execute_result","data":{"text/plain":["{\'Q\': [5, 6],"]}}]}],'
    b'"nbformat":4}'
)
_INDEX = b'{"metadata":{"total_size":8},"weight_map":{"a":"m-1","b":"m-2"}}'


def _indexed(path: str) -> None:
    read_index(Path(path))


def _opened(path: str) -> None:
    load(path).compute()


def _saved(save: Callable[..., None], *arrays: object, **named: object) -> bytes:
    file = io.BytesIO()
    save(file, *arrays, **named)
    return file.getvalue()


def _session(source: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "whole.attn"
        save_session(load(source), path)
        return path.read_bytes()


class _Described:
    """Puts another description into a session, with the right checksum."""

    def __init__(self, session: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(session)) as parts:
            self._parts = {name: parts.read(name) for name in parts.namelist()}

    def __call__(self, description: bytes) -> bytes:
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as parts:
            for name, part in (self._parts | {"session.json": description}).items():
                parts.writestr(name, part)
        return file.getvalue()


class SlowError(Exception):
    """Reading took too long."""


class Trial:
    """Reads forged files of a kind."""

    def __init__(self, kind: Kind, folder: Path) -> None:
        self._kind = kind
        self._path = folder / f"forged{kind.suffix}"

    def __call__(self, content: bytes) -> None:
        """Read a file; whatever is raised is a fault of the reader."""
        self._path.write_bytes(self._kind.wrap(content))
        begun = time.monotonic()
        try:
            self._kind.read(str(self._path))
        except FileError as error:
            told = str(error)
            if not told.isprintable():
                raise ValueError(f"The refusal is no single line: {told!r}") from None
        if time.monotonic() - begun > SLOW_SECONDS:
            raise SlowError(f"Reading took {time.monotonic() - begun:.1f} s.")


def forged(whole: list[bytes], seed: int) -> Iterator[bytes]:
    """Yield files with a few changes, without end."""
    draw = random.Random(seed)  # noqa: S311 nothing is secret here
    while True:
        content = draw.choice(whole)
        for _ in range(draw.randint(1, 4)):
            start = draw.randint(0, len(content))
            end = min(len(content), start + int(draw.expovariate(0.1)))
            other = draw.choice(whole)
            cut = draw.randint(0, len(other))
            content = draw.choice(
                (
                    content[:start] + draw.choice(PIECES) + content[end:],
                    content[:start] + draw.randbytes(end - start) + content[end:],
                    content[:end] + content[start:end] * draw.randint(1, 50),
                    content[:start] + content[start:end] * 2 + content[end:],
                    content[:start] + other[cut:],
                    content[:start],
                )
            )
        yield content


def bound_memory() -> None:
    """Let reading have a GiB more than there is in use; no more would be granted."""
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY_LIMIT
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def guided(kind: Kind, trial: Trial, seconds: int, keep: Path) -> int:
    """Forge with atheris, which ends the process by itself."""
    with tempfile.TemporaryDirectory() as corpus:
        for number, content in enumerate(kind.whole):
            (Path(corpus) / str(number)).write_bytes(content)
        options = (f"-max_total_time={seconds}", "-timeout=10", "-max_len=65536")
        told = [sys.argv[0], *options, f"-artifact_prefix={keep}/", corpus]
        atheris.Setup(told, trial)
        atheris.Fuzz()
    return 0


def at_random(kind: Kind, trial: Trial, seconds: int, keep: Path, seed: int) -> int:
    """Forge at random; return 1 after the first file that fails."""
    end, count = time.monotonic() + seconds, 0
    for content in forged(kind.whole, seed):
        try:
            trial(content)
        except Exception:
            (keep / f"fault-{seed}-{count}{kind.suffix}").write_bytes(
                kind.wrap(content)
            )
            print(f"Kept: {keep / f'fault-{seed}-{count}{kind.suffix}'}", flush=True)
            raise
        count += 1
        if time.monotonic() > end:
            break
    print(f"{count:,} files were read or refused.")
    return 0


def main() -> int:
    known = kinds()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=known)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0, help="of random changes")
    parser.add_argument("--keep", metavar="DIR", type=Path, default=Path())
    given = parser.parse_args()
    kind = known[given.kind]
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(kind, Path(folder))
        bound_memory()
        if "atheris" in sys.modules:
            return guided(kind, trial, given.seconds, given.keep)
        print("Without atheris: pip install atheris into .venv finds more.")
        return at_random(kind, trial, given.seconds, given.keep, given.seed)


if __name__ == "__main__":
    sys.exit(main())
