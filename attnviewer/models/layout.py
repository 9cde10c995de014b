"""The Hugging Face layout of a checkpoint's folder."""

import os
import re
from pathlib import Path

from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import check_ordinary, is_folder
from attnviewer.models.shards import read_index
from attnviewer.sources import CONFIG, GGUF

WEIGHTS = "model.safetensors"
_INDEX_END = ".safetensors.index.json"
INDEX = f"model{_INDEX_END}"
_SHARD = re.compile(r"model-[0-9]+-of-[0-9]+\.safetensors")
_PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
_ELSEWHERE = (".h5", ".msgpack", ".onnx")
"""File names of weights in other formats."""


def find_weights(path: Path) -> Path:
    """Return the file with a model's weights, or the index of several.

    Parameters
    ----------
    path : Path
        The folder of the model, or a file in it.

    Raises
    ------
    FileError
        If there are none that can be read, or `CONFIG` is missing beside them.
    """
    try:
        weights = _weights_in(path) if path.is_dir() else _weights_by(path)
        names = _names(weights.parent)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    if CONFIG not in names:
        raise FileError(
            path,
            f"There is no {CONFIG} beside {weights.name}. It tells how the model is "
            "built, and comes with the weights.",
        )
    return weights


def find_gguf(path: Path) -> Path | None:
    """Return the file of a model in GGUF; None if the path leads to other weights.

    Parameters
    ----------
    path : Path
        The file, or a folder with one and without weights in the Hugging Face layout.

    Raises
    ------
    FileError
        If a folder has several.
    """
    if path.suffix.lower() == GGUF and not is_folder(path):
        return path
    if not is_folder(path):
        return None
    try:
        names = _names(path)
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    found = [name for name in names if name.lower().endswith(GGUF)]
    if not found or any(name.endswith((".safetensors", _INDEX_END)) for name in names):
        return None
    if len(found) > 1:
        raise FileError(
            path, f"It has {len(found)} models in GGUF, such as {found[0]}: open one."
        )
    return path / found[0]


def is_index(path: Path) -> bool:
    """Return whether a file is an index of several weight files."""
    return path.name.endswith(_INDEX_END)


def model_name(folder: Path) -> str:
    """Return the name of a model, from its folder.

    Examples
    --------
    >>> from pathlib import Path
    >>> model_name(Path("models/gpt2"))
    'gpt2'
    >>> model_name(Path("hub/models--openai--gpt2/snapshots/607a30d"))
    'gpt2'
    """
    folder = Path(os.path.abspath(folder))  # noqa: PTH100 does not follow links
    if folder.parent.name == "snapshots":
        folder = folder.parent.parent
    elif folder.name == "model" and folder.parent.name:
        folder = folder.parent
    if folder.name.startswith("models--"):
        return folder.name.rpartition("--")[2]
    return folder.name


def _names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def _weights_in(folder: Path) -> Path:
    names = _names(folder)
    if not names:
        raise FileError(folder, "The folder is empty.")
    if "snapshots" in names:  # a model in the hub's local cache
        raise FileError(
            folder, "The model is in a folder of its snapshots: open that one."
        )
    for name in (WEIGHTS, INDEX):
        if name in names:
            return folder / name
    others = [name for name in names if name.endswith(".safetensors")]
    if any(map(_SHARD.fullmatch, others)):
        raise FileError(
            folder,
            f"There is no {INDEX} in it, which tells which of its {len(others)} files "
            "has which weights, and comes with them.",
        )
    if others:
        raise FileError(
            folder,
            f"There is neither {WEIGHTS} nor {INDEX} in it. If {others[0]} holds all "
            "weights, open that file.",
        )
    for name in names:
        _check_suffix(folder / name)
    missing = WEIGHTS if CONFIG in names else f"{CONFIG} nor {WEIGHTS}"
    neither = "no" if CONFIG in names else "neither"
    raise FileError(folder, f"There is {neither} {missing} in it.")


def _weights_by(path: Path) -> Path:
    """Return the weights that belong to a file of the model."""
    check_ordinary(path)
    if path.suffix == ".safetensors":
        index = path.parent / INDEX
        if index.exists() and path.name in read_index(index).values():
            return index
    if path.suffix == ".safetensors" or is_index(path):
        return path
    if path.name == CONFIG:
        return _weights_in(path.parent)
    _check_suffix(path)
    raise FileFormatError(
        path,
        f"A model is opened by its folder, its {CONFIG}, or its weights in "
        ".safetensors or .gguf.",
    )


def _check_suffix(path: Path) -> None:
    """Refuse weights in an unsupported kind of file."""
    suffix = path.suffix.lower()
    if suffix in _PICKLED:
        raise FileFormatError(
            path,
            "It is pickled, and loading it could run code. Convert the model where it "
            "comes from: transformers.AutoModelForCausalLM.from_pretrained(folder)"
            f".save_pretrained(other) writes {WEIGHTS}; for encoders, AutoModel.",
        )
    if suffix in _ELSEWHERE:
        raise FileFormatError(
            path,
            f"Weights in {suffix} are not read. Models are often given in several "
            f"forms: take the one with {WEIGHTS}.",
        )
