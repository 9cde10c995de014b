"""Steps as files: their names, their labels, their index."""

import csv
from ast import literal_eval
from pathlib import Path

import numpy as np
import pytest

from attnviewer import __version__
from attnviewer.compute import Rotary, Spec, run
from attnviewer.document import Document, Labels, Replace
from attnviewer.io import FileError, load, write_atomically
from attnviewer.io.export import (
    Choice,
    Computation,
    export,
    export_all,
    export_step,
    select_steps,
)
from attnviewer.io.matrices import read_matrices


def _read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def _numbers(path: Path) -> list[list[float]]:
    return [[float(text) for text in row[1:]] for row in _read(path)[1:]]


def _export(source: str, folder: Path, **options) -> list[str]:
    document = load(source)
    files = export_all(document.compute(), document.labels, folder, **options)
    assert all(path.parent == folder and path.is_file() for path in files)
    return [path.name for path in files]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("example:journey", "X scores weights output"),
        (
            "example:four-words",
            "X W_Q W_K W_V Q K V scores scaled weights output",
        ),
        (
            "example:two-heads",
            "X W_Q W_K W_V W_O Q.head0 Q.head1 K.head0 K.head1 V.head0 V.head1 "
            "scores.head0 scores.head1 scaled.head0 scaled.head1 masked.head0 "
            "masked.head1 weights.head0 weights.head1 heads.head0 heads.head1 "
            "concatenated output",
        ),
    ],
)
def test_all_steps_of_a_variant_are_written_with_an_index(
    source, names, tmp_path
) -> None:
    files = [f"{name}.csv" for name in names.split()] + ["index.csv"]
    assert _export(source, tmp_path) == files
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)


@pytest.mark.parametrize("source", ["example:four-words", "example:two-heads"])
def test_every_number_of_every_step_reads_back_bit_for_bit(source, tmp_path) -> None:
    trace = load(source).compute()
    _export(source, tmp_path)
    for step in trace:
        heads = trace[step] if trace[step].ndim == 3 else trace[step][np.newaxis]
        for head, values in enumerate(heads):
            name = f"{step}.head{head}.csv" if len(heads) > 1 else f"{step}.csv"
            got = np.array(_numbers(tmp_path / name))
            assert got.tobytes() == np.ascontiguousarray(values).tobytes()


def test_tokens_label_queries_and_keys_and_numbers_label_features(tmp_path) -> None:
    _export("example:four-words", tmp_path)
    words = ["word 1", "word 2", "word 3", "word 4"]
    labels = {
        name: (table[0][1:], [row[0] for row in table[1:]])
        for name in ("X", "W_Q", "Q", "scores", "output")
        for table in [_read(tmp_path / f"{name}.csv")]
    }
    features = ["0", "1", "2"]
    assert labels == {
        "X": (features, words),
        "W_Q": (features, features),
        "Q": (features, words),
        "scores": (words, words),
        "output": (features, words),
    }


def test_without_headers_there_are_numbers_only(tmp_path: Path) -> None:
    _export("example:four-words", tmp_path, headers=False)
    text = (tmp_path / "scores.csv").read_bytes()
    assert text.startswith(b"8.0,2.0,10.0,2.0\r\n4.0,0.0,4.0,0.0\r\n")
    want = load("example:four-words").compute()["weights"]
    got = np.loadtxt(tmp_path / "weights.csv", delimiter=",")
    assert got.tobytes() == want.tobytes()


def test_masked_scores_are_written_as_minus_infinity(tmp_path: Path) -> None:
    _export("example:two-heads", tmp_path, steps=["masked"])
    assert _read(tmp_path / "masked.head1.csv")[1][2] == "-inf"


def test_chosen_steps_are_written_in_the_order_given_and_once(tmp_path: Path) -> None:
    names = _export("example:two-heads", tmp_path, steps=["weights", "X", "weights"])
    assert names == ["weights.head0.csv", "weights.head1.csv", "X.csv", "index.csv"]


