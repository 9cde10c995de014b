"""What is opened by a name, for all who ask for it."""

import re
from dataclasses import dataclass
from pathlib import Path

EXAMPLE_PREFIX = "example:"
FIRST_EXAMPLE = f"{EXAMPLE_PREFIX}four-words"
"""What is opened where nothing is named."""
CONFIG = "config.json"
"""What lies beside the weights of every model."""
_WEIGHTS_NAME = re.compile(
    r"model(-\d+-of-\d+)?\.safetensors(\.index\.json)?|pytorch_model.*\.bin"
)
Given = str | tuple[str, ...] | tuple[int, ...]
"""What a model runs over: a text, its tokens, or their ids."""


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A real model, and where one looks first.

    Parameters
    ----------
    path : Path
        Its folder, or a file of it.
    given : str, tuple of str or tuple of int, optional
        What it runs over; by default the sentence that models are opened with.
    layer : int
        The layer, counted from zero.
    head : int
        The head, counted from zero.
    """

    path: Path
    given: Given | None = None
    layer: int = 0
    head: int = 0


def as_model(source: str | ModelSource, assign: str | None) -> ModelSource | None:
    """Return the model that a source is, or nothing; see `is_of_model`.

    Parameters
    ----------
    source : str or ModelSource
        ``example:ID``, the path of a file or a folder, or a model.
    assign : str or None
        Which of a file's arrays is what; no model needs to be told.
    """
    if isinstance(source, ModelSource):
        return source
    path = Path(source)
    return ModelSource(path) if assign is None and is_of_model(path) else None


def is_of_model(path: Path) -> bool:
    """Return whether a path is a model's, rather than a document's or of numbers.

    Every folder is taken for one. A file is one's if it has the name of a
    configuration or of weights, and lies beside the other. What cannot be read is
    none's.
    """
    try:
        if path.is_dir():
            return True
        if path.name != CONFIG and not _WEIGHTS_NAME.fullmatch(path.name):
            return False
        names = {entry.name for entry in path.parent.iterdir()}
    except (OSError, ValueError):  # the latter for a name that no file can have
        return False
    return {CONFIG, path.name} <= names and any(map(_WEIGHTS_NAME.fullmatch, names))
