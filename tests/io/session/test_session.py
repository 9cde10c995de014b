"""Sessions: what is saved comes back bit for bit, and what is no session is refused."""

import io
import json
import os
import zipfile

import numpy as np
import pytest

from attnviewer.compute import LengthScale, Spec
from attnviewer.compute.positions import Rotary
from attnviewer.document import Document, Draw, Recipe
from attnviewer.document.checkpoint_location import CheckpointLocation
from attnviewer.document.drawing.distributions import (
    Integers,
    Normal,
    Orthogonal,
    Uniform,
    Xavier,
)
from attnviewer.document.edits import PastVariant
from attnviewer.io import FileError, FileFormatError, load
from attnviewer.io.session import file as session_file
from attnviewer.io.session import read_session, save_session
from attnviewer.io.session.spec_part import spec_from_plain
from tests.documents import FOUR_WORDS, four_words, given, given_across, state_of


def rich() -> Document:
    """Return a document that has everything a document can have."""
    rng = np.random.default_rng(3)
    bias = rng.standard_normal((4, 3))
    bias[1, 2] = -np.inf
    matrices = {
        "X": [[1.0, -0.0], [5e-324, 1.7e308], [0.1, 1 / 3], [-2.5, 4.0]],
        "context": rng.standard_normal((3, 2)),
        "W_Q": rng.standard_normal((2, 4)),
        "W_K": rng.standard_normal((2, 4)),
        "W_V": rng.standard_normal((2, 6)),
        "W_G": np.array([[0.5, -0.25], [1.5, 2.0]]),
        "W_O": rng.standard_normal((6, 2)),
        "b_Q": [[0.5, 0.25, 0.125, 0.0]],
        "bias": bias,
        "mask": rng.random((4, 3)) < 0.5,
    }
    spec = Spec(
        context=True,
        n_heads=2,
        output_projection=True,
        biases=("b_Q",),
        positions=Rotary(base=500.0, interleaved=True),
        scale=0.25,
        output_gate="headwise",
        length_scale=LengthScale(counted="position", offset=1.0, floor=8),
        softcap=30.0,
        bias=True,
        mask=True,
        window=(2, None),
        query_offset=1,
        key_lengths=3,
        normalizer="softmax1",
        temperature=0.5,
    )
    draws = (
        Draw((2, 2), Integers(9, -9)),
        Draw((2, 4), Normal(0.1, 0.2), "W_Q"),
        Draw((1, 2), Uniform(-0.3, 0.7), "W_K", 1, 2),
        Draw((2, 6), Xavier(2, 6), "W_V"),
        Draw((2, 2), Orthogonal()),
    )
    then, now = np.eye(2), np.array([[True, False]])
    return Document(
        "Žlutý kůň “𝕏”",
        ["", "a\nb", "a\nb", "ẞ"],
        matrices,
        spec,
        context_tokens=["x", "y", "z"],
        recipes=[Recipe(7, draws), Recipe(8, (), "default")],
        past_variants=[
            PastVariant(
                Spec(projected=False), {"W_Q": (then, then * 2), "mask": (now, now)}
            )
        ],
        notes="Two\nlines.",
    )


def turned_by_frequencies() -> Document:
    """Return a document whose rotary positions have frequencies of their own."""
    scheme = Rotary(500000.0, frequencies=(0.1 + 0.2, 5e-324), attention_factor=1.2)
    spec = Spec(projected=False, positions=scheme)
    return Document("Turned", ["a", "b"], {"X": np.eye(2, 4)}, spec)


def sunk() -> Document:
    """Return a document with sinks."""
    spec = Spec(projected=False, given=True, n_heads=2, heads_joined=True, sinks=True)
    matrices = {name: np.eye(2, 4) for name in "QKV"} | {"sinks": [0.1, -0.2]}
    return Document("Sunk", ["a", "b"], matrices, spec)


EXAMPLES = "four-words", "two-heads", "journey-sum", "random-vectors", "narrow-keys"


@pytest.mark.parametrize(
    "document",
    [
        *(load(f"example:{name}") for name in EXAMPLES),
        rich(),
        turned_by_frequencies(),
        sunk(),
        given(temperature=0.5),
        given_across(),
    ],
)
def test_a_document_comes_back_bit_for_bit(document, tmp_path):
    path = tmp_path / "some name.attn"
    save_session(document, path)
    again = read_session(path)
    assert state_of(again) == state_of(document)
    assert (again.title, again.notes) == (document.title, document.notes)
    assert [past.spec for past in again.past_variants] == [
        past.spec for past in document.past_variants
    ]
    for one, other in zip(again.past_variants, document.past_variants, strict=True):
        assert one.matrices.keys() == other.matrices.keys()
        for name, pair in one.matrices.items():
            for array, right in zip(pair, other.matrices[name], strict=True):
                assert array.dtype == right.dtype
                assert np.array_equal(array, right)