def test_the_index_tells_of_every_file_and_how_to_compute_it_again(tmp_path) -> None:
    names = _export("example:two-heads", tmp_path, title='=A title, "quoted"')
    header, *rows = _read(tmp_path / "index.csv")
    index = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    assert [*index, "index.csv"] == names
    assert index["weights.head1.csv"] == {
        "file": "weights.head1.csv",
        "step": "weights",
        "head": "1",
        "rows": "7",
        "columns": "7",
        "formula": "softmax(masked)",
        "title": '\'=A title, "quoted"',
        "variant": "multi_head",
        "n_heads": "2",
        "output_projection": "yes",
        "scale": "1/sqrt(d_k)",
        "causal": "yes",
        "normalizer": "softmax",
        "headers": "yes",
        "attnviewer": __version__,
    }
    assert index["X.csv"]["head"] == ""
    for name, row in index.items():
        shape = np.array(_numbers(tmp_path / name)).shape
        assert (int(row["rows"]), int(row["columns"])) == shape


def test_the_index_holds_a_scale_of_ones_own_exactly(tmp_path: Path) -> None:
    document = load("example:journey")
    spec = Spec(projected=False, scale=0.1 + 0.2, normalizer="sum")
    document.apply(Replace("Scale", spec=spec))
    export_all(document.compute(), document.labels, tmp_path, headers=False)
    header, row, *_ = _read(tmp_path / "index.csv")
    told = dict(zip(header, row, strict=True))
    assert float(told["scale"]) == 0.1 + 0.2
    assert (told["variant"], told["normalizer"]) == ("simplified", "sum")
    assert (told["output_projection"], told["headers"]) == ("no", "no")


def test_the_index_tells_of_every_choice_that_was_made(tmp_path: Path) -> None:
    spec = Spec(
        n_kv_heads=1,
        positions=Rotary(base=100.0),
        biases=("b_V",),
        score="cosine",
        window=(2, None),
        key_lengths=3,
        normalizer="sigmoid",
        temperature=0.5,
        normalizer_options=(("length_bias", False),),
    )
    inputs = dict.fromkeys(("X", "W_Q", "W_K", "W_V"), np.eye(4)) | {"b_V": np.ones(4)}
    export_all(run(spec, inputs), Labels(tuple("abcd"), tuple("abcd")), tmp_path)
    header, row, *_ = _read(tmp_path / "index.csv")
    told = dict(zip(header, row, strict=True))
    assert list(told)[7:] == [
        *("variant", "n_heads", "output_projection", "scale", "causal", "normalizer"),
        *("n_kv_heads", "biases", "positions", "score", "window", "key_lengths"),
        *("temperature", "normalizer_options", "headers", "attnviewer"),
    ]
    assert (told["variant"], told["scale"], told["causal"]) == ("self", "1.0", "no")
    # As in Python, so that a spec can be made of them again.
    made = ("n_kv_heads", "biases", "window", "key_lengths", "normalizer_options")
    assert {name: literal_eval(told[name]) for name in made} == {
        name: getattr(spec, name) for name in made
    }
    assert told["positions"] == (
        "Rotary(base=100.0, interleaved=False, offset=0, attention_factor=1.0)"
    )
    assert (told["score"], told["temperature"]) == ("cosine", "0.5")


def test_a_choice_that_was_not_made_has_no_column(tmp_path: Path) -> None:
    _export("example:journey", tmp_path)
    assert not {"temperature", "window", "mask", "projected"} & set(
        _read(tmp_path / "index.csv")[0]
    )


def test_each_head_of_shared_keys_has_a_file_of_its_own(tmp_path: Path) -> None:
    weights = {"W_Q": np.ones((2, 4)), "W_K": [[1, 2], [3, 4]], "W_V": np.eye(2)}
    inputs = {"X": np.eye(2)} | {n: np.array(a, float) for n, a in weights.items()}
    trace = run(Spec(n_heads=4, n_kv_heads=2), inputs)
    export_all(
        trace, Labels(("a", "b"), ("a", "b")), tmp_path, steps=["K"], headers=False
    )
    # X is the identity: the heads' keys are the columns of W_K.
    assert _read(tmp_path / "K.head0.csv") == [["1.0"], ["3.0"]]
    assert _read(tmp_path / "K.head1.csv") == [["2.0"], ["4.0"]]


