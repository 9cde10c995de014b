"""What is taken for a model, rather than for a document or for numbers."""

from pathlib import Path

import pytest

from attnviewer.sources import ModelSource, as_model, is_of_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (
        "config.json",
        "model.safetensors",
        "model-00001-of-00002.safetensors",
        "model.safetensors.index.json",
        "pytorch_model.bin",
        "tiny-Q4_0.GGUF",
        "heads.safetensors",
        "tokenizer.json",
        "numbers.csv",
    ):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", True),
        ("config.json", True),
        ("model.safetensors", True),
        ("model-00001-of-00002.safetensors", True),
        ("model.safetensors.index.json", True),
        ("pytorch_model.bin", True),
        ("tiny-Q4_0.GGUF", True),
        ("heads.safetensors", False),
        ("tokenizer.json", False),
        ("numbers.csv", False),
        ("missing", False),
    ],
)
def test_a_model_is_known_by_its_names(
    folder: Path, name: str, *, expected: bool
) -> None:
    assert is_of_model(folder / name) == expected


def test_weights_without_a_description_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").touch()
    assert not is_of_model(tmp_path / "model.safetensors")


def test_a_description_without_weights_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").touch()
    (tmp_path / "heads.safetensors").touch()
    assert not is_of_model(tmp_path / "config.json")


def test_a_name_that_no_file_can_have_is_none(tmp_path: Path) -> None:
    assert not is_of_model(tmp_path / "a\0b")


def test_whoever_names_a_models_file_means_the_model(folder: Path) -> None:
    for name in (".", "config.json", "model.safetensors"):
        path = folder / name
        assert as_model(str(path), None) == ModelSource(path)
    assert as_model(str(folder / "numbers.csv"), None) is None
    assert as_model("example:four-words", None) is None


def test_a_file_of_which_arrays_are_named_is_of_numbers(folder: Path) -> None:
    assert as_model(str(folder / "model.safetensors"), "X=emb") is None