def test_a_text_with_half_of_a_sign_is_saved_written_out(tmp_path):
    title, token = "Data \udcff", "“\ud83d” \\ \n 🙂"
    document = Document(title, [token], {"X": [[0.1]]}, Spec(projected=False))
    save_session(document, tmp_path / "a.attn")
    again = read_session(tmp_path / "a.attn")
    assert again.title == r"Data \udcff"
    assert again.tokens == ("“\\ud83d” \\ \n 🙂",)
    assert (again.spec, again.matrices["X"].tolist()) == (document.spec, [[0.1]])
    save_session(again, tmp_path / "b.attn")
    assert state_of(read_session(tmp_path / "b.attn")) == state_of(again)


def test_the_same_document_gives_the_same_bytes(tmp_path):
    one, other = tmp_path / "one.attn", tmp_path / "other.attn"
    save_session(rich(), one)
    save_session(read_session(one), other)
    assert one.read_bytes() == other.read_bytes()


def test_anybody_can_read_it_with_numpy_and_a_zip_program(tmp_path):
    path = tmp_path / "a.attn"
    save_session(four_words(), path)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        told = json.loads(archive.read("session.json"))
        x = np.load(io.BytesIO(archive.read(told["matrices"]["X"])), allow_pickle=False)
    assert (told["format"], told["version"]) == ("attnviewer-session", 2)
    assert told["tokens"] == ["word 1", "word 2", "word 3", "word 4"]
    assert x.tolist() == FOUR_WORDS["X"]


def parts_of(path):
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, parts, compression=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "saved.attn"
    save_session(four_words(), path)
    return path


def changed(path, **values):
    """Change what the file tells of the document; None takes a part of it away."""
    parts = parts_of(path)
    told = json.loads(parts["session.json"]) | values
    told = {name: value for name, value in told.items() if value is not None}
    write(path, parts | {"session.json": json.dumps(told).encode()})


def refusal(path):
    with pytest.raises(FileError) as caught:
        read_session(path)
    assert caught.value.path == path
    return caught.value


@pytest.mark.parametrize(
    ("values", "place", "reason"),
    [
        ({"format": "else"}, "session.json", "'format'"),
        ({"version": 3}, "session.json", "A newer attnviewer may read it."),
        ({"version": "1"}, "session.json", "whole number"),
        ({"version": {}}, "session.json", "whole number"),
        ({"title": None}, "session.json", "title"),
        ({"unheard": 1}, "session.json", "unheard"),
        ({"tokens": ["a"]}, "session.json", "'tokens' must be as many"),
        ({"tokens": [1]}, "session.json $.tokens[0]", "Expected a text, got a whole"),
        ({"spec": {"n_heads": 0}}, "session.json $.spec", "'n_heads' must be"),
        ({"spec": {"n_heads": "2"}}, "session.json $.spec", "int"),
        ({"spec": {"nonsense": 2}}, "session.json $.spec", "There is no 'nonsense'"),
        ({"spec": {"positions": {"kind": "os"}}}, "session.json $.spec", "'kind'"),
        ({"spec": {"positions": []}}, "session.json $.spec", "object"),
        ({"spec": {"query_offset": [1.5]}}, "session.json $.spec", "whole numbers"),
        (
            {"spec": {"positions": {"kind": "rotary", "frequencies": [1, 0]}}},
            "session.json $.spec",
            "The 'frequencies' parameter must hold positive numbers. Got 0.0 instead.",
        ),
        (
            {"spec": {"positions": {"kind": "rotary", "frequencies": "fast"}}},
            "session.json $.spec",
            "frequencies",
        ),
        (
            {"spec": {"positions": {"kind": "rotary", "frequencies": [[1]]}}},
            "session.json $.spec",
            "frequencies",
        ),
        ({"matrices": {"X": "gone.npy"}}, "gone.npy", "The part is missing."),
        (
            {"recipes": [{"seed": -1, "generator": "legacy", "draws": []}]},
            "session.json $.recipes[0]",
            "'seed'",
        ),
    ],
)
def test_a_description_that_does_not_fit_is_refused(saved, values, place, reason):
    changed(saved, **values)
    error = refusal(saved)
    assert isinstance(error, FileFormatError)
    assert error.location == place
    assert reason in error.reason


