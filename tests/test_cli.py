"""The command line: answers, refusals in one line, exit codes."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from attnviewer import __version__, cli, io
from attnviewer.io import FileError, example_ids, list_examples, load
from attnviewer.views import VIEWS

_PYTHON = [sys.executable, "-m", "attnviewer"]
_SHOT = ["screenshot", "x", "--to", "y.png"]
# Output that is not buffered would hide what happens when the rest is flushed.
_BUFFERED = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}


def _refusal(capsys, *arguments: str) -> str:
    assert cli.main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("attnviewer: ")
    assert told.err.count("\n") == 1
    return told.err.removeprefix("attnviewer: ").rstrip("\n")


def _answer(capsys, *arguments: str) -> str:
    assert cli.main(arguments) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def test_examples_lists_ids_and_titles(capsys) -> None:
    lines = _answer(capsys, "examples").splitlines()
    assert [tuple(line.split(maxsplit=1)) for line in lines] == [
        (example.id, example.title) for example in list_examples()
    ]


def test_the_version_is_the_packages(capsys) -> None:
    assert _answer(capsys, "--version") == f"{__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["--help"],
            [
                "[SOURCE]",
                *(
                    f"attnviewer {c}"
                    for c in ("doctor", "export", "model", "screenshot")
                ),
            ],
        ),
        (["-h"], ["attnviewer examples"]),
        (["examples", "--help"], ["attnviewer examples"]),
        (
            ["export", "--help"],
            ["--to", "--steps", "--format", "--no-headers", "--width"],
        ),
        (
            ["screenshot", "--help"],
            ["--to", "--size", "--theme", "--step", "--view", "--cell", "--baseline"],
        ),
        (
            ["model", "--help"],
            ["--text", "--ids", "--tokens", "--layer", "--head", "--heads", "--export"],
        ),
    ],
)
def test_help_names_what_there_is(capsys, arguments, words) -> None:
    told = _answer(capsys, *arguments)
    assert [word for word in words if word not in told] == []


@pytest.mark.parametrize("id_", example_ids())
def test_export_writes_every_step_of_every_example(capsys, tmp_path, id_) -> None:
    told = _answer(capsys, "export", f"example:{id_}", "--to", str(tmp_path))
    files = list(tmp_path.iterdir())
    assert told == f"{len(files)} files written to {tmp_path}\n"
    trace = load(f"example:{id_}").compute()
    names = {path.name.split(".")[0] for path in files}
    assert names == {*trace, "index"}
    table = np.genfromtxt(tmp_path / "output.csv", delimiter=",", skip_header=1)
    np.testing.assert_array_equal(table[:, 1:], trace["output"])


def test_export_takes_a_file_too(capsys, tmp_path: Path) -> None:
    source = tmp_path / "export"  # named like a command
    source.write_text(
        '{"format": "attnviewer-example", "version": 1, "title": "", "tokens": ["a"],'
        '"matrices": {"X": [[2]]}, "spec": {"projected": false}}'
    )
    to = tmp_path / "to"
    arguments = ["export", str(source), "--to", str(to), "--steps", "scores"]
    assert _answer(capsys, *arguments) == f"2 files written to {to}\n"
    assert (to / "scores.csv").read_bytes() == b",a\r\na,4.0\r\n"


@pytest.mark.parametrize("command", ["export", "figure", "patterns"])
def test_what_was_left_out_of_a_file_is_told_beside_the_answer(
    capsys, tmp_path: Path, command: str
) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1,2,\n3,4,\n", encoding="utf-8")
    written = tmp_path / ("x.svg" if command == "figure" else "x.json")
    to = [] if command == "patterns" else ["--to", str(written)]
    name = "patterns" if command == "patterns" else "export"
    assert cli.main([name, str(path), *to]) == 0
    assert capsys.readouterr().err == (
        f"attnviewer: {path}: Every line ends with a separator, which was left out.\n"
    )


def test_nothing_is_told_of_an_export_that_opens_as_it_was(
    capsys, tmp_path: Path
) -> None:
    path = tmp_path / "own.npz"
    _answer(capsys, "export", "example:two-heads", "--to", str(path))
    _answer(capsys, "export", str(path), "--to", str(tmp_path / "again.npz"))


def test_export_writes_chosen_steps_without_headers(capsys, tmp_path: Path) -> None:
    options = ["--steps", "scores, Q", "--format", "csv", "--no-headers"]
    _answer(capsys, "export", "example:four-words", "--to", str(tmp_path), *options)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["Q.csv", "index.csv", "scores.csv"]
    assert (tmp_path / "Q.csv").read_bytes().splitlines()[0] == b"2.0,0.0,2.0"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--foo"], "unrecognized arguments: --foo (see 'attnviewer --help')"),
        (["a", "b"], "unrecognized arguments: b (see 'attnviewer --help')"),
        (["examples", "x"], "unrecognized arguments: x (see 'attnviewer examples"),
        (["export"], "the following arguments are required: SOURCE, --to (see"),
        (["export", "x"], "the following arguments are required: --to (see"),
        (["export", "x", "--to"], "argument --to: expected one argument (see"),
        (["export", "x", "--t", "y"], "the following arguments are required: --to"),
        (["export", "x", "--to", "y", "--format", "xls"], "argument --format: invalid"),
        (["export", "missing.json", "--to", "y"], "missing.json: There is no such"),
        (
            ["export", "example:four-wrods", "--to", "y"],
            "example:four-wrods: There is no such example. Did you mean 'four-words'? "
            "'attnviewer examples' lists them all.",
        ),
        (
            ["export", "example:journey", "--to", "y", "--steps", "weight"],
            "argument --steps: There is no step 'weight' here. Did you mean 'weights'? "
            "The steps are X, scores, weights, output.",
        ),
        (
            ["export", "example:journey", "--to", "y", "--steps", "X,"],
            "argument --steps: There is no step '' here. The steps are X, scores,",
        ),
        (
            ["export", "example:journey", "--to", ""],
            "argument --to: Name a file or a folder.",
        ),
        (["export", "", "--to", "y"], "source: Name a file, or example:ID for an"),
        (["screenshot"], "the following arguments are required: SOURCE, --to (see"),
        (
            ["screenshot", "x", "--to", "y.jpg"],
            "argument --to: the name must end in .png. Got 'y.jpg' (see",
        ),
        (
            ["screenshot", "x", "--to", "y.png", "--theme", "red"],
            "argument --theme: in",
        ),
        (
            ["screenshot", "x", "--to", "y.png", "--view", "3d"],
            "argument --view: the 'view' must be one of how, heatmap, lines, heads, "
            "table, difference, on_picture. Got '3d' (see",
        ),
        (["a\nb", "c\nd"], "unrecognized arguments: c\\nd (see 'attnviewer --help')"),
    ],
)
def test_wrong_arguments_are_one_clear_line(
    capsys, tmp_path, monkeypatch, arguments, told
) -> None:
    monkeypatch.chdir(tmp_path)
    assert _refusal(capsys, *arguments).startswith(told)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "size",
    ["1600", "1600x", "x1000", "319x240", "320x239", "16385x300", "1e3x1000", ""],
)
def test_a_size_that_is_none_or_too_small_or_large_is_refused(capsys, size) -> None:
    told = _refusal(capsys, *_SHOT, "--size", size)
    assert told.startswith(
        "argument --size: it must be like 1600x1000, from 320x240 to 16384x16384. "
        f"Got '{size}'"
    )


@pytest.mark.parametrize("cell", ["1", "1,", "a,b", "1,2,3", "1.0,2", "1;2"])
def test_a_cell_that_is_none_is_refused(capsys, cell: str) -> None:
    told = _refusal(capsys, *_SHOT, "--cell", cell)
    assert told.startswith(
        "argument --cell: it must be a row and a column from zero, like 0,2. "
        f"Got {cell!r}"
    )


def test_a_folder_that_cannot_be_written_is_one_clear_line(capsys, tmp_path) -> None:
    (tmp_path / "file").write_text("old")
    to = str(tmp_path / "file")
    told = _refusal(capsys, "export", "example:journey", "--to", to)
    assert told == f"{to}: It is a file, not a folder."
    assert (tmp_path / "file").read_text() == "old"


def test_a_matrix_that_does_not_fit_is_one_clear_line(capsys, tmp_path: Path) -> None:
    source = tmp_path / "a.json"
    source.write_text(
        '{"format": "attnviewer-example", "version": 1, "title": "", "tokens": ["a"],'
        '"matrices": {"X": [[1, 2]], "W_Q": [[1, 2], [3, 4]], "W_K": [[1], [2]],'
        '"W_V": [[1], [2]]}}'
    )
    told = _refusal(capsys, "export", str(source), "--to", str(tmp_path / "to"))
    assert told == (
        f"{source}: The 'W_K' matrix must have shape (2, 2). Got (2, 1) instead."
    )


def test_too_little_memory_is_one_clear_line(capsys, monkeypatch) -> None:
    def fail(*_, **_options) -> None:
        raise MemoryError

    monkeypatch.setattr(io, "load", fail)
    assert "not enough memory" in _refusal(capsys, "export", "x", "--to", "y")


def test_an_interruption_is_quiet(capsys, monkeypatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(io, "list_examples", interrupt)
    assert cli.main(["examples"]) == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
@pytest.mark.parametrize("arguments", [["examples"], ["--help"]])
def test_a_reader_that_goes_away_leaves_no_traceback(arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        done = subprocess.run(
            [*_PYTHON, *arguments],
            env=_BUFFERED,
            stdout=closed,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.stderr == b""
    assert done.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_an_answer_that_cannot_be_written_is_one_clear_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*_PYTHON, "examples"],
            env=_BUFFERED,
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert done.stderr == b"attnviewer: Cannot print. The disk is full.\n"
    assert done.returncode == 2


def test_a_name_that_the_terminal_cannot_show_is_written_out(tmp_path: Path) -> None:
    to = tmp_path / "\u4e2d"
    done = subprocess.run(
        [*_PYTHON, "export", "example:journey", "--to", str(to), "--steps", "X"],
        env=_BUFFERED | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.rstrip() == f"2 files written to {tmp_path}/\\u4e2d".encode()
    assert done.stderr == b""


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """Return the sources that a window would have been opened on."""
    sources: list[str] = []

    def launch(source: str, _assign: str | None) -> int:
        sources.append(source)
        if source == "missing":
            raise FileError(source, "There is no such file or folder.")
        return 7

    app = SimpleNamespace(launch=launch)
    monkeypatch.setitem(sys.modules, "attnviewer.ui.launch", app)
    return sources


@pytest.mark.parametrize(
    ("arguments", "source"),
    [
        ([], "example:four-words"),
        (["example:journey"], "example:journey"),
        (["./export"], "./export"),
        (["--", "export"], "export"),
    ],
)
def test_the_window_opens_on_the_source_or_the_first_example(
    opened, arguments, source
) -> None:
    assert cli.main(arguments) == 7
    assert opened == [source]


def test_a_source_that_the_window_cannot_open_is_one_clear_line(capsys, opened) -> None:
    assert _refusal(capsys, "missing") == "missing: There is no such file or folder."


@pytest.fixture
def drawn(monkeypatch) -> list[dict[str, object]]:
    """Return what would have been drawn."""
    calls: list[dict[str, object]] = []

    def save_screenshot(source: str, path: Path, **options: object) -> None:
        if options["step"] == "masked":
            raise ValueError("There is no step 'masked' here.")
        calls.append({"source": source, "path": path} | options)

    screenshot = SimpleNamespace(save_screenshot=save_screenshot)
    monkeypatch.setitem(sys.modules, "attnviewer.ui.offscreen.screenshot", screenshot)
    return calls


def test_screenshot_has_defaults(capsys, drawn) -> None:
    assert _answer(capsys, *_SHOT) == "y.png written\n"
    assert drawn == [
        {
            "source": "x",
            "path": Path("y.png"),
            "size": (1600, 1000),
            "theme": "light",
            "step": None,
            "view": None,
            "cell": None,
            "text_size": 100,
            "baseline": None,
            "assign": None,
            "layer": None,
        }
    ]


def test_screenshot_takes_every_option(capsys, drawn) -> None:
    options = [
        "--size",
        "320x16384",
        "--theme",
        "dark",
        "--step",
        "X",
        "--view",
        "difference",
        "--cell",
        "0,12",
        "--text-size",
        "150",
        "--baseline",
        "example:journey",
        "--layer",
        "3",
    ]
    _answer(capsys, *_SHOT, *options)
    assert drawn == [
        {
            "source": "x",
            "path": Path("y.png"),
            "size": (320, 16384),
            "theme": "dark",
            "step": "X",
            "view": "difference",
            "cell": (0, 12),
            "text_size": 150,
            "baseline": "example:journey",
            "assign": None,
            "layer": 3,
        }
    ]


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_is_asked_for_by_its_name(capsys, drawn, view) -> None:
    _answer(capsys, *_SHOT, "--view", view)
    assert drawn[0]["view"] == view


def test_a_step_that_cannot_be_drawn_is_one_clear_line(capsys, drawn) -> None:
    told = _refusal(capsys, *_SHOT, "--step", "masked")
    assert told == "There is no step 'masked' here."
    assert drawn == []


def test_a_window_system_that_does_not_load_is_one_clear_line(
    capsys, monkeypatch
) -> None:
    broken = _Broken(ImportError("libEGL.so.1: cannot open", name="PySide6.QtGui"))
    monkeypatch.setitem(sys.modules, "attnviewer.ui.launch", broken)
    told = _refusal(capsys, "example:journey")
    assert told == "The window cannot be loaded: libEGL.so.1: cannot open"


def test_a_mistake_of_ones_own_is_not_taken_for_a_broken_window_system(
    monkeypatch,
) -> None:
    broken = _Broken(ImportError("no such name", name="attnviewer.ui.launch"))
    monkeypatch.setitem(sys.modules, "attnviewer.ui.launch", broken)
    with pytest.raises(ImportError, match="no such name"):
        cli.main(["example:journey"])


class _Broken:
    """A module whose import fails."""

    def __init__(self, error: ImportError) -> None:
        self._error = error

    def __getattr__(self, name: str) -> object:
        raise self._error if name == "launch" else AttributeError(name)


def test_python_m_runs_the_same_command() -> None:
    done = subprocess.run(
        [*_PYTHON, "export"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr.startswith("attnviewer: the following arguments are required")


def test_export_writes_one_matrix_to_a_file_and_says_beside_it_what_it_is(
    capsys, tmp_path: Path
) -> None:
    to = tmp_path / "turned.tsv"
    options = ("--format", "tsv", "--steps", "K", "--head", "1", "--cells", "2:4,1:3")
    told = _answer(capsys, "export", "example:two-heads", "--to", str(to), *options)
    assert told == f"2 files written to {tmp_path}\n"
    document = load("example:two-heads")
    want = document.compute()["K"][1, 2:4, 1:3]
    header, *rows = [line.split("\t") for line in to.read_text().splitlines()]
    assert header == ["", "1", "2"]
    assert [row[0] for row in rows] == list(document.tokens[2:4])
    assert [[float(text) for text in row[1:]] for row in rows] == want.tolist()
    index = (tmp_path / "turned.index.csv").read_text().splitlines()
    assert len(index) == 2
    assert index[1].startswith("turned.tsv,K,1,2,2,")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--head", "2"], "The 'head' must be from 0 to 1. Got 2 instead."),
        (["--cells", "0:1,0:1"], "The 'cells' must be of one step. Got "),
        (["--cells", "0:1"], "argument --cells: it must be rows and columns from"),
        (["--steps", "X", "--cells", "0:1,3:99"], "The 'cells' must lie inside X (7, "),
        (["--to", "one.csv"], "A file of this format holds one matrix. Got "),
        (["--step", "K"], "argument --step: csv files have no such choice: --steps "),
        (["--theme", "paper"], "argument --theme: csv files have no such choice"),
        (
            ["--format", "png", "--to", "x.png", "--steps", "weights"],
            "argument --steps: png files have no such choice: --step chooses one to ",
        ),
        (
            ["--format", "svg", "--to", "x.svg", "--no-headers"],
            "argument --no-headers: svg files have no such choice",
        ),
    ],
)
def test_a_choice_that_there_is_not_is_refused(
    capsys, tmp_path: Path, monkeypatch, options, told
) -> None:
    monkeypatch.chdir(tmp_path)
    source = ("export", "example:two-heads", "--to", "x")
    assert _refusal(capsys, *source, *options).startswith(told)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("theme_is_put_back")
def test_a_picture_of_a_head_that_there_is_not_is_refused(
    capsys, tmp_path: Path
) -> None:
    to = tmp_path / "x.svg"
    options = ("--to", str(to), "--format", "svg", "--head", "2")
    told = _refusal(capsys, "export", "example:two-heads", *options)
    assert told == "The 'head' must be from 0 to 1. Got 2 instead."
    assert not to.exists()


@pytest.mark.usefixtures("theme_is_put_back")
def test_a_picture_of_a_head_is_of_that_head(capsys, tmp_path: Path) -> None:
    pictures = []
    for head in ([], ["--head", "0"], ["--head", "1"]):
        to = tmp_path / "head.png"
        options = ("--format", "png", "--step", "weights", *head)
        _answer(capsys, "export", "example:two-heads", "--to", str(to), *options)
        pictures.append(to.read_bytes())
    assert pictures[0] == pictures[1] != pictures[2]


# --------------------------------------------------- the ending tells the format


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("d.xlsx", b"PK"),
        ("d.npz", b"PK"),
        ("d.json", b"{"),
        ("d.py", b'"""'),
        ("d.TEX", b"\\documentclass"),
        ("d.md", b"#"),
        ("d.ipynb", b"{"),
    ],
)
def test_the_ending_of_a_name_tells_the_format(capsys, tmp_path, name, begins) -> None:
    to = tmp_path / name
    told = _answer(capsys, "export", "example:four-words", "--to", str(to))
    assert told == f"{to} written\n"
    assert to.read_bytes().startswith(begins)


