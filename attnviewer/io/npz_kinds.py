"""Surveys and recordings among NumPy's files, known by the names of their arrays."""

from pathlib import Path

from attnviewer.io.archive import entry_names
from attnviewer.io.errors import FileError
from attnviewer.sources import SURVEY

_DESCRIPTION = "survey.npy"
_STATEMENT, _FIRST_LAYER = "attnviewer.npy", "layers.0."
"""Entries of recordings: their description, and the arrays of the first layer."""


def is_of_survey(path: Path) -> bool:
    """Return whether a path is a survey of a model's heads; see `models.survey`."""
    return _DESCRIPTION in _entries(path)


def is_of_recording(path: Path) -> bool:
    """Return whether a path is a recording; see `attnviewer.record`."""
    names = _entries(path)
    return _STATEMENT in names and any(n.startswith(_FIRST_LAYER) for n in names)


def _entries(path: Path) -> list[str]:
    """Return the names of the arrays in a file of NumPy; none if it is unreadable."""
    try:
        return entry_names(path) if path.suffix.lower() == SURVEY else []
    except FileError:
        return []
