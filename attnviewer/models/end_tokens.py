"""The tokens that end a text."""

from collections.abc import Mapping
from pathlib import Path

from attnviewer.models.json_file import read_json

GENERATION = "generation_config.json"
_END = "eos_token_id"


def end_tokens(folder: Path, config: Mapping[str, object]) -> frozenset[int]:
    """Return the ids of the tokens that end a text; none if the files name none.

    As in transformers, ``generation_config.json`` replaces ``config.json``.

    Parameters
    ----------
    folder : Path
        The folder of the checkpoint.
    config : mapping of str to object
        Its configuration.

    Raises
    ------
    FileError
        If ``generation_config.json`` is there and cannot be read.
    """
    path = folder / GENERATION
    given = read_json(path, dict[str, object]) if path.is_file() else config
    named = given.get(_END)
    listed = named if isinstance(named, list) else [named]
    return frozenset(id for id in listed if isinstance(id, int))
