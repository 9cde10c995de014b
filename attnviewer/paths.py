"""Where data files lie, in the wheel as in a checkout, and how paths are told."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_FOLDERS = (_PACKAGE / "_resources", _PACKAGE.parent / "resources")


def resource(*parts: str) -> Path:
    """Find a data file or a folder of them.

    Parameters
    ----------
    *parts
        The path below the data folder, part by part.

    Returns
    -------
    Path
        The existing file or folder.

    Raises
    ------
    FileNotFoundError
        If the installation lacks it.
    """
    for folder in _FOLDERS:
        path = folder.joinpath(*parts)
        if path.exists():
            return path
    name = "/".join(parts)
    places = " nor ".join(map(str, _FOLDERS))
    raise FileNotFoundError(f"attnviewer's data file {name} is in neither {places}.")


def printable(path: str | Path) -> str:
    """Return a path, or a text that names some, as it can be printed anywhere.

    Bytes of a name that are no text, and halves of signs, become their escapes.
    """
    return str(path).encode(errors="backslashreplace").decode()
