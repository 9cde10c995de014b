"""Pictures are prepared as transformers' image processors, on Pillow, prepare them."""

import json
from pathlib import Path

import numpy as np
import pytest

from attnviewer.io import FileFormatError
from attnviewer.models.preprocessor_config import read_preprocessing
from attnviewer.models.vision import Preprocessing
from attnviewer.models.vision.reading import as_rgb
from tests.models.vision import recorded_vision as recorded

_TOLD, _WANTED = recorded.load("preprocessed")


def _read(config: object, folder: Path, name: str = "preprocessor") -> Preprocessing:
    text = json.dumps(config)
    (folder / f"{name}_config.json").write_text(text, encoding="utf-8")
    found = read_preprocessing(folder, "ViT")
    assert found is not None
    return found


@pytest.mark.parametrize("name", _TOLD)
def test_pixel_values_are_those_of_transformers(name: str, tmp_path: Path) -> None:
    told = _TOLD[name]
    preprocessing = _read(told["config"], tmp_path)
    image = recorded.image(name, told["size"])
    got = preprocessing.pixel_values(image)
    # Resized colours are equal to the last bit; what follows is single precision.
    np.testing.assert_allclose(got, _WANTED[name], rtol=0, atol=1e-6 * 255)
    colors = preprocessing.colors(got)
    assert colors.shape == (*got.shape[1:], 3)
    again = preprocessing.colors(_WANTED[name])
    np.testing.assert_array_equal(colors, again)


def test_the_file_of_a_model_with_texts_is_read_too(tmp_path: Path) -> None:
    config = {"image_processor_type": "CLIPImageProcessorFast", "size": 8}
    found = _read({"image_processor": config}, tmp_path, "processor")
    assert (found.size, found.crop, found.resample) == (8, (224, 224), 3)
    assert read_preprocessing(tmp_path / "none", "ViT") is None


@pytest.mark.parametrize(
    ("config", "location"),
    [
        ({"image_processor_type": "BeitImageProcessor"}, "$.image_processor_type"),
        ({"resample": 0}, "$.resample"),
        ({"size": {"height": 8}}, "$.size"),
        ({"size": {"longest_edge": 8}}, "$.size"),
        ({"size": 10**9}, "$.size"),
        ({"image_std": 0}, "$.image_std"),
        ({"do_pad": True}, "$.do_pad"),
    ],
)
def test_what_is_not_computed_is_refused_with_its_place(
    config: dict, location: str, tmp_path: Path
) -> None:
    with pytest.raises(FileFormatError) as caught:
        _read(config, tmp_path)
    assert caught.value.location == location


def test_a_picture_of_one_pixel_becomes_one_colour(tmp_path: Path) -> None:
    preprocessing = _read({"size": 4, "image_mean": 0, "image_std": 1}, tmp_path)
    got = preprocessing.pixel_values(np.full((1, 1, 3), 51, np.uint8))
    np.testing.assert_allclose(got, np.full((3, 4, 4), 0.2), rtol=1e-6)


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    preprocessing = _read({"size": {"shortest_edge": 16000}}, tmp_path)
    image = np.zeros((1, 9, 3), np.uint8)
    with pytest.raises(ValueError, match="16000 × 144000"):
        preprocessing.pixel_values(image)


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 1), (2, 3, 2), (2, 3, 4)])
def test_grey_and_alpha_become_three_channels(shape: tuple[int, ...]) -> None:
    colours = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)
    got = as_rgb(colours)
    assert got.shape == (2, 3, 3)
    first = colours if colours.ndim == 2 else colours[..., 0]
    np.testing.assert_array_equal(got[..., 0], first)
