"""The bundled examples."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from attnviewer.document import Document
from attnviewer.document.matrices import same_bits
from attnviewer.io.errors import FileError
from attnviewer.io.example_file import load_example, read_example
from attnviewer.paths import resource


@dataclass(frozen=True, slots=True)
class ExampleInfo:
    """An example in a list: what is shown of it."""

    id: str
    title: str


def list_examples() -> list[ExampleInfo]:
    """Return the bundled examples in teaching order."""
    contents = {path.stem: read_example(path) for path in _files()}
    ids = sorted(contents, key=lambda id_: (contents[id_].order, id_))
    return [ExampleInfo(id_, contents[id_].title) for id_ in ids]


def example_ids() -> list[str]:
    """Return the ids of the bundled examples in teaching order."""
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


def has_example_texts(document: Document) -> bool:
    """Return whether a document still has the title and notes of a bundled example."""
    return _example_with_texts_of(document) is not None


def stated_title(document: Document) -> str:
    """Return the title under which a document is exported.

    A bundled example's title makes claims about its numbers. Where a document still
    has that title and the example's notes but other content, "(changed)" follows.
    """
    changed = _is_changed_example(document)
    return f"{document.title} (changed)" if changed else document.title


def stated_notes(document: Document) -> str:
    """Return the notes that a document is exported with, see `stated_title`."""
    if not document.notes or not _is_changed_example(document):
        return document.notes
    return f"Of the example before it was changed: {document.notes}"


def _is_changed_example(document: Document) -> bool:
    example = _example_with_texts_of(document)
    return example is not None and not _same_content(example, document)


def _example_with_texts_of(document: Document) -> Document | None:
    example = _example_titled(document.title)
    same = example is not None and example.notes == document.notes
    return example if same else None


@cache
def _example_titled(title: str) -> Document | None:
    """Return the bundled example with a title; it is shared and must not be edited."""
    for path in _files():
        if read_example(path).title == title:
            return load_example(path)
    return None


def _same_content(one: Document, other: Document) -> bool:
    return (
        (one.spec, one.tokens, one.context_tokens)
        == (other.spec, other.tokens, other.context_tokens)
        and one.matrices.keys() == other.matrices.keys()
        and all(same_bits(one.matrix(n), other.matrix(n)) for n in one.matrices)
    )


def _files() -> list[Path]:
    try:
        return sorted(resource("examples").glob("*.json"))
    except FileNotFoundError as error:
        raise FileError("examples", str(error)) from None