def test_tokens_that_are_formulas_are_quoted(tmp_path: Path) -> None:
    tokens = ["=1+1", '-"x",y\n', "@a"]
    document = Document("", tokens, {"X": np.eye(3)}, Spec(projected=False))
    export_all(document.compute(), document.labels, tmp_path)
    want = ["'=1+1", '\'-"x",y\n', "'@a"]
    table = _read(tmp_path / "weights.csv")
    assert table[0][1:] == want
    assert [row[0] for row in table[1:]] == want


@pytest.mark.parametrize("name", ["x" * 251, "я" * 125 + "x", "日" * 83 + "xx"])
def test_a_name_as_long_as_names_can_be_has_its_index_beside_it(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / f"{name}.csv"
    assert len(path.name.encode()) == 255
    computation = Computation.of(load("example:journey"))
    table, index = export(computation, path, "csv", Choice(("X",)))
    assert table == path
    assert index.name.endswith(".index.csv")
    assert name.startswith(index.name.removesuffix(".index.csv"))
    assert len(index.name.encode()) in range(253, 256)
    assert _read(index)[1][0] == path.name
    assert set(tmp_path.iterdir()) == {table, index}


@pytest.mark.parametrize("folder", ["new", "new/below"])
def test_a_missing_folder_is_made(tmp_path: Path, folder: str) -> None:
    assert "X.csv" in _export("example:journey", tmp_path / folder)


def test_other_files_in_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    (tmp_path / "X.csv").write_text("old")
    _export("example:journey", tmp_path, steps=["X"])
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert len(_read(tmp_path / "X.csv")) == 7


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["X", "weight"], "There is no step 'weight' here. Did you mean 'weights'? "),
        (["masked"], "There is no step 'masked' here. "),
        ([""], "There is no step '' here. "),
    ],
)
def test_an_unknown_step_is_refused_before_anything_is_written(
    tmp_path: Path, names, told
) -> None:
    document = load("example:journey")
    with pytest.raises(ValueError, match=r"^There is no step") as caught:
        export_all(document.compute(), document.labels, tmp_path / "to", steps=names)
    assert str(caught.value) == f"{told}The steps are X, scores, weights, output."
    assert not (tmp_path / "to").exists()


def test_no_step_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="Name at least one step"):
        select_steps(load("example:journey").compute(), [])


def test_a_folder_that_cannot_be_is_refused_with_its_reason(tmp_path: Path) -> None:
    document = load("example:journey")
    trace = document.compute()
    (tmp_path / "file").write_text("old")
    refusals = {
        tmp_path / "file": "It is a file, not a folder.",
        tmp_path / "file" / "below": "A part of the path is a file, not a folder.",
        tmp_path / ("x" * 300): "The name is too long.",
        tmp_path / "nu\0ll": "The name holds a null character.",
    }
    for folder, reason in refusals.items():
        with pytest.raises(FileError) as caught:
            export_all(trace, document.labels, folder)
        assert (caught.value.path, caught.value.reason) == (folder, reason)
    assert (tmp_path / "file").read_text() == "old"


def test_a_file_of_a_name_that_is_too_long_is_refused(tmp_path: Path) -> None:
    computation = Computation.of(load("example:journey"))
    for format in ("npz", "json"):
        path = tmp_path / f"{'x' * 300}.{format}"
        with pytest.raises(FileError) as caught:
            export(computation, path, format)
        assert caught.value.reason == "The name is too long."


def test_a_failure_half_way_writes_no_index(tmp_path: Path) -> None:
    def fail_at_weights(path: Path, pieces) -> None:
        if path.name == "weights.csv":
            raise FileError(path, "The disk is full.")
        write_atomically(path, pieces)

    computation = Computation.of(load("example:journey"))
    with pytest.raises(FileError, match=r"weights\.csv: The disk is full\."):
        export(computation, tmp_path, "csv", write=fail_at_weights)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["X.csv", "scores.csv"]


def test_one_head_of_one_step_goes_to_the_file_that_is_named(tmp_path: Path) -> None:
    document = load("example:two-heads")
    trace, path = document.compute(), tmp_path / "any name.csv"
    export_step(trace, document.labels, "weights", path, head=1)
    assert _numbers(path) == trace["weights"][1].tolist()
    assert _read(path)[0] == ["", *document.tokens]


