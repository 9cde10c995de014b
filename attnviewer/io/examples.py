"""The examples that come with the program."""

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from attnviewer.io.errors import FileError
from attnviewer.io.example_file import read_example
from attnviewer.paths import resource


@dataclass(frozen=True, slots=True)
class ExampleInfo:
    """What a list of examples shows of each."""

    id: str
    title: str


def list_examples() -> list[ExampleInfo]:
    """Return the bundled examples in the order to meet them."""
    contents = {path.stem: read_example(path) for path in _files()}
    ids = sorted(contents, key=lambda id_: (contents[id_].order, id_))
    return [ExampleInfo(id_, contents[id_].title) for id_ in ids]


def example_ids() -> list[str]:
    """Return the ids of the bundled examples in the order to meet them."""
    return [example.id for example in list_examples()]


def example_path(id_: str) -> Path:
    """Return the file of a bundled example.

    Raises
    ------
    FileError
        If there is no such example; names the nearest.
    """
    paths = {path.stem: path for path in _files()}
    if id_ in paths:
        return paths[id_]
    nearest = get_close_matches(id_, paths, n=1)
    hint = f" Did you mean '{nearest[0]}'?" if nearest else ""
    raise FileError(
        f"example:{id_}",
        f"There is no such example.{hint} 'attnviewer examples' lists them all.",
    )


def _files() -> list[Path]:
    try:
        return sorted(resource("examples").glob("*.json"))
    except FileNotFoundError as error:
        raise FileError("examples", str(error)) from None
