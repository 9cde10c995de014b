"""Pictures from the command line."""

import pytest
from PySide6.QtGui import QImage

from attnviewer import cli
from attnviewer.ui.figures.typeface import typeface
from attnviewer.ui.paint.theme import DARK

STARTS = {
    "png": b"\x89PNG\r\n\x1a\n",
    "svg": b"<?xml",
    "pdf": b"%PDF-",
    "gif": b"GIF89a",
}


def export(name, path, *options, source="example:four-words"):
    command = ["export", source, "--format", name, "--to", str(path)]
    return cli.main([*command, *options])


@pytest.mark.parametrize("name", STARTS)
def test_a_view_is_exported_as_a_picture(appearance, tmp_path, capsys, name):
    path = tmp_path / f"view.{name}"
    assert export(name, path, "--step", "scores", "--cell", "1,2") == 0
    assert path.read_bytes().startswith(STARTS[name])
    assert capsys.readouterr().out == f"{path} written\n"


def test_size_scale_and_theme_are_those_that_were_asked_for(appearance, tmp_path):
    path = tmp_path / "view.png"
    options = ["--size", "640x480", "--picture-scale", "3", "--theme", "dark"]
    assert export("png", path, "--as-in-window", *options) == 0
    image = QImage(str(path))
    assert (image.width(), image.height()) == (1920, 1440)
    assert image.pixelColor(1, 1).name() == DARK.window


def test_step_view_cell_and_caption_make_other_pictures(appearance, tmp_path):
    path, pictures = tmp_path / "view.png", []
    # With one font installed, texts with serifs are the same.
    has_serif = typeface("serif").family != typeface("sans").family
    for options in (
        [],
        *([["--font", "serif"]] if has_serif else []),
        ["--step", "scores"],
        ["--view", "lines"],
        ["--cell", "3,3"],
        ["--caption"],
        ["--caption", "As we expected."],
        ["--width", "3.5in"],
        ["--theme", "dark"],
        ["--dpi", "150"],
        ["--as-in-window"],
    ):
        assert export("png", path, *options) == 0
        pictures.append(QImage(str(path)))
    for i, one in enumerate(pictures):
        assert all(one != other for other in pictures[i + 1 :])


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("png", ["--width", "2"], "from 40 to 500"),
        ("png", ["--width", "wide"], "from 40 to 500"),
        ("png", ["--dpi", "71"], "from 72 to 2400"),
        ("png", ["--dpi", "1e3"], "it must be a whole number"),
        ("png", ["--font", "no such font"], "The 'font' must be installed"),
        ("png", ["--picture-scale", "99"], "from 0.5 to 16"),
        ("png", ["--picture-scale", "3"], "a figure has no such choice"),
        ("png", ["--size", "640x480"], "a figure has no such choice"),
        ("svg", ["--theme", "contrast"], "a figure is light, dark or paper"),
        ("svg", ["--pace", "100"], "argument --pace: a figure has no such choice"),
        *(
            (name, [*more, *given], f"argument {given[0]}: a {what} has no such choice")
            for name, more, what in (
                ("gif", [], "gif"),
                ("png", ["--as-in-window"], "view as in the window"),
            )
            for given in (
                ["--caption"],
                ["--width", "85mm"],
                ["--font", "serif"],
                ["--outlines"],
                ["--dpi", "150"],
                ["--threshold", "0.5"],
            )
        ),
        ("gif", ["--picture-scale", "3"], "a gif has no such choice"),
        (
            "png",
            ["--as-in-window", "--pace", "100"],
            "a view as in the window has no such choice",
        ),
        ("png", ["--outlines"], "argument --outlines: only an svg"),
        ("pdf", ["--dpi", "150"], "argument --dpi: only a png"),
        ("svg", ["--threshold", "0.5"], "argument --threshold: only lines"),
        ("svg", ["--overlay", "all"], "argument --overlay: only lines"),
        ("svg", ["--overlay", "0,b"], "it must be 'all', or heads such as 0,3,5"),
        (
            "svg",
            ["--baseline", "example:four-words-rerun"],
            "argument --baseline: only a difference",
        ),
        ("svg", ["--view", "difference"], "argument --view: a difference needs"),
        ("svg", ["--threshold", "-1"], "it must be a number from 0 on"),
        ("gif", ["--pace", "1"], "from 20 to 10000"),
        ("gif", ["--size", "4000x300"], "from 320x240 to 1920x1200"),
        ("png", ["--step", "no"], "The 'step' must be"),
        ("svg", ["--cell", "9,9"], "The 'cell' must"),
    ],
)
def test_what_cannot_be_is_one_clear_line(
    appearance, tmp_path, capsys, name, options, reason
):
    assert export(name, tmp_path / f"view.{name}", *options) == 2
    error = capsys.readouterr().err
    assert reason in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_name_of_another_format_is_refused(tmp_path, capsys):
    assert export("svg", tmp_path / "view.png") == 2
    assert "must end in .svg" in capsys.readouterr().err


def test_a_difference_is_taken_from_the_baseline(tmp_path):
    path = tmp_path / "change.svg"
    options = ["--view", "difference", "--baseline", "example:four-words-rerun"]
    assert export("svg", path, *options) == 0
    assert ">B − A</text>" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("heads", "names"), [("all", 2), ("0,1", 2), ("1", 1)])
def test_lines_of_several_heads_are_drawn_over_each_other(tmp_path, heads, names):
    path = tmp_path / "lines.svg"
    options = ["--view", "lines", "--overlay", heads]
    assert export("svg", path, *options, source="example:two-heads") == 0
    assert path.read_text(encoding="utf-8").count(">Head ") == names


def test_a_figure_is_drawn_without_the_window(tmp_path, monkeypatch):
    monkeypatch.setattr("attnviewer.ui.window.main_window.MainWindow.__init__", None)
    assert export("pdf", tmp_path / "view.pdf") == 0
