"""Weights in several files, and the index of which tensor is where."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import msgspec

from attnviewer.io.errors import FileError, FileFormatError
from attnviewer.io.safetensors import TensorFile, describe_tensors
from attnviewer.io.stamp import Stamp
from attnviewer.io.strict_json import shortened
from attnviewer.models.json_file import read_json


class _Index(msgspec.Struct):
    weight_map: Annotated[dict[str, str], msgspec.Meta(min_length=1)]


def read_index(path: Path) -> dict[str, str]:
    """Return the file name of each tensor.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is not an index, or names files
        outside its folder.
    """
    shards = read_json(path, _Index).weight_map
    for shard in set(shards.values()):
        if not is_plain(shard):
            raise FileFormatError(
                path,
                "Files of weights must be named without a folder, and lie beside it. "
                f"Got '{shortened(shard)}' instead.",
            )
    return shards


def describe_shards(path: Path) -> list[TensorFile]:
    """Return the descriptions of the files in an index.

    Raises
    ------
    FileError
        If the index or a file cannot be read, or (`FileFormatError`) they do not match.
    """
    index = read_index(path)
    shards = sorted(set(index.values()))
    missing = [name for name in shards if Stamp.of(path.parent / name) is None]
    if missing:
        more = f" and {len(missing) - 1:,} more" if missing[1:] else ""
        raise FileError(
            path,
            f"The model is not whole: {shortened(missing[0])}{more} of its "
            f"{len(shards):,} files of weights must lie in the same folder.",
        )
    files = {name: describe_tensors(path.parent / name) for name in shards}
    _check_names_are_unique(files.values())
    for tensor, shard in index.items():
        if tensor not in files[shard].tensors:
            raise FileFormatError(
                path, f"The tensor is not in {shard}.", shortened(tensor)
            )
    return list(files.values())


def is_plain(name: str) -> bool:
    """Return whether a name stays within the folder."""
    # On every system: a backslash or a colon leads elsewhere on some.
    return name.isprintable() and not set(name) & set("/\\:") and name.strip(". ") != ""


def _check_names_are_unique(files: Iterable[TensorFile]) -> None:
    holders: dict[str, Path] = {}
    for file in files:
        for name in file.tensors:
            if name in holders:
                raise FileFormatError(
                    file.path,
                    f"A tensor of the same name is in {holders[name].name}.",
                    shortened(name),
                )
            holders[name] = file.path