def test_an_ending_of_two_parts_tells_pytorch(capsys, tmp_path: Path) -> None:
    to = tmp_path / "d.torch.py"
    _answer(capsys, "export", "example:four-words", "--to", str(to))
    assert "import torch" in to.read_text("utf-8")


@pytest.mark.parametrize("name", ["steps", "v1.2/", "there.xlsx", "new.csv/"])
def test_names_of_folders_get_csv_files(capsys, tmp_path: Path, name: str) -> None:
    (tmp_path / "there.xlsx").mkdir()
    to = f"{tmp_path}/{name}"
    _answer(capsys, "export", "example:journey", "--to", to)
    names = {path.name for path in Path(to).iterdir()}
    assert names == {"index.csv", "X.csv", "scores.csv", "weights.csv", "output.csv"}


def test_one_step_is_one_file_by_its_ending(capsys, tmp_path: Path) -> None:
    to = tmp_path / "w.tsv"
    _answer(capsys, "export", "example:journey", "--to", str(to), "--steps", "weights")
    assert to.read_bytes().startswith(b"\tyour\tjourney")


@pytest.mark.usefixtures("theme_is_put_back")
def test_a_picture_is_drawn_by_its_ending(capsys, tmp_path: Path) -> None:
    to = tmp_path / "w.svg"
    arguments = ["export", "example:journey", "--to", str(to), "--step", "weights"]
    assert _answer(capsys, *arguments) == f"{to} written\n"
    assert b"<svg" in to.read_bytes()


