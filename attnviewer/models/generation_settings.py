"""Settings of generation that a checkpoint asks for and that are not applied."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from attnviewer.models.end_tokens import GENERATION
from attnviewer.models.json_file import read_json
from attnviewer.sources import CONFIG

_WITHOUT_EFFECT: Mapping[str, object] = MappingProxyType(
    {
        "repetition_penalty": 1,
        "encoder_repetition_penalty": 1,
        "no_repeat_ngram_size": 0,
        "encoder_no_repeat_ngram_size": 0,
        "bad_words_ids": None,
        "suppress_tokens": None,
        "begin_suppress_tokens": None,
        "sequence_bias": None,
        "forced_bos_token_id": None,
        "forced_eos_token_id": None,
        "forced_decoder_ids": None,
        "min_length": 0,
        "min_new_tokens": 0,
        "exponential_decay_length_penalty": None,
        "guidance_scale": 1,
        "num_beams": 1,
    }
)
"""Settings that choose other tokens even where none is drawn, each with the value with
which it does not."""


_START = "decoder_start_token_id"


def unapplied_settings(
    folder: Path, config: Mapping[str, object], start: int | None = None
) -> str:
    """Return which settings of generation are not applied; "" if none are asked for.

    As in transformers, ``generation_config.json`` replaces ``config.json``.

    Parameters
    ----------
    folder : Path
        The folder of the checkpoint.
    config : mapping of str to object
        Its configuration.
    start : int, optional
        Of an encoder–decoder, the token that its decoder starts with.

    Raises
    ------
    FileError
        If ``generation_config.json`` is there and cannot be read.
    """
    path = folder / GENERATION
    is_there = path.is_file()
    given = read_json(path, dict[str, object]) if is_there else config
    asked = [
        name
        for name, neutral in _WITHOUT_EFFECT.items()
        if given.get(name) not in (None, [], neutral)
    ]
    begins = given.get(_START, given.get("bos_token_id"))
    if is_there and start is not None and begins not in (None, start):
        asked.append(_START if _START in given else f"{_START} (bos_token_id)")
    if not asked:
        return ""
    return (
        "Tokens are chosen by the model's probabilities alone, without what "
        f"{GENERATION if is_there else CONFIG} asks for: {', '.join(asked)}."
    )
