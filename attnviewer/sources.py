"""What is opened by a name, for all who ask for it."""

import os
from dataclasses import dataclass
from pathlib import Path

EXAMPLE_PREFIX = "example:"
FIRST_EXAMPLE = f"{EXAMPLE_PREFIX}four-words"
"""What is opened where nothing is named."""
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
    """Return the model that a source is; a folder is one, or else nothing.

    Parameters
    ----------
    source : str or ModelSource
        ``example:ID``, the path of a file or a folder, or a model.
    assign : str or None
        Which of a file's arrays is what; no model needs to be told.
    """
    if isinstance(source, ModelSource):
        return source
    if assign is not None:
        return None
    # Which calls a name that no file can have no folder.
    is_folder = os.path.isdir(source)  # noqa: PTH112
    return ModelSource(Path(source)) if is_folder else None
