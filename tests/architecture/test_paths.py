"""Data files are found in a wheel's layout and in a checkout's."""

from pathlib import Path

import pytest

from attnviewer import paths


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    inside = tmp_path / "attnviewer" / "_resources"
    beside = tmp_path / "resources"
    monkeypatch.setattr(paths, "_FOLDERS", (inside, beside))
    return inside, beside


def put(folder: Path) -> Path:
    file = folder / "examples" / "one.json"
    file.parent.mkdir(parents=True)
    file.touch()
    return file


def test_this_installation_has_its_first_example() -> None:
    assert paths.resource("examples", "four-words.json").is_file()


def test_a_checkouts_data_is_found_beside_the_package(
    folders: tuple[Path, Path],
) -> None:
    file = put(folders[1])
    assert paths.resource("examples", "one.json") == file
    assert paths.resource("examples") == file.parent


def test_a_wheels_data_goes_before_a_folder_beside_the_package(
    folders: tuple[Path, Path],
) -> None:
    put(folders[1])
    file = put(folders[0])
    assert paths.resource("examples", "one.json") == file


def test_a_missing_file_is_named_with_both_places(folders: tuple[Path, Path]) -> None:
    with pytest.raises(FileNotFoundError, match=r"examples/none\.json") as caught:
        paths.resource("examples", "none.json")
    for folder in folders:
        assert str(folder) in str(caught.value)