@pytest.mark.parametrize(
    ("to", "told"),
    [
        (
            ["d.foo"],
            "argument --to: No format has names that end in .foo. They end in ",
        ),
        (
            ["d.xlsx", "--format", "csv"],
            "argument --to: With --format csv the name must end in .csv, or be that of "
            "a folder. Got 'd.xlsx'",
        ),
        (
            ["folder", "--format", "svg"],
            "argument --to: With --format svg the name must end in .svg. Got 'folder'",
        ),
        (["d.xlsx", "--step", "weights"], "argument --step: xlsx files have no such"),
        (["w.svg", "--steps", "weights"], "argument --steps: svg files have no such"),
    ],
)
def test_a_name_that_fits_no_format_is_refused(
    capsys, tmp_path, monkeypatch, to, told
) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["export", "example:journey", "--to", *to]
    assert _refusal(capsys, *arguments).startswith(told)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_exported_is_told_the_command_for_models(
    capsys, tmp_path: Path
) -> None:
    told = _refusal(capsys, "export", str(tmp_path), "--to", "layer.npz")
    assert f"'attnviewer model {tmp_path} --layer N --export layer.npz'" in told
    told = _refusal(capsys, "export", str(tmp_path), "--to", "head.svg")
    assert f"model {tmp_path} --layer N --head N --export head.svg'" in told


