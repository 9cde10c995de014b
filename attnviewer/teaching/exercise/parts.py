"""Small archives of named parts, read with distrust."""

from collections.abc import Collection
from pathlib import Path
from typing import TypeVar

from attnviewer.io.archive import read_archive
from attnviewer.io.errors import FileError, FileFormatError, system_reason
from attnviewer.io.reading import check_ordinary
from attnviewer.io.strict_json import SchemaError, decode, decode_entries, shortened

_Layout = TypeVar("_Layout")


def read_parts(path: Path, names: Collection[str], limit: int) -> dict[str, bytes]:
    """Return the parts of an archive that must have these and no others.

    Parameters
    ----------
    path : Path
        The file.
    names : collection of str
        The names of its parts.
    limit : int
        Maximum size of the file, and of its parts together, in bytes.

    Raises
    ------
    FileError
        If it cannot be read, or (`FileFormatError`) is no such archive.
    """
    check_ordinary(path)
    try:
        size = path.stat().st_size
    except OSError as error:
        raise FileError(path, system_reason(error)) from error
    if size > limit:
        raise FileFormatError(path, f"It is larger than {limit // 2**20} MiB.")
    parts = read_archive(path, limit, compressed=True)
    for name in parts:
        if name not in names:
            reason = f"It holds '{shortened(name)}', which does not belong in it."
            raise FileFormatError(path, reason)
    for name in names:
        if name not in parts:
            raise FileFormatError(path, f"{name} is missing.")
    return parts


def decoded(
    path: Path, part: str, data: bytes, layout: type[_Layout], format: str, version: int
) -> _Layout:
    """Return a part in strict JSON that states its format and version.

    Parameters
    ----------
    path : Path
        The file, for errors.
    part : str
        The name of the part.
    data : bytes
        Its content.
    layout : type
        What it must fit.
    format : str
        The format's name.
    version : int
        The one version that is understood.

    Raises
    ------
    FileFormatError
        If it does not fit.
    """
    try:
        entries = decode_entries(data)
        if "format" not in entries or decode(entries["format"], object) != format:
            raise SchemaError(f"The 'format' must be '{format}'.")
        if "version" not in entries or decode(entries["version"], object) != version:
            raise SchemaError(
                f"This program reads version {version} of the format; a newer "
                "attnviewer may read it."
            )
        return decode(data, layout)
    except SchemaError as error:
        place = f"{part} {error.location or ''}".removesuffix("$").strip()
        raise FileFormatError(path, str(error), place) from None