@pytest.mark.parametrize("head", [None, 0])
def test_a_step_without_heads_needs_no_head(tmp_path: Path, head: int | None) -> None:
    document = load("example:two-heads")
    path = tmp_path / "output.csv"
    export_step(document.compute(), document.labels, "output", path, head=head)
    assert len(_read(path)) == 8


@pytest.mark.parametrize(
    ("step", "head", "told"),
    [
        ("weights", 2, "The 'head' of 'weights' must be from 0 to 1. Got 2 instead."),
        ("weights", -1, "The 'head' of 'weights' must be from 0 to 1. Got -1 instead."),
        ("weights", None, "The 'head' of 'weights' must be from 0 to 1. Got None"),
        ("output", 1, "The 'head' of 'output' must be from 0 to 0. Got 1 instead."),
        ("wieghts", 0, "There is no step 'wieghts' here. Did you mean 'weights'?"),
    ],
)
def test_a_step_or_head_that_is_not_there_is_refused(
    tmp_path, step, head, told
) -> None:
    document = load("example:two-heads")
    with pytest.raises(ValueError) as caught:  # noqa: PT011 the message is compared
        export_step(
            document.compute(), document.labels, step, tmp_path / "x", head=head
        )
    assert str(caught.value).startswith(told)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_tables_begin_with_a_byte_order_mark_where_it_is_wanted(
    tmp_path: Path, format: str
) -> None:
    computation = Computation.of(load("example:four-words"))
    plain = export(computation, tmp_path / "plain", format)
    marked = export(computation, tmp_path / "marked", format, Choice(bom=True))
    for one, other in zip(plain, marked, strict=True):
        assert other.read_bytes() == b"\xef\xbb\xbf" + one.read_bytes()
    got, want = read_matrices(marked[0]), read_matrices(plain[0])
    assert got.tokens == want.tokens
    assert np.array_equal(got.values["X"], want.values["X"])


def test_a_byte_order_mark_can_be_had_from_python(tmp_path: Path) -> None:
    document = load("example:four-words")
    trace, path = document.compute(), tmp_path / "weights.csv"
    export_step(trace, document.labels, "weights", path, bom=True)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf,")
    files = export_all(trace, document.labels, tmp_path / "all", bom=True)
    assert all(file.read_bytes().startswith(b"\xef\xbb\xbf") for file in files)


def test_a_null_character_in_a_token_leaves_a_table_that_reads_back(
    tmp_path: Path,
) -> None:
    labels = Labels(("a\0b", "c"), ("a\0b", "c"))
    trace = run(Spec(projected=False), {"X": np.eye(2)})
    files = export(Computation("A\0B", labels, trace), tmp_path / "all", "csv")
    read = read_matrices(files[0])
    assert read.tokens == ("a\ufffdb", "c")
    assert np.array_equal(read.values["X"], np.eye(2))
    assert all(b"\0" not in file.read_bytes() for file in files)


@pytest.mark.parametrize("head", range(4))
def test_a_head_comes_with_the_keys_and_values_that_serve_it(
    tmp_path: Path, head: int
) -> None:
    rng = np.random.default_rng(4)
    shapes = {"X": (3, 4), "W_Q": (4, 8), "W_K": (4, 4), "W_V": (4, 4)}
    inputs = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    trace = run(Spec(n_heads=4, n_kv_heads=2), inputs)
    labels = Labels(("a", "b", "c"), ("a", "b", "c"))
    choice = Choice(("K", "weights"), head)
    export(Computation("Shared", labels, trace), tmp_path, "csv", choice)
    own = head // 2  # heads 0 and 1 share the first
    keys = (inputs["X"] @ inputs["W_K"])[:, 2 * own : 2 * own + 2]
    np.testing.assert_allclose(_numbers(tmp_path / f"K.head{own}.csv"), keys)
    weights = _numbers(tmp_path / f"weights.head{head}.csv")
    assert weights == trace["weights"][head].tolist()
    assert len(list(tmp_path.iterdir())) == 3