def test_a_length_scale_beyond_all_positions_is_refused(saved):
    changed(saved, spec={"length_scale": {"counted": "position", "floor": 10**30}})
    assert "'floor' parameter must be at most 2^53" in refusal(saved).reason


@pytest.mark.parametrize(
    ("old", "new", "place", "reason"),
    [
        (b'"notes"', b'"title": "2", "notes"', "session.json", "have the name 'title'"),
        (b'"X":', b'"X": "gone.npy", "X":', "session.json", "have the name 'X'"),
        (b'"spec":', b'"spec":\n,', "session.json line", "It is not JSON"),
        (b'"title":', b'"title": \xff', "session.json", "invalid character"),
        (b'"title": "', b'"title": "\xff', "session.json", "not text in UTF-8"),
        (b'"spec":', b'"spec": %s, "a":' % (b"[" * 99_999), "session.json", "too deep"),
    ],
)
def test_a_description_that_is_not_strict_json_is_refused(
    saved, old, new, place, reason
):
    parts = parts_of(saved)
    assert old in parts["session.json"]
    parts["session.json"] = parts["session.json"].replace(old, new, 1)
    write(saved, parts)
    error = refusal(saved)
    assert error.location.startswith(place)
    assert reason in error.reason


def test_a_description_may_begin_with_a_byte_order_mark(saved):
    parts = parts_of(saved)
    parts["session.json"] = b"\xef\xbb\xbf" + parts["session.json"]
    write(saved, parts)
    assert state_of(read_session(saved)) == state_of(four_words())


@pytest.mark.parametrize("depth", [33, 5000])
@pytest.mark.parametrize("name", ["query_offset", "key_lengths"])
def test_lists_that_no_batch_has_are_refused_however_deep(name, depth):
    nested = 1
    for _ in range(depth):
        nested = [nested]
    with pytest.raises(ValueError, match="nested too deeply"):
        spec_from_plain({name: nested})


@pytest.mark.parametrize(
    "spec",
    [
        {"x" * 5000: 1},
        {"positions": {"kind": "x" * 5000}},
        {"positions": {"kind": "rotary", "x" * 5000: 1}},
        {"query_offset": "x" * 5000},
    ],
)
def test_what_a_description_holds_is_quoted_in_short(saved, spec):
    changed(saved, spec=spec)
    assert len(refusal(saved).reason) < 200


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not an array"),
        (b"\x93NUMPY\x01\x00\x10\x00{'descr': '<f8'}", "cannot be read"),
        (b"\x93NUMPY\x09\x00", "version 9.0"),
    ],
)
def test_a_matrix_that_is_no_array_is_refused(saved, content, reason):
    write(saved, parts_of(saved) | {"matrices/W_K.npy": content})
    error = refusal(saved)
    assert error.location == "matrices/W_K.npy"
    assert reason in error.reason


def header(shape, descr="<f8"):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


def test_a_matrix_that_claims_to_be_huge_is_refused_unallocated(saved):
    huge = header((2**40, 2**20)) + b"\0" * 8
    write(saved, parts_of(saved) | {"matrices/W_K.npy": huge})
    assert "takes 9,223,372,036,854,775,808 bytes" in refusal(saved).reason


def test_python_objects_are_not_unpickled(saved):
    objects = np.array([print], dtype=object)
    file = io.BytesIO()
    np.save(file, objects, allow_pickle=True)
    write(saved, parts_of(saved) | {"matrices/W_K.npy": file.getvalue()})
    assert "Python objects" in refusal(saved).reason


def test_numbers_that_are_not_finite_are_refused(saved):
    content = header((3, 3)) + np.full((3, 3), np.nan).tobytes()
    write(saved, parts_of(saved) | {"matrices/W_K.npy": content})
    assert "'W_K' matrix must" in refusal(saved).reason


@pytest.mark.parametrize("descr", ["<c16", "<U1", "<M8[s]"])
def test_what_is_no_number_is_refused(saved, descr):
    content = header((3, 3), descr) + bytes(9 * np.dtype(descr).itemsize)
    write(saved, parts_of(saved) | {"matrices/W_K.npy": content})
    assert "'W_K' matrix must hold real numbers" in refusal(saved).reason


def test_a_damaged_part_may_have_any_name(tmp_path):
    path = tmp_path / "named.attn"
    write(path, {"session.json": b"{}", "{x": b"intact"})
    path.write_bytes(path.read_bytes().replace(b"intact", b"broken"))
    assert refusal(path).reason.endswith("its checksum is another one. ({x)")


