"""Models that read pictures, on the command line."""

import json
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from attnviewer import cli
from tests.models.vision import recorded_vision as recorded


def _model(folder: Path, name: str, file: str, prepared: dict) -> Path:
    folder.mkdir()
    recorded.write(recorded.load(name)[0], folder)
    (folder / file).write_text(json.dumps(prepared), encoding="utf-8")
    return folder


@pytest.fixture
def dino(tmp_path: Path) -> Path:
    config = {"image_processor_type": "BitImageProcessor", "size": 12, "crop_size": 12}
    return _model(tmp_path / "dino", "dinov2", "preprocessor_config.json", config)


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    config = {"image_processor_type": "CLIPImageProcessor", "size": 12, "crop_size": 12}
    prepared = {"image_processor": config}
    return _model(tmp_path / "clip", "clip", "processor_config.json", prepared)


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    """Return a blue picture and one that is half red."""
    image = QImage(20, 14, QImage.Format.Format_RGB888)
    image.fill(0x336699)
    paths = [tmp_path / "blue.png", tmp_path / "half.png"]
    assert image.save(str(paths[0]))
    for x in range(10):
        for y in range(14):
            image.setPixel(x, y, 0xFF0000)
    assert image.save(str(paths[1]))
    return paths


def _figure(model: Path, picture: Path, to: Path, *options: str) -> bytes:
    chosen = ("--text", str(picture), "--layer", "0", *options, "--export", str(to))
    assert cli.main(["model", str(model), *chosen]) == 0
    return to.read_bytes()


@pytest.mark.usefixtures("theme_is_put_back")
@pytest.mark.parametrize("view", ["heatmap", "on_picture"])
@pytest.mark.parametrize("name", ["dino", "clip"])
def test_a_figure_is_of_the_picture_that_was_given(
    request, tmp_path: Path, pictures: list[Path], name: str, view: str
) -> None:
    model = request.getfixturevalue(name)
    drawn = [
        _figure(model, picture, tmp_path / "figure.png", "--view", view)
        for picture in pictures
    ]
    assert drawn[0] != drawn[1]


def test_a_name_without_the_ending_of_an_image_is_a_path_all_the_same(
    capsys, dino: Path, pictures: list[Path], tmp_path: Path
) -> None:
    pictures[0].rename(tmp_path / "photo")
    for name, refused in (("photo", False), ("none", True)):
        arguments = ["model", str(dino), "--heads", "--text", str(tmp_path / name)]
        assert cli.main(arguments) == 2 * refused
    told = capsys.readouterr().err
    assert "It is not an image that can be read" in told
    assert "none (File not found)" in told


class _WithoutQt:
    """A module whose import fails."""

    def __getattr__(self, _: str) -> object:
        raise ImportError("libEGL.so.1 is missing", name="PySide6.QtCore")


def test_without_qt_a_picture_cannot_be_read_in_one_clear_line(
    capsys, dino: Path, pictures: list[Path], monkeypatch
) -> None:
    name = "attnviewer.ui.state.model.picture_files"
    monkeypatch.setitem(sys.modules, name, _WithoutQt())
    arguments = ["model", str(dino), "--text", str(pictures[0]), "--heads"]
    assert cli.main(arguments) == 2
    told = capsys.readouterr().err
    assert told == "attnviewer: The window cannot be loaded: libEGL.so.1 is missing\n"
