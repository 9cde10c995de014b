"""The tokens that end a text."""

from attnviewer.models.json_file import read_json
from attnviewer.models.model import Model
from attnviewer.sources import CONFIG

GENERATION = "generation_config.json"
_END = "eos_token_id"


def end_tokens(model: Model) -> frozenset[int]:
    """Return the ids of the tokens that end a text; none if the files name none.

    As in transformers, ``generation_config.json`` goes before ``config.json``.

    Raises
    ------
    FileError
        If a file is there and cannot be read.
    """
    for name in (GENERATION, CONFIG):
        path = model.path / name
        if path.is_file():
            named = read_json(path, dict[str, object]).get(_END)
            ids = named if isinstance(named, list) else [named]
            found = frozenset(id for id in ids if isinstance(id, int))
            if found:
                return found
    return frozenset()