def test_other_commands_tell_a_folder_the_one_for_models(
    capsys, tmp_path: Path
) -> None:
    told = _refusal(capsys, "patterns", str(tmp_path))
    assert f"'attnviewer model {tmp_path} --heads'" in told
    example = ["export", "example:journey", "--to", str(tmp_path / "d.svg")]
    compared = [*example, "--view", "difference", "--baseline", str(tmp_path)]
    assert "'attnviewer model" in _refusal(capsys, *compared)


@pytest.mark.parametrize("source", [".", "example:journey"])
def test_the_doctor_says_where_its_arrays_come_from(capsys, source: str) -> None:
    assert "'attnviewer doctor --help'" in _refusal(capsys, "doctor", source)


def test_a_misspelt_command_is_told_the_right_one(
    capsys, monkeypatch, opened, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    told = _refusal(capsys, "exmaples")
    assert told.endswith("Did you mean 'attnviewer examples'?")
    (tmp_path / "exports").write_text("1 2", encoding="utf-8")
    assert cli.main(["exports"]) == 7  # it is a file
    assert opened == ["exports"]


def test_a_byte_order_mark_is_an_option_of_tables_alone(capsys, tmp_path) -> None:
    source, path = "example:four-words", tmp_path / "w.csv"
    given = ["export", source, "--to", str(path), "--steps", "weights", "--bom"]
    assert cli.main(given) == 0
    assert path.read_bytes().startswith(b"\xef\xbb\xbf,")
    capsys.readouterr()
    given = ["export", source, "--to", str(tmp_path), "--format", "npz", "--bom"]
    assert cli.main(given) == 2
    told = capsys.readouterr().err
    assert "argument --bom: npz files have no such choice" in told
