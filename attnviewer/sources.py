"""Sources that can be opened by name."""

import re
from dataclasses import dataclass
from pathlib import Path

EXAMPLE_PREFIX = "example:"
FIRST_EXAMPLE = f"{EXAMPLE_PREFIX}four-words"
"""Opened by default."""
CONFIG = "config.json"
"""The configuration beside the weights of every model."""
GGUF = ".gguf"
"""How the names of models in the format of llama.cpp end."""
LESSON, EXERCISE = ".md", ".attnx"
"""How the names of lessons end, and those of exercises and of their copies."""
SURVEY = ".npz"
"""How the names of surveys end, and those of recordings and other arrays."""
_WEIGHTS_NAME = re.compile(
    r"model(-\d+-of-\d+)?\.safetensors(\.index\.json)?|pytorch_model.*\.bin"
)
PICTURES = (".png", ".jpg", ".jpeg", ".jfif", ".bmp", ".webp", ".gif")
"""How the names of pictures end."""
PARTS = "encoder", "decoder", "cross"
"""The parts of an encoder–decoder, whose attention is shown."""
Given = str | tuple[str, ...] | tuple[int, ...]
"""The input of a model: a text or the path of a picture, tokens, or their ids."""


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A real model, and the head to show first.

    Parameters
    ----------
    path : Path
        Its folder, or a file of it.
    given : str, tuple of str or tuple of int, optional
        Its input; by default the example sentence.
    layer : int
        The layer, counted from zero.
    head : int
        The head, counted from zero.
    part : str, optional
        The part of an encoder–decoder, one of `PARTS`; by default the one that its
        input runs over.
    """

    path: Path
    given: Given | None = None
    layer: int = 0
    head: int = 0
    part: str | None = None


def as_model(source: str | ModelSource, assign: str | None) -> ModelSource | None:
    """Return a source as a model, or None if it is not one; see `is_of_model`.

    Parameters
    ----------
    source : str or ModelSource
        ``example:ID``, the path of a file or a folder, or a model.
    assign : str or None
        The roles of a file's arrays; models have none.
    """
    if isinstance(source, ModelSource):
        return source
    path = Path(source)
    return ModelSource(path) if assign is None and is_of_model(path) else None


def is_of_lesson(path: Path) -> bool:
    """Return whether a path is a lesson or an exercise, by its name."""
    return path.suffix.lower() in (LESSON, EXERCISE)


def is_of_picture(path: Path) -> bool:
    """Return whether a path is a picture, by its name."""
    return path.suffix.lower() in PICTURES


def is_of_model(path: Path) -> bool:
    """Return whether a path is a model, rather than a document or numbers.

    Every folder counts as one, and every file in GGUF. Another file does if it has the
    name of a configuration or of weights, and is beside the other. An unreadable path
    does not.
    """
    try:
        if path.is_dir():
            return True
        if path.suffix.lower() == GGUF:
            return path.is_file()
        if path.name != CONFIG and not _WEIGHTS_NAME.fullmatch(path.name):
            return False
        names = {entry.name for entry in path.parent.iterdir()}
    except (OSError, ValueError):  # ValueError: an invalid file name
        return False
    return {CONFIG, path.name} <= names and any(map(_WEIGHTS_NAME.fullmatch, names))
