"""Sessions and examples with anything in them are opened or refused."""

import io
import json
import zipfile
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from attnviewer.io import FileError, load, save_session
from attnviewer.paths import resource
from tests.io.forged import forged

_many = settings(
    max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
_Parts = dict[str, bytes]


@cache
def _example() -> bytes:
    return (resource("examples") / "two-heads.json").read_bytes()


@cache
def _session(folder: Path) -> bytes:
    path = folder / "whole.attn"
    save_session(load("example:two-heads"), path)
    return path.read_bytes()


def _parts(whole: bytes) -> _Parts:
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _archived(parts: _Parts) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def _check(told: str) -> None:
    assert told.isprintable()


def _open(path: Path, content: bytes) -> None:
    """Open a file and compute it; anything but `FileError` is an error."""
    path.write_bytes(content)
    try:
        document = load(str(path))
    except FileError as error:
        _check(str(error))
        return
    trace = document.compute()
    assert trace.shape("weights")[-2] == len(document.tokens)


@_many
@given(st.data())
def test_an_example_may_be_anything(tmp_path, data) -> None:
    _open(tmp_path / "forged.json", data.draw(forged(_example())))


@_many
@given(st.data())
def test_an_archive_may_be_anything(tmp_path, data) -> None:
    _open(tmp_path / "forged.attn", data.draw(forged(_session(tmp_path))))


@_many
@given(st.data())
def test_any_part_of_a_session_may_be_anything(tmp_path, data) -> None:
    parts = _parts(_session(tmp_path))
    name = data.draw(st.sampled_from(sorted(parts)))
    parts[name] = data.draw(forged(parts[name]))
    _open(tmp_path / "forged.attn", _archived(parts))


_NUMBERS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([2**31, 2**53 + 1, 2**63, -(2**64), 10**30, 1e308, -1e308, 0.5])
    | st.text(max_size=3)
)
_VALUES = st.recursive(
    _NUMBERS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3) | st.just("kind"), inner, max_size=3)
    ),
    max_leaves=6,
)
_FIELDS = (
    *("projected", "given", "context", "values", "n_heads", "n_kv_heads", "head_axis"),
    *("biases", "output_projection", "positions", "extra_rows", "score", "scale"),
    *("softcap", "bias", "causal", "window", "mask", "query_offset", "key_lengths"),
    *("normalizer", "temperature", "normalizer_options"),
)
_POSITIONS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["rotary", "alibi", "sinusoidal", "learned"])},
    optional=dict.fromkeys(("base", "offset", "rotary_dim"), _NUMBERS),
)


@_many
@given(st.dictionaries(st.sampled_from(_FIELDS), _VALUES | _POSITIONS, max_size=4))
@example({"query_offset": 10**30})
@example({"query_offset": 2**63 - 1, "causal": True})
@example({"key_lengths": -(10**30)})
@example({"query_offset": [1, 2]})
@example({"key_lengths": [[1, 2], [3]]})
@example({"window": [10**30, None]})
@example({"window": [2**63, 2**63]})
@example({"positions": {"kind": "rotary", "offset": 10**30}})
@example({"positions": {"kind": "rotary", "base": 1e-320}})
@example({"positions": {"kind": "sinusoidal", "offset": 10**30}})
@example({"positions": {"kind": "rotary", "rotary_dim": 10**30}})
@example({"n_heads": 10**30})
@example({"temperature": 5e-324})
@example({"temperature": 0})
@example({"softcap": 1e-320})
@example({"scale": 1e308})
def test_a_spec_may_be_anything(tmp_path, spec) -> None:
    parts = _parts(_session(tmp_path))
    told = json.loads(parts["session.json"])
    told["spec"] = told["spec"] | spec
    parts["session.json"] = json.dumps(told).encode()
    _open(tmp_path / "forged.attn", _archived(parts))
