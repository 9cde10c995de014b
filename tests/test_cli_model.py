"""Real models on the command line: heads as CSV, layers as files, pictures, windows."""

import csv
import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from attnviewer import cli, models
from attnviewer.io.export import FORMATS
from attnviewer.sources import ModelSource
from tests.models import encoder_decoders, recorded
from tests.models.checkpoints import write_gpt2

_PYTHON = [sys.executable, "-m", "attnviewer"]
_ANIMAL = "the animal didn ' t cross the street because it was too tired ."
_HEADER = [
    *("layer", "head", "entropy", "effective_keys", "distance"),
    *("first_share", "previous_share", "diagonal_share"),
]
_CASE = recorded.load("gpt2")
_IDS = ",".join(map(str, _CASE.input_ids))


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory) -> Path:
    """Return a tiny model of 2 layers of 4 heads, without a tokenizer."""
    return _CASE.write(tmp_path_factory.mktemp("models") / "tiny")


def _answer(capsys, *arguments: str | Path) -> str:
    assert cli.main(["model", *map(str, arguments)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def _refusal(capsys, *arguments: str | Path) -> str:
    assert cli.main(["model", *map(str, arguments)]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("attnviewer: ")
    assert told.err.count("\n") == 1
    return told.err.removeprefix("attnviewer: ").rstrip("\n")


def _table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def test_heads_are_a_table_of_all_layers(capsys, gpt2: Path) -> None:
    told = _answer(capsys, gpt2, "--ids", _IDS, "--heads")
    header, *rows = _table(told)
    assert header == _HEADER
    places = [(str(layer), str(head)) for layer in range(2) for head in range(4)]
    assert [tuple(row[:2]) for row in rows] == places
    weights = _CASE.results["attentions"].reshape(8, 8, 8)  # (heads, queries, keys)
    first = [float(row[5]) for row in rows]
    np.testing.assert_allclose(first, weights[:, :, 0].mean(1), rtol=1e-4)
    own = [float(row[7]) for row in rows]
    np.testing.assert_allclose(own, weights.trace(axis1=1, axis2=2) / 8, rtol=1e-4)


def test_numbers_of_heads_have_every_digit_and_lines_end_as_in_exported_files(
    capsys, gpt2: Path
) -> None:
    assert cli.main(["model", str(gpt2), "--ids", "5", "--heads", "--layer", "1"]) == 0
    *lines, end = capsys.readouterr().out.split("\r\n")
    assert end == ""
    # One token sees itself alone, and nothing comes before it.
    assert lines[1:] == [f"1,{head},0.0,1.0,0.0,1.0,,1.0" for head in range(4)]


def test_a_layer_or_a_head_alone_is_a_part_of_the_table(capsys, gpt2: Path) -> None:
    every = _table(_answer(capsys, gpt2, "--ids", _IDS, "--heads"))
    layer = _table(_answer(capsys, gpt2, "--ids", _IDS, "--heads", "--layer", "1"))
    assert layer == [every[0], *every[5:]]
    head = _table(_answer(capsys, gpt2, "--ids", _IDS, "--heads", "--head", "2"))
    assert head == [every[0], every[3], every[7]]


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
def test_a_reader_of_heads_that_goes_away_leaves_no_traceback(gpt2: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [*_PYTHON, "model", gpt2, "--ids", "1,2", "--heads"],
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.stderr == b""
    assert done.returncode == 141


def test_without_a_text_it_is_told_what_a_model_runs_over(capsys, gpt2: Path) -> None:
    assert cli.main(["model", str(gpt2), "--heads"]) == 0
    told = capsys.readouterr()
    assert told.err == (
        'attnviewer: It runs over "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15" '
        "(see --text, --ids and --tokens).\n"
    )
    ids = ",".join(map(str, range(16)))
    assert told.out == _answer(capsys, gpt2, "--ids", ids, "--heads")


def test_an_exported_layer_is_files_with_the_recorded_weights(
    capsys, gpt2: Path, tmp_path: Path
) -> None:
    to = ("--export", tmp_path, "--layer", "1")
    told = _answer(capsys, gpt2, "--ids", _IDS, *to)
    names = {path.name for path in tmp_path.iterdir()}
    assert told == f"{len(names)} files written to {tmp_path}\n"
    assert {"X.csv", "W_Q.csv", "Q.head3.csv", "output.csv", "index.csv"} <= names
    for head in range(4):
        header, *rows = _table((tmp_path / f"weights.head{head}.csv").read_text())
        assert header == ["", *(f"#{number}" for number in _CASE.input_ids)]
        got = [[float(cell) for cell in row[1:]] for row in rows]
        want = _CASE.results["attentions"][1, head]
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)
    header, *rows = _table((tmp_path / "index.csv").read_text(encoding="utf-8-sig"))
    assert {row[header.index("title")] for row in rows} == {"tiny · L1"}
    assert {row[header.index("numbers")] for row in rows} == {"float32"}


def test_a_step_of_a_head_is_exported_as_one_table(
    capsys, gpt2: Path, tmp_path: Path
) -> None:
    to = tmp_path / "weights.csv"
    head = (gpt2, "--ids", _IDS, "--layer", "1", "--head", "2", "--export", to)
    assert cli.main(["model", *map(str, head)]) == 2
    told = capsys.readouterr().err
    assert told.endswith("Add options such as --step weights --head 0.\n")
    _answer(capsys, *head, "--step", "weights")
    _, *rows = _table(to.read_text())
    got = [[float(cell) for cell in row[1:]] for row in rows]
    want = _CASE.results["attentions"][1, 2]
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


def test_an_exported_head_is_that_head_alone(
    capsys, gpt2: Path, tmp_path: Path
) -> None:
    options = ("--layer", "0", "--head", "2", "--format", "npz", "--export", tmp_path)
    told = _answer(capsys, gpt2, "--ids", _IDS, *options)
    (file,) = tmp_path.iterdir()
    assert told == f"{file} written\n"
    with np.load(file, allow_pickle=False) as arrays:
        got = arrays["weights"]
    want = _CASE.results["attentions"][0, 2]
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", FORMATS)
def test_a_layer_is_exported_in_every_format(
    capsys, gpt2: Path, tmp_path: Path, name: str
) -> None:
    options = ("--layer", "1", "--export", tmp_path, "--format", name)
    _answer(capsys, gpt2, "--ids", "1,2,3", *options)
    suffixes = {path.suffix for path in tmp_path.iterdir()}
    assert FORMATS[name].suffix in suffixes


def test_an_exported_program_computes_the_layer_anew(
    capsys, gpt2: Path, tmp_path: Path
) -> None:
    to = tmp_path / "layer.py"
    options = ("--layer", "1", "--export", to, "--format", "py")
    _answer(capsys, gpt2, "--ids", _IDS, *options)
    subprocess.run([sys.executable, to], check=True, capture_output=True, timeout=60)


def test_minilm_looks_from_it_at_the_animal(
    capsys, minilm: Path, tmp_path: Path
) -> None:
    place = ("--layer", "3", "--head", "1", "--export", tmp_path, "--format", "csv")
    _answer(capsys, minilm, "--text", _ANIMAL, *place)
    header, *rows = _table((tmp_path / "weights.head1.csv").read_text(encoding="utf-8"))
    assert header[1:] == ["[CLS]", *_ANIMAL.split(), "[SEP]"]
    (row,) = (row for row in rows if row[0] == "it")
    assert float(row[header.index("animal")]) == pytest.approx(0.6768, abs=5e-5)


def test_minilms_tokens_by_name_or_number_are_the_same_as_its_text(
    capsys, minilm: Path
) -> None:
    text = _answer(capsys, minilm, "--text", "The animal", "--heads", "--layer", "0")
    for same in (
        ("--tokens", "[CLS] the  animal [SEP]"),
        ("--ids", "101, 1996,4111,102"),
    ):
        assert _answer(capsys, minilm, *same, "--heads", "--layer", "0") == text


def test_without_the_library_for_texts_the_ways_on_are_named(
    capsys, minilm: Path, monkeypatch
) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    told = _refusal(capsys, minilm, "--text", "the", "--heads")
    for way in ("pip install 'attnviewer[models]'", "--ids", "--tokens"):
        assert way in told
    _answer(capsys, minilm, "--tokens", "the", "--heads", "--layer", "0")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "the following arguments are required: PATH (see 'attnviewer model"),
        (["nowhere", "--heads"], "nowhere: There is no such file or folder."),
        (["", "--heads"], "argument PATH: name a folder (see"),
        (["example:a"], "argument PATH: it is an example, which 'attnviewer example:a"),
        (
            ["folder/own.npz", "--heads"],
            "argument PATH: it is a document or a file of arrays, which 'attnviewer f",
        ),
        (["folder", "--heads"], "folder: There is neither config.json nor model."),
        (["llamas", "--heads"], "llamas/config.json, $.model_type: "),
        (["tiny", "--export", "to"], "argument --export: it needs --layer, counted"),
        (["tiny", "--screenshot", "a.png"], "argument --screenshot: it needs --layer"),
        (["tiny", "--screenshot", "a.jpg"], "argument --screenshot: the name must end"),
        (
            ["tiny", "--heads", "--format", "npz"],
            "argument --format: it needs --export",
        ),
        (["tiny", "--text-size", "150"], "argument --text-size: it needs --screenshot"),
        (["tiny", "--heads", "--view", "lines"], "argument --view: it needs --screen"),
        (
            ["tiny", "--export", "to", "--screenshot", "a.png"],
            "argument --screenshot: not allowed with argument --export (see",
        ),
        (
            ["tiny", "--export", "to", "--layer", "0", "--format", "xls"],
            "argument --format: it must be one of csv, tsv, npz, ",
        ),
        (
            ["tiny", "--export", "a.svg", "--layer", "0", "--text-size", "120"],
            "argument --text-size: it needs --screenshot",
        ),
        (
            ["tiny", "--export", "a.npz", "--layer", "0", "--cell", "0,0"],
            "argument --cell: it needs --screenshot, or --export with the name of a",
        ),
        (
            ["tiny", "--screenshot", "a.png", "--layer", "0", "--caption"],
            "argument --caption: it needs --export with the name of a picture (png,",
        ),
        (
            ["tiny", "--screenshot", "a.png", "--layer", "0", "--theme", "paper"],
            "argument --theme: a screenshot cannot be paper",
        ),
        (["tiny", "--export", "a.svg"], "argument --export: it needs --layer, counted"),
        (
            ["tiny", "--export", "a.foo", "--layer", "0"],
            "argument --export: No format has names that end in .foo.",
        ),
        (["tiny", "--text", "a", "--ids", "1"], "argument --ids: not allowed with "),
        (["tiny", "--ids", "1;2"], "argument --ids: it must be whole numbers with"),
        (["tiny", "--ids", "48", "--heads"], "tiny: The ids must be from 0 to 47"),
        (
            ["tiny", "--ids", "-1", "--heads"],
            "argument --ids: it must be whole numbers",
        ),
        (["tiny", "--tokens", " ", "--heads"], "tiny: The sentence must have at "),
        (
            ["tiny", "--text", "a", "--heads"],
            "tiny: The sentence must be given by the ids of its tokens, as tiny has no "
            "tokenizer. Got text instead. Ids are given by --ids, as in --ids 1,2,3.",
        ),
        (["tiny", "--layer", "2", "--heads"], "tiny: The 'layer' must be from 0 to 1."),
        (["tiny", "--head", "-1", "--heads"], "tiny: The 'head' must be from 0 to 3."),
        (
            ["tiny", "--head", "4", "--layer", "0", "--export", "to"],
            "tiny: The 'head' must be from 0 to 3. Got 4 instead.",
        ),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    capsys, tmp_path: Path, monkeypatch, options: list[str], told: str
) -> None:
    write_gpt2(tmp_path / "tiny")
    write_gpt2(tmp_path / "llamas", model_type="llamas")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.txt").touch()
    (tmp_path / "folder" / "own.npz").touch()
    monkeypatch.chdir(tmp_path)
    assert _refusal(capsys, *options).startswith(told)
    assert {path.name for path in tmp_path.iterdir()} == {"tiny", "llamas", "folder"}


@pytest.fixture
def drawn(monkeypatch) -> list[dict[str, object]]:
    """Return what would have been drawn."""
    calls: list[dict[str, object]] = []

    def save_screenshot(source: object, path: Path, **options: object) -> None:
        calls.append({"source": source, "path": path} | options)

    screenshot = SimpleNamespace(save_screenshot=save_screenshot)
    monkeypatch.setitem(sys.modules, "attnviewer.ui.offscreen.screenshot", screenshot)
    return calls


def test_a_picture_is_of_all_heads_unless_one_is_named(capsys, drawn) -> None:
    told = _answer(capsys, "m", "--layer", "3", "--screenshot", "a.png")
    assert told == "a.png written\n"
    assert drawn == [
        {
            "source": ModelSource(Path("m"), None, 3, 0),
            "path": Path("a.png"),
            "size": (1600, 1000),
            "theme": "light",
            "step": None,
            "view": "heads",
            "cell": None,
            "text_size": 100,
        }
    ]
    _answer(capsys, "m", "--layer", "3", "--head", "1", "--screenshot", "a.png")
    assert drawn[1]["view"] == "heatmap"


def test_a_picture_takes_the_options_of_screenshots(capsys, drawn) -> None:
    place = ("--layer", "0", "--head", "2", "--tokens", "a b")
    looks = ("--size", "800x600", "--theme", "dark", "--text-size", "120")
    shown = ("--view", "lines", "--step", "scores", "--cell", "1,2")
    _answer(capsys, "m", *place, *looks, *shown, "--screenshot", "a.PNG")
    assert drawn == [
        {
            "source": ModelSource(Path("m"), ("a", "b"), 0, 2),
            "path": Path("a.PNG"),
            "size": (800, 600),
            "theme": "dark",
            "step": "scores",
            "view": "lines",
            "cell": (1, 2),
            "text_size": 120,
        }
    ]


@pytest.mark.usefixtures("theme_is_put_back")
def test_a_picture_that_cannot_be_drawn_is_one_clear_line(
    capsys, gpt2: Path, tmp_path: Path
) -> None:
    to = ("--screenshot", tmp_path / "a.png", "--ids", "1,2", "--layer")
    for place, told in (
        (("2",), f"{gpt2}: The 'layer' must be from 0 to 1. Got 2 instead."),
        (("1", "--head", "4"), f"{gpt2}: The 'head' must be from 0 to 3. Got 4 inst"),
        (("1", "--cell", "2,0"), "The 'cell' must "),
        (("1", "--step", "nothing"), "The 'step' must be one of X, "),
    ):
        assert _refusal(capsys, gpt2, *to, *place).startswith(told)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("theme_is_put_back")
@pytest.mark.parametrize(
    ("name", "begins"), [("w.svg", b"<?xml"), ("w.png", b"\x89PNG"), ("w.pdf", b"%PDF")]
)
def test_a_head_of_a_model_is_drawn_by_export(
    capsys, gpt2: Path, tmp_path: Path, name: str, begins: bytes
) -> None:
    pictures = []
    for head in ("0", "1"):
        to = tmp_path / f"{head}-{name}"
        place = ("--layer", "1", "--head", head, "--ids", "3,1,2", "--cell", "2,0")
        looks = ("--step", "weights", "--theme", "paper", "--width", "85mm")
        told = _answer(capsys, gpt2, *place, *looks, "--export", to)
        assert told == f"{to} written\n"
        pictures.append(to.read_bytes())
    assert pictures[0].startswith(begins)
    assert pictures[0] != pictures[1]


def test_a_layer_is_exported_by_the_ending_of_the_name(
    capsys, gpt2: Path, tmp_path: Path
) -> None:
    to = tmp_path / "layer.npz"
    _answer(capsys, gpt2, "--layer", "1", "--ids", "3,1,2", "--export", to)
    assert np.load(to)["weights"].shape == (4, 3, 3)


@pytest.mark.parametrize(
    ("options", "source"),
    [
        ([], ModelSource(Path("m"))),
        (["--text", "So tired."], ModelSource(Path("m"), "So tired.")),
        (["--ids", "7"], ModelSource(Path("m"), (7,))),
        (["--layer", "3", "--head", "1"], ModelSource(Path("m"), None, 3, 1)),
    ],
)
def test_the_window_opens_on_the_model(monkeypatch, options, source) -> None:
    opened = []

    def launch(model: ModelSource) -> int:
        opened.append(model)
        return 7

    module = SimpleNamespace(launch=launch)
    monkeypatch.setitem(sys.modules, "attnviewer.ui.launch", module)
    assert cli.main(["model", "m", *options]) == 7
    assert opened == [source]


def test_settings_that_contradict_each_other_are_told_beside_the_answer(
    capsys, tmp_path: Path
) -> None:
    folder = write_gpt2(tmp_path / "little")
    (folder / "tokenizer.json").write_text(
        '{"version": "1.0", "added_tokens": [], "normalizer": {"type": "Lowercase"},'
        ' "model": {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}}'
    )
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert cli.main(["model", str(folder), "--ids", "0,0", "--heads"]) == 0
    assert "sets 'do_lower_case' to false" in capsys.readouterr().err
    model = models.load(folder)
    assert len(model.notices) == 1


@pytest.mark.parametrize("part", ["encoder", "decoder", "cross"])
def test_each_part_of_an_encoder_decoder_is_exported(capsys, tmp_path, part) -> None:
    case = encoder_decoders.load("t5")
    folder, to = case.write(tmp_path / "t5"), tmp_path / "layer.npz"
    source, target = (
        " ".join(map(str, case.told[name]))
        for name in ("input_ids", "decoder_input_ids")
    )
    options = ("--part", part, "--layer", "0", "--export", to)
    _answer(capsys, folder, "--text", f"{source} => {target}", *options)
    with np.load(to) as arrays:
        found = arrays["weights"]
    np.testing.assert_allclose(found, case.results[f"{part}_attentions"][0], atol=1e-5)


def test_a_part_that_a_model_lacks_is_refused(capsys, gpt2: Path) -> None:
    told = _refusal(capsys, gpt2, "--ids", "1", "--part", "cross", "--heads")
    assert told.endswith("The 'part' must be one of decoder. Got 'cross' instead.")