def test_compressed_parts_are_refused_before_they_are_unpacked(saved):
    write(saved, parts_of(saved) | {"bomb": b"\0" * 10**6}, zipfile.ZIP_DEFLATED)
    assert "must not be compressed" in refusal(saved).reason


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_parts_of_one_name_are_refused(saved):
    with zipfile.ZipFile(saved, "a") as archive:
        archive.writestr("session.json", b"{}")
    assert "the same name" in refusal(saved).reason


def test_a_name_that_a_part_of_the_description_repeats_is_refused(saved):
    parts = parts_of(saved)
    twice = b'"training": {"plan": [{"rate": 1, "rate": 2}]}, '
    description = parts["session.json"].replace(b"{", b"{" + twice, 1)
    write(saved, parts | {"session.json": description})
    assert refusal(saved).reason == "Two entries have the name 'rate'."


def test_a_file_with_any_bit_turned_is_read_the_same_or_refused(saved, tmp_path):
    whole, right = saved.read_bytes(), state_of(four_words())
    path = tmp_path / "turned.attn"
    rng = np.random.default_rng(0)
    for place in rng.choice(len(whole), 300, replace=False).tolist():
        turned = bytearray(whole)
        turned[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(turned)
        try:
            document = read_session(path)
        except FileError:
            continue
        assert state_of(document) == right


def test_a_file_cut_anywhere_is_refused(saved, tmp_path):
    whole = saved.read_bytes()
    path = tmp_path / "cut.attn"
    for length in range(0, len(whole), 37):
        path.write_bytes(whole[:length])
        refusal(path)


def test_an_older_description_is_brought_up_to_date(saved, monkeypatch):
    def migrate(plain):
        kept = {name: value for name, value in plain.items() if name != "name"}
        return {**kept, "version": 1, "title": plain["name"]}

    monkeypatch.setitem(session_file.MIGRATIONS, 0, migrate)
    changed(saved, version=0, title=None, name="Of old")
    assert read_session(saved).title == "Of old"


def test_rotary_positions_are_told_as_before_where_they_have_no_frequencies(tmp_path):
    path = tmp_path / "a.attn"
    save_session(rich(), path)
    told = json.loads(parts_of(path)["session.json"])["spec"]["positions"]
    assert told == {"kind": "rotary", "base": 500.0, "interleaved": True, "offset": 0}
    # As sessions were written before there were frequencies.
    spec = {"projected": False, "positions": told | {"rotary_dim": None}}
    save_session(turned_by_frequencies(), path)
    changed(path, spec=spec)
    assert read_session(path).spec.positions == Rotary(base=500.0, interleaved=True)


def test_a_session_is_opened_like_any_source(saved):
    assert state_of(load(str(saved))) == state_of(four_words())


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe.attn"
    os.mkfifo(path)
    assert refusal(path).reason == "It is not an ordinary file."


PLACE = {
    "path": "/models/tiny",
    "fingerprint": "ab12",
    "layer": 1,
    "head": 2,
    "ids": [3, 4],
    "text": "the cat",
}


def test_where_in_a_checkpoint_a_document_is_from_is_kept(tmp_path):
    document = four_words()
    document.checkpoint = CheckpointLocation(**PLACE | {"ids": (3, 4)})
    path = tmp_path / "head.attn"
    save_session(document, path)
    assert json.loads(parts_of(path)["session.json"])["checkpoint"] == PLACE
    read = read_session(path).checkpoint
    assert read == document.checkpoint
    assert read.name == "L1 H2"
    # What is kept for after a crash is a copy.
    assert document.with_matrices(document.matrices).checkpoint == read


def test_a_session_of_the_first_version_is_of_no_checkpoint(saved):
    changed(saved, version=1, checkpoint=None)
    assert read_session(saved).checkpoint is None


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"layer": -1}, "$.checkpoint.layer"),
        ({"head": "1"}, "$.checkpoint.head"),
        ({"ids": [1.5]}, "$.checkpoint.ids"),
        ({"path": "x" * 4097}, "$.checkpoint.path"),
        ({"url": "file:///"}, "$.checkpoint"),
    ],
)
def test_a_checkpoint_that_is_not_told_rightly_is_refused(saved, wrong, place):
    changed(saved, checkpoint=PLACE | wrong)
    with pytest.raises(FileFormatError) as told:
        read_session(saved)
    assert place in str(told.value)
